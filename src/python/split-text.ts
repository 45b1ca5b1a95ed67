// Cutting text up and joining it: split, partition, join.
//
//   text -> string[], charged as it grows
import type { Meter } from '../base/meter.ts';
import { LIST_BYTES, SLOT_BYTES, STRING_BYTES, chargeString, stringBytes } from './charge.ts';
import {
  chargeSearch,
  indexOfText,
  isSafeSearch,
  lastIndexOfText,
  matchesBackward,
  matchesForward,
} from './find-text.ts';
import { detachParts, sliceText } from './slice.ts';
import type { IsSpace } from './white-space.ts';

/** Texts up to this length are cut before they are charged; the overshoot is bounded. */
const SMALL_UNITS = 4096;

export const PART_BYTES = STRING_BYTES + SLOT_BYTES;

/** `text` is about to be cut into a list of `parts`. */
export function chargeParts(meter: Meter, text: string, parts: number): void {
  // Parts of a longer text may have to be copied.
  meter.work(text.length > 180 ? parts * 4 : parts * 2);
  meter.allocate(LIST_BYTES + parts * PART_BYTES + text.length * 2);
}

/** A list of at most `most` places of `sub` is about to be made. */
export function chargePlaces(meter: Meter, text: string, sub: string, most: number): void {
  const places = Math.min(most, Math.floor(text.length / sub.length));
  if (places > SMALL_UNITS) meter.allocate(places * 8);
}

export function cutAt(text: string, places: readonly number[], width: number): string[] {
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
