// How much work a library call is charged, in steps.
//
// One step is about one instruction of the machine. Looking at an element costs a step; copying text is far cheaper,
// so text is charged by the block.
import { LimitReached, type Meter } from '../../base/meter.ts';
import { bitsBound } from './int.ts';
import { BYTES_BYTES, STRING_UNIT_BYTES, listBytes, stringBytes, tupleBytes } from './sizes.ts';

/** UTF-16 units that can be copied or compared in the time of one step. */
export const UNITS_PER_STEP = 32;

/** Putting an entry into a table or taking one out: about 100 ns, where an instruction takes 5. */
export const ENTRY_STEPS = 8;
/** Bits of two ints that are compared in the time of one step; the most bits that are allowed by default are 2^16. */
const BITS_PER_STEP = 1024;
/** Making a table. */
export const TABLE_STEPS = 16;

/** What V8 can hold in one string, whatever the memory limit says. */
export const MAX_STRING_UNITS = 0x1fffffe8;
/** Elements of one list or tuple, whatever the memory limit says: above it V8 gives up fast arrays. */
export const MAX_ELEMENTS = 0x1ffffff;

/** A string of `units` is about to be made or searched and made. */
export function chargeString(meter: Meter, units: number): void {
  if (units > MAX_STRING_UNITS) tooLarge(`a string of ${units} units`, MAX_STRING_UNITS);
  meter.work(1 + Math.floor(units / (units > HUGE_UNITS ? HUGE_UNITS_PER_STEP : UNITS_PER_STEP)));
  meter.allocate(stringBytes(units));
}

/** `units` of text are about to be read. */
export function chargeScan(meter: Meter, units: number): void {
  meter.work(1 + Math.floor(units / UNITS_PER_STEP));
  if (meter.deferred !== 0) chargeRead(meter, units);
}

/** `a` is about to be compared with another bigint. Finding out its size takes a while too. */
export function chargeBigints(meter: Meter, a: bigint): void {
  meter.work(4 + Math.floor(bitsBound(a) / BITS_PER_STEP));
}

/** Joining up to here is charged at once. */
const LONG_UNITS = 1024;
/** From here on V8 asks the system for memory each time. Measured: 0.1 ns for each unit below, 1 to 2 ns above. */
const HUGE_UNITS = 0x10000;
const HUGE_UNITS_PER_STEP = 8;

/**
 * Two strings are about to be joined. V8 only notes the two parts and copies them when the result is first read, so
 * that growing a text by `+=` takes no time at all. So does the charge: a long result is charged by `chargeRead`.
 * The memory is charged at once, as what the program holds must fit when it is written out.
 */
export function chargeJoin(meter: Meter, a: number, b: number): void {
  const units = a + b;
  if (units > MAX_STRING_UNITS) tooLarge(`a string of ${units} units`, MAX_STRING_UNITS);
  meter.allocate(stringBytes(units));
  if (units <= LONG_UNITS) return meter.work(units >> 6);
  meter.work(1 + Math.floor(Math.min(a, b) / UNITS_PER_STEP));
  // All that is held fits into the memory, so that no more than this can ever be copied.
  meter.deferred = Math.min(meter.deferred + units, meter.memoryLimit / STRING_UNIT_BYTES);
}

/** A string of `units` is about to be looked into, if only at one place: it may be one that was never copied. */
export function chargeRead(meter: Meter, units: number): void {
  if (meter.deferred === 0 || units <= LONG_UNITS) return;
  const owed = Math.min(units, meter.deferred);
  meter.deferred -= owed;
  meter.work(Math.floor(owed / (owed > HUGE_UNITS ? HUGE_UNITS_PER_STEP : 64)));
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

/** `most` is a bound that no option moves. */
export function tooLarge(what: string, most: number): never {
  throw new LimitReached(
    'MEMORY_LIMIT',
    `stopped: ${what} cannot be made: ${most} is the most, whatever the memory limit is`,
    'keep less data at once, or in several pieces',
  );
}
