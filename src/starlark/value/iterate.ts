// The elements of what can be looped over.
import { chargeList } from './charge.ts';
import { dictKeys } from './dict.ts';
import { EvalError } from './eval-error.ts';
import type { Thread } from './native.ts';
import { setItems } from './set.ts';
import { typeName } from './type-name.ts';
import { Dict, Elems, List, Range, SetValue, Tuple, type Value } from './value.ts';

export function isIterable(v: Value): boolean {
  return (
    v instanceof List ||
    v instanceof Tuple ||
    v instanceof Dict ||
    v instanceof SetValue ||
    v instanceof Range ||
    v instanceof Elems
  );
}

/** A fresh array of the elements, charged as a list. `what` is the function that asks, for the message. */
export function toArray(thread: Thread, v: Value, what?: string): Value[] {
  if (v instanceof List || v instanceof Tuple) {
    chargeList(thread.meter, v.items.length);
    return v.items.slice();
  }
  if (v instanceof Dict) return dictKeys(thread, v);
  if (v instanceof SetValue) return setItems(thread, v);
  if (v instanceof Range) return rangeItems(thread, v);
  if (v instanceof Elems) return elements(thread, v);
  return notIterable(v, what);
}

/** Like `toArray`, but may give the array of a list or tuple itself: only for reading, immediately. */
export function viewArray(thread: Thread, v: Value, what?: string): readonly Value[] {
  if (v instanceof List || v instanceof Tuple) {
    thread.meter.work(1 + v.items.length);
    return v.items;
  }
  return toArray(thread, v, what);
}

export function notIterable(v: Value, what?: string): never {
  const name = typeName(v);
  const hint =
    name === 'string' || name === 'bytes'
      ? 'a string or bytes is not a sequence of elements: use .elems()'
      : null;
  if (what === undefined) throw new EvalError('EVAL_TYPE', `${name} value is not iterable`, hint);
  throw new EvalError('EVAL_TYPE', `${what}: got ${name}, want iterable`, hint);
}

function rangeItems(thread: Thread, range: Range): Value[] {
  chargeList(thread.meter, range.length);
  const items: Value[] = [];
  for (let i = 0, value = range.start; i < range.length; i += 1, value += range.step) items.push(value);
  return items;
}

function elements(thread: Thread, v: Elems): Value[] {
  const { of } = v;
  if (typeof of !== 'string') {
    chargeList(thread.meter, of.bytes.length);
    return Array.from(of.bytes);
  }
  chargeList(thread.meter, of.length);
  return of.split('');
}
