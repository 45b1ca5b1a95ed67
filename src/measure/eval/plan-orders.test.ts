import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOrders } from './plan-orders.ts';

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
