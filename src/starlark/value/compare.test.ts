import { intFromBigint } from '../../python/int.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import {
  anyHashable,
  anyNumber,
  bytes,
  dict,
  float,
  list,
  nested,
  set,
  tuple,
} from '../../../test/support/starlark-values.ts';
import { compare, equals, hashKey } from './compare.ts';
import { Builtin, Closure, Float, List, Range, Struct, Tuple, type Value } from './value.ts';

const order = (a: Value, b: Value): number => Math.sign(compare(testThread(), a, b, '<'));
const same = (a: Value, b: Value): boolean => equals(testThread(), a, b);

/** An exact rational for each finite number: the float scaled by 2^1100 is an integer. */
function exact(v: Value): bigint | 'inf' | '-inf' | 'nan' {
  if (!(v instanceof Float)) return BigInt(v as number) << 1100n;
  if (Number.isNaN(v.value)) return 'nan';
  if (!Number.isFinite(v.value)) return v.value > 0 ? 'inf' : '-inf';
  let n = v.value;
  let shift = 1100n;
  while (!Number.isInteger(n)) {
    n *= 2;
    shift -= 1n;
  }
  return BigInt(n) << shift;
}

function rank(v: Value): [number, bigint] {
  const x = exact(v);
  return typeof x === 'bigint' ? [0, x] : [x === '-inf' ? -1 : x === 'inf' ? 1 : 2, 0n];
}

describe('compare', () => {
  it('orders ints and floats as exact numbers, with NaN above all', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (a, b) => {
        const [classA, valueA] = rank(a);
        const [classB, valueB] = rank(b);
        const expected =
          classA !== classB ? Math.sign(classA - classB) : valueA < valueB ? -1 : valueA > valueB ? 1 : 0;
        expect(order(a, b)).toBe(expected);
        expect(same(a, b)).toBe(expected === 0);
      }),
      { numRuns: 5000 },
    );
  });

  it('is a total order of numbers', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, (a, b, c) => {
        expect(order(a, b) + order(b, a)).toBe(0);
        const sorted = [a, b, c].sort(order);
        expect(order(sorted[0] as Value, sorted[2] as Value)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, Value, Value]>([
    ['bools', false, true],
    ['strings', 'a', 'b'],
    ['a prefix', 'a', 'aa'],
    ['strings by their UTF-16 units', '\u{1f600}', '\uffff'],
    ['bytes', bytes(1, 2), bytes(1, 3)],
    ['bytes, not as numbers', bytes(9), bytes(9, 0)],
    ['tuples', tuple(1, 'a'), tuple(1, 'b')],
    ['a shorter tuple', tuple(1), tuple(1, 0)],
    ['lists in lists', list(list(1), 5), list(list(2), 0)],
    ['after equal elements that have no order', list(null, dict([1, 2]), 1), list(null, dict([1, 2]), 2)],
    ['big ints in lists', list(2n ** 60n), list(2n ** 60n + 1n)],
  ])('orders %s', (_name, low, high) => {
    expect([order(low, high), order(high, low), order(low, low)]).toEqual([-1, 1, 0]);
  });

  it.each<[Value, Value, string]>([
    [1, 'a', 'int < string'],
    [true, 1, 'bool < int'],
    [null, null, 'NoneType < NoneType'],
    [list(), tuple(), 'list < tuple'],
    [dict(), dict(), 'dict < dict'],
    [set(1), set(1, 2), 'set < set'],
    [new Range(0, 1, 1, 1), new Range(0, 2, 1, 2), 'range < range'],
    [list(1, 'a'), list(1, 2), 'string < int'],
  ])('refuses %o < %o', (a, b, types) => {
    expect(faultOf(() => order(a, b))).toBe(`EVAL_TYPE unsupported comparison: ${types}`);
  });

  it('ends a walk that is too deep, and one that never ends', () => {
    const cycle = list(1);
    cycle.items.push(cycle);
    const other = list(1);
    other.items.push(other);
    const fault =
      'DEPTH_LIMIT comparison exceeded the maximum recursion depth: values nest more than 500 deep';
    expect(faultOf(() => order(nested(100_000), nested(100_000)))).toBe(fault);
    expect(faultOf(() => order(cycle, other))).toBe(fault);
  });

  it('charges long strings by their length', () => {
    const thread = testThread();
    compare(thread, `${'a'.repeat(100_000)}b`, `${'a'.repeat(100_000)}c`, '<');
    expect(thread.meter.steps).toBe(3125);
  });
});

describe('equals', () => {
  it.each<[Value, Value, boolean]>([
    [1, float(1), true],
    [2n ** 53n, float(2 ** 53), true],
    [2n ** 53n + 1n, float(2 ** 53), false],
    [float(0), float(-0), true],
    [float(NaN), float(NaN), true],
    [true, 1, false],
    [false, 0, false],
    [null, false, false],
    ['1', 1, false],
    ['a', bytes(97), false],
    [bytes(1, 2), bytes(1, 2), true],
    [bytes(1, 2), bytes(1, 3), false],
    [list(1, 2), list(1, float(2)), true],
    [list(1), tuple(1), false],
    [list(1), list(1, 2), false],
    [dict([1, 'a'], [2, 'b']), dict([2, 'b'], [1, 'a']), true],
    [dict([1, list(1)]), dict([float(1), list(1)]), true],
    [dict([1, 'a']), dict([1, 'b']), false],
    [dict([1, 'a']), dict([2, 'a']), false],
    [set(1, 2), set(2, 1), true],
    [set(1, 2), set(1, 3), false],
    [set(1), list(1), false],
    [new Range(0, 0, 1, 0), new Range(5, 5, 2, 0), true],
    [new Range(0, 3, 2, 2), new Range(0, 4, 2, 2), true],
    [new Range(1, 2, 1, 1), new Range(1, 9, 9, 1), true],
    [new Range(0, 3, 1, 3), new Range(0, 5, 2, 3), false],
    [new Struct(new Map([['a', 1]])), new Struct(new Map([['a', float(1)]])), true],
    [new Struct(new Map([['a', 1]])), new Struct(new Map([['b', 1]])), false],
  ])('says whether %o == %o', (a, b, expected) => {
    expect([same(a, b), same(b, a)]).toEqual([expected, expected]);
  });

  it('takes a thing that contains itself as equal to itself, but does not walk two of them', () => {
    const cycle = list();
    cycle.items.push(cycle);
    const other = list();
    other.items.push(other);
    expect(same(cycle, cycle)).toBe(true);
    expect(faultOf(() => same(cycle, other))).toMatch(/^DEPTH_LIMIT comparison exceeded/);
  });

  it('stops at the step limit when shared parts make the walk endless', () => {
    const thread = testThread({ steps: 1_000_000 });
    expect(faultOf(() => equals(thread, nested(64, true), nested(64, true)))).toBe(
      'STEP_LIMIT stopped after 1000000 steps',
    );
  });

  it('charges strings by their length, unless the lengths tell', () => {
    const thread = testThread();
    equals(thread, 'a'.repeat(64_000), 'b'.repeat(64_000));
    const steps = thread.meter.steps;
    equals(thread, 'a'.repeat(64_000), 'b'.repeat(64_001));
    expect([steps, thread.meter.steps]).toEqual([2001, 2001]);
  });
});

describe('hashKey', () => {
  it('is the same for two values exactly when they are equal', () => {
    fc.assert(
      fc.property(anyHashable, anyHashable, (a, b) => {
        const map = new Map([[hashKey(testThread(), a, null), true]]);
        expect(map.has(hashKey(testThread(), b, null))).toBe(same(a, b));
      }),
      { numRuns: 20_000 },
    );
  });

  it('is the same for a value and a copy of it with floats for ints', () => {
    const floated = (v: Value): Value => {
      if (v instanceof Tuple) return new Tuple(v.items.map(floated));
      return (typeof v === 'number' || typeof v === 'bigint') &&
        Number.isFinite(Number(v)) &&
        BigInt(Number(v)) === BigInt(v)
        ? float(Number(v))
        : v;
    };
    fc.assert(
      fc.property(anyHashable, (v) => {
        expect(hashKey(testThread(), floated(v), null)).toBe(hashKey(testThread(), v, null));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps pairs of small ints apart from each other and from every number', () => {
    const part = fc.oneof(
      fc.integer({ min: -(2 ** 25) - 2, max: 2 ** 25 + 2 }),
      fc.constantFrom(0, -1, 2 ** 25, 2 ** 25 - 1, -(2 ** 25), -(2 ** 25) - 1),
    );
    const pair = fc.tuple(part, part).map(([a, b]): Value => tuple(a, b));
    const near = fc.oneof(
      fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 54n + 4n }),
      fc.bigInt({ min: 2n ** 32n, max: 2n ** 33n }),
    );
    const other = fc.oneof(
      pair,
      near.map(intFromBigint),
      near.map((n) => float(Number(n))),
    );
    fc.assert(
      fc.property(pair, other, (a, b) => {
        expect(hashKey(testThread(), a, null) === hashKey(testThread(), b, null)).toBe(same(a, b));
      }),
      { numRuns: 5000 },
    );
    expect(hashKey(testThread(), tuple(float(1), float(-0)), null)).toBe(
      hashKey(testThread(), tuple(1, 0), null),
    );
  });

  it('tells functions apart, also inside tuples', () => {
    const [f, g] = [new Builtin({} as never), new Closure({} as never, {} as never, [], [], {})];
    const key = (v: Value): unknown => hashKey(testThread(), v, null);
    expect([key(f), key(tuple(f)) === key(tuple(f)), key(tuple(f)) === key(tuple(g))]).toEqual([
      f,
      true,
      false,
    ]);
  });

  it.each<[string, Value]>([
    ['list', list()],
    ['dict', dict()],
    ['set', set()],
    ['range', new Range(0, 1, 1, 1)],
    ['list', tuple(1, tuple(list()))],
  ])('refuses a %s', (name, v) => {
    expect(faultOf(() => hashKey(testThread(), v, null))).toBe(`EVAL_UNHASHABLE unhashable type: ${name}`);
  });

  it('refuses a list even when it is frozen', () => {
    const frozen = new List([]);
    frozen.locks = 0x3fffffff;
    expect(faultOf(() => hashKey(testThread(), frozen, null))).toBe('EVAL_UNHASHABLE unhashable type: list');
  });

  it('ends in a limit for tuples that nest too deep or share too much', () => {
    let deep: Value = tuple();
    for (let i = 0; i < 100_000; i += 1) deep = tuple(deep);
    expect(faultOf(() => hashKey(testThread(), deep, null))).toMatch(/^DEPTH_LIMIT hashing/);
    let shared: Value = tuple('x');
    for (let i = 0; i < 64; i += 1) shared = tuple(shared, shared);
    expect(faultOf(() => hashKey(testThread(), shared, null))).toMatch(/^MEMORY_LIMIT/);
  });
});
