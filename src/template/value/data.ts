// Data of the embedder <-> values of a template.
//
// A JavaScript number that is a safe integer is an int, any other is a float. JSON cannot tell 1.0 from 1, so a float
// that is whole must be given as a `Float`; an int beyond 2^53 as a bigint. -0 is 0. Read when needed, and only
// properties of an object's own: nothing of JavaScript can be reached. What comes out is always a copy without
// prototypes. A tuple, view or iterator becomes an array; a float that is whole becomes a number without a point; what
// JSON cannot hold is a failure, never something else.
import { emptyObject, type Json } from '../../base/json.ts';
import { noteKeys } from '../../base/key-order.ts';
import { Dict } from './dict.ts';
import type { Evaluation } from './evaluation.ts';
import { intFromBigint } from '../../python/int.ts';
import { iterate } from './iterate.ts';
import type { Lazy, View } from './iterables.ts';
import { floatText } from '../../python/float-text.ts';
import { failUndefined, TemplateError, typeError } from './template-error.ts';
import { typeName } from './type-name.ts';
import { Bytes, Callable, Float, List, Markup, type Tuple, Undefined, type Value } from './value.ts';

export type Data =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | readonly Data[]
  | { readonly [key: string]: Data };

export function fromData(data: Data): Value {
  if (typeof data === 'string' || typeof data === 'boolean' || data === null) return data;
  if (typeof data === 'number') return Number.isSafeInteger(data) ? data + 0 : new Float(data);
  if (typeof data === 'bigint') return intFromBigint(data);
  if (typeof data !== 'object') throw new TypeError(`a template cannot be given a ${typeof data}`);
  if (data instanceof Float) return data;
  if (Array.isArray(data))
    return new List(() => (data as readonly Data[]).map((item) => fromData(item ?? null)));
  return Dict.from(data as { readonly [key: string]: Data }, fromData);
}

export function toData(e: Evaluation, value: Value): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return exactNumber(value);
  if (value instanceof Float) return finiteNumber(value.value);
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return failUndefined(value);
  if (value instanceof Callable) return typeError(`a ${typeName(value)} cannot be passed on`, 'call it');
  if (value instanceof Bytes)
    return typeError('bytes cannot be passed on', 'turn them into text: x.decode()');
  e.enter();
  const data = value instanceof Dict ? objectOf(e, value) : arrayOf(e, value);
  e.leave();
  return data;
}

function arrayOf(e: Evaluation, value: List | Tuple | View | Lazy): Json {
  const items: Json[] = [];
  const cursor = iterate(e, value);
  for (let item = cursor(); item !== undefined; item = cursor()) {
    e.makeItems(1, 16);
    items.push(toData(e, item));
  }
  return items;
}

function objectOf(e: Evaluation, dict: Dict): Json {
  const object = emptyObject();
  const values = dict.values();
  e.makeItems(values.length, 64);
  const keys = dict.keys().map(keyText);
  for (const [at, key] of keys.entries()) object[key] = toData(e, values[at] as Value);
  noteKeys(object, [...new Set(keys)]);
  return object;
}

/** As JSON writes a key that is not text. */
export function keyText(key: Value): string {
  if (typeof key === 'string') return key;
  if (key === null) return 'null';
  if (typeof key === 'boolean') return key ? 'true' : 'false';
  if (typeof key === 'number' || typeof key === 'bigint') return String(key);
  if (key instanceof Float) return floatText(key.value);
  if (key instanceof Markup) return key.text;
  return typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

function exactNumber(value: bigint): number {
  const number = Number(value);
  if (Number.isFinite(number) && BigInt(number) === value) return number;
  throw new TemplateError(
    'EVAL_VALUE',
    'an int of this size cannot be written as a JSON number without loss',
    'pass it on as text: {{ value | string }}',
  );
}

function finiteNumber(value: number): number {
  if (Number.isFinite(value)) return value + 0;
  throw new TemplateError('EVAL_VALUE', `${floatText(value)} cannot be written in JSON`);
}
