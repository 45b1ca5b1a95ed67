// The table behind a set (see `SetValue` in value.ts). The rules are those of `dict.ts`.
import { tooLarge } from '../../python/charge.ts';
import { chargeList, ENTRY_STEPS, TABLE_STEPS } from './charge.ts';
import { MAX_ENTRIES } from './dict.ts';
import { chargeKey, hashKey } from './compare.ts';
import type { Thread } from './native.ts';
import { SET_BYTES, SET_ENTRY_BYTES, SetValue, type HashKey, type Value } from './value.ts';
import { closeGaps } from './key-index.ts';

const FEW_HOLES = 16;

export function newSet(thread: Thread): SetValue {
  thread.meter.work(TABLE_STEPS);
  thread.meter.allocate(SET_BYTES);
  return new SetValue();
}

export function setHas(thread: Thread, s: SetValue, item: Value): boolean {
  return s.index.has(hashKey(thread, item, s.index));
}

function hasHash(thread: Thread, s: SetValue, hash: HashKey): boolean {
  chargeKey(thread, hash, s.index);
  return s.index.has(hash);
}

/** Whether the element is new. */
export function setAdd(thread: Thread, s: SetValue, item: Value): boolean {
  const hash = hashKey(thread, item, s.index);
  if (s.index.has(hash)) return false;
  insert(thread, s, hash, item);
  return true;
}

function insert(thread: Thread, s: SetValue, hash: HashKey, item: Value): void {
  if (s.index.size >= MAX_ENTRIES) tooLarge(`a set of ${s.index.size + 1} elements`, MAX_ENTRIES);
  thread.meter.work(ENTRY_STEPS);
  thread.meter.allocate(SET_ENTRY_BYTES);
  s.index.add(hash, s.items.length);
  s.items.push(item);
}

/** Whether the element was there. */
export function setDelete(thread: Thread, s: SetValue, item: Value): boolean {
  thread.meter.work(ENTRY_STEPS);
  return deleteHash(thread, s, hashKey(thread, item, s.index));
}

function deleteHash(thread: Thread, s: SetValue, hash: HashKey): boolean {
  const at = s.index.remove(hash);
  if (at === undefined) return false;
  if (s.index.size === 0) {
    setClear(s);
    return true;
  }
  if (at === s.items.length - 1) {
    s.items.pop();
    if (s.head > at) s.head = at;
    return true;
  }
  s.items[at] = undefined;
  const holes = s.items.length - s.index.size;
  if (holes > FEW_HOLES && holes > s.index.size && s.locks === 0) pack(thread, s);
  return true;
}

function pack(thread: Thread, s: SetValue): void {
  thread.meter.work(s.index.size * 2 * ENTRY_STEPS);
  s.index.pack();
  closeGaps(s.items);
  s.head = 0;
}

/** The first element, or undefined. */
export function setFirst(s: SetValue): Value | undefined {
  if (s.index.size === 0) return undefined;
  while (s.items[s.head] === undefined) s.head += 1;
  return s.items[s.head];
}

export function setClear(s: SetValue): void {
  s.index.clear();
  s.items = [];
  s.head = 0;
}

/** The elements in order, as a fresh array. Charged as a list. */
export function setItems(thread: Thread, s: SetValue): Value[] {
  chargeList(thread.meter, s.index.size);
  if (s.items.length === s.index.size) return s.items.slice() as Value[];
  thread.meter.work(s.items.length - s.index.size);
  return s.items.filter((item) => item !== undefined);
}

export function setOf(thread: Thread, items: readonly Value[]): SetValue {
  const made = newSet(thread);
  thread.meter.work(items.length);
  for (let i = 0; i < items.length; i += 1) setAdd(thread, made, items[i] as Value);
  return made;
}

export function setCopy(thread: Thread, from: SetValue): SetValue {
  const copy = newSet(thread);
  chargeCopy(thread, from);
  const { hashes } = from.index;
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at];
    if (hash === undefined) continue;
    chargeKey(thread, hash, copy.index);
    copyEntry(copy, hash, from.items[at] as Value);
  }
  return copy;
}

function chargeCopy(thread: Thread, from: SetValue): void {
  thread.meter.allocate(from.index.size * SET_ENTRY_BYTES);
  thread.meter.work(from.index.size * ENTRY_STEPS);
}

function copyEntry(to: SetValue, hash: HashKey, item: Value): void {
  to.index.add(hash, to.items.length);
  to.items.push(item);
}

/** Adds every element of `from` to `s`. The two may be the same. */
export function setMerge(thread: Thread, s: SetValue, from: SetValue): void {
  if (s === from) return;
  thread.meter.work(from.index.size * ENTRY_STEPS);
  const { hashes } = from.index;
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at];
    if (hash !== undefined && !hasHash(thread, s, hash)) insert(thread, s, hash, from.items[at] as Value);
  }
}

/** The elements of `s` that are in `other`, or those that are not. */
export function setFilter(thread: Thread, s: SetValue, other: SetValue, present: boolean): SetValue {
  const made = newSet(thread);
  thread.meter.work(s.index.size * ENTRY_STEPS);
  const { hashes } = s.index;
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at];
    if (hash !== undefined && hasHash(thread, other, hash) === present)
      insert(thread, made, hash, s.items[at] as Value);
  }
  return made;
}

/** Removes from `s` the elements that are in `other`, or those that are not. The two may be the same. */
export function setRemove(thread: Thread, s: SetValue, other: SetValue, present: boolean): void {
  if (s === other) {
    if (present) setClear(s);
    return;
  }
  thread.meter.work(s.index.size * ENTRY_STEPS);
  const gone: HashKey[] = [];
  for (const hash of s.index.hashes)
    if (hash !== undefined && hasHash(thread, other, hash) === present) gone.push(hash);
  thread.meter.work(gone.length * ENTRY_STEPS);
  for (const hash of gone) {
    chargeKey(thread, hash, s.index);
    deleteHash(thread, s, hash);
  }
}

/** What only `s` has and then what only `other` has. */
export function setDifference(thread: Thread, s: SetValue, other: SetValue): SetValue {
  const made = setFilter(thread, s, other, false);
  thread.meter.work(other.index.size * ENTRY_STEPS);
  const { hashes } = other.index;
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at];
    if (hash !== undefined && !hasHash(thread, s, hash)) insert(thread, made, hash, other.items[at] as Value);
  }
  return made;
}

/** Removes from `s` what is in both and adds what only `other` has. The two may be the same. */
export function setToggle(thread: Thread, s: SetValue, other: SetValue): void {
  if (s === other) return setClear(s);
  thread.meter.work(2 * other.index.size * ENTRY_STEPS);
  const added: [HashKey, Value][] = [];
  const { hashes } = other.index;
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at];
    if (hash === undefined) continue;
    chargeKey(thread, hash, s.index);
    if (!deleteHash(thread, s, hash)) added.push([hash, other.items[at] as Value]);
  }
  for (const [hash, item] of added) {
    chargeKey(thread, hash, s.index);
    insert(thread, s, hash, item);
  }
}

/** Whether every element of `s` is in `other`. */
export function setWithin(thread: Thread, s: SetValue, other: SetValue): boolean {
  if (s.index.size > other.index.size) return false;
  thread.meter.work(s.index.size * ENTRY_STEPS);
  for (const hash of s.index.hashes) if (hash !== undefined && !hasHash(thread, other, hash)) return false;
  return true;
}
