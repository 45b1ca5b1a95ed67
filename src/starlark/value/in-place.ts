// `x += y` and its like, where `x` itself is changed instead of replaced.
import { MAX_ELEMENTS, tooLarge, SLOT_BYTES } from '../../python/charge.ts';
import { add, bitAnd, bitOr, bitXor, subtract, unsupported } from './arithmetic.ts';
import { dictMerge } from './dict.ts';
import { isIterable, viewArray } from './iterate.ts';
import { checkMutable } from './mutable.ts';
import type { Thread } from './native.ts';
import { setMerge, setRemove, setToggle } from './set.ts';
import { Dict, List, SetValue, type Value } from './value.ts';

export function addInPlace(thread: Thread, a: Value, b: Value): Value {
  if (!(a instanceof List)) return add(thread, a, b);
  if (!isIterable(b)) throw unsupported(a, '+=', b);
  checkMutable(a, 'extend');
  extend(thread, a, viewArray(thread, b));
  return a;
}

/** Adds `items` to the end of the list, whose own items they may be. */
export function extend(thread: Thread, list: List, items: readonly Value[]): void {
  const count = items.length;
  if (list.items.length + count > MAX_ELEMENTS)
    tooLarge(`a list of ${list.items.length + count} elements`, MAX_ELEMENTS);
  thread.meter.allocate(count * SLOT_BYTES);
  const to = list.items;
  for (let i = 0; i < count; i += 1) to.push(items[i] as Value);
}

export function orInPlace(thread: Thread, a: Value, b: Value): Value {
  if (a instanceof Dict && b instanceof Dict) {
    checkMutable(a, 'insert into');
    dictMerge(thread, a, b);
    return a;
  }
  if (!(a instanceof SetValue && b instanceof SetValue)) return bitOr(thread, a, b);
  checkMutable(a, 'insert into');
  setMerge(thread, a, b);
  return a;
}

export function andInPlace(thread: Thread, a: Value, b: Value): Value {
  if (!(a instanceof SetValue && b instanceof SetValue)) return bitAnd(thread, a, b);
  checkMutable(a, 'delete from');
  setRemove(thread, a, b, false);
  return a;
}

export function subtractInPlace(thread: Thread, a: Value, b: Value): Value {
  if (!(a instanceof SetValue && b instanceof SetValue)) return subtract(thread, a, b);
  checkMutable(a, 'delete from');
  setRemove(thread, a, b, true);
  return a;
}

export function xorInPlace(thread: Thread, a: Value, b: Value): Value {
  if (!(a instanceof SetValue && b instanceof SetValue)) return bitXor(thread, a, b);
  checkMutable(a, 'insert into');
  setToggle(thread, a, b);
  return a;
}
