// Filters that make or change numbers.
import { fixedText, parseFloatText, roundFloat } from '../../python/float-text.ts';
import { type Int, bigintFromDigits, digitValue, intFromBigint, prefixBase } from '../../python/int.ts';
import { truncateFloat } from '../format/percent.ts';
import { strip } from '../methods/text-split.ts';
import { binary } from '../value/arithmetic.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { chargeInt, negateInt } from '../value/int.ts';
import { asFloat, asInt } from '../value/numbers.ts';
import { strOf } from '../value/repr.ts';
import { TemplateError, failUndefined, typeError, valueError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { isTrue } from '../value/truth.ts';
import { typeName } from '../value/type-name.ts';
import { Float, Undefined, type Value } from '../value/value.ts';
import { type FilterEntry, filter } from './define.ts';

/** Python reads no longer ints. */
const maxDigits = 4300;

/** `int(text, base)`. Null when `text`, which has no white space around it, is not an int of this base. */
function readInt(e: Evaluation, text: string, base: number): Int | null {
  if (base !== 0 && (base < 2 || base > 36)) return valueError('int() base must be >= 2 and <= 36, or 0');
  e.scan(text.length);
  const sign = text.startsWith('-') ? -1n : 1n;
  let digits = text.replace(/^[+-]/, '').toLowerCase();
  let radix = base;
  const prefixed = digits.startsWith('0') ? prefixBase(digits.charCodeAt(1)) : 0;
  if (prefixed !== 0 && (base === 0 || base === prefixed)) {
    radix = prefixed;
    digits = digits.slice(2).replace(/^_/, '');
  } else if (base === 0) {
    if (/^0[_0]*[1-9]/.test(digits)) return null;
    radix = 10;
  }
  const isGrouped =
    digits !== '' && !digits.startsWith('_') && !digits.endsWith('_') && !digits.includes('__');
  if (!isGrouped) return null;
  const plain = ascii(digits.replaceAll('_', ''));
  if (plain.length > maxDigits && (radix & (radix - 1)) !== 0) return null;
  for (let at = 0; at < plain.length; at += 1) if (digitValue(plain.charCodeAt(at)) >= radix) return null;
  e.work(1 + Math.floor((plain.length / 64) ** 2));
  return intFromBigint(sign * bigintFromDigits(plain, 0, radix));
}

/** Decimal digits of other scripts are digits too. */
function ascii(digits: string): string {
  return digits.replace(/[^\0-\x7f]/gu, (point) =>
    /\p{Nd}/u.test(point) ? String(decimalValue(point.codePointAt(0) as number)) : point,
  );
}

/** Decimal digits come in runs of ten; those of mathematics are several runs in a row. */
function decimalValue(point: number): number {
  if (point >= 0x1d7ce && point <= 0x1d7ff) return (point - 0x1d7ce) % 10;
  let start = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1;
  return point - start;
}

/**
 * The first whole number in a text, as the original of compositions has it; a number in another base only when the whole
 * text is one.
 */
const int = (e: Evaluation, value: Value, fallback: Value, base: Value): Value => {
  const whole = asInt(value);
  if (whole !== null) return whole;
  if (value instanceof Float) return truncateFloat(value.value);
  const text = isTrue(value) ? strip(e, strOf(e, value), null, 'both') : '';
  if (text === '') return fallback;
  const radix = asInt(base);
  if (typeof radix !== 'number')
    return typeError(`'${typeName(base)}' object cannot be interpreted as an integer`);
  const read = readInt(e, text, radix);
  if (read !== null || radix !== 10) return read ?? fallback;
  const digits = /-?\p{Nd}+/u.exec(text)?.[0];
  return digits === undefined ? fallback : (readInt(e, digits, 10) ?? fallback);
};

/** Unlike in Starlark, digits may be grouped by underscores, and those of other scripts are digits too. */
function readFloat(text: string): number | null {
  const plain = ascii(text);
  if (!plain.includes('_')) return parseFloatText(plain);
  return /(?<!\d)_|_(?!\d)/.test(plain) ? null : parseFloatText(plain.replaceAll('_', ''));
}

function floatOf(e: Evaluation, value: Value): number | null {
  if (value instanceof Undefined) failUndefined(value);
  const text = asText(value);
  return text === null ? asFloat(value) : readFloat(strip(e, text, null, 'both'));
}

const float = (e: Evaluation, value: Value, fallback: Value): Value => {
  const read = floatOf(e, value);
  return read === null ? fallback : new Float(read);
};

const abs = (_e: Evaluation, value: Value): Value => {
  if (value instanceof Float) return new Float(Math.abs(value.value));
  const whole = asInt(value);
  if (whole === null) return typeError(`bad operand type for abs(): '${typeName(value)}'`);
  return whole < 0 ? negateInt(whole) : whole;
};

const round = (e: Evaluation, value: Value, precision: Value, method: Value): Value => {
  if (method instanceof Undefined) failUndefined(method);
  const name = asText(method);
  if (name !== 'common' && name !== 'ceil' && name !== 'floor')
    throw new TemplateError('EVAL_ARGUMENTS', 'method must be common, ceil or floor');
  if (name !== 'common') return roundTo(e, value, precision, name);
  const digits = asInt(precision);
  const whole = asInt(value);
  if (whole === null && !(value instanceof Float))
    return typeError(`type ${typeName(value)} doesn't define __round__ method`);
  if (typeof digits !== 'number')
    return typeError(`'${typeName(precision)}' object cannot be interpreted as an integer`);
  if (whole !== null) return roundInt(e, whole, digits);
  const { value: number } = value as Float;
  return new Float(Number.isFinite(number) ? roundFloat(number, digits) : number);
};

/** Half to even, at a power of ten. */
function roundInt(e: Evaluation, value: Int, digits: number): Int {
  if (digits >= 0) return value;
  chargeInt(e, -digits * 4);
  const unit = 10n ** BigInt(-digits);
  const big = BigInt(value);
  const size = big < 0n ? -big : big;
  const rest = size % unit;
  let rounded = size - rest;
  if (rest * 2n > unit || (rest * 2n === unit && (rounded / unit) % 2n === 1n)) rounded += unit;
  const signed = big < 0n ? -rounded : rounded;
  return intFromBigint(signed);
}

function roundTo(e: Evaluation, value: Value, precision: Value, method: 'ceil' | 'floor'): Value {
  const unit = binary(e, '**', 10, precision);
  const scaled = binary(e, '*', value, unit);
  const whole = asInt(scaled);
  if (whole === null && !(scaled instanceof Float))
    return typeError(`must be real number, not ${typeName(scaled)}`);
  const cut = whole ?? truncateFloat(Math[method]((scaled as Float).value));
  return binary(e, '/', cut, unit);
}

const filesizeformat = (e: Evaluation, value: Value, isBinary: Value): Value => {
  const text = asText(value);
  const bytes =
    floatOf(e, value) ??
    (text === null
      ? typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`)
      : valueError(`could not convert string to float: '${text}'`));
  const base = isTrue(isBinary) ? 1024 : 1000;
  const prefixes = isTrue(isBinary)
    ? ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB']
    : ['kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${truncateFloat(bytes)} Bytes`;
  const at = prefixes.findIndex((_, power) => bytes < base ** (power + 2));
  const unit = at < 0 ? prefixes.length - 1 : at;
  const shown = (base * bytes) / base ** (unit + 2);
  const number = Number.isFinite(shown) ? fixedText(shown, 1) : Number.isNaN(shown) ? 'nan' : 'inf';
  return `${number} ${prefixes[unit] as string}`;
};

export const numberFilters: readonly FilterEntry[] = [
  filter(
    'int',
    [
      ['default', 0],
      ['base', 10],
    ],
    int,
  ),
  filter('float', [['default', new Float(0)]], float),
  filter('abs', [], abs),
  filter(
    'round',
    [
      ['precision', 0],
      ['method', 'common'],
    ],
    round,
  ),
  filter('filesizeformat', [['binary', false]], filesizeformat),
];
