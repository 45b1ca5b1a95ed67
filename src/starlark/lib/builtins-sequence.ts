// The functions over sequences: all, any, enumerate, len, max, min, reversed, sorted, zip.
import { listBytes } from '../../python/charge.ts';
import { chargeList } from '../value/charge.ts';
import { EvalError } from '../value/eval-error.ts';
import { getSlice } from '../value/index.ts';
import { isInt } from '../value/int.ts';
import { isIterable, toArray, viewArray } from '../value/iterate.ts';
import { CallEach, fixed, type Native, type Thread, variadic } from '../value/native.ts';
import { addInts } from '../value/number-operations.ts';
import { tupleBytes } from '../value/sizes.ts';
import { truth } from '../value/truth.ts';
import { typeName } from '../value/type-name.ts';
import { Bytes, Dict, Elems, List, Range, SetValue, Tuple, type Value } from '../value/value.ts';
import { keyArgument, refuseNamed, wrongType } from './arguments.ts';
import { extreme } from './finishers.ts';
import { sortByKeys } from './sort.ts';

function enumerate(thread: Thread, x: Value, start: Value | undefined): List {
  const first = start === undefined ? 0 : start;
  if (!isInt(first)) throw wrongType('enumerate', 'start', first, 'int');
  const items = viewArray(thread, x, 'enumerate');
  chargeList(thread.meter, items.length);
  thread.meter.allocate(items.length * tupleBytes(2));
  const out: Value[] = [];
  for (let i = 0; i < items.length; i += 1)
    out.push(new Tuple([addInts(thread, first, i), items[i] as Value]));
  return new List(out);
}

function len(x: Value): number {
  if (x instanceof List || x instanceof Tuple) return x.items.length;
  if (typeof x === 'string') return x.length;
  if (x instanceof Dict || x instanceof SetValue) return x.index.size;
  if (x instanceof Range) return x.length;
  if (x instanceof Bytes) return x.bytes.length;
  if (x instanceof Elems) return typeof x.of === 'string' ? x.of.length : x.of.bytes.length;
  throw new EvalError('EVAL_TYPE', `len: value of type ${typeName(x)} has no len`);
}

/** min and max: `direction` is that of the wanted end. */
function extremes(name: 'min' | 'max', direction: -1 | 1): Native {
  return variadic(
    name,
    (thread, _self, args, named) => {
      const given = new Map(named);
      const key = keyArgument(name, given.get('key'));
      given.delete('key');
      refuseNamed(name, [...given]);
      const items = extremeItems(thread, name, args);
      if (items.length === 0) throw new EvalError('EVAL_VALUE', `${name}: argument is an empty sequence`);
      if (key === null) return extreme(thread, items, items, direction);
      thread.meter.allocate(listBytes(items.length));
      return new CallEach(key, items, name, []);
    },
    { callsBack: true },
  );
}

function extremeItems(thread: Thread, name: string, args: Value[]): Value[] {
  const [only] = args;
  if (only === undefined)
    throw new EvalError('EVAL_ARGUMENTS', `${name}: requires at least one positional argument`);
  if (args.length > 1) return args;
  if (!isIterable(only)) throw new EvalError('EVAL_TYPE', `${name}: ${typeName(only)} value is not iterable`);
  return toArray(thread, only, name);
}

function sorted(
  thread: Thread,
  x: Value,
  key: Value | undefined,
  reverse: Value | undefined,
): Value | CallEach {
  const callee = keyArgument('sorted', key);
  const descending = reverse === undefined ? false : reverse;
  if (typeof descending !== 'boolean') throw wrongType('sorted', 'reverse', descending, 'bool');
  const items = toArray(thread, x, 'sorted');
  if (callee === null) return new List(sortByKeys(thread, items, items, descending));
  thread.meter.allocate(listBytes(items.length));
  return new CallEach(callee, items, 'sorted', [descending]);
}

function zip(thread: Thread, args: Value[]): List {
  let length = args.length === 0 ? 0 : Infinity;
  for (const [i, arg] of args.entries()) {
    if (!isIterable(arg))
      throw new EvalError('EVAL_TYPE', `zip: argument #${i + 1} is not iterable: ${typeName(arg)}`);
    length = Math.min(length, len(arg));
  }
  chargeList(thread.meter, length);
  thread.meter.allocate(length * tupleBytes(args.length));
  thread.meter.work(length * args.length);
  // A range may be far longer than the others.
  const columns = args.map((arg) =>
    viewArray(thread, arg instanceof Range ? getSlice(thread, arg, 0, length, 1) : arg),
  );
  const [first = [], second] = columns;
  const out: Value[] = [];
  for (let i = 0; i < length; i += 1) {
    // Never by `push`: an array that grows begins with room for 17 elements.
    out.push(
      new Tuple(
        second === undefined || columns.length > 2
          ? columns.map((column) => column[i] as Value)
          : [first[i] as Value, second[i] as Value],
      ),
    );
  }
  return new List(out);
}

export const sequenceBuiltins: readonly Native[] = [
  fixed('all', 'x, /', (thread, _self, x) => viewArray(thread, x as Value, 'all').every(truth)),
  fixed('any', 'x, /', (thread, _self, x) => viewArray(thread, x as Value, 'any').some(truth)),
  fixed('enumerate', 'x, /, start?', (thread, _self, x, start) => enumerate(thread, x as Value, start)),
  fixed('len', 'x, /', (_thread, _self, x) => len(x as Value)),
  extremes('max', 1),
  extremes('min', -1),
  fixed(
    'reversed',
    'x, /',
    (thread, _self, x) => new List(toArray(thread, x as Value, 'reversed').reverse()),
  ),
  fixed(
    'sorted',
    'x, /, key?, reverse?',
    (thread, _self, x, key, reverse) => sorted(thread, x as Value, key, reverse),
    { callsBack: true },
  ),
  variadic('zip', (thread, _self, args, named) => {
    refuseNamed('zip', named);
    return zip(thread, args);
  }),
];
