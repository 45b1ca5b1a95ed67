// The table behind a dict (see `Dict` in value.ts).
//
// A new key goes to the end; setting a key that is there keeps its place and the key as first written. `index.hashes`
// has what `hashKey` gave for each key, in the order of the arrays, holes too. Holes are packed away when they are the
// larger half, and only when nothing iterates: an iterator is a position. The caller has checked that the dict may be
// changed.
import { tooLarge } from '../../python/charge.ts';
import { chargeList, ENTRY_STEPS, TABLE_STEPS } from './charge.ts';
import { chargeKey, hashKey } from './compare.ts';
import type { Thread } from './native.ts';
import { DICT_BYTES, DICT_ENTRY_BYTES, Dict, type HashKey, type Value } from './value.ts';
import { closeGaps } from './key-index.ts';

/** A JavaScript Map refuses more than 2^24. */
export const MAX_ENTRIES = 0xfffff0;
/** Holes that are not worth packing. */
const FEW_HOLES = 16;

export function newDict(thread: Thread): Dict {
  thread.meter.work(TABLE_STEPS);
  thread.meter.allocate(DICT_BYTES);
  return new Dict();
}

export function dictGet(thread: Thread, d: Dict, key: Value): Value | undefined {
  const at = d.index.get(hashKey(thread, key, d.index));
  return at === undefined ? undefined : d.values[at];
}

export function dictHas(thread: Thread, d: Dict, key: Value): boolean {
  return d.index.has(hashKey(thread, key, d.index));
}

export function dictSet(thread: Thread, d: Dict, key: Value, value: Value): void {
  const hash = hashKey(thread, key, d.index);
  const at = d.index.get(hash);
  if (at !== undefined) {
    d.values[at] = value;
    return;
  }
  insert(thread, d, hash, key, value);
}

/** Adds an entry whose key is known to be new; `hash` is its `hashKey`. */
function insert(thread: Thread, d: Dict, hash: HashKey, key: Value, value: Value): void {
  const { keys, index } = d;
  if (index.size >= MAX_ENTRIES) tooLarge(`a dict of ${index.size + 1} entries`, MAX_ENTRIES);
  thread.meter.work(ENTRY_STEPS);
  thread.meter.allocate(DICT_ENTRY_BYTES);
  index.add(hash, keys.length);
  keys.push(key);
  d.values.push(value);
}

/** The value of `key`, which is set to `value` if there is none. */
export function dictSetDefault(thread: Thread, d: Dict, key: Value, value: Value): Value {
  const hash = hashKey(thread, key, d.index);
  const at = d.index.get(hash);
  if (at !== undefined) return d.values[at] as Value;
  insert(thread, d, hash, key, value);
  return value;
}

/** Takes the entry out and gives its value, or undefined. */
export function dictDelete(thread: Thread, d: Dict, key: Value): Value | undefined {
  const hash = hashKey(thread, key, d.index);
  const at = d.index.get(hash);
  if (at === undefined) return undefined;
  thread.meter.work(ENTRY_STEPS);
  const value = d.values[at];
  removeAt(thread, d, hash, at);
  return value;
}

/** The position of the first entry, or -1. */
export function dictFirst(d: Dict): number {
  if (d.index.size === 0) return -1;
  while (d.keys[d.head] === undefined) d.head += 1;
  return d.head;
}

function removeAt(thread: Thread, d: Dict, hash: HashKey, at: number): void {
  d.index.remove(hash);
  if (d.index.size === 0) {
    dictClear(d);
    return;
  }
  if (at === d.keys.length - 1) {
    d.keys.pop();
    d.values.pop();
    if (d.head > at) d.head = at;
    return;
  }
  d.keys[at] = undefined;
  d.values[at] = undefined;
  const holes = d.keys.length - d.index.size;
  if (holes > FEW_HOLES && holes > d.index.size && d.locks === 0) pack(thread, d);
}

function pack(thread: Thread, d: Dict): void {
  thread.meter.work(d.index.size * 2 * ENTRY_STEPS);
  d.index.pack();
  closeGaps(d.keys);
  closeGaps(d.values);
  d.head = 0;
}

export function dictClear(d: Dict): void {
  d.index.clear();
  d.keys = [];
  d.values = [];
  d.head = 0;
}

/** The keys in order, as a fresh array. Charged as a list. */
export function dictKeys(thread: Thread, d: Dict): Value[] {
  return dense(thread, d.keys, d.keys, d.index.size);
}

/** The values in order, as a fresh array. Charged as a list. */
export function dictValues(thread: Thread, d: Dict): Value[] {
  return dense(thread, d.values, d.keys, d.index.size);
}

function dense(
  thread: Thread,
  of: (Value | undefined)[],
  keys: (Value | undefined)[],
  size: number,
): Value[] {
  chargeList(thread.meter, size);
  if (keys.length === size) return of.slice() as Value[];
  thread.meter.work(keys.length - size);
  const out: Value[] = [];
  for (let i = 0; i < keys.length; i += 1) if (keys[i] !== undefined) out.push(of[i] as Value);
  return out;
}

/** Sets every entry of `from` in `d`. The two may be the same dict. */
export function dictMerge(thread: Thread, d: Dict, from: Dict): void {
  if (d === from) return;
  const { keys, values } = from;
  thread.meter.work(keys.length);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i];
    if (key !== undefined) dictSet(thread, d, key, values[i] as Value);
  }
}

export function dictCopy(thread: Thread, from: Dict): Dict {
  const copy = newDict(thread);
  // Charged in one piece, so that a copy that cannot be afforded is not begun.
  thread.meter.allocate(from.index.size * DICT_ENTRY_BYTES);
  thread.meter.work(from.index.size * ENTRY_STEPS);
  const { hashes } = from.index;
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at];
    if (hash === undefined) continue;
    chargeKey(thread, hash, copy.index);
    copy.index.add(hash, copy.keys.length);
    copy.keys.push(from.keys[at]);
    copy.values.push(from.values[at]);
  }
  return copy;
}
