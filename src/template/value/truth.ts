// Whether a value counts as true.
import { Dict } from './dict.ts';
import { View } from './iterables.ts';
import { failUndefined } from './template-error.ts';
import { Bytes, Float, List, Markup, Tuple, Undefined, type Value } from './value.ts';

export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value !== '';
  if (typeof value === 'number') return value !== 0;
  // 0 is always a number, never a bigint.
  return typeof value === 'bigint' || (value !== null && isTrueObject(value));
}

function isTrueObject(value: Exclude<Value, null | boolean | number | bigint | string>): boolean {
  if (value instanceof Float) return value.value !== 0;
  if (value instanceof Markup) return value.text !== '';
  if (value instanceof List || value instanceof Tuple) return value.items.length > 0;
  if (value instanceof Dict) return value.size > 0;
  if (value instanceof View) return value.dict.size > 0;
  if (value instanceof Bytes) return value.bytes.length > 0;
  if (value instanceof Undefined) return value.isLenient ? false : failUndefined(value);
  return true;
}
