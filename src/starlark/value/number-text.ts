// The text of numbers. A float has a point or an exponent, or is `nan`, `+inf`, `-inf`: it never looks like an int.
import { chargeString } from '../../python/charge.ts';
import * as python from '../../python/float-text.ts';
import { bitsBound } from './int.ts';
import type { Thread } from './native.ts';

/** Unlike Python's: decimal notation up to 1e17, and a sign before an infinity. */
const style: python.FloatStyle = { exponentFrom: 1e17, infinity: '+inf' };
/** Digits behind the point of `%e` and `%f`. */
const DIGITS = 6;

/** As `str` and `%g` show a float. */
export function floatText(n: number): string {
  return python.floatText(n, style);
}

/** `%e` */
export function exponentText(n: number): string {
  return Number.isFinite(n) ? signOf(n) + python.exponentText(n, DIGITS) : floatText(n);
}

/** `%f` */
export function fixedText(n: number): string {
  return Number.isFinite(n) ? signOf(n) + python.fixedText(n, DIGITS) : floatText(n);
}

function signOf(n: number): string {
  return n < 0 || Object.is(n, -0) ? '-' : '';
}

/** The decimal text of an int, charged: a long one costs the square of its length to write. */
export function intText(thread: Thread, v: number | bigint): string {
  if (typeof v === 'number') return String(v);
  const bits = chargeIntText(thread, v, 10 / 3);
  thread.meter.work(Math.ceil(bits / 8 + (bits / 256) ** 2 * 2.4));
  return v.toString();
}

/** The text of an int in base 8 or 16, with a minus sign and without a prefix. */
export function intTextInBase(thread: Thread, v: number | bigint, base: 8 | 16): string {
  if (typeof v === 'bigint') chargeIntText(thread, v, base === 16 ? 4 : 3);
  return v.toString(base);
}

/** Gives a bound of the bits. */
function chargeIntText(thread: Thread, v: bigint, bitsPerDigit: number): number {
  const bits = bitsBound(v);
  chargeString(thread.meter, Math.ceil(bits / bitsPerDigit));
  thread.meter.work(bits >> 5);
  return bits;
}
