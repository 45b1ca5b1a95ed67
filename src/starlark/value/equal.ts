// `==`
//
// An int and a float are equal when they are the same number, exactly. NaN is equal to itself. One thing is equal to
// itself, even if it contains itself; what is only alike is walked, and a walk that is too deep ends in DEPTH_LIMIT.
// Each pair that is looked at is a step, so that sharing cannot make a walk endless.
import { chargeScan } from '../../python/charge.ts';
import { chargeBigints } from './charge.ts';
import { MAX_VALUE_DEPTH, tooDeep } from './depth.ts';
import { chargeKey } from './hash-key.ts';
import type { Thread } from './native.ts';
import { Bytes, Dict, Float, List, Range, SetValue, Struct, Tuple, type Value } from './value.ts';

/** Strings up to here are compared within the step that the instruction costs anyway. */
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
