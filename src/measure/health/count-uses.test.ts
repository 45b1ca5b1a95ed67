import { describe, expect, it } from 'vitest';
import type { UseEvent } from './count-uses.ts';
import { countUses } from './count-uses.ts';

const activation = (
  skill: string,
  at: number,
  reason: 'on_demand' | 'auto_suggested' = 'on_demand',
): UseEvent => ({
  kind: 'activation',
  skill,
  at,
  reason,
  tokens: 100,
  where: 'chat',
});
const run = (skill: string, at: number, ok: boolean | null): UseEvent => ({
  kind: 'run',
  skill,
  at,
  ok,
  costMicros: 5,
  isNested: false,
});
const miss = (skill: string, at: number, message: string): UseEvent => ({ kind: 'miss', skill, at, message });

describe('countUses', () => {
  it('counts activations and runs as uses, failures and cost of runs, and the newest misses', () => {
    expect(
      countUses([
        activation('tides', 30),
        activation('tides', 10, 'auto_suggested'),
        run('tides', 20, false),
        run('tides', 25, null),
        ...['a', 'b', 'c', 'd', 'e', 'f', 'f'].map((text, at) => miss('tides', at, text)),
      ]),
    ).toEqual([
      {
        skill: 'tides',
        uses: 4,
        activations: 2,
        suggested: 1,
        runs: 2,
        failures: 1,
        costMicros: 10,
        tokens: 200,
        lastUsed: 30,
        misses: 7,
        missed: ['f', 'e', 'd', 'c', 'b'],
      },
    ]);
  });

  it('puts the most used first, and those that nobody used last', () => {
    expect(
      countUses([run('b', 1, true), activation('a', 1), run('b', 2, true)], ['z', 'a', 'y']).map(
        ({ skill, uses, lastUsed }) => [skill, uses, lastUsed],
      ),
    ).toEqual([
      ['b', 2, 2],
      ['a', 1, 1],
      ['y', 0, null],
      ['z', 0, null],
    ]);
  });
});
