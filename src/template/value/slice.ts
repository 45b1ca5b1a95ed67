// `x[lower:upper:step]`, as Python's.
import { sliceRange } from '../../python/slice.ts';
import type { Evaluation } from './evaluation.ts';
import { asIndex } from './numbers.ts';
import { failUndefined, TemplateError, typeError, valueError } from './template-error.ts';
import { lengthOf, pointsOf, slicePoints } from './text.ts';
import { typeName } from './type-name.ts';
import { Dict } from './dict.ts';
import { Bytes, List, Markup, Tuple, Undefined, type Value } from './value.ts';

export function sliceOf(e: Evaluation, object: Value, lower: Value, upper: Value, step: Value): Value {
  if (object instanceof Undefined) failUndefined(object);
  if (object instanceof Dict) throw new TemplateError('EVAL_UNHASHABLE', "unhashable type: 'slice'");
  if (
    !(
      typeof object === 'string' ||
      object instanceof Markup ||
      object instanceof Bytes ||
      object instanceof List ||
      object instanceof Tuple
    )
  )
    return typeError(`'${typeName(object)}' object is not subscriptable`);
  // The step is looked at first, as in Python.
  const by = bound(step) ?? 1;
  if (by === 0) return valueError('slice step cannot be zero');
  const [from, to] = [bound(lower), bound(upper)];
  if (object instanceof List) return new List(sliceItems(e, object.items, from, to, by));
  if (object instanceof Tuple) return new Tuple(sliceItems(e, object.items, from, to, by));
  if (object instanceof Bytes)
    return new Bytes(Uint8Array.from(sliceItems(e, [...object.bytes], from, to, by) as readonly number[]));
  if (typeof object === 'string') return sliceString(e, object, from, to, by);
  return new Markup(sliceString(e, object.text, from, to, by));
}

function bound(value: Value): number | null {
  if (value === null) return null;
  return asIndex(value) ?? typeError('slice indices must be integers or None or have an __index__ method');
}

function sliceItems(
  e: Evaluation,
  items: readonly Value[],
  lower: number | null,
  upper: number | null,
  step: number,
): readonly Value[] {
  const { start: from, count } = sliceRange(items.length, lower, upper, step);
  e.makeItems(count);
  if (step === 1) return items.slice(from, from + count);
  return Array.from({ length: count }, (_, at) => items[from + at * step] as Value);
}

export function sliceString(
  e: Evaluation,
  text: string,
  lower: number | null,
  upper: number | null,
  step: number,
): string {
  e.scan(text.length);
  const { start: from, count } = sliceRange(lengthOf(text), lower, upper, step);
  e.makeText(count);
  if (step === 1) return slicePoints(text, from, from + count);
  e.work(count);
  const points = pointsOf(text);
  let result = '';
  for (let at = 0; at < count; at += 1) result += points[from + at * step] as string;
  return result;
}
