// Ints of any size, up to the limit.
//
// A result is a JavaScript number when it is a safe integer, else a bigint. The size of a result is bounded
// before it is worked out, and its work charged.
import { LimitReached } from '../../base/meter.ts';
import {
  floorDivideBigints,
  floorDivideNumbers,
  type Int,
  intFromBigint,
  moduloBigints,
  moduloNumbers,
} from '../../python/int.ts';
import type { Evaluation } from './evaluation.ts';

/** The number of bits of the absolute value. */
export function bitsOf(value: Int): number {
  if (typeof value === 'number') return value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1;
  return (value < 0n ? -value : value).toString(16).length * 4;
}

/** An int of about `bits` is about to be made out of ints of that size. */
export function chargeInt(e: Evaluation, bits: number): void {
  const { maxIntBits } = e.limits;
  if (bits > maxIntBits)
    throw new LimitReached('INT_LIMIT', `stopped: an int would have more than ${maxIntBits} bits`);
  e.work(1 + Math.floor((bits / 512) ** 2));
  e.meter.allocate(bits >> 3);
}

export function addInts(e: Evaluation, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  chargeInt(e, Math.max(bitsOf(a), bitsOf(b)) + 1);
  return intFromBigint(BigInt(a) + BigInt(b));
}

export function negateInt(value: Int): Int {
  return typeof value === 'number' ? 0 - value : intFromBigint(-value);
}

export function multiplyInts(e: Evaluation, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  chargeInt(e, bitsOf(a) + bitsOf(b));
  return intFromBigint(BigInt(a) * BigInt(b));
}

/** Rounded down, as Python's `//`. `b` is not 0. */
export function floorDivideInts(e: Evaluation, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') return floorDivideNumbers(a, b);
  chargeInt(e, bitsOf(a));
  return intFromBigint(floorDivideBigints(BigInt(a), BigInt(b)));
}

/** With the sign of `b`, as Python's `%`. `b` is not 0. */
export function moduloInts(e: Evaluation, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') return moduloNumbers(a, b);
  chargeInt(e, Math.max(bitsOf(a), bitsOf(b)));
  return intFromBigint(moduloBigints(BigInt(a), BigInt(b)));
}

/** `exponent` is not negative. */
export function powerInts(e: Evaluation, base: Int, exponent: Int): Int {
  if (base === 0 || base === 1) return exponent === 0 ? 1 : base;
  if (base === -1) return BigInt(exponent) % 2n === 0n ? 1 : -1;
  // An exponent that is not a small number is over any limit.
  chargeInt(e, typeof exponent === 'number' ? bitsOf(base) * exponent : Infinity);
  return intFromBigint(BigInt(base) ** BigInt(exponent));
}

/** The nearest float; null when it is too large for one. */
export function intToFloat(value: Int): number | null {
  const float = Number(value);
  return Number.isFinite(float) ? float : null;
}

/** The correctly rounded quotient of two ints; null when it is too large for a float. `b` is not 0. */
export function divideInts(a: Int, b: Int): number | null {
  if (typeof a === 'number' && typeof b === 'number') return a / b;
  const [x, y] = [BigInt(a), BigInt(b)];
  if (x === 0n) return y < 0n ? -0 : 0;
  const isNegative = x < 0n !== y < 0n;
  const [top, bottom] = [x < 0n ? -x : x, y < 0n ? -y : y];
  // 66 significant bits and a last one that is set when something was left over: enough to round once.
  const shift = BigInt(66 - (bitsOf(top) - bitsOf(bottom)));
  const [upper, lower] = shift >= 0n ? [top << shift, bottom] : [top, bottom << -shift];
  const quotient = upper / lower;
  const sticky = quotient * lower === upper ? quotient : quotient | 1n;
  const result = scale(sticky, -Number(shift));
  return Number.isFinite(result) ? (isNegative ? -result : result) : null;
}

/** `mantissa * 2 ** exponent`, rounded once. */
function scale(mantissa: bigint, exponent: number): number {
  if (exponent >= 0) return Number(mantissa << BigInt(exponent));
  const bits = mantissa.toString(2).length;
  // The last bit that a float of this size keeps: 2 ** -1074 at the least.
  const last = Math.max(bits + exponent - 53, -1074);
  const drop = last - exponent;
  if (drop <= 0) return Number(mantissa) * 2 ** exponent;
  const half = 1n << BigInt(drop - 1);
  const kept = mantissa >> BigInt(drop);
  const rest = mantissa & ((1n << BigInt(drop)) - 1n);
  const rounded = rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
  return last < -1000 ? Number(rounded) * 2 ** (last + 500) * 2 ** -500 : Number(rounded) * 2 ** last;
}
