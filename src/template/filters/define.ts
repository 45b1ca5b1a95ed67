// How a filter is written down.
import type { Evaluation, FilterFunction } from '../value/evaluation.ts';
import { bind, type Parameter, signature } from '../value/signature.ts';
import { strOf } from '../value/repr.ts';
import { Markup, type Value } from '../value/value.ts';

export type FilterEntry = readonly [name: string, filter: FilterFunction];

/** A filter whose arguments are bound to `parameters`. */
export function filter(
  name: string,
  parameters: readonly Parameter[],
  apply: (e: Evaluation, value: Value, ...args: Value[]) => Value,
): FilterEntry {
  const takes = signature(name, parameters);
  return [name, (e, value, args, named) => apply(e, value, ...bind(takes, args, named))];
}

/** A filter of a text that gives a text; of `Markup` it gives `Markup`. */
export function textFilter(
  name: string,
  parameters: readonly Parameter[],
  apply: (e: Evaluation, text: string, ...args: Value[]) => string,
): FilterEntry {
  return filter(name, parameters, (e, value, ...args) => {
    if (value instanceof Markup) return new Markup(apply(e, value.text, ...args));
    return apply(e, strOf(e, value), ...args);
  });
}
