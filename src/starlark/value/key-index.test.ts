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
  {
    weight: 3,
    arbitrary: fc.constantFrom<HashKey>(
      'a',
      'b',
      '\0i5;',
      null,
      true,
      false,
      'constructor',
      0.5,
      1.5,
      Number.NaN,
      Infinity,
      -Infinity,
    ),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(fc.constant('add' as const), key) },
  { weight: 8, arbitrary: fc.tuple(fc.constant('remove' as const), key) },
  { weight: 1, arbitrary: fc.constant(['clear'] as const) },
  { weight: 1, arbitrary: fc.constant(['pack'] as const) },
);

/** What each step gives, and what there is at the end. */
interface Transcript {
  readonly answers: (number | undefined)[];
  readonly entries: (readonly [HashKey, number | undefined])[];
}

function withIndex(steps: readonly Step[]): Transcript {
  const index = new KeyIndex();
  const answers: (number | undefined)[] = [];
  let end = 0;
  for (const [what, which = null] of steps) {
    if (what === 'remove') answers.push(index.remove(which), index.size);
    else if (what === 'add') {
      const known = index.get(which);
      answers.push(known, index.size);
      if (known !== undefined) continue;
      index.add(which, end);
      end += 1;
    } else {
      if (what === 'clear') index.clear();
      else index.pack();
      end = index.size;
    }
  }
  return {
    answers,
    entries: index.hashes.filter((each) => each !== undefined).map((each) => [each, index.get(each)]),
  };
}

function withMap(steps: readonly Step[]): Transcript {
  let map = new Map<HashKey, number>();
  const answers: (number | undefined)[] = [];
  let end = 0;
  for (const [what, which = null] of steps) {
    if (what === 'remove') {
      answers.push(map.get(which));
      map.delete(which);
      answers.push(map.size);
    } else if (what === 'add') {
      answers.push(map.get(which), map.size);
      if (map.has(which)) continue;
      map.set(which, end);
      end += 1;
    } else {
      map = new Map(what === 'clear' ? [] : [...map.keys()].map((each, position) => [each, position]));
      end = map.size;
    }
  }
  return { answers, entries: [...map] };
}

/** Keys with one hash: the low half takes back what the high half does to it. */
function chosenKeys(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n * 2 ** 32 + ((Math.imul(n, 0x85ebca6b) ^ 12_345) >>> 0));
}

describe('KeyIndex', () => {
  it('does what a Map does', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        expect(withIndex(steps)).toEqual(withMap(steps));
      }),
      { numRuns: 300 },
    );
  });

  it('does so too after it was attacked', () => {
    const attack: Step[] = [['add', 0.5], ...chosenKeys(400).map((each) => ['add', each] as const)];
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        expect(withIndex([...attack, ...steps])).toEqual(withMap([...attack, ...steps]));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['grows', Array.from({ length: 5000 }, (_, n): Step => ['add', n * 7])],
    [
      'forgets what was removed',
      Array.from({ length: 5000 }, (_, n): Step => (n % 3 === 2 ? ['remove', n - 2] : ['add', n])),
    ],
    [
      'is emptied one by one',
      Array.from({ length: 5000 }, (_, n): Step => [n % 2 === 1 ? 'remove' : 'add', n >> 1]),
    ],
  ])('%s', (_what, steps) => {
    expect(withIndex(steps)).toEqual(withMap(steps));
  });

  it('takes keys at once, and tells one that is there twice', () => {
    const long = fc.constantFrom<HashKey>('x'.repeat(20_000), 'y'.repeat(20_000));
    fc.assert(
      fc.property(fc.array(fc.oneof(key, long), { maxLength: 12 }), (keys) => {
        const index = new KeyIndex();
        const twice = keys.findIndex((each, at) => keys.slice(0, at).some((other) => Object.is(other, each)));
        const taken = index.take([...keys]);
        const found = taken < 0 ? [index.size, ...keys.map((each) => index.get(each))] : [];
        expect([taken, found]).toEqual([twice, twice < 0 ? [keys.length, ...keys.keys()] : []]);
      }),
    );
  });

  it('stays quick when keys are chosen to fall on one place (key-index#T4)', () => {
    const index = new KeyIndex();
    const keys = chosenKeys(100_000);
    for (const [position, each] of keys.entries()) index.add(each, position);
    expect(keys.every((each, position) => index.get(each) === position)).toBe(true);
  });
});
