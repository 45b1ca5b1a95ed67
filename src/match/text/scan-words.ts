// Text -> its words, by offset and hash, without slicing the text.
//
//   word      = (letter | digit)+ of at most 64 code units; a longer one is data, not a word, and is skipped
//   compound  = word (joiner word)+          reported after its words, when it has two or three of them
//   pair      = two characters of a script without spaces, overlapping, in simplified form; one that stands alone counts alone
//
// One pass without backtracking: the time is linear in the text. The text is first copied to a typed array, since
// reading a string character by character costs more than everything else. An ending after an apostrophe is left out:
// 's, n't, 're. `pause` is reported where a sentence, a paragraph or a table cell ends, so that phrases do not cross
// it.
import { classAt, classes, digit, isPair, letter, unspaced } from './character-class.ts';
import { simplifiedUnit } from './simplified.ts';

export const longestWord = 64;
const longestCompound = 32;
const longestEnding = 2;

/** Receives what was found: code units from `start` to `end`, valid until it returns, and their hash. */
export interface WordVisitor {
  word(units: Uint16Array, start: number, end: number, hash: number): void;
  compound(units: Uint16Array, start: number, end: number, hash: number): void;
  pair(units: Uint16Array, start: number, end: number, hash: number): void;
  pause(): void;
}

const seed = 0x811c9dc5 | 0;
const prime = 0x01000193;

/** Grows to the longest text so far, up to `keptUnits`. */
let scratch = new Uint16Array(1 << 14);
const keptUnits = 1 << 18;

/** The first `most` code units of `text`. Default: all of them. */
export function scanWords(text: string, visitor: WordVisitor, most = text.length): void {
  const to = Math.min(text.length, most);
  let units = scratch;
  if (units.length < to) {
    units = new Uint16Array(Math.max(to, units.length * 2));
    if (units.length <= keptUnits) scratch = units;
  }
  copyUnits(text, units, to);
  scan(units, to, visitor);
}

function copyUnits(text: string, units: Uint16Array, to: number): void {
  for (let at = 0; at < to; at += 1) units[at] = text.charCodeAt(at);
}

function scan(units: Uint16Array, to: number, visitor: WordVisitor): void {
  let at = 0;
  // The compound that may be growing: where it starts, where its next word would, and how many words it has.
  let compoundStart = 0;
  let compoundNext = -1;
  let compoundWords = 0;
  while (at < to) {
    const seen = classes[units[at] as number] as number;
    const kind = seen === 0 ? classAt(units, at, to) : seen;
    if (kind === letter || kind === digit) {
      const start = at;
      let hash = seed;
      for (;;) {
        // Nearly all of every text passes here: one look at the table for each character.
        while (at < to && (classes[units[at] as number] as number) >> 1 === 1) {
          hash = Math.imul(hash ^ (units[at] as number), prime);
          at += 1;
        }
        if (at >= to || classes[units[at] as number] !== 0 || classAt(units, at, to) >> 1 !== 1) break;
        for (const end = isPair(units, at, to) ? at + 2 : at + 1; at < end; at += 1)
          hash = Math.imul(hash ^ (units[at] as number), prime);
      }
      if (at - start <= longestWord) visitor.word(units, start, at, hash);
      if (start === compoundNext) compoundWords += 1;
      else {
        compoundStart = start;
        compoundWords = 1;
      }
      const next = at < to ? (units[at] as number) : 0;
      if (
        (next === 45 || next === 46 || next === 95) &&
        at + 1 < to &&
        classAt(units, at + 1, to) >> 1 === 1
      ) {
        compoundNext = at + 1;
        at += 1;
        continue;
      }
      compoundNext = -1;
      if (compoundWords > 1 && compoundWords <= 3 && at - compoundStart <= longestCompound)
        visitor.compound(units, compoundStart, at, hashOf(units, compoundStart, at));
      if (next === 39 || next === 0x2019) at = afterEnding(units, at, to);
      continue;
    }
    if (kind === unspaced) {
      at = scanPairs(units, at, to, visitor);
      continue;
    }
    const unit = units[at] as number;
    if (unit === 10 || unit === 46 || unit === 33 || unit === 63 || unit === 124 || unit === 0x3002) {
      const after = at + 1 < to ? (units[at + 1] as number) : 10;
      if (unit === 10 ? after === 10 || after === 13 : unit === 124 || unit === 0x3002 || after <= 32)
        visitor.pause();
    }
    at += unit >= 0xd800 && isPair(units, at, to) ? 2 : 1;
  }
}

/** Where reading continues after the apostrophe at `at`. */
function afterEnding(units: Uint16Array, at: number, to: number): number {
  let next = at + 1;
  while (next < to && next - at <= longestEnding + 1 && classAt(units, next, to) === letter) next += 1;
  return next - at - 1 <= longestEnding ? next : at + 1;
}

/** The run from `at`, in pairs; returns where it ends. */
function scanPairs(units: Uint16Array, at: number, to: number, visitor: WordVisitor): number {
  let before = -1;
  let start = at;
  let reported = false;
  while (start < to && classAt(units, start, to) === unspaced) {
    const end = start + (isPair(units, start, to) ? 2 : 1);
    units[start] = simplifiedUnit(units[start] as number);
    if (before >= 0) {
      visitor.pair(units, before, end, hashOf(units, before, end));
      reported = true;
    }
    before = start;
    start = end;
  }
  if (!reported) visitor.pair(units, at, start, hashOf(units, at, start));
  return start;
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = seed;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (units[at] as number), prime);
  return hash;
}

/** What lies between two places, as text. */
export function wordText(units: Uint16Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += 1) text += String.fromCharCode(units[at] as number);
  return text;
}
