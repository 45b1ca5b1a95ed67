// Every function of the language, by name; those named for a type make a value of it.
import { encodeUtf8 } from '../../base/utf8.ts';
import { LIST_BYTES, listBytes } from '../../python/charge.ts';
import { intFromFloat } from '../../python/int.ts';
import { chargeBytes, chargeList, chargeTuple } from '../value/charge.ts';
import { newDict } from '../value/dict.ts';
import { EvalError } from '../value/eval-error.ts';
import { checkIntBits, isInt } from '../value/int.ts';
import { isIterable, toArray, viewArray } from '../value/iterate.ts';
import { CallEach, fixed, type Native, type Thread, variadic } from '../value/native.ts';
import { addInts, intToFloat, newFloat } from '../value/number-operations.ts';
import { floatFromText, intFromText } from '../value/parse-number.ts';
import { newRange } from '../value/range.ts';
import {
  Builtin,
  Bytes,
  Dict,
  Elems,
  Float,
  List,
  Range,
  SetValue,
  Tuple,
  type Value,
  tupleBytes,
} from '../value/value.ts';
import { briefly, str } from '../value/repr.ts';
import { newSet, setCopy, setOf } from '../value/set.ts';
import { truth } from '../value/truth.ts';
import { typeName } from '../value/type-name.ts';
import { utf8Length } from '../value/utf8.ts';
import { atMostOne, keyArgument, refuseNamed, wrongType, updateDict } from './methods.ts';
import { getSlice } from '../value/index.ts';
import { extreme } from './finishers.ts';
import { sortByKeys } from './sort.ts';
import { valueBuiltins } from './builtins-value.ts';
import { jsonModule } from './json.ts';

function bytes(thread: Thread, x: Value): Bytes {
  if (x instanceof Bytes) return x;
  if (typeof x === 'string') {
    // Measuring and writing look at each unit.
    thread.meter.work(x.length >> 2);
    chargeBytes(thread.meter, utf8Length(x));
    return new Bytes(encodeUtf8(x));
  }
  if (!isIterable(x))
    throw new EvalError('EVAL_TYPE', `bytes: got ${typeName(x)}, want string, bytes, or iterable of int`);
  const items = viewArray(thread, x);
  chargeBytes(thread.meter, items.length);
  const out = new Uint8Array(items.length);
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i] as Value;
    if (!isInt(item))
      throw new EvalError('EVAL_TYPE', `bytes: at index ${i}, got ${typeName(item)}, want int`);
    if (!(item >= 0 && item <= 255))
      throw new EvalError('EVAL_VALUE', `bytes: at index ${i}, ${briefly(item)} out of range 0-255`);
    out[i] = Number(item);
  }
  return new Bytes(out);
}

function float(thread: Thread, x: Value | undefined): Value {
  if (x === undefined) return newFloat(thread, 0);
  if (x instanceof Float) return x;
  if (isInt(x)) return newFloat(thread, intToFloat(x));
  if (typeof x === 'boolean') return newFloat(thread, Number(x));
  if (typeof x === 'string') return floatFromText(thread, x);
  throw new EvalError('EVAL_TYPE', `float: got ${typeName(x)}, want number, bool or string`);
}

function int(thread: Thread, x: Value, base: Value | undefined): Value {
  if (base !== undefined && !isInt(base)) throw wrongType('int', 'base', base, 'int');
  if (typeof x === 'string') return intFromText(thread, x, base === undefined ? 10 : Number(base));
  if (base !== undefined)
    throw new EvalError('EVAL_TYPE', `int: can't convert non-string with explicit base: got ${typeName(x)}`);
  if (isInt(x)) return x;
  if (typeof x === 'boolean') return Number(x);
  if (x instanceof Float) return floatToInt(thread, x.value);
  throw new EvalError('EVAL_TYPE', `int: got ${typeName(x)}, want number, bool or string`);
}

function floatToInt(thread: Thread, n: number): number | bigint {
  if (!Number.isFinite(n))
    throw new EvalError('EVAL_VALUE', `int: cannot convert float ${briefly(new Float(n))} to int`);
  const whole = intFromFloat(n);
  if (typeof whole === 'bigint') checkIntBits(thread, whole);
  return whole;
}

function range(thread: Thread, a: Value, b: Value | undefined, c: Value | undefined): Range {
  const first = rangeArgument(a, b === undefined ? 'stop' : 'start');
  const step = c === undefined ? 1 : rangeArgument(c, 'step');
  if (step === 0) throw new EvalError('EVAL_VALUE', 'range: step argument must not be zero');
  return b === undefined
    ? newRange(thread, 0, first, 1)
    : newRange(thread, first, rangeArgument(b, 'stop'), step);
}

function rangeArgument(v: Value, parameter: string): number {
  if (typeof v === 'number') return v;
  if (typeof v === 'bigint') {
    throw new EvalError(
      'EVAL_VALUE',
      `range: ${parameter} is out of range: the limit is ${Number.MAX_SAFE_INTEGER} either way`,
    );
  }
  throw wrongType('range', parameter, v, 'int');
}

function set(thread: Thread, x: Value | undefined): SetValue {
  if (x === undefined) return newSet(thread);
  return x instanceof SetValue ? setCopy(thread, x) : setOf(thread, viewArray(thread, x, 'set'));
}

function list(thread: Thread, x: Value | undefined): List {
  if (x !== undefined) return new List(toArray(thread, x, 'list'));
  thread.meter.allocate(LIST_BYTES);
  return new List([]);
}

function tuple(thread: Thread, x: Value | undefined): Tuple {
  if (x instanceof Tuple) return x;
  if (x !== undefined) return new Tuple(toArray(thread, x, 'tuple'));
  // Not one for all: a tuple caches its key, and the next run would be charged less.
  chargeTuple(thread.meter, 0);
  return new Tuple([]);
}

const conversions: readonly Native[] = [
  fixed('bool', 'x?, /', (_thread, _self, x) => x !== undefined && truth(x)),
  fixed('bytes', 'x, /', (thread, _self, x) => bytes(thread, x as Value)),
  variadic('dict', (thread, _self, args, named) => {
    const pairs = atMostOne('dict', args);
    const made = newDict(thread);
    updateDict(thread, made, 'dict', pairs, named);
    return made;
  }),
  fixed('float', 'x?, /', (thread, _self, x) => float(thread, x)),
  fixed('int', 'x, base?', (thread, _self, x, base) => int(thread, x as Value, base)),
  fixed('list', 'x?, /', (thread, _self, x) => list(thread, x)),
  fixed('range', 'start_or_stop, stop?, step?, /', (thread, _self, a, b, c) =>
    range(thread, a as Value, b, c),
  ),
  fixed('set', 'x?, /', (thread, _self, x) => set(thread, x)),
  fixed('str', 'x, /', (thread, _self, x) => str(thread, x as Value)),
  fixed('tuple', 'x?, /', (thread, _self, x) => tuple(thread, x)),
];

// The functions over sequences: all, any, enumerate, len, max, min, reversed, sorted, zip.

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
      return new CallEach(key, items, name, [], args.length === 1 ? (args[0] as Value) : null);
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

const sequenceBuiltins: readonly Native[] = [
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
    'x, /, *, key?, reverse?',
    (thread, _self, x, key, reverse) => sorted(thread, x as Value, key, reverse),
    { callsBack: true },
  ),
  variadic('zip', (thread, _self, args, named) => {
    refuseNamed('zip', named);
    return zip(thread, args);
  }),
];

// The names that every program has.
//
// The specification's 28 functions and three constants, and the module `json`: nothing else.

const builtins = [...conversions, ...sequenceBuiltins, ...valueBuiltins].map((native): [string, Value] => [
  native.name,
  new Builtin(native),
]);

export const universe: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['None', null],
  ['True', true],
  ['False', false],
  ...builtins.sort(([a], [b]) => (a < b ? -1 : 1)),
  ['json', jsonModule],
]);
