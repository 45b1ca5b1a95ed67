// Arithmetic of ints and floats.
//
// Int arithmetic is exact. The fast path works on safe integers and falls over to bigints when a result is none. `//`
// and `%` floor: the remainder has the sign of the divisor. In a mix of int and float the int becomes the nearest
// float first, or EVAL_VALUE if it is too large. An operation on bigints is charged by the size of its operands before
// it is done. Ints of up to 256 bits, which are by far the most, are charged alike; to tell their sizes took longer
// than to add them.
import {
  MAX_SAFE,
  floorDivideBigints,
  floorDivideNumbers,
  type Int,
  intFromBigint,
  moduloBigints,
  moduloNumbers,
} from '../../python/int.ts';
import { EvalError } from './eval-error.ts';
import { bitsBound, finishBigint, intTooLarge, isInt } from './int.ts';
import type { Thread } from './native.ts';
import { FLOAT_BYTES, bigintBytes, Float, type Value } from './value.ts';

const TWO_32 = 0x100000000;
/** Bits that the machine of a bigint handles at once, and as many steps as are charged for 64 of them. */
const WORD_BITS = 64;
const MEDIUM_BITS = 256;
const MEDIUM = 1n << BigInt(MEDIUM_BITS);
const MINUS_MEDIUM = -MEDIUM;
const MEDIUM_BYTES = bigintBytes(2 * MEDIUM_BITS);

/** The result of two ints of up to 256 bits. */
function finishMedium(thread: Thread, b: bigint): Int {
  thread.meter.work(1);
  const result = intFromBigint(b);
  if (typeof result === 'bigint') thread.meter.allocate(MEDIUM_BYTES);
  return result;
}

function areMedium(thread: Thread, a: Int, b: Int): boolean {
  // Else even their results may have too many bits.
  if (thread.maxIntBits < 2 * MEDIUM_BITS) return false;
  return (
    (typeof a === 'number' || (a < MEDIUM && a > MINUS_MEDIUM)) &&
    (typeof b === 'number' || (b < MEDIUM && b > MINUS_MEDIUM))
  );
}

export function newFloat(thread: Thread, n: number): Float {
  thread.meter.allocate(FLOAT_BYTES);
  return new Float(n);
}

/** The float nearest to an int. */
export function intToFloat(v: Int): number {
  const n = Number(v);
  if (!Number.isFinite(n)) throw new EvalError('EVAL_VALUE', 'int too large to convert to float');
  return n;
}

/** The operand as a float, or undefined if it is not a number. */
export function numberOf(v: Value): number | undefined {
  if (v instanceof Float) return v.value;
  return isInt(v) ? intToFloat(v) : undefined;
}

/** Charges an operation that takes time in proportion to its operands; gives the bits of the larger one. */
function chargeLinear(thread: Thread, a: Int, b: Int): number {
  const bits = Math.max(
    typeof a === 'number' ? WORD_BITS : bitsBound(a),
    typeof b === 'number' ? WORD_BITS : bitsBound(b),
  );
  thread.meter.work(1 + Math.floor(bits / 512));
  return bits;
}

/** The same for one that takes time in proportion to the product of the operands; gives the sum of the bits. */
function chargeProduct(thread: Thread, a: Int, b: Int): number {
  const x = typeof a === 'number' ? WORD_BITS : bitsBound(a);
  const y = typeof b === 'number' ? WORD_BITS : bitsBound(b);
  thread.meter.work(1 + Math.floor(((x / WORD_BITS) * (y / WORD_BITS)) / 8));
  return x + y;
}

export function addInts(thread: Thread, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    return sum <= MAX_SAFE && sum >= -MAX_SAFE ? sum : intFromBigint(BigInt(a) + BigInt(b));
  }
  if (areMedium(thread, a, b))
    return finishMedium(
      thread,
      (typeof a === 'bigint' ? a : BigInt(a)) + (typeof b === 'bigint' ? b : BigInt(b)),
    );
  const bits = chargeLinear(thread, a, b);
  return finishBigint(thread, BigInt(a) + BigInt(b), bits + 1);
}

export function subtractInts(thread: Thread, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    return difference <= MAX_SAFE && difference >= -MAX_SAFE
      ? difference
      : intFromBigint(BigInt(a) - BigInt(b));
  }
  if (areMedium(thread, a, b))
    return finishMedium(
      thread,
      (typeof a === 'bigint' ? a : BigInt(a)) - (typeof b === 'bigint' ? b : BigInt(b)),
    );
  const bits = chargeLinear(thread, a, b);
  return finishBigint(thread, BigInt(a) - BigInt(b), bits + 1);
}

export function multiplyInts(thread: Thread, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Adding 0 turns -0 into 0.
    if (product <= MAX_SAFE && product >= -MAX_SAFE) return product + 0;
  }
  if (areMedium(thread, a, b))
    return finishMedium(
      thread,
      (typeof a === 'bigint' ? a : BigInt(a)) * (typeof b === 'bigint' ? b : BigInt(b)),
    );
  const bits = chargeProduct(thread, a, b);
  // The bounds are up to twice too large, so only a product that is surely too large is refused unseen.
  if (bits > 4 * thread.maxIntBits + 8 * WORD_BITS) intTooLarge(thread);
  return finishBigint(thread, BigInt(a) * BigInt(b), bits);
}

export function floorDivideInts(thread: Thread, a: Int, b: Int): Int {
  if (b === 0) throw divisionByZero('floored division by zero');
  if (typeof a === 'number' && typeof b === 'number') return floorDivideNumbers(a, b);
  const bits = chargeProduct(thread, a, b);
  return finishBigint(thread, floorDivideBigints(BigInt(a), BigInt(b)), bits);
}

export function moduloInts(thread: Thread, a: Int, b: Int): Int {
  if (b === 0) throw divisionByZero('integer modulo by zero');
  if (typeof a === 'number' && typeof b === 'number') return moduloNumbers(a, b);
  const x = typeof a === 'bigint' ? a : BigInt(a);
  const y = typeof b === 'bigint' ? b : BigInt(b);
  if (x >= 0n && x < MEDIUM && y > 0n && y < MEDIUM && thread.maxIntBits >= MEDIUM_BITS)
    return finishMedium(thread, x % y);
  const bits = chargeProduct(thread, a, b);
  return finishBigint(thread, moduloBigints(x, y), bits);
}

export function divideFloats(thread: Thread, a: number, b: number): Float {
  if (b === 0) throw divisionByZero('floating-point division by zero');
  return newFloat(thread, a / b);
}

export function floorDivideFloats(thread: Thread, a: number, b: number): Float {
  if (b === 0) throw divisionByZero('floored division by zero');
  return newFloat(thread, Math.floor(a / b));
}

export function moduloFloats(thread: Thread, a: number, b: number): Float {
  if (b === 0) throw divisionByZero('floating-point modulo by zero');
  const rest = a % b;
  // Zero has the sign of the divisor, too.
  if (rest === 0) return newFloat(thread, b < 0 ? -0 : 0);
  return newFloat(thread, rest < 0 !== b < 0 ? rest + b : rest);
}

function divisionByZero(message: string): EvalError {
  return new EvalError('EVAL_ZERO_DIVISION', message, 'test the divisor first: x // y if y != 0 else 0');
}

/** Two safe integers combined 32 bits at a time; `high` has the sign. */
function joined(high: number, low: number): Int {
  const value = high * TWO_32 + (low >>> 0);
  return value >= -MAX_SAFE ? value : BigInt(value);
}

export function andInts(thread: Thread, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    if ((a | 0) === a && (b | 0) === b) return a & b;
    return joined(Math.floor(a / TWO_32) & Math.floor(b / TWO_32), a & b);
  }
  const bits = chargeLinear(thread, a, b);
  return finishBigint(thread, BigInt(a) & BigInt(b), bits);
}

export function orInts(thread: Thread, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    if ((a | 0) === a && (b | 0) === b) return a | b;
    return joined(Math.floor(a / TWO_32) | Math.floor(b / TWO_32), a | b);
  }
  const bits = chargeLinear(thread, a, b);
  return finishBigint(thread, BigInt(a) | BigInt(b), bits);
}

export function xorInts(thread: Thread, a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    if ((a | 0) === a && (b | 0) === b) return a ^ b;
    return joined(Math.floor(a / TWO_32) ^ Math.floor(b / TWO_32), a ^ b);
  }
  const bits = chargeLinear(thread, a, b);
  return finishBigint(thread, BigInt(a) ^ BigInt(b), bits);
}

export function shiftLeftInts(thread: Thread, a: Int, count: Int): Int {
  checkShift(count);
  if (a === 0) return 0;
  if (count > thread.maxIntBits) intTooLarge(thread);
  if (typeof a === 'number' && count < 53) {
    const shifted = a * 2 ** Number(count);
    if (shifted <= MAX_SAFE && shifted >= -MAX_SAFE) return shifted;
  }
  const bits = chargeLinear(thread, a, 0) + Number(count);
  thread.meter.work(Math.floor(bits / 512));
  return finishBigint(thread, BigInt(a) << BigInt(count), bits);
}

export function shiftRightInts(thread: Thread, a: Int, count: Int): Int {
  checkShift(count);
  if (typeof a === 'number') {
    // Dividing by a power of two is exact in a float, and so is flooring.
    return count < 64 ? Math.floor(a / 2 ** Number(count)) : a < 0 ? -1 : 0;
  }
  const bits = chargeLinear(thread, a, 0);
  return finishBigint(thread, a >> BigInt(count), bits);
}

function checkShift(count: Int): void {
  if (count < 0)
    throw new EvalError(
      'EVAL_VALUE',
      `negative shift count: ${typeof count === 'number' ? count : 'a huge negative int'}`,
    );
}

export function negateInt(thread: Thread, a: Int): Int {
  if (typeof a === 'number') return 0 - a;
  const bits = chargeLinear(thread, a, 0);
  return finishBigint(thread, -a, bits);
}

export function invertInt(thread: Thread, a: Int): Int {
  if (typeof a === 'number') return subtractInts(thread, -1, a);
  const bits = chargeLinear(thread, a, 0);
  return finishBigint(thread, ~a, bits);
}
