// The functions named for a type, which make a value of it: bool, bytes, dict, float, int, list, range, set, str, tuple.
import { encodeUtf8 } from '../../base/utf8.ts';
import { LIST_BYTES } from '../../python/charge.ts';
import { intFromFloat } from '../../python/int.ts';
import { chargeBytes, chargeTuple } from '../value/charge.ts';
import { newDict } from '../value/dict.ts';
import { EvalError } from '../value/eval-error.ts';
import { checkIntBits, isInt } from '../value/int.ts';
import { isIterable, toArray, viewArray } from '../value/iterate.ts';
import { fixed, type Native, type Thread, variadic } from '../value/native.ts';
import { intToFloat, newFloat } from '../value/number-operations.ts';
import { floatFromText, intFromText } from '../value/parse-number.ts';
import { newRange } from '../value/range.ts';
import { briefly, str } from '../value/repr.ts';
import { newSet, setCopy, setOf } from '../value/set.ts';
import { truth } from '../value/truth.ts';
import { typeName } from '../value/type-name.ts';
import { utf8Length } from '../value/utf8.ts';
import { Bytes, Float, List, SetValue, Tuple, type Range, type Value } from '../value/value.ts';
import { atMostOne, wrongType } from './arguments.ts';
import { updateDict } from './dict-methods.ts';

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

export const conversions: readonly Native[] = [
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
