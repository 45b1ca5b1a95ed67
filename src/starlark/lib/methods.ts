// The methods of lists, dicts, sets and bytes, and which methods a value has: one table per type, so that a call site can
// remember what it found by the table. Those of strings are in string-methods.ts and string-format.ts.
import { fixed, variadic } from '../value/native.ts';
import type { Native, Thread } from '../value/native.ts';
import {
  ELEMS_BYTES,
  Bytes,
  Dict,
  Elems,
  List,
  SetValue,
  BoundMethod,
  Builtin,
  Closure,
  HostFunction,
  tupleBytes,
  Tuple,
} from '../value/value.ts';
import type { Value } from '../value/value.ts';
import { caseMethods, searchMethods, splitMethods } from './string-methods.ts';
import { formatMethods } from './string-format.ts';
import { EvalError } from '../value/eval-error.ts';
import { typeName } from '../value/type-name.ts';
import { MAX_ELEMENTS, tooLarge, SLOT_BYTES } from '../../python/charge.ts';
import { indexOfEqual } from '../value/contains.ts';
import { extend } from '../value/in-place.ts';
import { isInt } from '../value/int.ts';
import { clampedBounds, elementIndex } from '../value/index.ts';
import { viewArray, isIterable, notIterable } from '../value/iterate.ts';
import { checkMutable } from '../value/mutable.ts';
import { briefly } from '../value/repr.ts';
import { chargeList } from '../value/charge.ts';
import {
  dictClear,
  dictDelete,
  dictFirst,
  dictGet,
  dictKeys,
  dictMerge,
  dictSet,
  dictSetDefault,
  dictValues,
} from '../value/dict.ts';
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

export const stringMethods: ReadonlyMap<string, Native> = new Map(
  [...searchMethods, ...splitMethods, ...caseMethods, ...formatMethods].map((native) => [
    native.name,
    native,
  ]),
);

const bytesMethods: ReadonlyMap<string, Native> = new Map([
  [
    'elems',
    fixed('elems', '', (thread, self: Bytes) => {
      thread.meter.work(1);
      thread.meter.allocate(ELEMS_BYTES);
      return new Elems(self);
    }),
  ],
]);

export function methodsOf(v: Value): ReadonlyMap<string, Native> | null {
  if (typeof v === 'string') return stringMethods;
  if (v instanceof List) return listMethods;
  if (v instanceof Dict) return dictMethods;
  if (v instanceof SetValue) return setMethods;
  if (v instanceof Bytes) return bytesMethods;
  return null;
}

// Checks of what the functions of the language are given, besides those of strings.

export function wrongType(name: string, parameter: string, got: Value, want: string): EvalError {
  return new EvalError(
    'EVAL_TYPE',
    `${name}: for parameter ${parameter}, got ${typeName(got)}, want ${want}`,
  );
}

function isCallable(v: Value): boolean {
  return (
    v instanceof Closure || v instanceof Builtin || v instanceof BoundMethod || v instanceof HostFunction
  );
}

/** The `key` argument of sorted, min and max; None is not a key. */
export function keyArgument(name: string, v: Value | undefined): Value {
  if (v === undefined || v === null) return null;
  if (!isCallable(v)) throw wrongType(name, 'key', v, 'callable');
  return v;
}

export function refuseNamed(name: string, named: readonly (readonly [string, Value])[]): void {
  const [first] = named;
  if (first !== undefined)
    throw new EvalError('EVAL_ARGUMENTS', `${name}: unexpected keyword argument ${first[0]}`);
}

/** The only argument of a function that takes any number of keywords too, or undefined. */
export function atMostOne(name: string, args: readonly Value[]): Value | undefined {
  if (args.length > 1)
    throw new EvalError('EVAL_ARGUMENTS', `${name}: got ${args.length} arguments, want at most 1`);
  return args[0];
}

// The methods of a list.

/** Elements that move over in the time of one step. */
const MOVED_PER_STEP = 8;

function append(thread: Thread, self: List, x: Value | undefined): null {
  if (self.locks !== 0) checkMutable(self, 'append to');
  const { items } = self;
  if (items.length >= MAX_ELEMENTS) tooLarge(`a list of ${items.length + 1} elements`, MAX_ELEMENTS);
  thread.meter.allocate(SLOT_BYTES);
  items.push(x as Value);
  return null;
}

function clear(_thread: Thread, self: List): null {
  checkMutable(self, 'clear');
  self.items = [];
  return null;
}

function extendMethod(thread: Thread, self: List, x: Value | undefined): null {
  const items = viewArray(thread, x as Value, 'extend');
  checkMutable(self, 'extend');
  extend(thread, self, items);
  return null;
}

function indexOf(
  thread: Thread,
  self: List,
  x: Value | undefined,
  start: Value | undefined,
  end: Value | undefined,
): number {
  const [from, to] = clampedBounds(start, end, self.items.length);
  const at = from < to ? indexOfEqual(thread, self.items, x as Value, from, to) : -1;
  if (at < 0)
    throw new EvalError(
      'EVAL_VALUE',
      `index: value not in list: ${briefly(x as Value)} not found`,
      'test with `x in list` first',
    );
  return at;
}

function insert(thread: Thread, self: List, i: Value | undefined, x: Value | undefined): null {
  if (!isInt(i as Value)) throw new EvalError('EVAL_TYPE', `insert: got ${typeName(i as Value)}, want int`);
  const [at] = clampedBounds(i, undefined, self.items.length);
  checkMutable(self, 'insert into');
  if (self.items.length >= MAX_ELEMENTS)
    tooLarge(`a list of ${self.items.length + 1} elements`, MAX_ELEMENTS);
  thread.meter.allocate(SLOT_BYTES);
  chargeMove(thread, self, at);
  if (at === self.items.length) self.items.push(x as Value);
  else self.items.splice(at, 0, x as Value);
  return null;
}

/** All that is after `at` moves by one. */
function chargeMove(thread: Thread, list: List, at: number): void {
  thread.meter.work(Math.floor((list.items.length - at) / MOVED_PER_STEP));
}

function popAt(thread: Thread, self: List, i: Value | undefined): Value {
  const at = elementIndex(self, i === undefined ? -1 : i);
  checkMutable(self, 'pop from');
  return removeAt(thread, self, at);
}

function removeAt(thread: Thread, list: List, at: number): Value {
  if (at === list.items.length - 1) return list.items.pop() as Value;
  chargeMove(thread, list, at);
  return list.items.splice(at, 1)[0] as Value;
}

function removeFirst(thread: Thread, self: List, x: Value | undefined): null {
  checkMutable(self, 'remove from');
  const at = indexOfEqual(thread, self.items, x as Value, 0, self.items.length);
  if (at < 0) throw new EvalError('EVAL_VALUE', `remove: element not found: ${briefly(x as Value)}`);
  removeAt(thread, self, at);
  return null;
}

const methodsOfList: readonly Native[] = [
  fixed('append', 'x, /', append),
  fixed('clear', '', clear),
  fixed('extend', 'x, /', extendMethod),
  fixed('index', 'x, start?, end?, /', indexOf),
  fixed('insert', 'i, x, /', insert),
  fixed('pop', 'i?, /', popAt),
  fixed('remove', 'x, /', removeFirst),
];

export const listMethods: ReadonlyMap<string, Native> = new Map(
  methodsOfList.map((native) => [native.name, native]),
);

// The methods of a dict.

function get(thread: Thread, self: Dict, key: Value | undefined, otherwise: Value | undefined): Value {
  const value = dictGet(thread, self, key as Value);
  return value === undefined ? (otherwise ?? null) : value;
}

function entries(thread: Thread, self: Dict): List {
  const size = self.index.size;
  chargeList(thread.meter, size);
  thread.meter.allocate(size * tupleBytes(2));
  thread.meter.work(self.keys.length);
  const out: Value[] = [];
  const { keys, values } = self;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i];
    if (key !== undefined) out.push(new Tuple([key, values[i] as Value]));
  }
  return new List(out);
}

function popKey(thread: Thread, self: Dict, key: Value | undefined, otherwise: Value | undefined): Value {
  checkMutable(self, 'delete from');
  const value = dictDelete(thread, self, key as Value);
  if (value !== undefined) return value;
  if (otherwise === undefined) {
    throw new EvalError(
      'EVAL_KEY',
      `pop: missing key: ${briefly(key as Value)} not in dict`,
      'd.pop(key, default) gives a default instead',
    );
  }
  return otherwise;
}

function popitem(thread: Thread, self: Dict): Tuple {
  checkMutable(self, 'delete from');
  const first = dictFirst(self);
  if (first < 0) throw new EvalError('EVAL_KEY', 'popitem: empty dict');
  thread.meter.allocate(tupleBytes(2));
  const key = self.keys[first] as Value;
  return new Tuple([key, dictDelete(thread, self, key) as Value]);
}

function setdefault(thread: Thread, self: Dict, key: Value | undefined, otherwise: Value | undefined): Value {
  checkMutable(self, 'insert into');
  return dictSetDefault(thread, self, key as Value, otherwise ?? null);
}

/** Sets the entries that `pairs` and then `named` give, as `dict(…)` and `update` do. */
export function updateDict(
  thread: Thread,
  dict: Dict,
  name: string,
  pairs: Value | undefined,
  named: readonly (readonly [string, Value])[],
): void {
  if (pairs instanceof Dict) dictMerge(thread, dict, pairs);
  else if (pairs !== undefined) {
    const elements = viewArray(thread, pairs, name);
    for (let i = 0; i < elements.length; i += 1) setPair(thread, dict, name, elements[i] as Value, i);
  }
  for (const [key, value] of named) dictSet(thread, dict, key, value);
}

function setPair(thread: Thread, dict: Dict, name: string, pair: Value, at: number): void {
  if (!isIterable(pair)) {
    throw new EvalError(
      'EVAL_TYPE',
      `${name}: sequence element #${at} is not iterable (${typeName(pair)}), want a pair`,
    );
  }
  const parts = viewArray(thread, pair);
  if (parts.length !== 2)
    throw new EvalError('EVAL_VALUE', `${name}: sequence element #${at} has length ${parts.length}, want 2`);
  dictSet(thread, dict, parts[0] as Value, parts[1] as Value);
}

const methodsOfDict: readonly Native[] = [
  fixed('clear', '', (_thread, self: Dict) => {
    checkMutable(self, 'clear');
    dictClear(self);
    return null;
  }),
  fixed('get', 'key, default?, /', get),
  fixed('items', '', entries),
  fixed('keys', '', (thread, self: Dict) => new List(dictKeys(thread, self))),
  fixed('pop', 'key, default?, /', popKey),
  fixed('popitem', '', popitem),
  fixed('setdefault', 'key, default?, /', setdefault),
  variadic('update', (thread, self: Dict, args, named) => {
    const pairs = atMostOne('update', args);
    checkMutable(self, 'insert into');
    updateDict(thread, self, 'update', pairs, named);
    return null;
  }),
  fixed('values', '', (thread, self: Dict) => new List(dictValues(thread, self))),
];

export const dictMethods: ReadonlyMap<string, Native> = new Map(
  methodsOfDict.map((native) => [native.name, native]),
);

// The methods of a set. Where an operator wants a set, the method takes anything that can be looped over.

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

function popFirst(thread: Thread, self: SetValue): Value {
  checkMutable(self, 'delete from');
  const first = setFirst(self);
  if (first === undefined) throw new EvalError('EVAL_KEY', 'pop: empty set');
  setDelete(thread, self, first);
  return first;
}

function removeElement(thread: Thread, self: SetValue, x: Value | undefined): null {
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

const methodsOfSet: readonly Native[] = [
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
  fixed('pop', '', popFirst),
  fixed('remove', 'x, /', removeElement),
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
  methodsOfSet.map((native) => [native.name, native]),
);
