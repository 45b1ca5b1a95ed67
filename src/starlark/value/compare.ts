// Whether values are equal, in which order they are, and what they are as keys.
//
//   `<`, `<=`, `>` and `>=`
//
// Only values of one type are ordered, and only bool, int, float, string, bytes, tuple and list; an int and a float
// are ordered exactly, as the numbers they are. NaN is above everything, so that floats are totally ordered. Sequences
// are ordered by the first pair that is not equal, then by length: elements before it need no order.
import {
  UNITS_PER_STEP,
  chargeRead,
  chargeScan,
  chargeString,
  MAX_STRING_UNITS,
  tooLarge,
} from '../../python/charge.ts';
import { chargeBigints } from './charge.ts';
import { MAX_VALUE_DEPTH, tooDeep } from './depth.ts';
import { EvalError } from './eval-error.ts';
import type { Thread } from './native.ts';
import { typeName } from './type-name.ts';
import {
  Bytes,
  Float,
  List,
  Tuple,
  Dict,
  Range,
  SetValue,
  Struct,
  BoundMethod,
  Builtin,
  Closure,
  HostFunction,
  Module,
} from './value.ts';
import type { Value, HashKey } from './value.ts';
import type { KeyIndex } from './key-index.ts';
import { bitsBound } from './int.ts';

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
  thread.meter.work(2 + (shared >> 2));
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

//   `==`
//
// An int and a float are equal when they are the same number, exactly. NaN is equal to itself. One thing is equal to
// itself, even if it contains itself; what is only alike is walked, and a walk that is too deep ends in DEPTH_LIMIT.
// Each pair that is looked at is a step, so that sharing cannot make a walk endless.

/** Strings up to here are hashed and compared within the step that the instruction costs anyway. */
const SHORT_UNITS = 64;
/** What two lists or dicts cost besides their elements. */
const CONTAINER_STEPS = 4;

export function equals(thread: Thread, a: Value, b: Value): boolean {
  if (typeof a === 'string') {
    if (typeof b !== 'string' || a.length !== b.length) return false;
    if (a.length > SHORT_UNITS) chargeScan(thread.meter, a.length);
    return a === b;
  }
  if (typeof a === 'bigint' && typeof b === 'bigint') chargeBigints(thread.meter, a);
  if (a === b) return same(thread, a);
  if (typeof a === 'object') return a !== null && objectEquals(thread, a, b, 0);
  if (typeof a === 'bigint') thread.meter.work(4);
  // Equal ints of the same form were found above, so that only a float is left.
  return b instanceof Float && numberEqualsFloat(a, b.value);
}

/** A bytes literal is one object until a snapshot is restored, and may be several after that: the charge is the same. */
function same(thread: Thread, v: Value): true {
  if (v instanceof Bytes) chargeBytesRead(thread, v.bytes.length);
  return true;
}

function chargeBytesRead(thread: Thread, length: number): void {
  thread.meter.work(1 + (length >> 3));
}

function numberEqualsFloat(a: Value, b: number): boolean {
  // JavaScript compares a bigint with a number exactly.
  // oxlint-disable-next-line eqeqeq
  return typeof a === 'number' ? a === b : typeof a === 'bigint' && a == (b as unknown as bigint);
}

function deepEquals(thread: Thread, a: Value, b: Value, depth: number): boolean {
  if (typeof a !== 'object' || a === null) return equals(thread, a, b);
  return a === b ? same(thread, a) : objectEquals(thread, a, b, depth);
}

function objectEquals(thread: Thread, a: object, b: Value, depth: number): boolean {
  if (a instanceof Float) {
    if (b instanceof Float) return a.value === b.value || (Number.isNaN(a.value) && Number.isNaN(b.value));
    return numberEqualsFloat(b, a.value);
  }
  if (typeof b !== 'object' || b === null) return false;
  if (depth > MAX_VALUE_DEPTH) tooDeep('comparison');
  if (a instanceof Tuple) return b instanceof Tuple && sequenceEquals(thread, a.items, b.items, depth);
  if (a instanceof List) return b instanceof List && sequenceEquals(thread, a.items, b.items, depth);
  if (a instanceof Dict) return b instanceof Dict && dictEquals(thread, a, b, depth);
  if (a instanceof SetValue) return b instanceof SetValue && setEquals(thread, a, b);
  if (a instanceof Bytes) return b instanceof Bytes && bytesEquals(thread, a.bytes, b.bytes);
  if (a instanceof Range) return b instanceof Range && rangeEquals(a, b);
  if (a instanceof Struct) return b instanceof Struct && structEquals(thread, a, b, depth);
  return false;
}

function sequenceEquals(thread: Thread, a: Value[], b: Value[], depth: number): boolean {
  if (a.length !== b.length) return false;
  thread.meter.work(CONTAINER_STEPS);
  for (let i = 0; i < a.length; i += 1) {
    thread.meter.work(1);
    if (!deepEquals(thread, a[i] as Value, b[i] as Value, depth + 1)) return false;
  }
  return true;
}

function dictEquals(thread: Thread, a: Dict, b: Dict, depth: number): boolean {
  if (a.index.size !== b.index.size) return false;
  thread.meter.work(CONTAINER_STEPS);
  const { hashes } = a.index;
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at];
    if (hash === undefined) continue;
    thread.meter.work(2);
    chargeKey(thread, hash, b.index);
    const other = b.index.get(hash);
    if (other === undefined) return false;
    if (!deepEquals(thread, a.values[at] as Value, b.values[other] as Value, depth + 1)) return false;
  }
  return true;
}

function setEquals(thread: Thread, a: SetValue, b: SetValue): boolean {
  if (a.index.size !== b.index.size) return false;
  thread.meter.work(a.index.size);
  for (const hash of a.index.hashes) {
    if (hash === undefined) continue;
    chargeKey(thread, hash, b.index);
    if (!b.index.has(hash)) return false;
  }
  return true;
}

function bytesEquals(thread: Thread, a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  chargeBytesRead(thread, a.length);
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** Two ranges are equal when they give the same numbers. */
function rangeEquals(a: Range, b: Range): boolean {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  return a.start === b.start && (a.length === 1 || a.step === b.step);
}

function structEquals(thread: Thread, a: Struct, b: Struct, depth: number): boolean {
  if (a.members.size !== b.members.size) return false;
  for (const [name, member] of a.members) {
    thread.meter.work(1);
    const other = b.members.get(name);
    if (other === undefined || !deepEquals(thread, member, other, depth + 1)) return false;
  }
  return true;
}

// A value as a key of the index of a dict or set.
//
//   hashKey(a) and hashKey(b) are the same  <=>  a == b
//
// A safe int, a bool, None and most strings are their own key. A float is its number, so that 1.0 is 1. All other keys
// are text that begins with NUL and a letter: a string that begins so gets `\0s` before it. A bigint is text because
// V8 hashes it by its low 64 bits: shifted numbers would all fall into one bucket. (Numbers are hashed without a
// secret too, but `KeyIndex` notices when they are chosen.) The text of a tuple holds its elements one after the
// other, each readable without knowing what follows: an int `5;`, a string `5:hello`, a tuple `t2:` and so on. It is
// cached, and charged like a string. Not that of bytes: a literal is shared by all runs of a program, and the second
// would be charged less. A function is its own key. In a tuple it is a number, given when first asked and never seen
// by a program; always of one width, since the text is charged by its length. A pair of ints of 26 bits, such as a
// place in a grid, is a number: a third of the time of a text. It is one of the doubles from 2^53 to 2^54, which no
// int or float has for a key: beyond the safe integers those are text.
// compare#K6. A use of a long key is charged by its length, and by the keys of the index that it may be compared
//   with: V8 hashes a text of more than 16,383 units by its length alone (key-index#T6).

/** Texts up to here are compared with the few keys of a small index within what reading them once costs. */
const UNHASHED_UNITS = 1024;
/** The doubles from 2^53 to 2^54, two apart, are the 2^52 pairs of ints of 26 bits. */
const FIRST_PAIR = 2 ** 53;
const PAIR_OFFSET = 2 ** 25;

/** An index with more keys is not in the cache of the processor: each look at it waits for the memory. */
const CACHED_KEYS = 4096;
const UNCACHED_STEPS = 6;
/** The digits of a float. */
const FLOAT_STEPS = 8;
/** A key of bytes is made anew for each use: this and a step for each byte. */
const BYTES_STEPS = 8;

/** `index` is where the key is about to be looked for. */
export function hashKey(thread: Thread, v: Value, index: KeyIndex | null): HashKey {
  if (index !== null && index.size > CACHED_KEYS) thread.meter.work(UNCACHED_STEPS);
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

/** `key`, as `hashKey` gave it for another index, is about to be looked for in `index` (compare#K6). */
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
    thread.meter.work(2);
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
  thread.meter.work(BYTES_STEPS + v.bytes.length);
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
  thread.meter.work(4 + 2 * items.length);
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
  if (typeof key === 'number') {
    if (Number.isInteger(key)) return `${key};`;
    thread.meter.work(FLOAT_STEPS);
    return `f${key};`;
  }
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
