// The text methods of Python besides searching: split, join, strip, replace, cases, white space.
//
//   text -> the same text with something replaced, cut off or in another case; or string[]
//
// What is made is charged before, or as it grows.
import type { Meter } from '../base/meter.ts';
import {
  MAX_STRING_UNITS,
  chargeRead,
  chargeScan,
  chargeString,
  stringBytes,
  tooLarge,
  LIST_BYTES,
  SLOT_BYTES,
  STRING_BYTES,
} from './charge.ts';
import {
  chargeSearch,
  isSafeSearch,
  matchesForward,
  indexOfText,
  lastIndexOfText,
  matchesBackward,
} from './find-text.ts';
import { sliceText, detachParts } from './slice.ts';

// Cutting text up and joining it: split, partition, join.

/** Texts up to this length are cut or changed before they are charged; the overshoot is bounded. */
const SMALL_UNITS = 4096;

export const PART_BYTES = STRING_BYTES + SLOT_BYTES;

/** `text` is about to be cut into a list of `parts`. */
function chargeParts(meter: Meter, text: string, parts: number): void {
  // Parts of a longer text may have to be copied.
  meter.work(text.length > 180 ? parts * 4 : parts * 2);
  meter.allocate(LIST_BYTES + parts * PART_BYTES + text.length * 2);
}

/** A list of at most `most` places of `sub` is about to be made. */
function chargePlaces(meter: Meter, text: string, sub: string, most: number): void {
  const places = Math.min(most, Math.floor(text.length / sub.length));
  if (places > SMALL_UNITS) meter.allocate(places * 8);
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

/** Cuts at each `sep`, which is not empty, at most `most` times; a negative `most` is no limit. */
export function splitText(
  meter: Meter,
  text: string,
  sep: string,
  most: number,
  fromRight: boolean,
): string[] {
  const parts = most < 0 ? partsBetween(meter, text, sep) : fewParts(meter, text, sep, most, fromRight);
  detachParts(text, parts);
  return parts;
}

function fewParts(meter: Meter, text: string, sep: string, most: number, fromRight: boolean): string[] {
  chargePlaces(meter, text, sep, most);
  const places = fromRight
    ? matchesBackward(meter, text, sep, most).reverse()
    : matchesForward(meter, text, sep, 0, most);
  chargeParts(meter, text, places.length + 1);
  return cutAt(text, places, sep.length);
}

function partsBetween(meter: Meter, text: string, sep: string): string[] {
  if (!isSafeSearch(sep)) {
    const places = matchesForward(meter, text, sep, 0, Infinity);
    chargeParts(meter, text, places.length + 1);
    return cutAt(text, places, sep.length);
  }
  chargeSearch(meter, text.length, sep.length);
  if (text.length <= SMALL_UNITS) {
    const parts = text.split(sep);
    chargeParts(meter, text, parts.length);
    return parts;
  }
  chargeSearch(meter, text.length, sep.length);
  chargeParts(meter, text, countOf(text, sep) + 1);
  return text.split(sep);
}

/** How often `sub`, which is not empty, is in `text`, without overlaps. */
export function countMatches(meter: Meter, text: string, sub: string): number {
  if (sub.length > text.length) return 0;
  if (!isSafeSearch(sub)) return matchesForward(meter, text, sub, 0, Infinity).length;
  chargeSearch(meter, text.length, sub.length);
  const found = countOf(text, sub);
  // Each is a call of its own.
  meter.work(2 * found);
  return found;
}

function countOf(text: string, sub: string): number {
  let count = 0;
  for (let at = text.indexOf(sub); at >= 0; at = text.indexOf(sub, at + sub.length)) count += 1;
  return count;
}

/** The words between white space. After `most` cuts the last word (`fromRight`: the first) is the rest. */
export function splitOnSpace(
  meter: Meter,
  text: string,
  most: number,
  fromRight: boolean,
  isSpace: IsSpace,
): string[] {
  meter.work(text.length >> 2);
  const parts =
    fromRight && most >= 0
      ? wordsFromRight(meter, text, most, isSpace)
      : words(meter, text, most < 0 ? Infinity : most, isSpace);
  detachParts(text, parts);
  return parts;
}

function words(meter: Meter, text: string, most: number, isSpace: IsSpace): string[] {
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
    if ((parts.length & 0xff) === 0) meter.allocate(0x100 * PART_BYTES);
  }
  meter.work(1 + parts.length * 3);
  meter.allocate(LIST_BYTES + (parts.length & 0xff) * PART_BYTES + units * 2);
  return parts;
}

function wordsFromRight(meter: Meter, text: string, most: number, isSpace: IsSpace): string[] {
  const parts: string[] = [];
  let at = text.length;
  for (;;) {
    while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
    if (at === 0) break;
    const end = at;
    if (parts.length >= most) at = 0;
    while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at -= 1;
    meter.work(3);
    meter.allocate(PART_BYTES + (end - at) * 2);
    parts.push(text.slice(at, end));
  }
  meter.allocate(LIST_BYTES);
  return parts.reverse();
}

/** What is before the first (`last`: the last) `sep`, the separator, and what is behind it. `sep` is not empty. */
export function partitionText(
  meter: Meter,
  text: string,
  sep: string,
  last: boolean,
): [before: string, sep: string, after: string] {
  const at = last ? lastIndexOfText(meter, text, sep) : indexOfText(meter, text, sep, 0);
  if (at < 0) return last ? ['', '', text] : [text, '', ''];
  meter.allocate(stringBytes(text.length) + stringBytes(0));
  return [sliceText(text, 0, at), sep, sliceText(text, at + sep.length, text.length)];
}

export function joinTexts(meter: Meter, separator: string, texts: readonly string[]): string {
  let units = texts.length > 1 ? separator.length * (texts.length - 1) : 0;
  for (let i = 0; i < texts.length; i += 1) units += (texts[i] as string).length;
  meter.work(texts.length * 2);
  chargeString(meter, units);
  return texts.join(separator);
}

/** Replaces `before`, which is not empty, at most `most` times; a negative `most` is no limit. */
export function replaceText(meter: Meter, text: string, before: string, after: string, most: number): string {
  if (most < 0 && isSafeSearch(before)) return replaceEach(meter, text, before, after);
  const limit = most < 0 ? Infinity : most;
  chargePlaces(meter, text, before, limit);
  const places = matchesForward(meter, text, before, 0, limit);
  if (places.length === 0) return text;
  chargeParts(meter, text, places.length + 1);
  chargeString(meter, text.length + places.length * (after.length - before.length));
  return cutAt(text, places, before.length).join(after);
}

const BLOCK_MATCHES = 128;
const BLOCK_UNITS = 1 << 16;

// Measured: adding up and flattening by the block takes half the time of split and join, or of replaceAll. A tree of
// strings is small, whatever it holds, until it is flattened; so it is charged before that.
function replaceEach(meter: Meter, text: string, before: string, after: string): string {
  chargeSearch(meter, text.length, before.length);
  let blocks: string[] | null = null;
  let open = '';
  let closedUnits = 0;
  let matches = 0;
  let from = 0;
  for (let at = text.indexOf(before); at >= 0; at = text.indexOf(before, from)) {
    open += text.slice(from, at);
    open += after;
    from = at + before.length;
    if (++matches === BLOCK_MATCHES || open.length > BLOCK_UNITS) {
      meter.work(matches * 2);
      chargeString(meter, open.length);
      blocks ??= [];
      // Looking at a unit flattens the tree; a unit is never negative.
      if (!(open.charCodeAt(0) < 0)) blocks.push(open);
      if ((closedUnits += open.length) > MAX_STRING_UNITS - BLOCK_UNITS)
        tooLarge(`a string of ${closedUnits} units`, MAX_STRING_UNITS);
      open = '';
      matches = 0;
    }
  }
  if (from === 0) return text;
  open += text.slice(from);
  meter.work(matches * 2);
  chargeString(meter, closedUnits + open.length);
  if (blocks === null) return open;
  blocks.push(open);
  return blocks.join('');
}

/** Replacing the empty text: `after` is put before each of the `characters` and at the end, `most` times in all. */
export function insertBetween(
  meter: Meter,
  text: string,
  characters: (text: string) => readonly string[],
  after: string,
  most: number,
): string {
  if (most === 0) return text;
  chargeParts(meter, text, text.length);
  const parts = characters(text);
  const times = most < 0 ? parts.length + 1 : Math.min(most, parts.length + 1);
  chargeString(meter, text.length + times * after.length);
  if (parts.length === 0) return after;
  if (times > parts.length) return after + parts.join(after) + after;
  const head = parts.slice(0, times);
  return after + head.join(after) + sliceText(text, head.join('').length, text.length);
}

/** Cuts the characters of `chars` off the ends; white space when it is null. */
export function stripText(
  meter: Meter,
  text: string,
  chars: string | null,
  left: boolean,
  right: boolean,
  isSpace: IsSpace,
): string {
  chargeRead(meter, text.length);
  let from = 0;
  let to = text.length;
  if (chars === null) {
    if (left) while (from < to && isSpace(text.charCodeAt(from))) from += 1;
    if (right) while (from < to && isSpace(text.charCodeAt(to - 1))) to -= 1;
  } else {
    const points = pointSet(meter, chars);
    if (left) from = firstOutside(text, points);
    if (right) to = lastOutside(text, from, points);
    meter.work((text.length - (to - from)) >> 2);
  }
  const stripped = text.length - (to - from);
  meter.work(1 + (stripped >> 2));
  if (stripped === 0) return text;
  chargeScan(meter, to - from);
  meter.allocate(stringBytes(to - from));
  return sliceText(text, from, to);
}

const POINT_BYTES = 72;

function pointSet(meter: Meter, chars: string): ReadonlySet<number> {
  meter.work(1 + chars.length);
  meter.allocate(chars.length * POINT_BYTES);
  const points = new Set<number>();
  for (let i = 0; i < chars.length; i++) {
    const point = chars.codePointAt(i) as number;
    points.add(point);
    if (point > 0xffff) i += 1;
  }
  return points;
}

function firstOutside(text: string, points: ReadonlySet<number>): number {
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) as number;
    if (!points.has(point)) break;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

function lastOutside(text: string, from: number, points: ReadonlySet<number>): number {
  let at = text.length;
  while (at > from) {
    const point = pointBefore(text, from, at);
    if (!points.has(point)) break;
    at -= point > 0xffff ? 2 : 1;
  }
  return at;
}

/** The code point that ends at `to`, in a text that begins at `from`. */
function pointBefore(text: string, from: number, to: number): number {
  const pair = to - from >= 2 ? (text.codePointAt(to - 2) as number) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(to - 1);
}

/** From here on a slice and one comparison are faster than `startsWith`, which looks at unit after unit. */
const LONG_AFFIX = 64;

/** Whether `text` begins with `affix`, or ends with it when `atEnd`. */
export function hasAffix(text: string, affix: string, atEnd: boolean): boolean {
  if (affix.length <= LONG_AFFIX) return atEnd ? text.endsWith(affix) : text.startsWith(affix);
  if (affix.length > text.length) return false;
  return (atEnd ? text.slice(text.length - affix.length) : text.slice(0, affix.length)) === affix;
}

/** `text` without `affix` at its start, or at its end when `atEnd`. */
export function removeAffix(meter: Meter, text: string, affix: string, atEnd: boolean): string {
  chargeScan(meter, affix.length);
  chargeRead(meter, text.length);
  const matches = hasAffix(text, affix, atEnd);
  if (!matches || affix === '') return text;
  meter.allocate(stringBytes(text.length - affix.length));
  return atEnd ? sliceText(text, 0, text.length - affix.length) : sliceText(text, affix.length, text.length);
}

const MOST_GROWTH = 3;
const notAscii = /[^\0-\x7f]/;

export function isAscii(text: string): boolean {
  return !notAscii.test(text);
}

/** Runs `change`, whose result is at most three times as long, charged before. */
export function changeCase(meter: Meter, text: string, change: (text: string) => string): string {
  chargeString(meter, text.length);
  meter.work(text.length >> 2);
  if (text.length <= SMALL_UNITS || isAscii(text)) {
    const result = change(text);
    if (result.length > text.length) meter.allocate((result.length - text.length) * 2);
    return result;
  }
  meter.work(text.length >> 2);
  const reserve = text.length * (MOST_GROWTH - 1) * 2;
  meter.allocate(reserve);
  const result = change(text);
  meter.memory -= reserve - Math.max(0, result.length - text.length) * 2;
  return result;
}

// The title case of a character, after the Unicode tables that JavaScript includes, without a locale.
//
// JavaScript has no title case. It is upper case except where SpecialCasing.txt and UnicodeData.txt differ:
// the digraphs such as ǆ, Greek letters with a subscript iota, Georgian letters, and letters that become several.

/** `character` is one code point. */
export function titleCaseOf(character: string): string {
  const point = character.codePointAt(0) as number;
  if (point < 0x80) return character.toUpperCase();
  // Ǆ ǅ ǆ Ǉ ǈ ǉ Ǌ ǋ ǌ and Ǳ ǲ ǳ: the middle one of three.
  if (point >= 0x1c4 && point <= 0x1cc) return String.fromCharCode(point - ((point - 0x1c4) % 3) + 1);
  if (point >= 0x1f1 && point <= 0x1f3) return '\u01f2';
  if (point >= 0x10d0 && point <= 0x10ff) return character;
  if (point >= 0x1f80 && point <= 0x1fff) return greekTitle(character, point);
  const upper = character.toUpperCase();
  if (upper.length <= character.length || point === 0x149) return upper;
  // ß to Ss, ﬁ to Fi: only the first of the letters that it becomes. In ŉ the first one is an apostrophe.
  const first = String.fromCodePoint(upper.codePointAt(0) as number);
  return first + upper.slice(first.length).toLowerCase();
}

function greekTitle(character: string, point: number): string {
  // ᾀ to ᾈ; the letters from ᾈ are in title case.
  if (point <= 0x1faf) return String.fromCharCode(point | 8);
  if (point === 0x1fb3 || point === 0x1fc3 || point === 0x1ff3) return String.fromCharCode(point + 9);
  if (point === 0x1fbc || point === 0x1fcc || point === 0x1ffc) return character;
  // The iota goes below the letter again.
  return point === 0x1fbe ? '\u0399' : character.toUpperCase().replace(/\u0399$/, '\u0345');
}

// White space, unit by unit: none of it is outside the first plane. JavaScript's `trim` and `\s` lack U+0085 and have
// U+FEFF, so they are not used.

/** White_Space, for the brackets of a regular expression. */
export const spaces = '\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
export const pythonSpaces = `\\x1c-\\x1f${spaces}`;

type IsSpace = (unit: number) => boolean;

/** The characters of the Unicode property White_Space: those of Starlark. */
export function isUnicodeSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0;
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  );
}

/** Python's white space also has the four separators from U+001C on. */
export function isPythonSpace(unit: number): boolean {
  return isUnicodeSpace(unit) || (unit >= 0x1c && unit <= 0x1f);
}
