// A value as a key of the index of a dict or set.
//
//   hashKey(a) and hashKey(b) are the same  <=>  a == b
//
// A safe int, a bool, None and most strings are their own key. A float is its number, so that 1.0 is 1. All other keys
// are text that begins with NUL and a letter: a string that begins so gets `\0s` before it. A bigint is text because
// V8 hashes it by its low 64 bits: shifted numbers would all fall into one bucket. (Numbers are hashed without a
// secret too, but `key-index.ts` notices when they are chosen.) The text of a tuple holds its elements one after the
// other, each readable without knowing what follows: an int `5;`, a string `5:hello`, a tuple `t2:` and so on. It is
// cached, and charged like a string. Not that of bytes: a literal is shared by all runs of a program, and the second
// would be charged less. A function is its own key. In a tuple it is a number, given when first asked and never seen
// by a program; always of one width, since the text is charged by its length. A pair of ints of 26 bits, such as a
// place in a grid, is a number: a third of the time of a text. It is one of the doubles from 2^53 to 2^54, which no
// int or float has for a key: beyond the safe integers those are text.
// hash-key#K6. A use of a long key is charged by its length, and by the keys of the index that it may be compared
//   with: V8 hashes a text of more than 16,383 units by its length alone (key-index#T6).
import { chargeScan, chargeString, MAX_STRING_UNITS, tooLarge, UNITS_PER_STEP } from '../../python/charge.ts';
import { MAX_VALUE_DEPTH, tooDeep } from './depth.ts';
import { EvalError } from './eval-error.ts';
import type { Thread } from './native.ts';
import { bitsBound } from './int.ts';
import type { KeyIndex } from './value.ts';
import { typeName } from './type-name.ts';
import {
  BoundMethod,
  Builtin,
  Bytes,
  Closure,
  Float,
  HostFunction,
  Module,
  Struct,
  Tuple,
  type HashKey,
  type Value,
} from './value.ts';

/** Strings up to here are hashed and compared within the step that the instruction costs anyway. */
const SHORT_UNITS = 64;
/** Texts up to here are compared with the few keys of a small index within what reading them once costs. */
const UNHASHED_UNITS = 1024;
/** The doubles from 2^53 to 2^54, two apart, are the 2^52 pairs of ints of 26 bits. */
const FIRST_PAIR = 2 ** 53;
const PAIR_OFFSET = 2 ** 25;

/** `index` is where the key is about to be looked for. */
export function hashKey(thread: Thread, v: Value, index: KeyIndex | null): HashKey {
  if (typeof v === 'number') return v;
  if (typeof v === 'string') {
    if (v.length > SHORT_UNITS) chargeText(thread, v.length, index);
    return v.charCodeAt(0) === 0 ? `\0s${v}` : v;
  }
  if (v instanceof Tuple) {
    const pair = pairKey(v);
    if (pair !== undefined) return pair;
    const text = textKey(thread, v);
    if (text.length > SHORT_UNITS) chargeText(thread, text.length, index);
    return text;
  }
  const key = otherKey(thread, v);
  if (index !== null) chargeKey(thread, key, index);
  return key;
}

/** `key`, as `hashKey` gave it for another index, is about to be looked for in `index` (hash-key#K6). */
export function chargeKey(thread: Thread, key: HashKey, index: KeyIndex): void {
  if (typeof key === 'string' && key.length > SHORT_UNITS) chargeText(thread, key.length, index);
}

function chargeText(thread: Thread, units: number, index: KeyIndex | null): void {
  chargeScan(thread.meter, units);
  if (index === null || units <= UNHASHED_UNITS) return;
  const rivals = index.rivals(units);
  if (rivals > 1) thread.meter.work((rivals - 1) * Math.floor(units / UNITS_PER_STEP));
}

/** K5: the number of a pair of small ints, or undefined. */
function pairKey({ items }: Tuple): number | undefined {
  if (items.length !== 2) return undefined;
  // A float that is integral equals the int.
  const a = items[0] instanceof Float ? items[0].value : items[0];
  const b = items[1] instanceof Float ? items[1].value : items[1];
  if (typeof a !== 'number' || typeof b !== 'number' || (a << 6) >> 6 !== a || (b << 6) >> 6 !== b)
    return undefined;
  return FIRST_PAIR + 2 * ((a + PAIR_OFFSET) * (2 * PAIR_OFFSET) + b + PAIR_OFFSET);
}

function otherKey(thread: Thread, v: Exclude<Value, number | string | Tuple>): HashKey {
  if (v === null || typeof v === 'boolean') return v;
  if (typeof v === 'bigint') return `\0i${bigintText(thread, v)};`;
  if (v instanceof Float) {
    const n = v.value;
    return Number.isInteger(n) && !Number.isSafeInteger(n) ? `\0i${bigintText(thread, BigInt(n))};` : n;
  }
  if (v instanceof Bytes) return bytesKey(thread, v);
  if (v instanceof Struct) return `\0${elementKey(thread, v, 0)}`;
  if (isFunction(v)) return v;
  return unhashable(v);
}

function isFunction(v: Value): v is Closure | Builtin | BoundMethod | HostFunction | Module {
  return (
    v instanceof Closure ||
    v instanceof Builtin ||
    v instanceof BoundMethod ||
    v instanceof HostFunction ||
    v instanceof Module
  );
}

function unhashable(v: Value): never {
  const name = typeName(v);
  const hint = name === 'list' ? 'use a tuple: tuple(x)' : null;
  throw new EvalError('EVAL_UNHASHABLE', `unhashable type: ${name}`, hint);
}

function bigintText(thread: Thread, b: bigint): string {
  const bits = bitsBound(b);
  // Writing the digits takes far longer than copying them.
  thread.meter.work(Math.floor(bits / 16));
  chargeString(thread.meter, bits / 4);
  return b.toString(16);
}

function bytesKey(thread: Thread, v: Bytes): string {
  chargeString(thread.meter, v.bytes.length + 2);
  const parts: string[] = [];
  for (let start = 0; start < v.bytes.length; start += 4096) {
    parts.push(String.fromCharCode(...v.bytes.subarray(start, start + 4096)));
  }
  return `\0b${parts.join('')}`;
}

/** The key of a tuple as text, also of a pair of small ints, whose own key is a number. */
export function textKey(thread: Thread, v: Tuple): string {
  return v.key ?? tupleKey(thread, v, 0);
}

function tupleKey(thread: Thread, v: Tuple, depth: number): string {
  const { items } = v;
  let text = `\0t${items.length}:`;
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i] as Value;
    const piece = typeof item === 'number' ? `${item};` : elementKey(thread, item, depth + 1);
    // Sharing can make the text far longer than the tuple.
    if (text.length + piece.length > MAX_STRING_UNITS) tooLarge('the key of a tuple', MAX_STRING_UNITS);
    text += piece;
  }
  thread.meter.work(items.length);
  chargeString(thread.meter, text.length);
  return (v.key = text);
}

function elementKey(thread: Thread, v: Value, depth: number): string {
  if (typeof v === 'string') return `${v.length}:${v}`;
  if (depth > MAX_VALUE_DEPTH) tooDeep('hashing');
  if (v === null) return 'N';
  if (v === true) return 'T';
  if (v === false) return 'F';
  if (v instanceof Tuple) return (v.key ?? tupleKey(thread, v, depth)).slice(1);
  if (v instanceof Bytes) return `b${v.bytes.length}:${bytesKey(thread, v).slice(2)}`;
  if (v instanceof Struct) {
    let text = `r${v.members.size}:`;
    for (const [name, member] of [...v.members].sort(byName))
      text += `${name.length}:${name}${elementKey(thread, member, depth + 1)}`;
    chargeString(thread.meter, text.length);
    return text;
  }
  const key = hashKey(thread, v, null);
  if (typeof key === 'number') return Number.isInteger(key) ? `${key};` : `f${key};`;
  // The key of a bigint: "\0i…;".
  if (typeof key === 'string') return key.slice(1);
  return `@${String(identity(v as object)).padStart(IDENTITY_DIGITS, '0')};`;
}

function byName(a: readonly [string, Value], b: readonly [string, Value]): number {
  return a[0] < b[0] ? -1 : 1;
}

const IDENTITY_DIGITS = 12;
const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identity(v: object): number {
  let number = identities.get(v);
  if (number === undefined) {
    number = lastIdentity += 1;
    identities.set(v, number);
  }
  return number;
}
