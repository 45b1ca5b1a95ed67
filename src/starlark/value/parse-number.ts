// Numbers written as text, for `int`, `float` and JSON.
//
//   text -> int or Float, or EVAL_VALUE / INT_LIMIT
//
// No white space, no underscores, ASCII digits only; in time linear in the text, up to the largest int.
import { EvalError } from './eval-error.ts';
import { checkIntBits, intTooLarge } from './int.ts';
import type { Thread } from './native.ts';
import { FLOAT_BYTES, bigintBytes } from './sizes.ts';
import { Float } from './value.ts';

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
  const big = bigintFromDigits(thread, text, at, radix);
  return sign === MINUS ? -big : big;
}

export function floatFromText(thread: Thread, text: string): Float {
  thread.meter.work(1 + (text.length >> 1));
  thread.meter.allocate(FLOAT_BYTES);
  const sign = text.charCodeAt(0);
  const at = sign === PLUS || sign === MINUS ? 1 : 0;
  if (isDecimalFrom(text, at)) {
    const value = Number(text);
    if (!Number.isFinite(value))
      throw new EvalError('EVAL_VALUE', `float: floating-point number too large: ${excerpt(text)}`);
    return new Float(value);
  }
  const word = text.length <= 9 ? text.slice(at).toLowerCase() : '';
  if (word === 'inf' || word === 'infinity') return new Float(sign === MINUS ? -Infinity : Infinity);
  if (word === 'nan') return new Float(NaN);
  throw new EvalError('EVAL_VALUE', `float: invalid float literal: ${excerpt(text)}`);
}

/** The int, too large for a number, that the digits `text[from:]` write. */
function bigintFromDigits(thread: Thread, text: string, from: number, radix: number): bigint {
  let at = from;
  while (text.charCodeAt(at) === ZERO) at += 1;
  const bitsPerDigit = Math.log2(radix);
  const digits = text.length - at;
  // The first digit may be a 1, which adds one bit only.
  const leastBits = Math.floor((digits - 1) * bitsPerDigit) + 1;
  if (leastBits > thread.maxIntBits) intTooLarge(thread);
  const bits = Math.ceil(digits * bitsPerDigit);
  const prefix = literalPrefixes.get(radix);
  thread.meter.work(digits + Math.ceil((bits / 256) ** 2 * (prefix === undefined ? 5 : 0.6)));
  thread.meter.allocate(bigintBytes(bits));
  const value = prefix === undefined ? fromBlocks(text, at, radix) : BigInt(prefix + text.slice(at));
  checkIntBits(thread, value);
  return value;
}

/** Text from a program, short enough to be part of a message. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** Bases that BigInt itself reads. */
const literalPrefixes: ReadonlyMap<number, string> = new Map([
  [2, '0b'],
  [8, '0o'],
  [10, ''],
  [16, '0x'],
]);

// Ten digits of base 36 are a safe integer.
const BLOCK_DIGITS = 10;

function fromBlocks(text: string, from: number, radix: number): bigint {
  const factor = BigInt(radix) ** BigInt(BLOCK_DIGITS);
  const first = from + ((text.length - from) % BLOCK_DIGITS);
  let value = first > from ? BigInt(Number.parseInt(text.slice(from, first), radix)) : 0n;
  for (let i = first; i < text.length; i += BLOCK_DIGITS) {
    value = value * factor + BigInt(Number.parseInt(text.slice(i, i + BLOCK_DIGITS), radix));
  }
  return value;
}

//   decimal = ( digits [ "." [ digits ] ] | "." digits ) [ ( "e" | "E" ) [ "+" | "-" ] digits ]
function isDecimalFrom(text: string, from: number): boolean {
  let at = skipDigits(text, from);
  let digits = at - from;
  if (text.charCodeAt(at) === POINT) {
    const end = skipDigits(text, at + 1);
    digits += end - at - 1;
    at = end;
  }
  if (digits === 0) return false;
  const e = text.charCodeAt(at);
  if (e === 0x65 || e === 0x45) {
    at += 1;
    const sign = text.charCodeAt(at);
    if (sign === PLUS || sign === MINUS) at += 1;
    const end = skipDigits(text, at);
    return end > at && end === text.length;
  }
  return at === text.length;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit >= ZERO && unit <= NINE; unit = text.charCodeAt(at)) at += 1;
  return at;
}

function isAllZeros(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) if (text.charCodeAt(i) !== ZERO) return false;
  return true;
}

function prefixBase(unit: number): number {
  switch (unit | 0x20) {
    case 0x62:
      return 2;
    case 0x6f:
      return 8;
    case 0x78:
      return 16;
    default:
      return 0;
  }
}

/** At least 36 for what is no digit. */
function digitValue(unit: number): number {
  if (unit >= ZERO && unit <= NINE) return unit - ZERO;
  const letter = unit | 0x20;
  return unit < 0x80 && letter >= 0x61 && letter <= 0x7a ? letter - 0x61 + 10 : 36;
}

function badInt(text: string, base: number): EvalError {
  return new EvalError('EVAL_VALUE', `int: invalid literal with base ${base}: ${excerpt(text)}`);
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
