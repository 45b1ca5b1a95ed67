// Case of letters as Python has it: by the properties Uppercase and Lowercase (Starlark's are categories), and a sigma at
// the end of a word is written in its own way. JavaScript's upper and lower case agree with it; it has no title case.
import { isAscii, titleCaseOf } from '../../python/text.ts';

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

export function capitalize(text: string): string {
  if (text === '') return '';
  const first = String.fromCodePoint(text.codePointAt(0) as number);
  return titleCaseOf(first) + lowerFrom(text, first.length, text.length);
}

/** A part of a text in lower case: a sigma is written by its place in the whole. */
function lowerFrom(text: string, from: number, to: number): string {
  const part = text.slice(from, to);
  if (!part.includes('\u03a3')) return part.toLowerCase();
  return text.slice(0, to).toLowerCase().slice(text.slice(0, from).toLowerCase().length);
}

/** What can be between letters without ending a word, such as an apostrophe. */
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
    result += isInside ? lowerAt(points, at) : titleCaseOf(point);
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
  if (isAscii(text)) return text.toLowerCase();
  let result = '';
  for (const point of text) result += point === '\u0131' ? point : point.toUpperCase().toLowerCase();
  return result;
}
