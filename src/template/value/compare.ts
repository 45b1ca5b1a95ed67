// ==, <, in: equality, order and membership, as Python's.
import { indexOfText } from '../../python/find-text.ts';
import { Dict } from './dict.ts';
import type { Evaluation } from './evaluation.ts';
import { Lazy, View } from './iterables.ts';
import { iterate } from './iterate.ts';
import { asInt } from './numbers.ts';
import { viewItems } from './repr.ts';
import { failUndefined, typeError, valueError } from './template-error.ts';
import { asText, compareText } from './text.ts';
import { typeName } from './type-name.ts';
import { Bytes, Float, List, Markup, Tuple, Undefined, type Value } from './value.ts';

/** The number that a value is, for comparing: a bigint compares exactly with a number. */
function asNumber(value: Value): number | bigint | null {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Float ? value.value : null;
}

export function isEqual(e: Evaluation, a: Value, b: Value): boolean {
  if (a instanceof Undefined || b instanceof Undefined) return isEqualUndefined(a, b);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length > 64) e.scan(a.length);
    return a === b;
  }
  const [x, y] = [asNumber(a), asNumber(b)];
  // eslint-disable-next-line eqeqeq -- 2n is 2
  if (x !== null || y !== null) return x !== null && y !== null && x == y;
  if (a instanceof Markup || b instanceof Markup) return asText(a) !== null && asText(a) === asText(b);
  if (a instanceof List) return b instanceof List && areEqual(e, a.items, b.items);
  if (a instanceof Tuple) return b instanceof Tuple && areEqual(e, a.items, b.items);
  if (a instanceof Dict) return b instanceof Dict && areEqualDicts(e, a, b);
  if (a instanceof View) return a === b || (b instanceof View && areEqualViews(e, a, b));
  if (a instanceof Bytes) return b instanceof Bytes && compareBytes(e, a, b) === 0;
  return a === b;
}

function isEqualUndefined(a: Value, b: Value): boolean {
  for (const each of [a, b]) if (each instanceof Undefined && !each.isLenient) failUndefined(each);
  return a instanceof Undefined && b instanceof Undefined;
}

/** As in a container: a value is equal to itself, whatever it is. */
function isSame(e: Evaluation, a: Value, b: Value): boolean {
  return a === b || isEqual(e, a, b);
}

function areEqual(e: Evaluation, a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false;
  e.enter();
  e.work(1 + a.length);
  const equal = a.every((item, at) => isSame(e, item, b[at] as Value));
  e.leave();
  return equal;
}

function areEqualDicts(e: Evaluation, a: Dict, b: Dict): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  e.enter();
  e.makeItems(a.size, 16);
  const values = a.values();
  const equal = a.keys().every((key, at) => {
    const other = b.get(key);
    return other !== undefined && isSame(e, values[at] as Value, other);
  });
  e.leave();
  return equal;
}

/** Keys and items compare as sets. */
function areEqualViews(e: Evaluation, a: View, b: View): boolean {
  if (a.part === 'values' || b.part === 'values' || a.dict.size !== b.dict.size) return false;
  return viewItems(a).every((item) => contains(e, b, item));
}

export type Order = '<' | '<=' | '>' | '>=';

export function isOrdered(e: Evaluation, operator: Order, a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return holds(operator, a - b);
  if (a instanceof Undefined) failUndefined(a);
  if (b instanceof Undefined) failUndefined(b);
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x !== null && y !== null) return areNumbersOrdered(operator, x, y);
  const [s, t] = [asText(a), asText(b)];
  if (s !== null && t !== null) {
    e.scan(Math.min(s.length, t.length));
    return holds(operator, compareText(s, t));
  }
  if ((a instanceof List && b instanceof List) || (a instanceof Tuple && b instanceof Tuple))
    return areItemsOrdered(e, operator, a.items, b.items);
  if (isSetLike(a) && isSetLike(b)) return areSetsOrdered(e, operator, a, b);
  if (a instanceof Bytes && b instanceof Bytes) return holds(operator, compareBytes(e, a, b));
  return typeError(`'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

/** Keys and items of a dict, and sets. */
export function isSetLike(value: Value): value is View {
  return value instanceof View && value.part !== 'values';
}

/** `<` is "lies within", as of sets. */
function areSetsOrdered(e: Evaluation, operator: Order, a: View, b: View): boolean {
  const [small, large] = operator.startsWith('<') ? [a, b] : [b, a];
  e.work(1 + small.dict.size);
  return (
    (operator.length === 1 ? small.dict.size < large.dict.size : small.dict.size <= large.dict.size) &&
    viewItems(small).every((item) => contains(e, large, item))
  );
}

function compareBytes(e: Evaluation, { bytes: a }: Bytes, { bytes: b }: Bytes): number {
  e.scan(Math.min(a.length, b.length));
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 || at >= b.length ? a.length - b.length : (a[at] as number) - (b[at] as number);
}

function holds(operator: Order, difference: number): boolean {
  switch (operator) {
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
  }
}

function areNumbersOrdered(operator: Order, x: number | bigint, y: number | bigint): boolean {
  switch (operator) {
    case '<':
      return x < y;
    case '<=':
      return x <= y;
    case '>':
      return x > y;
    case '>=':
      return x >= y;
  }
}

function areItemsOrdered(e: Evaluation, operator: Order, a: readonly Value[], b: readonly Value[]): boolean {
  e.enter();
  const shared = Math.min(a.length, b.length);
  let at = 0;
  while (at < shared && isSame(e, a[at] as Value, b[at] as Value)) at += 1;
  e.work(1 + at);
  const ordered =
    at === shared
      ? holds(operator, a.length - b.length)
      : isOrdered(e, operator, a[at] as Value, b[at] as Value);
  e.leave();
  return ordered;
}

/** `item in container` */
export function contains(e: Evaluation, container: Value, item: Value): boolean {
  const text = asText(container);
  if (text !== null) return containsText(e, text, item);
  if (container instanceof Dict) return container.get(item) !== undefined;
  if (container instanceof List || container instanceof Tuple) {
    e.work(1 + container.items.length);
    return container.items.some((each) => isSame(e, each, item));
  }
  if (container instanceof View) return viewContains(e, container, item);
  if (container instanceof Bytes) return containsBytes(e, container, item);
  if (container instanceof Undefined) return container.isLenient ? false : failUndefined(container);
  if (!(container instanceof Lazy))
    return typeError(`argument of type '${typeName(container)}' is not iterable`);
  const cursor = iterate(e, container);
  for (let each = cursor(); each !== undefined; each = cursor()) {
    e.work(1);
    if (isSame(e, each, item)) return true;
  }
  return false;
}

function containsText(e: Evaluation, text: string, item: Value): boolean {
  const sought = asText(item);
  if (sought === null)
    return typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  return indexOfText(e.meter, text, sought, 0) >= 0;
}

function containsBytes(e: Evaluation, { bytes }: Bytes, item: Value): boolean {
  e.scan(bytes.length);
  if (item instanceof Bytes) return indexOfText(e.meter, latin(bytes), latin(item.bytes), 0) >= 0;
  const byte = asInt(item);
  if (byte === null) return typeError(`a bytes-like object is required, not '${typeName(item)}'`);
  return byte >= 0 && byte < 256 ? bytes.includes(Number(byte)) : valueError('byte must be in range(0, 256)');
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

function viewContains(e: Evaluation, { dict, part }: View, item: Value): boolean {
  if (part === 'keys' || part === 'set') return dict.get(item) !== undefined;
  if (part === 'values') return contains(e, new List(dict.values()), item);
  if (!(item instanceof Tuple) || item.items.length !== 2) return false;
  const value = dict.get(item.items[0] as Value);
  return value !== undefined && isSame(e, value, item.items[1] as Value);
}
