// Going through a value, item by item.
import { Dict } from './dict.ts';
import type { Evaluation } from './evaluation.ts';
import { Lazy, View } from './iterables.ts';
import { viewItems } from './repr.ts';
import { failUndefined, typeError, valueError } from './template-error.ts';
import { lengthOf, pointsOf } from './text.ts';
import { typeName } from './type-name.ts';
import { Bytes, List, Markup, Tuple, Undefined, type Value } from './value.ts';

/** Gives the next item, or undefined when there is none. */
export type Cursor = () => Value | undefined;

/** The items of a value whose items are all there, charged; null for a `Lazy`, and for what cannot be iterated over. */
export function knownItems(e: Evaluation, value: Value): readonly Value[] | null {
  if (value instanceof List || value instanceof Tuple) return value.items;
  if (typeof value === 'string') return characters(e, value);
  if (value instanceof Markup) return characters(e, value.text);
  if (value instanceof Dict) {
    e.makeItems(value.size);
    return value.keys();
  }
  if (value instanceof View) {
    e.makeItems(value.dict.size, value.part === 'items' ? 64 : 8);
    return viewItems(value);
  }
  if (value instanceof Bytes) {
    e.makeItems(value.bytes.length);
    return [...value.bytes];
  }
  if (value instanceof Undefined && value.isLenient) return [];
  return null;
}

function characters(e: Evaluation, text: string): readonly Value[] {
  e.makeItems(text.length);
  return pointsOf(text);
}

export function iterate(e: Evaluation, value: Value): Cursor {
  const items = knownItems(e, value);
  if (items !== null) {
    let at = 0;
    return () => items[at++];
  }
  if (value instanceof Lazy) return () => value.next();
  return notIterable(value);
}

export function isIterable(value: Value): boolean {
  if (value instanceof Undefined && !value.isLenient) failUndefined(value);
  return (
    typeof value === 'string' ||
    value instanceof Markup ||
    value instanceof List ||
    value instanceof Tuple ||
    value instanceof Dict ||
    value instanceof View ||
    value instanceof Bytes ||
    value instanceof Lazy ||
    value instanceof Undefined
  );
}

function notIterable(value: Value): never {
  if (value instanceof Undefined) failUndefined(value);
  return typeError(`'${typeName(value)}' object is not iterable`);
}

/** All items, as `list(value)`. */
export function listOf(e: Evaluation, value: Value): readonly Value[] {
  const known = knownItems(e, value);
  if (known !== null) {
    e.work(known.length);
    return known;
  }
  const cursor = iterate(e, value);
  const items: Value[] = [];
  for (let item = cursor(); item !== undefined; item = cursor()) {
    e.makeItems(1);
    items.push(item);
  }
  return items;
}

/** `len(value)` */
export function sizeOf(e: Evaluation, value: Value): number {
  if (typeof value === 'string') return textSize(e, value);
  if (value instanceof Markup) return textSize(e, value.text);
  if (value instanceof List || value instanceof Tuple) return value.items.length;
  if (value instanceof Dict) return value.size;
  if (value instanceof View) return value.dict.size;
  if (value instanceof Bytes) return value.bytes.length;
  if (value instanceof Undefined) return value.isLenient ? 0 : failUndefined(value);
  return typeError(`object of type '${typeName(value)}' has no len()`);
}

function textSize(e: Evaluation, text: string): number {
  e.scan(text.length);
  return lengthOf(text);
}

/** Puts the items of `value` into as many places as there are. */
export function unpack(e: Evaluation, value: Value, count: number): readonly Value[] {
  const known = knownItems(e, value);
  if (known === null && !(value instanceof Lazy)) {
    if (value instanceof Undefined) failUndefined(value);
    return typeError(`cannot unpack non-iterable ${typeName(value)} object`);
  }
  const cursor = iterate(e, value);
  const items: Value[] = [];
  for (let item = cursor(); item !== undefined; item = cursor()) {
    e.makeItems(1);
    if (items.push(item) > count) return valueError(`too many values to unpack (expected ${count})`);
  }
  return items.length < count
    ? valueError(`not enough values to unpack (expected ${count}, got ${items.length})`)
    : items;
}
