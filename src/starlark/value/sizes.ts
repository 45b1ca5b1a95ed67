// What each kind of value is charged, in bytes.
//
// Upper bounds of what V8 takes on a 64-bit machine, kept as constants because the count must be the same
// everywhere. A dict or set is dear because V8 makes room for 17 elements when the first is added, and bytes because of
// what V8 keeps about each buffer. Strings and lists are in python/charge.ts.
import { SLOT_BYTES } from '../../python/charge.ts';

export const FLOAT_BYTES = 24;
export const BYTES_BYTES = 208;
export const TUPLE_BYTES = 88;
export const DICT_BYTES = 400;
export const DICT_ENTRY_BYTES = 96;
export const SET_BYTES = 336;
export const SET_ENTRY_BYTES = 72;
export const RANGE_BYTES = 72;
export const ELEMS_BYTES = 40;
export const CELL_BYTES = 40;
export const CLOSURE_BYTES = 104;
export const BOUND_METHOD_BYTES = 56;

export function tupleBytes(length: number): number {
  return TUPLE_BYTES + length * SLOT_BYTES;
}

export function bigintBytes(bits: number): number {
  return 24 + Math.ceil(bits / 8);
}
