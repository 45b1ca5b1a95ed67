// The methods of a dict.
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
import { EvalError } from '../value/eval-error.ts';
import { isIterable, viewArray } from '../value/iterate.ts';
import { checkMutable } from '../value/mutable.ts';
import { fixed, type Native, type Thread, variadic } from '../value/native.ts';
import { briefly } from '../value/repr.ts';
import { tupleBytes, Dict, List, Tuple, type Value } from '../value/value.ts';
import { typeName } from '../value/type-name.ts';
import { atMostOne } from './arguments.ts';

function get(thread: Thread, self: Dict, key: Value | undefined, otherwise: Value | undefined): Value {
  const value = dictGet(thread, self, key as Value);
  return value === undefined ? (otherwise ?? null) : value;
}

function items(thread: Thread, self: Dict): List {
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

function pop(thread: Thread, self: Dict, key: Value | undefined, otherwise: Value | undefined): Value {
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

const methods: readonly Native[] = [
  fixed('clear', '', (_thread, self: Dict) => {
    checkMutable(self, 'clear');
    dictClear(self);
    return null;
  }),
  fixed('get', 'key, default?, /', get),
  fixed('items', '', items),
  fixed('keys', '', (thread, self: Dict) => new List(dictKeys(thread, self))),
  fixed('pop', 'key, default?, /', pop),
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
  methods.map((native) => [native.name, native]),
);
