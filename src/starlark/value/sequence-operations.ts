// Joining and repeating strings, bytes, lists and tuples: charged before anything is made.
import { chargeJoin, chargeString, tooLarge, MAX_ELEMENTS, MAX_STRING_UNITS } from '../../python/charge.ts';
import { chargeBytes, chargeList, chargeTuple } from './charge.ts';
import type { Thread } from './native.ts';
import { Bytes, List, Tuple, type Value } from './value.ts';

/** `a + b`, or undefined when they are not two sequences of one type. */
export function concatenate(thread: Thread, a: Value, b: Value): Value | undefined {
  if (typeof a === 'string') return typeof b === 'string' ? concatenateStrings(thread, a, b) : undefined;
  if (a instanceof List)
    return b instanceof List ? new List(concatenateItems(thread, a.items, b.items, true)) : undefined;
  if (a instanceof Tuple) {
    if (!(b instanceof Tuple)) return undefined;
    if (a.items.length === 0) return b;
    return b.items.length === 0 ? a : new Tuple(concatenateItems(thread, a.items, b.items, false));
  }
  if (!(a instanceof Bytes && b instanceof Bytes)) return undefined;
  const length = a.bytes.length + b.bytes.length;
  chargeBytes(thread.meter, length);
  const bytes = new Uint8Array(length);
  bytes.set(a.bytes);
  bytes.set(b.bytes, a.bytes.length);
  return new Bytes(bytes);
}

export function concatenateStrings(thread: Thread, a: string, b: string): string {
  chargeJoin(thread.meter, a.length, b.length);
  return a + b;
}

function concatenateItems(thread: Thread, a: Value[], b: Value[], asList: boolean): Value[] {
  const length = a.length + b.length;
  if (asList) chargeList(thread.meter, length);
  else chargeTuple(thread.meter, length);
  return a.concat(b);
}

/** `a * times`, or undefined when `a` is not a sequence. */
export function repeat(thread: Thread, a: Value, times: number | bigint): Value | undefined {
  const count = times > 0 ? Number(times) : 0;
  if (typeof a === 'string') {
    const units = size(a.length, count, MAX_STRING_UNITS);
    chargeString(thread.meter, units);
    return units === 0 ? '' : a.repeat(count);
  }
  if (a instanceof List) {
    chargeList(thread.meter, size(a.items.length, count, MAX_ELEMENTS));
    return new List(repeatItems(a.items, count));
  }
  if (a instanceof Tuple) {
    if (count === 1) return a;
    chargeTuple(thread.meter, size(a.items.length, count, MAX_ELEMENTS));
    return new Tuple(repeatItems(a.items, count));
  }
  if (!(a instanceof Bytes)) return undefined;
  const length = size(a.bytes.length, count, MAX_STRING_UNITS);
  chargeBytes(thread.meter, length);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += a.bytes.length) bytes.set(a.bytes, at);
  return new Bytes(bytes);
}

/** The length of the result; an empty sequence may be repeated any number of times. */
function size(length: number, count: number, most: number): number {
  const total = length === 0 ? 0 : length * count;
  if (total > most) tooLarge(`a sequence of ${length} elements repeated ${count} times`, most);
  return total;
}

function repeatItems(items: Value[], count: number): Value[] {
  if (items.length === 0 || count === 0) return [];
  if (items.length === 1) {
    const out: Value[] = [];
    const only = items[0] as Value;
    for (let i = 0; i < count; i += 1) out.push(only);
    return out;
  }
  const out = items.slice();
  for (let i = 1; i < count; i += 1) for (let j = 0; j < items.length; j += 1) out.push(items[j] as Value);
  return out;
}
