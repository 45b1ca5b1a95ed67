// Case of letters as Python has it. JavaScript's upper and lower case agree with it; it has no title case.
import { isWide } from '../value/text.ts';

const upperLetter = /\p{Uppercase}/u;
const lowerLetter = /\p{Lowercase}/u;
const titleLetter = /\p{Lt}/u;

export function isUpper(point: string): boolean {
  return upperLetter.test(point);
}

export function isLower(point: string): boolean {
  return lowerLetter.test(point);
}

export function isTitle(point: string): boolean {
  return titleLetter.test(point);
}

export function isCased(point: string): boolean {
  return isUpper(point) || isLower(point) || isTitle(point);
}

/** One code point in title case: upper case, but for digraphs, Greek with a small iota, Georgian, and ligatures. */
function titleOf(point: string): string {
  const code = point.codePointAt(0) as number;
  if (code < 0x80) return point.toUpperCase();
  // The three forms of Ǆ, Ǉ, Ǌ and Ǳ follow one another; the second is the title case.
  if (code >= 0x1c4 && code <= 0x1cc) return String.fromCharCode(code - ((code - 0x1c4) % 3) + 1);
  if (code >= 0x1f1 && code <= 0x1f3) return '\u01f2';
  if (code >= 0x10d0 && code <= 0x10ff) return point;
  if (code >= 0x1f80 && code <= 0x1fff) return greekTitle(point, code);
  const upper = point.toUpperCase();
  if (upper.length <= point.length || code === 0x149) return upper;
  const [first = '', ...rest] = upper;
  return first + rest.join('').toLowerCase();
}

function greekTitle(point: string, code: number): string {
  if (code <= 0x1faf) return String.fromCharCode(code | 8);
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCharCode(code + 9);
  if (code === 0x1fbc || code === 0x1fcc || code === 0x1ffc) return point;
  return code === 0x1fbe ? '\u0399' : point.toUpperCase().replace(/\u0399$/, '\u0345');
}

export function capitalize(text: string): string {
  if (text === '') return '';
  const first = String.fromCodePoint(text.codePointAt(0) as number);
  return titleOf(first) + lowerFrom(text, first.length, text.length);
}

/** A part of a text in lower case: a sigma is written by where it stands in the whole. */
function lowerFrom(text: string, from: number, to: number): string {
  const part = text.slice(from, to);
  if (!part.includes('\u03a3')) return part.toLowerCase();
  return text.slice(0, to).toLowerCase().slice(text.slice(0, from).toLowerCase().length);
}

/** What stands between letters without ending a word, such as an apostrophe. */
const ignorable = /[\p{Case_Ignorable}]/u;

/** One of several code points in lower case: a sigma at the end of a word is written in another way. */
function lowerAt(points: readonly string[], at: number): string {
  const point = points[at] as string;
  if (point !== '\u03a3') return point.toLowerCase();
  let before = at - 1;
  while (before >= 0 && ignorable.test(points[before] as string)) before -= 1;
  let behind = at + 1;
  while (behind < points.length && ignorable.test(points[behind] as string)) behind += 1;
  const isFinal =
    before >= 0 &&
    isCased(points[before] as string) &&
    !(behind < points.length && isCased(points[behind] as string));
  return isFinal ? '\u03c2' : '\u03c3';
}

/** `str.title()`: letters behind a letter are lower, others are title case. */
export function titleCase(text: string): string {
  const points = Array.from(text);
  let result = '';
  let isInside = false;
  for (const [at, point] of points.entries()) {
    result += isInside ? lowerAt(points, at) : titleOf(point);
    isInside = isCased(point);
  }
  return result;
}

export function swapCase(text: string): string {
  const points = Array.from(text);
  let result = '';
  for (const [at, point] of points.entries())
    result += isUpper(point) ? lowerAt(points, at) : isLower(point) ? point.toUpperCase() : point;
  return result;
}

export function foldCase(text: string): string {
  if (!isWide(text) && /^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  let result = '';
  for (const point of text) result += point === '\u0131' ? point : point.toUpperCase().toLowerCase();
  return result;
}
