// Plain data: JSON values that are safe to hold untrusted keys, and what freezes and extends them.
//
// Objects made here have no prototype: `value.constructor` is what the document contains, or undefined. `canonicalJson`
// gives equal text for equal values: keys are sorted by code unit.
import { copyKeys, hasNotedKeys, keysOf, noteKeysOf } from './key-order.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function emptyObject(): { [key: string]: Json } {
  return Object.create(null) as { [key: string]: Json };
}

function ShapedObject(this: object): void {}
ShapedObject.prototype = Object.create(null) as object;

/**
 * As `emptyObject`, for hot paths: it inherits from an empty object without a prototype. V8 keeps it with a shape, and reads,
 * walks and writes it in a fifth of the time that an object without any prototype takes.
 */
export function shapedObject(): { [key: string]: Json } {
  return new (ShapedObject as unknown as new () => { [key: string]: Json })();
}

export function canonicalJson(value: Json): string {
  // Native code is faster where there is nothing to sort.
  return isCanonical(value) ? JSON.stringify(value) : sortedJson(value);
}

function isCanonical(value: Json): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[])
      if (typeof item === 'object' && !isCanonical(item)) return false;
    return true;
  }
  const object = value as JsonObject;
  let last = '';
  for (const key in object) {
    if (key < last) return false;
    last = key;
    const item = object[key] as Json;
    if (typeof item === 'object' && !isCanonical(item)) return false;
  }
  return true;
}

function sortedJson(value: Json): string {
  if (typeof value === 'string') return quoteJson(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) text += `${text === '' ? '[' : ','}${sortedJson(item)}`;
    return text === '' ? '[]' : `${text}]`;
  }
  const object = value as JsonObject;
  for (const key of sortedKeys(object))
    text += `${text === '' ? '{' : ','}${quoteJson(key)}:${sortedJson(object[key] as Json)}`;
  return text === '' ? '{}' : `${text}}`;
}

/** Few keys are sorted faster by hand than by a call. */
function sortedKeys(object: JsonObject): readonly string[] {
  const keys = Object.keys(object);
  if (keys.length > 16) return keys.sort();
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at] as string;
    let to = at;
    for (; to > 0 && (keys[to - 1] as string) > key; to -= 1) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
}

/** As `JSON.stringify`, which takes longer for a short plain text than looking at each unit; so does a regular expression. */
export function quoteJson(text: string): string {
  if (text.length >= 64) return JSON.stringify(text);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff))
      return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** `JSON.parse` into prototype-free objects, with the order of their keys (key-order.ts). Throws what `JSON.parse` throws. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  noteKeysOf(text, value);
  return withoutPrototypes(value);
}

/** As `JSON.stringify`, with the keys of each object in the order of its document. */
export function jsonText(value: Json): string {
  if (value === null || typeof value !== 'object' || !hasNotedKeys(value)) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map((item) => jsonText(item ?? null)).join(',')}]`;
  const object = value as JsonObject;
  const members = keysOf(object).flatMap((key) =>
    object[key] === undefined ? [] : [`${quoteJson(key)}:${jsonText(object[key])}`],
  );
  return `{${members.join(',')}}`;
}

/** The value that a text is; undefined where it is not JSON, or is nested deeper than the stack reaches. */
export function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A copy of what `JSON.parse` gave. */
export function withoutPrototypes(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  const object = value as JsonObject;
  const bare = emptyObject();
  for (const key of Object.keys(object)) bare[key] = withoutPrototypes(object[key] as Json);
  copyKeys(object, bare);
  return bare;
}

/** A text as it is; everything else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Freezes `value` and everything it holds; gives it back. Circles are fine. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const held = new Set<object>([value]);
  for (const one of held) {
    // The content of a typed array cannot be frozen, and to try is an error.
    if (!ArrayBuffer.isView(one)) Object.freeze(one);
    for (const inner of Object.values(one) as unknown[])
      if (typeof inner === 'object' && inner !== null) held.add(inner);
  }
  return value;
}

/**
 * Adds many items to the end of a list. `into.push(...items)` throws a RangeError beyond some hundred thousand items, because
 * each of them is an argument on the stack.
 */
export function append<T>(into: T[], items: Iterable<T>): void {
  for (const item of items) into.push(item);
}
