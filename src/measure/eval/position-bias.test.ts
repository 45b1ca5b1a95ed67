import { describe, expect, it } from 'vitest';
import type { Arm, OutputJudgement } from './judge.ts';
import { positionBiasOf } from './position-bias.ts';

const says = (first: Arm, better: Arm | 'tie'): OutputJudgement => ({
  first,
  replies: [],
  status: 'valid',
  scores: { with: [5], without: [5] },
  better,
  reason: 'so',
});
const times = (count: number, one: OutputJudgement): readonly OutputJudgement[] =>
  Array.from({ length: count }, () => one);

describe('positionBiasOf', () => {
  it('sees a judge that always says the same letter', () => {
    expect(positionBiasOf([says('with', 'with'), says('without', 'without'), says('with', 'with')])).toBe(
      'first',
    );
    expect(
      positionBiasOf([
        says('with', 'without'),
        says('without', 'with'),
        says('with', 'without'),
        says('with', 'tie'),
      ]),
    ).toBe('second');
  });

  it('does not take a skill that always wins for a bias, also where the orders are uneven', () => {
    expect(positionBiasOf([...times(9, says('with', 'with')), says('without', 'with')])).toBeNull();
    expect(positionBiasOf(times(5, says('with', 'with')))).toBeNull();
  });

  it('sees what is more than chance among many, and nothing in a few', () => {
    const mostly = (count: number, others: number): readonly OutputJudgement[] => [
      ...times(count, says('with', 'with')),
      ...times(others, says('with', 'without')),
      ...times(count, says('without', 'without')),
      ...times(others, says('without', 'with')),
    ];
    expect([
      positionBiasOf(mostly(14, 6)),
      positionBiasOf(mostly(3, 2)),
      positionBiasOf([says('with', 'with'), says('without', 'without')]),
    ]).toEqual(['first', null, null]);
  });
});
