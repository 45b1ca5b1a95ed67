// How much work a library call is charged, in steps: looking at an element costs one. Text is in python/charge.ts.
import type { Meter } from '../../base/meter.ts';
import { MAX_ELEMENTS, MAX_STRING_UNITS, UNITS_PER_STEP, listBytes, tooLarge } from '../../python/charge.ts';
import { bitsBound } from './int.ts';
import { BYTES_BYTES, tupleBytes } from './value.ts';

/** Putting an entry into a table or taking one out: about 100 ns, where an instruction takes 5. */
export const ENTRY_STEPS = 8;
/** Bits of two ints that are compared in the time of one step; the most bits that are allowed by default are 2^16. */
const BITS_PER_STEP = 1024;
/** Making a table. */
export const TABLE_STEPS = 16;

/** `a` is about to be compared with another bigint. Finding out its size takes a while too. */
export function chargeBigints(meter: Meter, a: bigint): void {
  meter.work(4 + Math.floor(bitsBound(a) / BITS_PER_STEP));
}

export function chargeList(meter: Meter, length: number): void {
  if (length > MAX_ELEMENTS) tooLarge(`a list of ${length} elements`, MAX_ELEMENTS);
  meter.work(1 + length);
  meter.allocate(listBytes(length));
}

export function chargeTuple(meter: Meter, length: number): void {
  if (length > MAX_ELEMENTS) tooLarge(`a tuple of ${length} elements`, MAX_ELEMENTS);
  meter.work(1 + length);
  meter.allocate(tupleBytes(length));
}

export function chargeBytes(meter: Meter, length: number): void {
  if (length > MAX_STRING_UNITS) tooLarge(`a value of ${length} bytes`, MAX_STRING_UNITS);
  meter.work(1 + Math.floor(length / UNITS_PER_STEP));
  meter.allocate(BYTES_BYTES + length);
}
