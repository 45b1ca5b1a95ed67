// Strings by code points.
//
// Text without characters outside the first plane, which is nearly all text, is never taken apart: its units are its
// code points.
import { Markup, type Value } from './value.ts';

const surrogate = /[\ud800-\udfff]/;

/** Whether a unit of `text` may be half a character. */
export function isWide(text: string): boolean {
  return surrogate.test(text);
}

/** The length in code points. */
export function lengthOf(text: string): number {
  if (!isWide(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isPairAt(text, at)) count += 1;
  }
  return count;
}

/** Whether a pair of units begins here, so that the next unit is the one that is counted. */
function isPairAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/** The code points, each as a string. */
export function pointsOf(text: string): readonly string[] {
  return isWide(text) ? Array.from(text) : text.split('');
}

/** The offset in units of the code point `index`; `text` holds that many. */
export function unitAt(text: string, index: number): number {
  if (!isWide(text)) return index;
  let at = 0;
  for (let left = index; left > 0; left -= 1) at += isPairAt(text, at) ? 2 : 1;
  return at;
}

/** How many code points are before the unit `at`. */
export function pointsBefore(text: string, at: number): number {
  return lengthOf(text.slice(0, at));
}

/** From code point `from` up to `to`, both within the text. */
export function slicePoints(text: string, from: number, to: number): string {
  if (!isWide(text)) return text.slice(from, to);
  const begin = unitAt(text, from);
  return text.slice(begin, begin + unitAt(text.slice(begin), to - from));
}

/** The order of Python: by code points, where JavaScript's is by units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  let at = 0;
  while (at < shared && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === shared) return a.length - b.length;
  const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
  // A half of a pair is above every unit that is a character by itself, but not in JavaScript.
  return isHalf(one) === isHalf(other) ? one - other : isHalf(one) ? 1 : -1;
}

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The text of a string value, or null for any other value. */
export function asText(value: Value): string | null {
  if (typeof value === 'string') return value;
  return value instanceof Markup ? value.text : null;
}
