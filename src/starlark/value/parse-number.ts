// Numbers written as text, for `int`, `float` and JSON.
//
//   text -> int or Float, or EVAL_VALUE / INT_LIMIT
//
// No white space, no underscores, ASCII digits only; in time linear in the text, up to the largest int.
import { parseFloatText } from '../../python/float-text.ts';
import { bigintFromDigits, digitValue, isLiteralBase, prefixBase } from '../../python/int.ts';
import { EvalError } from './eval-error.ts';
import { checkIntBits, intTooLarge } from './int.ts';
import type { Thread } from './native.ts';
import { FLOAT_BYTES, bigintBytes, Float } from './value.ts';

/** `base` is 0 (as a literal would be read) or from 2 to 36. */
export function intFromText(thread: Thread, text: string, base: number): number | bigint {
  if (base !== 0 && !(base >= 2 && base <= 36)) {
    throw new EvalError('EVAL_VALUE', `int: base must be 0 or an integer >= 2 && <= 36, got ${base}`);
  }
  thread.meter.work(1 + (text.length >> 2));
  const sign = text.charCodeAt(0);
  let at = sign === PLUS || sign === MINUS ? 1 : 0;
  let radix = base;
  if (text.charCodeAt(at) === ZERO && text.length > at + 1) {
    const prefix = text.length > at + 2 ? prefixBase(text.charCodeAt(at + 1)) : 0;
    if (prefix !== 0 && (base === 0 || base === prefix)) {
      radix = prefix;
      at += 2;
    } else if (base === 0 && !isAllZeros(text, at)) {
      // Like the literal 0755, which is not one.
      throw badInt(text, base);
    }
  }
  if (radix === 0) radix = 10;
  if (at === text.length) throw badInt(text, base);
  let value = 0;
  for (let i = at; i < text.length; i++) {
    const digit = digitValue(text.charCodeAt(i));
    if (digit >= radix) throw badInt(text, base);
    value = value * radix + digit;
  }
  if (value <= Number.MAX_SAFE_INTEGER) return sign === MINUS && value !== 0 ? -value : value;
  const big = largeInt(thread, text, at, radix);
  return sign === MINUS ? -big : big;
}

export function floatFromText(thread: Thread, text: string): Float {
  thread.meter.work(1 + (text.length >> 1));
  thread.meter.allocate(FLOAT_BYTES);
  const value = parseFloatText(text);
  if (value === null) throw new EvalError('EVAL_VALUE', `float: invalid float literal: ${excerpt(text)}`);
  // Not the word "infinity", but digits.
  if (Math.abs(value) === Infinity && /\d/.test(text))
    throw new EvalError('EVAL_VALUE', `float: floating-point number too large: ${excerpt(text)}`);
  return new Float(value);
}

/** The int, too large for a number, that the digits `text[from:]` write. */
function largeInt(thread: Thread, text: string, from: number, radix: number): bigint {
  let at = from;
  while (text.charCodeAt(at) === ZERO) at += 1;
  const bitsPerDigit = Math.log2(radix);
  const digits = text.length - at;
  // The first digit may be a 1, which adds one bit only.
  const leastBits = Math.floor((digits - 1) * bitsPerDigit) + 1;
  if (leastBits > thread.maxIntBits) intTooLarge(thread);
  const bits = Math.ceil(digits * bitsPerDigit);
  thread.meter.work(digits + Math.ceil((bits / 256) ** 2 * (isLiteralBase(radix) ? 0.6 : 5)));
  thread.meter.allocate(bigintBytes(bits));
  const value = bigintFromDigits(text, at, radix);
  checkIntBits(thread, value);
  return value;
}

/** Text from a program, short enough to be part of a message. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function isAllZeros(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) if (text.charCodeAt(i) !== ZERO) return false;
  return true;
}

function badInt(text: string, base: number): EvalError {
  return new EvalError('EVAL_VALUE', `int: invalid literal with base ${base}: ${excerpt(text)}`);
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const ZERO = 0x30;
