// What text and lists of text cost: steps for reading, searching and copying them, bytes for holding them.
//
// One step is about one instruction of the Starlark machine. Copying text is far cheaper than that, so text is charged
// by the block. The bytes are upper bounds of what V8 takes, fixed so that the count is the same everywhere.
import { LimitReached, type Meter } from '../base/meter.ts';

/** UTF-16 units that can be copied or compared in the time of one step. */
export const UNITS_PER_STEP = 32;

/** What V8 can hold in one string, whatever the memory limit says. */
export const MAX_STRING_UNITS = 0x1fffffe8;
/** Elements of one list or tuple, whatever the memory limit says: above it V8 gives up fast arrays. */
export const MAX_ELEMENTS = 0x1ffffff;

export const STRING_BYTES = 24;
export const STRING_UNIT_BYTES = 2;
// A slot is dear because an int beyond 31 bits is a heap number of its own, and because a growing array exists twice for
// a moment; a list, because V8 makes room for 17 elements when the first is added.
export const LIST_BYTES = 112;
export const SLOT_BYTES = 24;

/** Joining up to here is charged immediately. */
const LONG_UNITS = 1024;
/** From here on V8 asks the system for memory each time. Measured: 0.1 ns for each unit below, 1 to 2 ns above. */
const HUGE_UNITS = 0x10000;
const HUGE_UNITS_PER_STEP = 8;

export function stringBytes(units: number): number {
  return STRING_BYTES + units * STRING_UNIT_BYTES;
}

export function listBytes(length: number): number {
  return LIST_BYTES + length * SLOT_BYTES;
}

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

/**
 * Two strings are about to be joined. V8 only notes the two parts and copies them when the result is first read, so
 * growing a text by `+=` takes no time. Its steps are charged later too, by `chargeRead`. Its memory is charged
 * immediately, because everything that a program holds must fit when it is written out.
 */
export function chargeJoin(meter: Meter, a: number, b: number): void {
  const units = a + b;
  if (units > MAX_STRING_UNITS) tooLarge(`a string of ${units} units`, MAX_STRING_UNITS);
  meter.allocate(stringBytes(units));
  if (units <= LONG_UNITS) return meter.work(units >> 6);
  meter.work(1 + Math.floor(Math.min(a, b) / UNITS_PER_STEP));
  // All that is held fits into the memory, so no more than this can ever be copied.
  meter.deferred = Math.min(meter.deferred + units, meter.memoryLimit / STRING_UNIT_BYTES);
}

/** A string of `units` is about to be read, if only at one place: V8 may copy its parts together now. */
export function chargeRead(meter: Meter, units: number): void {
  if (meter.deferred === 0 || units <= LONG_UNITS) return;
  const owed = Math.min(units, meter.deferred);
  meter.deferred -= owed;
  meter.work(Math.floor(owed / (owed > HUGE_UNITS ? HUGE_UNITS_PER_STEP : 64)));
}

/** `most` is a bound that no option moves. */
export function tooLarge(what: string, most: number): never {
  throw new LimitReached(
    'MEMORY_LIMIT',
    `stopped: ${what} cannot be made: ${most} is the most, whatever the memory limit is`,
    'keep less data at once, or in several pieces',
  );
}
