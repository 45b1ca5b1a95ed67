// Methods that cut a string up or put one together: split, rsplit, splitlines, join, replace, elems.
import { MAX_STRING_UNITS, chargeScan, chargeString, tooLarge } from '../value/charge.ts';
import { EvalError } from '../value/eval-error.ts';
import { chargeSearch, isSafeSearch, matchesBackward, matchesForward } from '../value/find-text.ts';
import { toArray } from '../value/iterate.ts';
import { fixed, type Native, type Thread } from '../value/native.ts';
import { ELEMS_BYTES, SLOT_BYTES, STRING_BYTES, listBytes } from '../value/sizes.ts';
import { detachParts, sliceText } from '../value/slice-text.ts';
import { typeName } from '../value/type-name.ts';
import { Elems, List, Tuple, type Value } from '../value/value.ts';
import { wantCount, wantString, wrongArgument } from './string-arguments.ts';
import { isSpace } from './white-space.ts';

/** Texts up to this length are cut first and charged then; what that can overshoot is bounded. */
const SMALL_UNITS = 4096;

const PART_BYTES = STRING_BYTES + SLOT_BYTES;

/** A list of `parts`, already charged. */
function listOf(text: string, parts: string[]): List {
  detachParts(text, parts);
  return new List(parts);
}

function chargeParts(thread: Thread, text: string, parts: number): void {
  // Parts of a longer text may have to be copied.
  thread.meter.work(text.length > 180 ? parts * 4 : parts * 2);
  thread.meter.allocate(listBytes(0) + parts * PART_BYTES + text.length * 2);
}

/** A list of at most `most` places of `sub` is about to be made. */
function chargePlaces(thread: Thread, text: string, sub: string, most: number): void {
  const places = Math.min(most, Math.floor(text.length / sub.length));
  if (places > SMALL_UNITS) thread.meter.allocate(places * 8);
}

/** `self.split(sep)`, charged; `sep` is not empty. */
function partsBetween(thread: Thread, self: string, sep: string): string[] {
  if (!isSafeSearch(sep)) {
    const places = matchesForward(thread.meter, self, sep, 0, Infinity);
    chargeParts(thread, self, places.length + 1);
    return cutAt(self, places, sep.length);
  }
  chargeSearch(thread.meter, self.length, sep.length);
  if (self.length <= SMALL_UNITS) {
    const parts = self.split(sep);
    chargeParts(thread, self, parts.length);
    return parts;
  }
  chargeSearch(thread.meter, self.length, sep.length);
  chargeParts(thread, self, countOf(self, sep) + 1);
  return self.split(sep);
}

function countOf(text: string, sub: string): number {
  let count = 0;
  for (let at = text.indexOf(sub); at >= 0; at = text.indexOf(sub, at + sub.length)) count += 1;
  return count;
}

function cutAt(text: string, places: readonly number[], width: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place));
    from = place + width;
  }
  parts.push(text.slice(from));
  return parts;
}

function splitter(name: 'split' | 'rsplit'): Native {
  const fromRight = name === 'rsplit';
  return fixed(name, 'sep?, maxsplit?, /', (thread, self: string, a, b) => {
    const most = b === undefined || b === null ? -1 : wantCount(name, 'maxsplit', b);
    if (a === undefined || a === null) {
      thread.meter.work(self.length >> 2);
      const parts =
        fromRight && most >= 0
          ? wordsFromRight(thread, self, most)
          : words(thread, self, most < 0 ? Infinity : most);
      return listOf(self, parts);
    }
    const sep = wantString(name, 'sep', a);
    if (sep === '')
      throw new EvalError(
        'EVAL_VALUE',
        `${name}: empty separator`,
        name === 'split' ? 'list(s.elems()) gives the characters' : null,
      );
    if (most < 0) return listOf(self, partsBetween(thread, self, sep));
    chargePlaces(thread, self, sep, most);
    const places = fromRight
      ? matchesBackward(thread.meter, self, sep, most).reverse()
      : matchesForward(thread.meter, self, sep, 0, most);
    chargeParts(thread, self, places.length + 1);
    return listOf(self, cutAt(self, places, sep.length));
  });
}

/** What stands between white space; the last of them holds the rest when there are more than `most` + 1. */
function words(thread: Thread, text: string, most: number): string[] {
  const parts: string[] = [];
  const length = text.length;
  let units = 0;
  let at = 0;
  for (;;) {
    while (at < length && isSpace(text.charCodeAt(at))) at += 1;
    if (at === length) break;
    const start = at;
    if (parts.length >= most) at = length;
    while (at < length && !isSpace(text.charCodeAt(at))) at += 1;
    parts.push(text.slice(start, at));
    units += at - start;
    if ((parts.length & 0xff) === 0) thread.meter.allocate(0x100 * PART_BYTES);
  }
  thread.meter.work(1 + parts.length * 3);
  thread.meter.allocate(listBytes(0) + (parts.length & 0xff) * PART_BYTES + units * 2);
  return parts;
}

function wordsFromRight(thread: Thread, text: string, most: number): string[] {
  const parts: string[] = [];
  let at = text.length;
  for (;;) {
    while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
    if (at === 0) break;
    const end = at;
    if (parts.length >= most) at = 0;
    while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at -= 1;
    thread.meter.work(3);
    thread.meter.allocate(PART_BYTES + (end - at) * 2);
    parts.push(text.slice(at, end));
  }
  thread.meter.allocate(listBytes(0));
  return parts.reverse();
}

function splitlines(thread: Thread, self: string, a: Value | undefined): Value {
  if (a !== undefined && typeof a !== 'boolean') throw wrongArgument('splitlines', 'keepends', a, 'bool');
  chargeScan(thread.meter, self.length);
  const parts: string[] = [];
  const length = self.length;
  // Searched anew only once passed, so that each is found once.
  let cr = self.indexOf('\r');
  let lf = self.indexOf('\n');
  let from = 0;
  while (cr >= 0 || lf >= 0) {
    const crFirst = cr >= 0 && (lf < 0 || cr < lf);
    const at = crFirst ? cr : lf;
    const end = crFirst && lf === cr + 1 ? at + 2 : at + 1;
    parts.push(self.slice(from, a === true ? end : at));
    if ((parts.length & 0xff) === 0) thread.meter.allocate(0x100 * PART_BYTES);
    from = end;
    if (cr >= 0 && cr < end) cr = self.indexOf('\r', end);
    if (lf >= 0 && lf < end) lf = self.indexOf('\n', end);
  }
  if (from < length) parts.push(self.slice(from));
  thread.meter.work(parts.length * 3);
  thread.meter.allocate(listBytes(0) + (parts.length & 0xff) * PART_BYTES + length * 2);
  return listOf(self, parts);
}

function join(thread: Thread, self: string, a: Value | undefined): Value {
  const items = a instanceof List || a instanceof Tuple ? a.items : toArray(thread, a as Value, 'join');
  let units = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Value;
    if (typeof item !== 'string') {
      throw new EvalError(
        'EVAL_TYPE',
        `join: in ${typeName(a as Value)}, want string, got ${typeName(item)} at index ${i}`,
        'make strings first: ", ".join([str(x) for x in xs])',
      );
    }
    units += item.length;
  }
  if (items.length > 1) units += self.length * (items.length - 1);
  thread.meter.work(items.length * 2);
  chargeString(thread.meter, units);
  return (items as string[]).join(self);
}

function replace(
  thread: Thread,
  self: string,
  a: Value | undefined,
  b: Value | undefined,
  c: Value | undefined,
): Value {
  const before = wantString('replace', 'old', a);
  const after = wantString('replace', 'new', b);
  const most = c === undefined || c === null ? -1 : wantCount('replace', 'count', c);
  if (before === '') return insertBetween(thread, self, after, most);
  if (most < 0 && isSafeSearch(before)) return replaceEach(thread, self, before, after);
  const limit = most < 0 ? Infinity : most;
  chargePlaces(thread, self, before, limit);
  const places = matchesForward(thread.meter, self, before, 0, limit);
  if (places.length === 0) return self;
  chargeParts(thread, self, places.length + 1);
  chargeString(thread.meter, self.length + places.length * (after.length - before.length));
  return cutAt(self, places, before.length).join(after);
}

const BLOCK_MATCHES = 128;
const BLOCK_UNITS = 1 << 16;

// Measured: adding up and flattening by the block takes half the time of split and join, or of replaceAll. A tree of
// strings is small, whatever it holds, until it is flattened; so it is charged before that.
function replaceEach(thread: Thread, self: string, before: string, after: string): string {
  chargeSearch(thread.meter, self.length, before.length);
  let blocks: string[] | null = null;
  let open = '';
  let closedUnits = 0;
  let matches = 0;
  let from = 0;
  for (let at = self.indexOf(before); at >= 0; at = self.indexOf(before, from)) {
    open += self.slice(from, at);
    open += after;
    from = at + before.length;
    if (++matches === BLOCK_MATCHES || open.length > BLOCK_UNITS) {
      thread.meter.work(matches * 2);
      chargeString(thread.meter, open.length);
      blocks ??= [];
      // Looking at a unit flattens the tree; a unit is never negative.
      if (!(open.charCodeAt(0) < 0)) blocks.push(open);
      if ((closedUnits += open.length) > MAX_STRING_UNITS - BLOCK_UNITS)
        tooLarge(`a string of ${closedUnits} units`, MAX_STRING_UNITS);
      open = '';
      matches = 0;
    }
  }
  if (from === 0) return self;
  open += self.slice(from);
  thread.meter.work(matches * 2);
  chargeString(thread.meter, closedUnits + open.length);
  if (blocks === null) return open;
  blocks.push(open);
  return blocks.join('');
}

/** Replacing nothing: `after` is put before each unit and at the end, `most` times in all. */
function insertBetween(thread: Thread, self: string, after: string, most: number): string {
  const times = most < 0 ? self.length + 1 : Math.min(most, self.length + 1);
  if (times === 0) return self;
  chargeParts(thread, self, self.length);
  chargeString(thread.meter, self.length + times * after.length);
  if (times > self.length) return self === '' ? after : after + self.split('').join(after) + after;
  return after + self.slice(0, times).split('').join(after) + sliceText(self, times, self.length);
}

function elems(thread: Thread, self: string): Value {
  thread.meter.work(1);
  thread.meter.allocate(ELEMS_BYTES);
  return new Elems(self);
}

export const splitMethods: readonly Native[] = [
  splitter('split'),
  splitter('rsplit'),
  fixed('splitlines', 'keepends?, /', splitlines),
  fixed('join', 'iterable, /', join),
  fixed('replace', 'old, new, count?, /', replace),
  fixed('elems', '', elems),
];
