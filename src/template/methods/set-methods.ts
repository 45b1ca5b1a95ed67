// The methods of sets, and those that keys and items share with them: none changes anything.
import { setOf } from '../value/arithmetic.ts';
import { isOrdered } from '../value/compare.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { bind, signature } from '../value/signature.ts';
import { TemplateError } from '../value/template-error.ts';
import { List, type Native, type Value } from '../value/value.ts';
import type { View } from '../value/iterables.ts';

const one = signature('the method', [['other']], true);
const none = signature('the method', [], true);

const has = (set: View, key: Value): boolean => set.dict.get(key) !== undefined;

const isdisjoint: Native = (e, self, args, named) => {
  const [other] = bind(one, args, named) as [Value];
  const set = setOf(e, self);
  return setOf(e, other)
    .dict.keys()
    .every((key) => !has(set, key));
};

/** With any number of others, one after the other. */
function combining(keys: (a: View, b: View) => readonly Value[]): Native {
  return (e, self, args, named) => {
    if (named.size > 0) throw new TemplateError('EVAL_ARGUMENTS', 'the method takes no keyword arguments');
    return args.reduce<View>((set, other) => setOf(e, new List(keys(set, setOf(e, other)))), setOf(e, self));
  };
}

const keysOf = (set: View): Value[] => set.dict.keys();
const without = (a: View, b: View): Value[] => keysOf(a).filter((key) => !has(b, key));

function comparing(order: '<=' | '>='): Native {
  return (e: Evaluation, self, args, named) => {
    const [other] = bind(one, args, named) as [Value];
    return isOrdered(e, order, setOf(e, self), setOf(e, other));
  };
}

const symmetric: Native = (e, self, args, named) => {
  const [other] = bind(one, args, named) as [Value];
  const [a, b] = [setOf(e, self), setOf(e, other)];
  return setOf(e, new List([...without(a, b), ...without(b, a)]));
};

export const viewMethods: ReadonlyMap<string, Native> = new Map([['isdisjoint', isdisjoint]]);

export const setMethods: ReadonlyMap<string, Native> = new Map<string, Native>([
  ...viewMethods,
  ['union', combining((a, b) => [...keysOf(a), ...keysOf(b)])],
  ['intersection', combining((a, b) => keysOf(a).filter((key) => has(b, key)))],
  ['difference', combining(without)],
  ['symmetric_difference', symmetric],
  ['issubset', comparing('<=')],
  ['issuperset', comparing('>=')],
  [
    'copy',
    (_e, self, args, named) => {
      bind(none, args, named);
      return self;
    },
  ],
]);
