// What `range(…)` makes, slices of it, and whether a number is in it. Its numbers are never more than safe integers.
import { MAX_SAFE } from '../../python/int.ts';
import { strideCount } from '../../python/slice.ts';
import { EvalError } from './eval-error.ts';
import type { Thread } from './native.ts';
import { Range, RANGE_BYTES } from './value.ts';

/** `step` is not 0. */
export function newRange(thread: Thread, start: number, stop: number, step: number): Range {
  thread.meter.allocate(RANGE_BYTES);
  return new Range(start, stop, step, rangeLength(start, stop, step));
}

function rangeLength(start: number, stop: number, step: number): number {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  if (Math.abs(stop - start) <= MAX_SAFE) return strideCount(start, stop, step);
  const length =
    (BigInt(Math.max(start, stop)) - BigInt(Math.min(start, stop)) - 1n) / BigInt(Math.abs(step)) + 1n;
  if (length > BigInt(MAX_SAFE)) throw new EvalError('EVAL_VALUE', `range: more than ${MAX_SAFE} elements`);
  return Number(length);
}

/** The elements at `from`, `from + stride` and so on, `count` of them. */
export function rangeSlice(
  thread: Thread,
  range: Range,
  from: number,
  to: number,
  stride: number,
  count: number,
): Range {
  if (count === 0) {
    thread.meter.allocate(RANGE_BYTES);
    return new Range(0, 0, 1, 0);
  }
  const start = range.start + from * range.step;
  // A stride over the length picks one element, so any step will do.
  const step = count === 1 ? clampStep(range.step, stride) : range.step * stride;
  let stop = range.start + to * range.step;
  // Only one past the last element can leave the safe integers; the same elements have a nearer end.
  if (Math.abs(stop) > MAX_SAFE) stop = start + step * (count - 1) + Math.sign(step);
  thread.meter.allocate(RANGE_BYTES);
  return new Range(start, stop, step, count);
}

function clampStep(step: number, stride: number): number {
  return Math.max(-MAX_SAFE, Math.min(MAX_SAFE, step * stride));
}

/** Whether `n`, which may be any number, is one of the range's. */
export function rangeHas(range: Range, n: number): boolean {
  if (range.length === 0 || !Number.isSafeInteger(n)) return false;
  const last = range.start + (range.length - 1) * range.step;
  if (range.step > 0 ? n < range.start || n > last : n > range.start || n < last) return false;
  // The difference can leave the safe integers; remainders of the two parts cannot.
  const { start, step } = range;
  return (n % step) - (start % step) === 0 || Math.abs((n % step) - (start % step)) === Math.abs(step);
}
