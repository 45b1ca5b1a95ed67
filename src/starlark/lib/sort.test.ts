import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { anyFloat, anyInt, anyNumber, float, list, tuple } from '../../../test/support/starlark-values.ts';
import { compare } from '../value/compare.ts';
import type { Value } from '../value/value.ts';
import { sortByKeys } from './sort.ts';

const order = (a: Value, b: Value): number => compare(testThread(), a, b, '<');

/** Insertion into place after all that are not greater: slow, and plainly stable. */
function naive(keys: Value[], descending: boolean): number[] {
  const out: number[] = [];
  for (const [i, key] of keys.entries()) {
    const at = out.findIndex((j) =>
      descending ? order(keys[j] as Value, key) < 0 : order(keys[j] as Value, key) > 0,
    );
    out.splice(at < 0 ? out.length : at, 0, i);
  }
  return out;
}

const kinds: [string, fc.Arbitrary<Value>][] = [
  ['small ints', fc.integer({ min: -5, max: 5 })],
  ['large ints', fc.maxSafeInteger()],
  ['ints of any size', anyInt],
  ['floats', anyFloat.map(float)],
  ['numbers', anyNumber],
  ['short strings', fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', '\ud83d', '\uffff') })],
  ['long strings', fc.nat(20).map((n) => `${'x'.repeat(60 + n)}${n}`)],
  ['tuples', fc.tuple(fc.nat(2), fc.string({ maxLength: 1 })).map((items) => tuple(...items))],
  ['bools', fc.boolean()],
];

describe('sortByKeys', () => {
  it.each(kinds)('sorts by %s, stable in both directions', (_name, key) => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), fc.boolean(), (keys, descending) => {
        const indices = keys.map((_, i) => i);
        expect(sortByKeys(testThread(), [...indices], keys, descending)).toEqual(naive(keys, descending));
      }),
      { numRuns: 200 },
    );
  });

  it.each(kinds)('sorts %s themselves', (_name, key) => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), fc.boolean(), (keys, descending) => {
        const items = [...keys];
        expect(sortByKeys(testThread(), items, items, descending)).toEqual(
          naive(keys, descending).map((i) => keys[i]),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('sorts many of each kind', () => {
    const numbers = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 5003);
    const up = numbers.toSorted((a, b) => a - b);
    const text = numbers.map(String);
    const items = (of: Value[]): Value[] => [...of];
    const [a, b, c] = [items(numbers), items(text), items(numbers.map(float))];
    expect(sortByKeys(testThread(), a, a, true)).toEqual(up.toReversed());
    expect(sortByKeys(testThread(), b, b, false)).toEqual(text.toSorted());
    expect(sortByKeys(testThread(), c, c, false)).toEqual(up.map(float));
    expect(sortByKeys(testThread(), items(text), items(numbers), false)).toEqual(up.map(String));
  });

  it('keeps NaN last', () => {
    const items: Value[] = [float(NaN), 1, float(Infinity), float(-1)];
    expect(sortByKeys(testThread(), items, items, false)).toEqual([
      float(-1),
      1,
      float(Infinity),
      float(NaN),
    ]);
  });

  it('refuses what has no order, in the order of the operands', () => {
    const items: Value[] = [1, 2, null, 3];
    expect(faultOf(() => sortByKeys(testThread(), items, items, false))).toBe(
      'EVAL_TYPE unsupported comparison: NoneType < int',
    );
    const lone: Value[] = [null];
    expect(sortByKeys(testThread(), lone, lone, false)).toEqual([null]);
  });

  it('charges for n log n before it begins, and for long comparisons on the way', () => {
    const items: Value[] = Array.from({ length: 1000 }, (_, i) => i);
    expect(faultOf(() => sortByKeys(testThread({ steps: 9000 }), items, items, false))).toMatch(
      /^STEP_LIMIT/,
    );
    const long: Value[] = Array.from({ length: 100 }, (_, i) => `${'x'.repeat(100_000)}${i}`);
    expect(faultOf(() => sortByKeys(testThread({ steps: 200_000 }), long, long, false))).toMatch(
      /^STEP_LIMIT/,
    );
    const lists: Value[] = Array.from({ length: 100 }, (_, i) =>
      list(...Array.from({ length: 1000 }, () => 0), i),
    );
    expect(faultOf(() => sortByKeys(testThread({ steps: 50_000 }), lists, lists, false))).toMatch(
      /^STEP_LIMIT/,
    );
  });
});
