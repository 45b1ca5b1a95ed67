// The methods of a set. Where an operator wants a set, the method takes anything that can be looped over.
import { EvalError } from '../value/eval-error.ts';
import { notIterable, isIterable, viewArray } from '../value/iterate.ts';
import { checkMutable } from '../value/mutable.ts';
import { fixed, type Native, type Thread, variadic } from '../value/native.ts';
import { briefly } from '../value/repr.ts';
import {
  setAdd,
  setClear,
  setCopy,
  setDelete,
  setDifference,
  setFilter,
  setFirst,
  setHas,
  setMerge,
  setOf,
  setRemove,
  setToggle,
  setWithin,
} from '../value/set.ts';
import { SetValue, type Value } from '../value/value.ts';
import { refuseNamed } from './arguments.ts';

/** The elements as a set, which is only read: a set itself is not copied. */
function asSet(thread: Thread, v: Value, method: string): SetValue {
  return v instanceof SetValue ? v : setOf(thread, viewArray(thread, v, method));
}

function checkAll(others: readonly Value[], method: string): void {
  for (const other of others) if (!isIterable(other)) notIterable(other, method);
}

function addAll(thread: Thread, to: SetValue, other: Value, method: string): void {
  if (other instanceof SetValue) return setMerge(thread, to, other);
  const items = viewArray(thread, other, method);
  for (let i = 0; i < items.length; i += 1) setAdd(thread, to, items[i] as Value);
}

function removeAll(thread: Thread, from: SetValue, other: Value, method: string): void {
  if (other instanceof SetValue) return setRemove(thread, from, other, true);
  const items = viewArray(thread, other, method);
  for (let i = 0; i < items.length; i += 1) setDelete(thread, from, items[i] as Value);
}

function keepOnly(thread: Thread, from: SetValue, other: Value, method: string): void {
  setRemove(thread, from, asSet(thread, other, method), false);
}

type Change = (thread: Thread, s: SetValue, other: Value, method: string) => void;

/** A method that gives a new set, changed by each argument in turn. */
function copying(name: string, change: Change): Native {
  return variadic(name, (thread, self: SetValue, others, named) => {
    refuseNamed(name, named);
    checkAll(others, name);
    const made = setCopy(thread, self);
    for (const other of others) change(thread, made, other, name);
    return made;
  });
}

/** The same for a method that changes the set itself. */
function updating(name: string, verb: string, change: Change): Native {
  return variadic(name, (thread, self: SetValue, others, named) => {
    refuseNamed(name, named);
    checkAll(others, name);
    checkMutable(self, verb);
    for (const other of others) change(thread, self, other, name);
    return null;
  });
}

function pop(thread: Thread, self: SetValue): Value {
  checkMutable(self, 'delete from');
  const first = setFirst(self);
  if (first === undefined) throw new EvalError('EVAL_KEY', 'pop: empty set');
  setDelete(thread, self, first);
  return first;
}

function remove(thread: Thread, self: SetValue, x: Value | undefined): null {
  checkMutable(self, 'delete from');
  if (!setDelete(thread, self, x as Value)) {
    throw new EvalError(
      'EVAL_KEY',
      `remove: element not found: ${briefly(x as Value)}`,
      's.discard(x) does nothing when x is not there',
    );
  }
  return null;
}

/** Continues after the answer is known, because an element that cannot be hashed is an error wherever it is. */
function countShared(
  thread: Thread,
  self: SetValue,
  x: Value,
  method: string,
): { shared: number; all: number } {
  if (x instanceof SetValue) {
    const [small, large] = self.index.size < x.index.size ? [self, x] : [x, self];
    return { shared: setFilter(thread, small, large, true).index.size, all: x.index.size };
  }
  const items = viewArray(thread, x, method);
  let shared = 0;
  for (let i = 0; i < items.length; i += 1) if (setHas(thread, self, items[i] as Value)) shared += 1;
  return { shared, all: items.length };
}

const methods: readonly Native[] = [
  fixed('add', 'x, /', (thread, self: SetValue, x) => {
    if (self.locks !== 0) checkMutable(self, 'insert into');
    setAdd(thread, self, x as Value);
    return null;
  }),
  fixed('clear', '', (_thread, self: SetValue) => {
    checkMutable(self, 'clear');
    setClear(self);
    return null;
  }),
  copying('difference', removeAll),
  updating('difference_update', 'delete from', removeAll),
  fixed('discard', 'x, /', (thread, self: SetValue, x) => {
    checkMutable(self, 'delete from');
    setDelete(thread, self, x as Value);
    return null;
  }),
  copying('intersection', keepOnly),
  updating('intersection_update', 'delete from', keepOnly),
  fixed(
    'isdisjoint',
    'x, /',
    (thread, self: SetValue, x) => countShared(thread, self, x as Value, 'isdisjoint').shared === 0,
  ),
  fixed('issubset', 'x, /', (thread, self: SetValue, x) =>
    setWithin(thread, self, asSet(thread, x as Value, 'issubset')),
  ),
  fixed('issuperset', 'x, /', (thread, self: SetValue, x) => {
    const { shared, all } = countShared(thread, self, x as Value, 'issuperset');
    return shared === all;
  }),
  fixed('pop', '', pop),
  fixed('remove', 'x, /', remove),
  fixed('symmetric_difference', 'x, /', (thread, self: SetValue, x) =>
    setDifference(thread, self, asSet(thread, x as Value, 'symmetric_difference')),
  ),
  fixed('symmetric_difference_update', 'x, /', (thread, self: SetValue, x) => {
    const other = asSet(thread, x as Value, 'symmetric_difference_update');
    checkMutable(self, 'insert into');
    setToggle(thread, self, other);
    return null;
  }),
  copying('union', addAll),
  updating('update', 'insert into', addAll),
];

export const setMethods: ReadonlyMap<string, Native> = new Map(
  methods.map((native) => [native.name, native]),
);
