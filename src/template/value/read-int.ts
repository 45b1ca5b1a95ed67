// `int(text, base)`, as Python reads it.
import { bigintFromDigits, digitValue, type Int, intFromBigint, prefixBase } from '../../python/int.ts';
import type { Evaluation } from './evaluation.ts';

import { valueError } from './template-error.ts';

/** Python reads no longer ints. */
const maxDigits = 4300;

/** Null when `text`, which has no white space around it, is no int of this base. */
export function readInt(e: Evaluation, text: string, base: number): Int | null {
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
