// Values as numbers.
import type { Int } from '../../python/int.ts';
import { intToFloat } from './int.ts';
import { valueError } from './template-error.ts';
import { Float, type Value } from './value.ts';

/** The int that a value is (`true` is 1), or null. */
export function asInt(value: Value): Int | null {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? (value ? 1 : 0) : null;
}

/** An int that is used as an index, a count or a width; null for any other value. */
export function asIndex(value: Value): number | null {
  const int = asInt(value);
  // Beyond the safe integers only its sign matters.
  return typeof int === 'bigint' ? (int < 0n ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER) : int;
}

/** The number that a value is, as a float; null when it is not a number. */
export function asFloat(value: Value): number | null {
  if (value instanceof Float) return value.value;
  const int = asInt(value);
  if (int === null) return null;
  return intToFloat(int) ?? valueError('int too large to convert to float');
}
