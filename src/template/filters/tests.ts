// The tests of templates: what follows `is`.
import { isCasedAs } from '../methods/text-classes.ts';
import { binary } from '../value/arithmetic.ts';
import { contains, isEqual, isOrdered, type Order } from '../value/compare.ts';
import { Dict } from '../value/dict.ts';
import type { Evaluation, TestFunction } from '../value/evaluation.ts';
import { isIterable } from '../value/iterate.ts';
import { asInt } from '../value/numbers.ts';
import { strOf } from '../value/repr.ts';
import { bind, type Parameter, signature } from '../value/signature.ts';
import { failUndefined } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { Bytes, Callable, Float, List, Markup, Tuple, Undefined, type Value } from '../value/value.ts';

type Entry = readonly [string, TestFunction];

function test(
  names: string,
  parameters: readonly Parameter[],
  holds: (e: Evaluation, value: Value, other: Value) => boolean,
): Entry[] {
  return names.split(' ').map((name) => {
    const takes = signature(name, parameters);
    return [name, (e, value, args, named) => holds(e, value, bind(takes, args, named)[0] as Value)];
  });
}

const isInt = (value: Value): boolean => typeof value === 'number' || typeof value === 'bigint';

function remainder(e: Evaluation, value: Value, divisor: Value, wanted: number): boolean {
  return isEqual(e, binary(e, '%', value, divisor), wanted);
}

function order(operator: Order) {
  return (e: Evaluation, value: Value, other: Value): boolean => isOrdered(e, operator, value, other);
}

function isNamed(value: Value, among: ReadonlyMap<string, unknown>): boolean {
  if (value instanceof Undefined) failUndefined(value);
  const name = asText(value);
  return name !== null && among.has(name);
}

/** What has a length and can be subscripted. */
function isSequence(value: Value): boolean {
  return (
    asText(value) !== null ||
    value instanceof List ||
    value instanceof Tuple ||
    value instanceof Bytes ||
    value instanceof Dict ||
    (value instanceof Undefined && value.isLenient)
  );
}

export const tests: ReadonlyMap<string, TestFunction> = new Map([
  ...test('defined', [], (_e, value) => !(value instanceof Undefined)),
  ...test('undefined', [], (_e, value) => value instanceof Undefined),
  ...test('none', [], (_e, value) => value === null),
  ...test('boolean', [], (_e, value) => typeof value === 'boolean'),
  ...test('true', [], (_e, value) => value === true),
  ...test('false', [], (_e, value) => value === false),
  ...test('integer', [], (_e, value) => isInt(value)),
  ...test('float', [], (_e, value) => value instanceof Float),
  ...test('number', [], (_e, value) => asInt(value) !== null || value instanceof Float),
  ...test('string', [], (_e, value) => asText(value) !== null),
  ...test('mapping', [], (_e, value) => value instanceof Dict),
  ...test('sequence', [], (_e, value) => isSequence(value)),
  ...test('iterable', [], (_e, value) => isIterable(value)),
  ...test('callable', [], (_e, value) => value instanceof Callable || value instanceof Undefined),
  ...test('escaped', [], (_e, value) => value instanceof Markup),
  ...test('lower', [], (e, value) => isCasedAs(strOf(e, value), 'lower')),
  ...test('upper', [], (e, value) => isCasedAs(strOf(e, value), 'upper')),
  ...test('odd', [], (e, value) => remainder(e, value, 2, 1)),
  ...test('even', [], (e, value) => remainder(e, value, 2, 0)),
  ...test('divisibleby', [['num']], (e, value, divisor) => remainder(e, value, divisor, 0)),
  ...test('sameas', [['other']], (_e, value, other) => value === other),
  ...test('in', [['seq']], (e, value, container) => contains(e, container, value)),
  ...test('filter', [], (e, value) => isNamed(value, e.library.filters)),
  ...test('test', [], (e, value) => isNamed(value, e.library.tests)),
  ...test('eq equalto ==', [['other']], isEqual),
  ...test('ne !=', [['other']], (e, value, other) => !isEqual(e, value, other)),
  ...test('lt lessthan <', [['other']], order('<')),
  ...test('le <=', [['other']], order('<=')),
  ...test('gt greaterthan >', [['other']], order('>')),
  ...test('ge >=', [['other']], order('>=')),
]);
