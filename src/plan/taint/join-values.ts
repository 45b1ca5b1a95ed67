// One of several values; which one is not known.
import type { Abstract, Call, Constant, Mapping, Sequence } from './abstract-value.ts';
import { clean, joinAtoms, make } from './abstract-value.ts';
import { madeOf } from './lost-value.ts';

const mostWeight = 200;
const mostKinds = 12;

export function join(values: readonly Abstract[]): Abstract {
  const [only] = values;
  if (only === undefined) return clean;
  const distinct = values.length === 1 ? values : [...new Set(values)];
  if (distinct.length === 1) return only;
  const dicts = new Set<Mapping>(distinct.flatMap((one) => one.dicts));
  const calls = new Set<Call>(distinct.flatMap((one) => one.calls));
  if (dicts.size > mostKinds || calls.size > mostKinds) return madeOf(...distinct);
  const lists = distinct.flatMap(({ list }) => list ?? []);
  return bounded(
    make({
      constants: distinctConstants(distinct.flatMap(({ constants }) => constants)),
      plain: distinct.some((one) => one.plain),
      text: joinedAtoms(distinct, 'text'),
      unknown: joinedAtoms(distinct, 'unknown'),
      list: lists.length === 0 ? null : joinSequences(lists),
      dicts: [...dicts],
      calls: [...calls],
    }),
  );
}

/** `value`, unless it is made of too much. */
export function bounded(value: Abstract): Abstract {
  return value.weight > mostWeight ? madeOf(value) : value;
}

function joinedAtoms(values: readonly Abstract[], kind: 'text' | 'unknown'): Abstract['text'] {
  const all = values.flatMap((one) => (one[kind] === null ? [] : [one[kind]]));
  return all.length === 0 ? null : joinAtoms(all);
}

function distinctConstants(constants: readonly Constant[]): readonly Constant[] {
  return [...new Set(constants)];
}

export function joinSequences(all: readonly Sequence[]): Sequence {
  const [first, ...others] = [...new Set(all)] as [Sequence, ...Sequence[]];
  if (others.length === 0) return first;
  const count = first.items?.length ?? -1;
  const isSame = all.every(({ items }) => items !== null && items.length === count);
  const items = isSame
    ? (first.items ?? []).map((_, at) =>
        join(all.map((one) => (one.items as readonly Abstract[])[at] as Abstract)),
      )
    : null;
  return {
    items,
    each: join(all.flatMap((one) => (one.most === 0 ? [] : [one.each]))),
    most: Math.max(...all.map(({ most }) => most)),
    endless: all.some(({ endless }) => endless),
    // Where one of them has names for its items, the value may be that one.
    fields: all.find(({ fields }) => fields !== null)?.fields ?? null,
  };
}
