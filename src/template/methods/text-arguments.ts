// What string methods are, and their arguments.
import type { Evaluation } from '../value/evaluation.ts';
import { asIndex } from '../value/numbers.ts';
import { typeError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import type { Named, Value } from '../value/value.ts';

export type TextMethod = (e: Evaluation, text: string, args: readonly Value[], named: Named) => Value;

export function textArgument(value: Value, of: string): string {
  return asText(value) ?? typeError(`${of} must be str, not ${typeName(value)}`);
}

export function intArgument(value: Value): number {
  return asIndex(value) ?? typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** A bound of a slice: a whole number within the text, or null when the bounds cross. */
export function rangeArgument(length: number, start: Value, end: Value): { from: number; to: number } | null {
  const clamp = (value: Value, byDefault: number): number => {
    if (value === null) return byDefault;
    const index =
      asIndex(value) ?? typeError('slice indices must be integers or None or have an __index__ method');
    return index < 0 ? Math.max(index + length, 0) : index;
  };
  const from = clamp(start, 0);
  const to = Math.min(clamp(end, length), length);
  return from > to ? null : { from, to };
}
