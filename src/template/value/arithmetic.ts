// + - * / // % ** and the signs, as Python's.
import type { Int } from '../../python/int.ts';
import { append } from '../../base/json.ts';
import type { BinaryOperator } from '../syntax/ast.ts';
import { formatPercent } from '../format/percent.ts';
import { isSetLike } from './compare.ts';
import { Dict } from './dict.ts';
import { escapeMarkup } from './escape.ts';
import type { Evaluation } from './evaluation.ts';
import {
  addInts,
  divideInts,
  floorDivideInts,
  moduloInts,
  multiplyInts,
  negateInt,
  powerInts,
} from './int.ts';
import { View } from './iterables.ts';
import { iterate } from './iterate.ts';
import { wholePower } from '../../python/float-text.ts';
import { asFloat, asIndex, asInt } from './numbers.ts';
import { failUndefined, TemplateError, typeError, valueError } from './template-error.ts';
import { asText } from './text.ts';
import { typeName } from './type-name.ts';
import { Bytes, Float, List, Markup, Tuple, Undefined, type Value } from './value.ts';

export function binary(e: Evaluation, operator: BinaryOperator, a: Value, b: Value): Value {
  switch (operator) {
    case '+':
      return add(e, a, b);
    case '-':
      return (
        subtractSets(e, a, b) ??
        numeric(
          operator,
          a,
          b,
          (x, y) => addInts(e, x, negateInt(y)),
          (x, y) => x - y,
        )
      );
    case '*':
      return multiply(e, a, b);
    case '/':
      return divide(a, b);
    case '//':
      return numeric(
        operator,
        a,
        b,
        (x, y) => floorDivideInts(e, x, nonZero(y, 'integer division or modulo by zero')),
        floorDivide,
      );
    case '%':
      return modulo(e, a, b);
    case '**':
      return power(e, a, b);
  }
}

/** A set of what is in `a` and not in `b`, where one of them is the keys or items of a dict or both are sets; or null. */
function subtractSets(e: Evaluation, a: Value, b: Value): Value | null {
  const isView = (value: Value): boolean => isSetLike(value) && value.part !== 'set';
  if (!isView(a) && !isView(b) && !(isSetLike(a) && isSetLike(b))) return null;
  const left = setOf(e, a);
  const right = setOf(e, b).dict;
  return setOf(e, new List(left.dict.keys().filter((key) => right.get(key) === undefined)));
}

/** `set(value)` */
export function setOf(e: Evaluation, value: Value): View {
  if (value instanceof Undefined) failUndefined(value);
  const dict = new Dict();
  const cursor = iterate(e, value);
  for (let key = cursor(); key !== undefined; key = cursor()) {
    e.makeItems(1, 48);
    if (dict.get(key) === undefined) dict.set(key, null);
  }
  return new View(dict, 'set');
}

function unsupported(operator: string, a: Value, b: Value): never {
  if (a instanceof Undefined) failUndefined(a);
  if (b instanceof Undefined) failUndefined(b);
  const name = operator === '**' ? '** or pow()' : operator;
  return typeError(`unsupported operand type(s) for ${name}: '${typeName(a)}' and '${typeName(b)}'`);
}

function numeric(
  operator: string,
  a: Value,
  b: Value,
  ints: (x: Int, y: Int) => Value,
  floats: (x: number, y: number) => number,
): Value {
  const x = asInt(a);
  const y = asInt(b);
  if (x !== null && y !== null) return ints(x, y);
  if ((x === null && !(a instanceof Float)) || (y === null && !(b instanceof Float)))
    return unsupported(operator, a, b);
  return new Float(floats(asFloat(a) as number, asFloat(b) as number));
}

export function add(e: Evaluation, a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return addInts(e, a, b);
  const left = asText(a);
  if (left !== null) return addText(e, left, a, b);
  if (a instanceof Bytes) return b instanceof Bytes ? joinBytes(e, [a, b]) : notJoinableBytes(b);
  if (a instanceof List) return b instanceof List ? new List(joined(e, a.items, b.items)) : notJoinable(a, b);
  if (a instanceof Tuple)
    return b instanceof Tuple ? new Tuple(joined(e, a.items, b.items)) : notJoinable(a, b);
  return numeric(
    '+',
    a,
    b,
    (x, y) => addInts(e, x, y),
    (x, y) => x + y,
  );
}

function addText(e: Evaluation, left: string, a: Value, b: Value): Value {
  const right = asText(b);
  if (right === null) return a instanceof Markup ? unsupported('+', a, b) : notJoinable(a, b);
  if (a instanceof Markup || b instanceof Markup)
    return new Markup(concat(e, escapeMarkup(e, a), escapeMarkup(e, b)));
  return concat(e, left, right);
}

function concat(e: Evaluation, a: string, b: string): string {
  e.makeText(a.length + b.length);
  return a + b;
}

function joined(e: Evaluation, a: readonly Value[], b: readonly Value[]): Value[] {
  e.makeItems(a.length + b.length);
  return [...a, ...b];
}

function joinBytes(e: Evaluation, parts: readonly Bytes[]): Bytes {
  const size = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  e.makeText(size);
  const joint = new Uint8Array(size);
  let at = 0;
  for (const { bytes } of parts) {
    joint.set(bytes, at);
    at += bytes.length;
  }
  return new Bytes(joint);
}

function notJoinableBytes(b: Value): never {
  if (b instanceof Undefined) failUndefined(b);
  return typeError(`can't concat ${typeName(b)} to bytes`);
}

function notJoinable(a: Value, b: Value): never {
  if (b instanceof Undefined) failUndefined(b);
  const name = typeName(a);
  return typeError(
    `can only concatenate ${name} (not "${typeName(b)}") to ${name}`,
    name === 'str' ? 'join any values with "~"' : null,
  );
}

function multiply(e: Evaluation, a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return multiplyInts(e, a, b);
  const [repeated, times] = isSequence(a) ? [a, b] : [b, a];
  if (!isSequence(repeated))
    return numeric(
      '*',
      a,
      b,
      (x, y) => multiplyInts(e, x, y),
      (x, y) => x * y,
    );
  if (times instanceof Undefined) failUndefined(times);
  const count = asIndex(times);
  if (count === null)
    return repeated instanceof Markup
      ? unsupported('*', a, b)
      : typeError(`can't multiply sequence by non-int of type '${typeName(times)}'`);
  return repeat(e, repeated, Math.max(count, 0));
}

function isSequence(value: Value): value is string | Markup | Bytes | List | Tuple {
  return (
    typeof value === 'string' ||
    value instanceof Markup ||
    value instanceof Bytes ||
    value instanceof List ||
    value instanceof Tuple
  );
}

function repeat(e: Evaluation, value: string | Markup | Bytes | List | Tuple, times: number): Value {
  if (value instanceof Bytes) {
    e.makeText(value.bytes.length * times);
    return joinBytes(e, value.bytes.length === 0 ? [] : Array.from({ length: times }, () => value));
  }
  if (value instanceof List || value instanceof Tuple) {
    e.makeItems(value.items.length * times);
    const items: Value[] = [];
    for (let round = 0; value.items.length > 0 && round < times; round += 1) append(items, value.items);
    return value instanceof List ? new List(items) : new Tuple(items);
  }
  const text = typeof value === 'string' ? value : value.text;
  e.makeText(text.length * times);
  const repeated = text === '' ? '' : text.repeat(times);
  return typeof value === 'string' ? repeated : new Markup(repeated);
}

function nonZero(divisor: Int, message: string): Int {
  if (divisor === 0) throw new TemplateError('EVAL_ZERO_DIVISION', message);
  return divisor;
}

function divide(a: Value, b: Value): Value {
  return numeric(
    '/',
    a,
    b,
    (x, y) =>
      new Float(
        divideInts(x, nonZero(y, 'division by zero')) ??
          valueError('integer division result too large for a float'),
      ),
    (x, y) => x / nonZeroFloat(y, 'float division by zero'),
  );
}

function nonZeroFloat(divisor: number, message: string): number {
  if (divisor === 0) throw new TemplateError('EVAL_ZERO_DIVISION', message);
  return divisor;
}

function modulo(e: Evaluation, a: Value, b: Value): Value {
  const format = asText(a);
  if (format !== null) {
    const text = formatPercent(e, format, b, a instanceof Markup);
    return a instanceof Markup ? new Markup(text) : text;
  }
  return numeric(
    '%',
    a,
    b,
    (x, y) => moduloInts(e, x, nonZero(y, 'integer division or modulo by zero')),
    floatModulo,
  );
}

/** Python's float remainder: with the sign of the divisor. */
function floatModulo(x: number, y: number): number {
  const rest = x % nonZeroFloat(y, 'float modulo');
  if (rest === 0) return y < 0 || Object.is(y, -0) ? -0 : 0;
  return rest < 0 !== y < 0 ? rest + y : rest;
}

function floorDivide(x: number, y: number): number {
  const rest = x % nonZeroFloat(y, 'float floor division by zero');
  let quotient = (x - rest) / y;
  if (rest !== 0 && rest < 0 !== y < 0) quotient -= 1;
  if (quotient === 0) return x / y < 0 || Object.is(x / y, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function power(e: Evaluation, a: Value, b: Value): Value {
  return numeric(
    '**',
    a,
    b,
    (x, y) => powerOfInts(e, x, y),
    (x, y) => powerOfFloats(e, x, y),
  );
}

function powerOfInts(e: Evaluation, x: Int, y: Int): Value {
  if (y >= 0) return powerInts(e, x, y);
  return new Float(powerOfFloats(e, asFloat(x) as number, asFloat(y) as number));
}

function powerOfFloats(e: Evaluation, x: number, y: number): number {
  if (x === 0 && y < 0)
    throw new TemplateError('EVAL_ZERO_DIVISION', '0.0 cannot be raised to a negative power');
  if (x === 1 || y === 0) return 1;
  if (x === -1 && (y === Infinity || y === -Infinity)) return 1;
  if (!Number.isFinite(x) || !Number.isFinite(y)) return x ** y;
  if (x < 0 && !Number.isInteger(y))
    return valueError(
      'a negative number cannot be raised to a power that is not whole',
      'the result would be a complex number',
    );
  e.work(64);
  const result =
    y === 0.5 && x > 0
      ? Math.sqrt(x)
      : Number.isInteger(y) && Math.abs(y) <= 64 && x !== 0
        ? wholePower(x, y)
        : x ** y;
  if (!Number.isFinite(result)) return valueError('the result of ** is too large for a float');
  return result;
}

export function unary(operator: '-' | '+', value: Value): Value {
  if (value instanceof Undefined) failUndefined(value);
  if (value instanceof Float) return operator === '-' ? new Float(-value.value) : value;
  const int = asInt(value);
  if (int === null) return typeError(`bad operand type for unary ${operator}: '${typeName(value)}'`);
  return operator === '-' ? negateInt(int) : int;
}
