// The methods of a list.
import { MAX_ELEMENTS, tooLarge, SLOT_BYTES } from '../../python/charge.ts';
import { indexOfEqual } from '../value/contains.ts';
import { EvalError } from '../value/eval-error.ts';
import { extend } from '../value/in-place.ts';
import { isInt } from '../value/int.ts';
import { clampedBounds, elementIndex } from '../value/index.ts';
import { viewArray } from '../value/iterate.ts';
import { checkMutable } from '../value/mutable.ts';
import { fixed, type Native, type Thread } from '../value/native.ts';
import { briefly } from '../value/repr.ts';
import { typeName } from '../value/type-name.ts';
import type { List, Value } from '../value/value.ts';

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

function index(
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

function pop(thread: Thread, self: List, i: Value | undefined): Value {
  const at = elementIndex(self, i === undefined ? -1 : i);
  checkMutable(self, 'pop from');
  return removeAt(thread, self, at);
}

function removeAt(thread: Thread, list: List, at: number): Value {
  if (at === list.items.length - 1) return list.items.pop() as Value;
  chargeMove(thread, list, at);
  return list.items.splice(at, 1)[0] as Value;
}

function remove(thread: Thread, self: List, x: Value | undefined): null {
  checkMutable(self, 'remove from');
  const at = indexOfEqual(thread, self.items, x as Value, 0, self.items.length);
  if (at < 0) throw new EvalError('EVAL_VALUE', `remove: element not found: ${briefly(x as Value)}`);
  removeAt(thread, self, at);
  return null;
}

const methods: readonly Native[] = [
  fixed('append', 'x, /', append),
  fixed('clear', '', clear),
  fixed('extend', 'x, /', extendMethod),
  fixed('index', 'x, start?, end?, /', index),
  fixed('insert', 'i, x, /', insert),
  fixed('pop', 'i?, /', pop),
  fixed('remove', 'x, /', remove),
];

export const listMethods: ReadonlyMap<string, Native> = new Map(
  methods.map((native) => [native.name, native]),
);
