import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mixSeed, planAttempts, planOrders, shuffled } from './plan-attempts.ts';
import { seededRandom } from './random.ts';

const others = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('planAttempts', () => {
  it('tries every case once before any is tried again, in an order that is drawn', () => {
    const plan = planAttempts(10, { runs: 2, seed: 1, distractors: null, others });
    expect(plan.map(({ run }) => run)).toEqual([...Array(10).fill(1), ...Array(10).fill(2)]);
    const [first, second] = [plan.slice(0, 10), plan.slice(10)].map((round) => round.map(({ at }) => at));
    expect(first?.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(first).not.toEqual(second);
    expect(plan.every(({ distractors }) => distractors === null)).toBe(true);
  });

  it('draws distractors anew for each attempt, none twice, and the same with the same seed', () => {
    const plan = planAttempts(4, { runs: 3, seed: 7, distractors: 3, others });
    for (const { distractors } of plan)
      expect([new Set(distractors).size, distractors?.every((name) => others.includes(name))]).toEqual([
        3,
        true,
      ]);
    expect(new Set(plan.map(({ distractors }) => distractors?.join())).size).toBeGreaterThan(6);
    expect(planAttempts(4, { runs: 3, seed: 7, distractors: 3, others })).toEqual(plan);
    expect(planAttempts(4, { runs: 3, seed: 8, distractors: 3, others })).not.toEqual(plan);
    expect(planAttempts(1, { runs: 1, seed: 1, distractors: 99, others })[0]?.distractors).toHaveLength(6);
  });

  it('does not depend on how many repeats there are', () => {
    expect(planAttempts(4, { runs: 5, seed: 7, distractors: 2, others }).slice(0, 12)).toEqual(
      planAttempts(4, { runs: 3, seed: 7, distractors: 2, others }),
    );
  });
});

describe('shuffled', () => {
  it('puts each item first about equally often', () => {
    const first = new Map<string, number>();
    for (let at = 0; at < 3000; at += 1) {
      const [name] = shuffled(others, seededRandom(mixSeed(1, at, 1))) as [string];
      first.set(name, (first.get(name) ?? 0) + 1);
    }
    for (const name of others) expect(first.get(name)).toBeGreaterThan(400);
    const heads = Array.from({ length: 2000 }, (_, at) =>
      seededRandom(mixSeed(3, at % 100, Math.floor(at / 100)))(),
    ).filter((drawn) => drawn < 0.5).length;
    expect(Math.abs(heads - 1000)).toBeLessThan(100);
  });
});

describe('planOrders', () => {
  it('shows each result first equally often, but for one: in a prompt, a round and all together', () => {
    const uneven = (firsts: readonly string[]): number =>
      Math.abs(2 * firsts.filter((arm) => arm === 'with').length - firsts.length);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        (prompts, runs, seed) => {
          const ordersOf = planOrders(prompts, seed, false);
          const rows = Array.from({ length: prompts }, (_, at) =>
            Array.from({ length: runs }, (__, run) => ordersOf(at, run + 1)[0] as string),
          );
          const rounds = Array.from({ length: runs }, (_, run) => rows.map((row) => row[run] as string));
          expect([...rows, ...rounds, rows.flat()].every((firsts) => uneven(firsts) <= 1)).toBe(true);
        },
      ),
    );
  });

  it('gives the same for the same seed, and the odd one by the seed', () => {
    const odd = (seed: number): string => planOrders(1, seed, false)(0, 1).join();
    expect([odd(1), odd(1)]).toEqual([odd(1), odd(1)]);
    expect(new Set(Array.from({ length: 20 }, (_, seed) => odd(seed)))).toEqual(new Set(['with', 'without']));
  });

  it('has each of them first once where both orders are wanted', () => {
    expect([...planOrders(2, 1, true)(1, 2)].sort()).toEqual(['with', 'without']);
  });
});
