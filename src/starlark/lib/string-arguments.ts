// Checks of what the methods of strings are given.
import { clampIndex } from '../../python/slice-range.ts';
import { EvalError } from '../value/eval-error.ts';
import { typeName } from '../value/type-name.ts';
import type { Value } from '../value/value.ts';

export function wantString(method: string, parameter: string, value: Value | undefined): string {
  if (typeof value === 'string') return value;
  throw wrongArgument(method, parameter, value, 'string');
}

/** The number of a count argument; a bigint is taken as an endless one of its sign. */
export function wantCount(method: string, parameter: string, value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return value < 0n ? -Infinity : Infinity;
  throw wrongArgument(method, parameter, value, 'int');
}

/** Where a `start` or `end` argument points in a text of `length`; undefined and None mean `whole`. */
export function wantIndex(
  method: string,
  parameter: string,
  value: Value | undefined,
  length: number,
  whole: number,
): number {
  if (value === undefined || value === null) return whole;
  return clampIndex(wantCount(method, parameter, value), length, 0, length);
}

export function wrongArgument(
  method: string,
  parameter: string,
  value: Value | undefined,
  want: string,
): EvalError {
  const got = value === undefined ? 'nothing' : typeName(value);
  const hint =
    want === 'string' && (typeof value === 'number' || typeof value === 'bigint')
      ? 'use str(x) to make a string of a number'
      : null;
  return new EvalError('EVAL_TYPE', `${method}: for parameter ${parameter}, got ${got}, want ${want}`, hint);
}
