// `slice`: one name for two things.
//
// `x | slice(3)` cuts a list into three columns, as in Jinja. `x | slice(0, 5)`, with two whole numbers, is the part of a
// list or text from 0 up to 5, as workflows mean it; in Jinja the second one would fill up short columns with that number.
import type { Evaluation, FilterFunction } from '../value/evaluation.ts';
import { listOf } from '../value/iterate.ts';
import { Lazy, View } from '../value/iterables.ts';
import { bind, signature } from '../value/signature.ts';
import { sliceOf } from '../value/slice.ts';
import { List, type Value } from '../value/value.ts';
import { columns } from './sequence-filters.ts';

const takes = signature('slice', [['slices'], ['fill_with', null]]);

export const sliceFilter: FilterFunction = (e, value, args, named) => {
  const [start, end] = args;
  if (args.length === 2 && isWhole(start) && isWhole(end))
    return part(e, value, start as Value, end as Value);
  const [slices, fill] = bind(takes, args, named) as [Value, Value];
  return columns(e, value, slices, fill);
};

function isWhole(value: Value | undefined): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function part(e: Evaluation, value: Value, start: Value, end: Value): Value {
  const sliced = value instanceof Lazy || value instanceof View ? new List(listOf(e, value)) : value;
  return sliceOf(e, sliced, start, end, null);
}
