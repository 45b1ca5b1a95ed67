// The binary and unary operators: which operation two operands ask for.
import { dictCopy, dictMerge } from './dict.ts';
import { EvalError } from './eval-error.ts';
import { isInt } from './int.ts';
import { interpolate } from './interpolate.ts';
import type { Thread } from './native.ts';
import {
  addInts,
  andInts,
  divideFloats,
  floorDivideFloats,
  floorDivideInts,
  invertInt,
  moduloFloats,
  moduloInts,
  multiplyInts,
  negateInt,
  newFloat,
  numberOf,
  orInts,
  shiftLeftInts,
  shiftRightInts,
  subtractInts,
  xorInts,
} from './number-operations.ts';
import { setCopy, setDifference, setFilter, setMerge } from './set.ts';
import { typeName } from './type-name.ts';
import { Bytes, Dict, Float, List, SetValue, Tuple, type Value } from './value.ts';
import { MAX_ELEMENTS, MAX_STRING_UNITS, chargeJoin, chargeString, tooLarge } from '../../python/charge.ts';
import { chargeBytes, chargeList, chargeTuple } from './charge.ts';

export function unsupported(a: Value, operator: string, b: Value): EvalError {
  const left = typeName(a);
  const right = typeName(b);
  return new EvalError(
    'EVAL_TYPE',
    `unsupported binary operation: ${left} ${operator} ${right}`,
    hintFor(left, operator, right),
  );
}

function hintFor(left: string, operator: string, right: string): string | null {
  if (operator.startsWith('+') && (left === 'string') !== (right === 'string'))
    return 'use str(x) to turn a value into a string';
  if (operator.startsWith('+') && left === 'dict' && right === 'dict') return 'use | to merge two dicts';
  if (operator.startsWith('+') && left === 'set' && right === 'set') return 'use | for the union of two sets';
  if (operator.startsWith('+') && left === 'list') return 'use list(x) to turn a sequence into a list';
  if (left === 'bool' || right === 'bool') return 'a bool is not a number: use int(x)';
  return null;
}

export function add(thread: Thread, a: Value, b: Value): Value {
  if (typeof a === 'string' && typeof b === 'string') return concatenateStrings(thread, a, b);
  if (isInt(a) && isInt(b)) return addInts(thread, a, b);
  const joined = concatenate(thread, a, b);
  if (joined !== undefined) return joined;
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) throw unsupported(a, '+', b);
  return newFloat(thread, x + y);
}

export function subtract(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return subtractInts(thread, a, b);
  if (a instanceof SetValue && b instanceof SetValue) return asOne(thread, a, b, without);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) throw unsupported(a, '-', b);
  return newFloat(thread, x - y);
}

export function multiply(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a)) {
    if (isInt(b)) return multiplyInts(thread, a, b);
    const repeated = repeat(thread, b, a);
    if (repeated !== undefined) return repeated;
  } else if (isInt(b)) {
    const repeated = repeat(thread, a, b);
    if (repeated !== undefined) return repeated;
  }
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) throw unsupported(a, '*', b);
  return newFloat(thread, x * y);
}

export function divide(thread: Thread, a: Value, b: Value): Value {
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) throw unsupported(a, '/', b);
  return divideFloats(thread, x, y);
}

export function floorDivide(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return floorDivideInts(thread, a, b);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) throw unsupported(a, '//', b);
  return floorDivideFloats(thread, x, y);
}

export function modulo(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return moduloInts(thread, a, b);
  if (typeof a === 'string') return asOne(thread, a, b, interpolate);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) throw unsupported(a, '%', b);
  return moduloFloats(thread, x, y);
}

export function bitAnd(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return andInts(thread, a, b);
  if (a instanceof SetValue && b instanceof SetValue) return asOne(thread, a, b, shared);
  throw unsupported(a, '&', b);
}

export function bitOr(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return orInts(thread, a, b);
  if (a instanceof Dict && b instanceof Dict) return asOne(thread, a, b, merged);
  if (a instanceof SetValue && b instanceof SetValue) return asOne(thread, a, b, union);
  throw unsupported(a, '|', b);
}

export function bitXor(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return xorInts(thread, a, b);
  if (a instanceof SetValue && b instanceof SetValue) return asOne(thread, a, b, setDifference);
  throw unsupported(a, '^', b);
}

function merged(thread: Thread, a: Dict, b: Dict): Dict {
  const made = dictCopy(thread, a);
  dictMerge(thread, made, b);
  return made;
}

function union(thread: Thread, a: SetValue, b: SetValue): SetValue {
  const made = setCopy(thread, a);
  setMerge(thread, made, b);
  return made;
}

function shared(thread: Thread, a: SetValue, b: SetValue): SetValue {
  return setFilter(thread, a, b, true);
}

function without(thread: Thread, a: SetValue, b: SetValue): SetValue {
  return setFilter(thread, a, b, false);
}

/**
 * An operation that takes memory bit by bit: until it is done its result is not part of the program, so that a recount
 * would not see what it has taken. After an error the machine ends the call.
 */
function asOne<A extends Value, B extends Value>(
  thread: Thread,
  a: A,
  b: B,
  operation: (thread: Thread, a: A, b: B) => Value,
): Value {
  const { meter } = thread;
  if (meter.callBegan >= 0) return operation(thread, a, b);
  meter.callBegan = meter.memory;
  const result = operation(thread, a, b);
  meter.callBegan = -1;
  return result;
}

export function shiftLeft(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return shiftLeftInts(thread, a, b);
  throw unsupported(a, '<<', b);
}

export function shiftRight(thread: Thread, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return shiftRightInts(thread, a, b);
  throw unsupported(a, '>>', b);
}

export function negate(thread: Thread, a: Value): Value {
  if (isInt(a)) return negateInt(thread, a);
  if (a instanceof Float) return newFloat(thread, -a.value);
  throw unaryUnsupported('-', a);
}

export function plus(_thread: Thread, a: Value): Value {
  if (isInt(a) || a instanceof Float) return a;
  throw unaryUnsupported('+', a);
}

export function invert(thread: Thread, a: Value): Value {
  if (isInt(a)) return invertInt(thread, a);
  throw unaryUnsupported('~', a);
}

function unaryUnsupported(operator: string, a: Value): EvalError {
  return new EvalError('EVAL_TYPE', `unsupported unary operation: ${operator}${typeName(a)}`);
}

// Joining and repeating strings, bytes, lists and tuples: charged before anything is made.

/** `a + b`, or undefined when they are not two sequences of one type. */
function concatenate(thread: Thread, a: Value, b: Value): Value | undefined {
  if (typeof a === 'string') return typeof b === 'string' ? concatenateStrings(thread, a, b) : undefined;
  if (a instanceof List)
    return b instanceof List ? new List(concatenateItems(thread, a.items, b.items, true)) : undefined;
  if (a instanceof Tuple) {
    if (!(b instanceof Tuple)) return undefined;
    if (a.items.length === 0) return b;
    return b.items.length === 0 ? a : new Tuple(concatenateItems(thread, a.items, b.items, false));
  }
  if (!(a instanceof Bytes && b instanceof Bytes)) return undefined;
  const length = a.bytes.length + b.bytes.length;
  chargeBytes(thread.meter, length);
  const bytes = new Uint8Array(length);
  bytes.set(a.bytes);
  bytes.set(b.bytes, a.bytes.length);
  return new Bytes(bytes);
}

function concatenateStrings(thread: Thread, a: string, b: string): string {
  chargeJoin(thread.meter, a.length, b.length);
  return a + b;
}

function concatenateItems(thread: Thread, a: Value[], b: Value[], asList: boolean): Value[] {
  const length = a.length + b.length;
  if (asList) chargeList(thread.meter, length);
  else chargeTuple(thread.meter, length);
  return a.concat(b);
}

/** `a * times`, or undefined when `a` is not a sequence. */
function repeat(thread: Thread, a: Value, times: number | bigint): Value | undefined {
  const count = times > 0 ? Number(times) : 0;
  if (typeof a === 'string') {
    const units = size(a.length, count, MAX_STRING_UNITS);
    chargeString(thread.meter, units);
    return units === 0 ? '' : a.repeat(count);
  }
  if (a instanceof List) {
    chargeList(thread.meter, size(a.items.length, count, MAX_ELEMENTS));
    return new List(repeatItems(a.items, count));
  }
  if (a instanceof Tuple) {
    if (count === 1) return a;
    chargeTuple(thread.meter, size(a.items.length, count, MAX_ELEMENTS));
    return new Tuple(repeatItems(a.items, count));
  }
  if (!(a instanceof Bytes)) return undefined;
  const length = size(a.bytes.length, count, MAX_STRING_UNITS);
  chargeBytes(thread.meter, length);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += a.bytes.length) bytes.set(a.bytes, at);
  return new Bytes(bytes);
}

/** The length of the result; an empty sequence may be repeated any number of times. */
function size(length: number, count: number, most: number): number {
  const total = length === 0 ? 0 : length * count;
  if (total > most) tooLarge(`a sequence of ${length} elements repeated ${count} times`, most);
  return total;
}

function repeatItems(items: Value[], count: number): Value[] {
  if (items.length === 0 || count === 0) return [];
  if (items.length === 1) {
    const out: Value[] = [];
    const only = items[0] as Value;
    for (let i = 0; i < count; i += 1) out.push(only);
    return out;
  }
  const out = items.slice();
  for (let i = 1; i < count; i += 1) for (let j = 0; j < items.length; j += 1) out.push(items[j] as Value);
  return out;
}
