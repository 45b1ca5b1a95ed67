// Finding a text in another in time that grows with their lengths, whatever they hold.
//
// V8's own search takes the product of the lengths in the worst case, which is minutes for two long texts. So it is used
// for short patterns only; long ones are sought by Knuth, Morris and Pratt's method.
import type { Evaluation } from './evaluation.ts';

const shortUnits = 32;

function charge(e: Evaluation, text: string, pattern: string): void {
  if (pattern.length <= shortUnits) {
    e.work(1 + Math.floor((text.length * (1 + pattern.length)) / 64));
    return;
  }
  e.work(1 + Math.floor((text.length + pattern.length) / 4));
  e.meter.allocate(4 * pattern.length);
}

/** The first unit from `from` on where `pattern` begins, or -1. */
export function findText(e: Evaluation, text: string, pattern: string, from: number): number {
  if (pattern.length > text.length - from) return -1;
  charge(e, from === 0 ? text : text.slice(from), pattern);
  if (pattern.length <= shortUnits) return text.indexOf(pattern, from);
  let found = -1;
  eachMatch(text, pattern, from, (at) => {
    found = at;
    return false;
  });
  return found;
}

/** The last unit before `to` where `pattern` begins and ends, or -1. */
export function findLastText(e: Evaluation, text: string, pattern: string, to: number): number {
  if (pattern.length > to) return -1;
  charge(e, text, pattern);
  if (pattern.length <= shortUnits) return text.lastIndexOf(pattern, to - pattern.length);
  let found = -1;
  eachMatch(text.slice(0, to), pattern, 0, (at) => {
    found = at;
    return true;
  });
  return found;
}

/** Where `pattern`, which is not empty, stands in `text`, left to right, without overlaps; at most `most` times. */
export function findAllTexts(e: Evaluation, text: string, pattern: string, most: number): readonly number[] {
  charge(e, text, pattern);
  const places: number[] = [];
  const take = (at: number): boolean => {
    e.makeItems(1, 4);
    places.push(at);
    return places.length < most;
  };
  if (most <= 0) return places;
  if (pattern.length <= shortUnits) {
    for (
      let at = text.indexOf(pattern);
      at >= 0 && take(at);
      at = text.indexOf(pattern, at + pattern.length)
    );
    return places;
  }
  let free = 0;
  eachMatch(text, pattern, 0, (at) => {
    if (at < free) return true;
    free = at + pattern.length;
    return take(at);
  });
  return places;
}

/** Calls `take` with every place, overlapping ones too, until it gives false. */
function eachMatch(text: string, pattern: string, from: number, take: (at: number) => boolean): void {
  const borders = bordersOf(pattern);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== pattern.charCodeAt(matched)) matched = borders[matched - 1] as number;
    if (unit === pattern.charCodeAt(matched)) matched += 1;
    if (matched < pattern.length) continue;
    if (!take(at - matched + 1)) return;
    matched = borders[matched - 1] as number;
  }
}

/** For each start of the pattern, the length of the longest shorter start that is also its end. */
function bordersOf(pattern: string): Int32Array {
  const borders = new Int32Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    while (length > 0 && pattern.charCodeAt(at) !== pattern.charCodeAt(length))
      length = borders[length - 1] as number;
    if (pattern.charCodeAt(at) === pattern.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return borders;
}
