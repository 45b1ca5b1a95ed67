import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyIndex } from './key-index.ts';
import type { HashKey } from './value.ts';

type Step = readonly ['add' | 'remove', HashKey] | readonly ['clear' | 'pack'];

/** Keys that meet each other often: small ints, large ones, pairs, fractions, text. */
const key: fc.Arbitrary<HashKey> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 60 }) },
  { weight: 2, arbitrary: fc.maxSafeInteger() },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 50 }).map((n) => 2 ** 53 + 2 * n * (2 ** 26 + 1)) },
  { weight: 3, arbitrary: fc.constantFrom<HashKey>('a', 'b', '\0i5;', null, true, false, 'constructor', 0.5, 1.5, Number.NaN, Infinity, -Infinity) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(fc.constant('add' as const), key) },
  { weight: 8, arbitrary: fc.tuple(fc.constant('remove' as const), key) },
  { weight: 1, arbitrary: fc.constant(['clear'] as const) },
  { weight: 1, arbitrary: fc.constant(['pack'] as const) },
);

/** Does the same with a Map; keys that are there are looked up. */
function check(steps: readonly Step[], index = new KeyIndex()): void {
  let map = new Map<HashKey, number>();
  let end = 0;
  for (const [what, which] of steps) {
    if (what === 'clear') {
      index.clear();
      map.clear();
      end = 0;
    } else if (what === 'pack') {
      index.pack();
      map = new Map([...map.keys()].map((each, position) => [each, position]));
      end = map.size;
    } else if (what === 'remove') {
      expect(index.remove(which)).toBe(map.get(which));
      map.delete(which);
    } else {
      expect(index.get(which)).toBe(map.get(which));
      if (map.has(which)) continue;
      index.add(which, end);
      map.set(which, end);
      end += 1;
    }
    expect(index.size).toBe(map.size);
  }
  expect(index.hashes.filter((each) => each !== undefined)).toEqual([...map.keys()]);
  for (const [each, position] of map) expect([index.get(each), index.has(each), index.hashes[position]]).toEqual([position, true, each]);
}

/** Keys whose hashes differ only in their lowest bits: multiples of the inverse of the spreading factor. */
function chosenKeys(count: number): number[] {
  let inverse = 1;
  for (let round = 0; round < 6; round += 1) inverse = Math.imul(inverse, 2 - Math.imul(0x9e3779b1, inverse));
  return Array.from({ length: count }, (_, n) => Math.imul(n, inverse));
}

describe('KeyIndex', () => {
  it('does what a Map does', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 300 }), (steps) => check(steps)), { numRuns: 300 });
  });

  it('does so too after it was attacked', () => {
    const attack = chosenKeys(400).map((each) => ['add', each] as const);
    fc.assert(fc.property(fc.array(step, { maxLength: 100 }), (steps) => check([['add', 0.5], ...attack, ...steps])), { numRuns: 30 });
  });

  it('grows, and forgets what was removed', () => {
    check(Array.from({ length: 5000 }, (_, n) => ['add', n * 7] as const));
    check(Array.from({ length: 5000 }, (_, n) => [n % 3 === 2 ? 'remove' : 'add', n % 3 === 2 ? n - 2 : n] as const));
    check(Array.from({ length: 5000 }, (_, n) => [n % 2 === 1 ? 'remove' : 'add', n >> 1] as const));
  });

  it('stays quick when keys are chosen to fall on one place (T3)', () => {
    const index = new KeyIndex();
    const keys = chosenKeys(100_000);
    for (const [position, each] of keys.entries()) index.add(each, position);
    expect(keys.every((each, position) => index.get(each) === position)).toBe(true);
  });
});
