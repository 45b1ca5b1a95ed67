// How much work a library call is charged, in steps.
//
// One step is about one instruction of the machine. Looking at an element costs a step; copying text is far cheaper,
// so text is charged by the block.
import { LimitReached, type Meter } from '../../base/meter.ts';
import { BYTES_BYTES, listBytes, stringBytes, tupleBytes } from './sizes.ts';

/** UTF-16 units that can be copied or compared in the time of one step. */
export const UNITS_PER_STEP = 32;

/** What V8 can hold in one string, whatever the memory limit says. */
export const MAX_STRING_UNITS = 0x1fffffe8;
/** Elements of one list or tuple, whatever the memory limit says: above it V8 gives up fast arrays. */
export const MAX_ELEMENTS = 0x1ffffff;

/** A string of `units` is about to be made or searched and made. */
export function chargeString(meter: Meter, units: number): void {
  if (units > MAX_STRING_UNITS) tooLarge(`a string of ${units} units`);
  meter.work(1 + Math.floor(units / UNITS_PER_STEP));
  meter.allocate(stringBytes(units));
}

/** `units` of text are about to be read. */
export function chargeScan(meter: Meter, units: number): void {
  meter.work(1 + Math.floor(units / UNITS_PER_STEP));
}

export function chargeList(meter: Meter, length: number): void {
  if (length > MAX_ELEMENTS) tooLarge(`a list of ${length} elements`);
  meter.work(1 + length);
  meter.allocate(listBytes(length));
}

export function chargeTuple(meter: Meter, length: number): void {
  if (length > MAX_ELEMENTS) tooLarge(`a tuple of ${length} elements`);
  meter.work(1 + length);
  meter.allocate(tupleBytes(length));
}

export function chargeBytes(meter: Meter, length: number): void {
  if (length > MAX_STRING_UNITS) tooLarge(`${length} bytes`);
  meter.work(1 + Math.floor(length / UNITS_PER_STEP));
  meter.allocate(BYTES_BYTES + length);
}

export function tooLarge(what: string): never {
  throw new LimitReached('MEMORY_LIMIT', `stopped: ${what} cannot be made`, 'keep less data at once');
}
