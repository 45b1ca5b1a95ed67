// Text -> the same text with something replaced, cut off or in another case. Charged before it is made.
import type { Meter } from '../base/meter.ts';
import { MAX_STRING_UNITS, chargeRead, chargeScan, chargeString, stringBytes, tooLarge } from './charge.ts';
import { chargeSearch, isSafeSearch, matchesForward } from './find-text.ts';
import { sliceText } from './slice.ts';
import { chargeParts, chargePlaces, cutAt } from './split-text.ts';
import type { IsSpace } from './white-space.ts';

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

/** `text` without `affix` at its start, or at its end when `atEnd`. */
export function removeAffix(meter: Meter, text: string, affix: string, atEnd: boolean): string {
  chargeScan(meter, affix.length);
  chargeRead(meter, text.length);
  const matches = atEnd ? text.endsWith(affix) : text.startsWith(affix);
  if (!matches || affix === '') return text;
  meter.allocate(stringBytes(text.length - affix.length));
  return atEnd ? sliceText(text, 0, text.length - affix.length) : sliceText(text, affix.length, text.length);
}

/** Texts up to this length are changed first, and what they grew is charged then. */
const SMALL_UNITS = 4096;
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
