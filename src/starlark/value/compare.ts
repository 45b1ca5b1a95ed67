// `<`, `<=`, `>` and `>=`
//
// Only values of one type are ordered, and only bool, int, float, string, bytes, tuple and list; an int and a float
// are ordered exactly, as the numbers they are. NaN is above everything, so that floats are totally ordered. Sequences
// are ordered by the first pair that is not equal, then by length: elements before it need no order.
import { UNITS_PER_STEP, chargeRead } from '../../python/charge.ts';
import { chargeBigints } from './charge.ts';
import { MAX_VALUE_DEPTH, tooDeep } from './depth.ts';
import { equals } from './equal.ts';
import { EvalError } from './eval-error.ts';
import type { Thread } from './native.ts';
import { typeName } from './type-name.ts';
import { Bytes, Float, List, Tuple, type Value } from './value.ts';

/** Below, equal or above zero. `operator` is only for the message. */
export function compare(thread: Thread, a: Value, b: Value, operator: string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(thread, a, b);
  return compareOthers(thread, a, b, operator, 0);
}

function compareStrings(thread: Thread, a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  if (shared > UNITS_PER_STEP) thread.meter.work(Math.floor(shared / UNITS_PER_STEP));
  if (thread.meter.deferred !== 0) {
    chargeRead(thread.meter, a.length);
    chargeRead(thread.meter, b.length);
  }
  return a < b ? -1 : a === b ? 0 : 1;
}

/** Comparing a bigint with a float takes as long as some instructions, whatever its size. */
const MIXED_STEPS = 4;

function compareOthers(thread: Thread, a: Value, b: Value, operator: string, depth: number): number {
  if (a instanceof Tuple && b instanceof Tuple)
    return compareSequences(thread, a.items, b.items, operator, depth);
  if (a instanceof List && b instanceof List)
    return compareSequences(thread, a.items, b.items, operator, depth);
  const x = a instanceof Float ? a.value : a;
  const y = b instanceof Float ? b.value : b;
  // JavaScript compares a bigint with a number exactly.
  if ((typeof x === 'number' || typeof x === 'bigint') && (typeof y === 'number' || typeof y === 'bigint')) {
    if (typeof x === 'bigint' && typeof y === 'bigint') chargeBigints(thread.meter, x);
    else if (typeof x === 'bigint' || typeof y === 'bigint') thread.meter.work(MIXED_STEPS);
    return compareNumbers(x, y);
  }
  if (typeof x === 'string' && typeof y === 'string') return compareStrings(thread, x, y);
  if (typeof x === 'boolean' && typeof y === 'boolean') return Number(x) - Number(y);
  if (x instanceof Bytes && y instanceof Bytes) return compareBytes(thread, x.bytes, y.bytes);
  throw new EvalError('EVAL_TYPE', `unsupported comparison: ${typeName(a)} ${operator} ${typeName(b)}`);
}

function compareNumbers(x: number | bigint, y: number | bigint): number {
  if (x < y) return -1;
  if (x > y) return 1;
  if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : 1;
  return Number.isNaN(y) ? -1 : 0;
}

function compareSequences(thread: Thread, a: Value[], b: Value[], operator: string, depth: number): number {
  if (depth > MAX_VALUE_DEPTH) tooDeep('comparison');
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    thread.meter.work(1);
    const x = a[i] as Value;
    const y = b[i] as Value;
    if (typeof x === 'number' && typeof y === 'number') {
      if (x !== y) return x - y;
    } else if (!equals(thread, x, y)) {
      return compareOthers(thread, x, y, operator, depth + 1);
    }
  }
  return a.length - b.length;
}

function compareBytes(thread: Thread, a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  thread.meter.work(shared >> 3);
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
