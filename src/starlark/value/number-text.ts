// The text of numbers.
//
// N1. Reading the text of a finite float gives the same float: the digits are the fewest that do.
// N2. The text of a float holds a point, an exponent, or is `nan`, `+inf`, `-inf`: it never looks like an int.
// N3. Decimal notation from 0.0001 to below 1e17, exponents of at least two digits elsewhere.
import type { Thread } from './native.ts';
import { bitsBound } from './int.ts';
import { chargeString } from './charge.ts';

/** As `str` and `%g` show a float. */
export function floatText(n: number): string {
  const size = Math.abs(n);
  if (size >= 1e-4 && size < 1e17) return Number.isInteger(n) ? `${n}.0` : String(n);
  if (n === 0) return Object.is(n, -0) ? '-0.0' : '0.0';
  if (!Number.isFinite(n)) return nonFiniteText(n);
  return widenExponent(n.toExponential());
}

/** `%e`: six digits after the point, the nearest ones, the even one of two equally near. */
export function exponentText(n: number): string {
  if (!Number.isFinite(n)) return nonFiniteText(n);
  if (Object.is(n, -0)) return '-0.000000e+00';
  const near = n.toExponential(7);
  if (near[near.indexOf('e') - 1] !== '5') return widenExponent(n.toExponential(6));
  // JavaScript takes the larger of two equally near results. A tie is a 5 followed by nothing; 40 digits tell, since
  // no double comes closer to a tie than 1e-35 of itself without being one.
  const long = n.toExponential(40);
  const e = long.indexOf('e');
  const tail = long.indexOf('.') + 7;
  const tie = long[tail] === '5' && /^0*$/.test(long.slice(tail + 1, e));
  if (tie && isEvenDigit(long, tail - 1)) return widenExponent(long.slice(0, tail) + long.slice(e));
  return widenExponent(n.toExponential(6));
}

/** `%f`: six digits after the point, the nearest ones, the even one of two equally near. */
export function fixedText(n: number): string {
  if (!Number.isFinite(n)) return nonFiniteText(n);
  if (Math.abs(n) >= 1e21) return `${BigInt(n)}.000000`;
  // A tie in the seventh digit is an odd multiple of 1/128, and seven digits write that exactly.
  if (Number.isInteger(n * 128) && !Number.isInteger(n * 64)) {
    const exact = n.toFixed(7);
    if (isEvenDigit(exact, exact.length - 2)) return exact.slice(0, -1);
  }
  return Object.is(n, -0) ? '-0.000000' : n.toFixed(6);
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

function nonFiniteText(n: number): string {
  if (Number.isNaN(n)) return 'nan';
  return n > 0 ? '+inf' : '-inf';
}

function isEvenDigit(text: string, at: number): boolean {
  return text.charCodeAt(at) % 2 === 0;
}

/** `1e+5` to `1e+05`. */
function widenExponent(text: string): string {
  const sign = text.indexOf('e') + 1;
  return text.length - sign > 2 ? text : `${text.slice(0, sign + 1)}0${text.slice(sign + 1)}`;
}
