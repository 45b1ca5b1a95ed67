// `x[lower:upper:step]`.
import type { Abstract } from './abstract-value.ts';
import { clean, constant, make } from './abstract-value.ts';
import { join } from './join-values.ts';
import { constantsOf, inexact, listOf } from './sequence.ts';
import { slicedText } from './text-rules.ts';

const nothing = constant(null);

export function sliced(
  object: Abstract,
  lower: Abstract = nothing,
  upper: Abstract = nothing,
  step: Abstract = nothing,
): Abstract {
  const most = mostTaken(constantsOf(lower), constantsOf(upper), constantsOf(step));
  const results: Abstract[] = [];
  if (object.unknown !== null)
    results.push(make({ unknown: object.unknown.map((one) => ({ ...one, dash: true, behind: false })) }));
  if (object.text !== null || object.constants.length > 0)
    results.push(slicedText(make({ text: object.text ?? [] }), most));
  const { list } = object;
  if (list !== null) {
    const [from, to] = [lower.constant, upper.constant];
    const isExact = list.items !== null && step.constant === null && isBound(from) && isBound(to);
    if (isExact) {
      const items = (list.items ?? []).slice(from ?? 0, to ?? undefined);
      results.push(listOf({ ...list, items, each: join(items), most: items.length, fields: null }));
    } else
      results.push(
        listOf({
          ...inexact(list),
          most: Math.min(list.most, most),
          endless: list.endless && most === Number.POSITIVE_INFINITY,
          fields: null,
        }),
      );
  }
  return results.length === 0 ? clean : join(results);
}

function isBound(value: unknown): value is number | null {
  return value === null || typeof value === 'number';
}

/** The most items or characters that there can be; Infinity when it is not known. */
function mostTaken(
  lower: readonly unknown[] | null,
  upper: readonly unknown[] | null,
  step: readonly unknown[] | null,
): number {
  if (
    lower === null ||
    upper === null ||
    step?.every((one) => one === null || (typeof one === 'number' && one > 0)) !== true
  )
    return Number.POSITIVE_INFINITY;
  return Math.max(...lower.flatMap((from) => upper.map((to) => between(from ?? 0, to))));
}

function between(from: unknown, to: unknown): number {
  if (typeof from !== 'number') return Number.POSITIVE_INFINITY;
  if (to === null) return from < 0 ? -from : Number.POSITIVE_INFINITY;
  if (typeof to !== 'number' || from < 0 !== to < 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, to - from);
}
