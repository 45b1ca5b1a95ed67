// Verdicts of a judge -> whether they follow the order in which it saw the results.
//
// - A judge that goes by the results prefers the same one wherever it stands. So the rate at which the first one wins is
//   taken apart for both orders, and its mean compared with one half: a skill that always wins does not look like a bias,
//   also where one order came more often.
// - It is told where every verdict follows the order, of at least three; or more often than chance would have it (95 %).
//   Verdicts in one order alone say nothing.
import type { Judgement } from './judge.ts';

/** Which place the judge favours; null: none that can be seen. */
export type PositionBias = 'first' | 'second' | null;

const fewest = 3;
const z95 = 1.96;

export function positionBiasOf(judgements: readonly Judgement[]): PositionBias {
  const decided = judgements.flatMap((each) =>
    each.status === 'valid' && each.better !== 'tie'
      ? [{ order: each.first, isFirst: each.better === each.first }]
      : [],
  );
  const [a, b] = [
    decided.filter(({ order }) => order === 'with'),
    decided.filter(({ order }) => order === 'without'),
  ];
  if (a.length === 0 || b.length === 0 || decided.length < fewest) return null;
  const rateOf = (some: typeof decided): number => some.filter(({ isFirst }) => isFirst).length / some.length;
  const beyondHalf = (rateOf(a) + rateOf(b)) / 2 - 0.5;
  const deviation = Math.sqrt(1 / a.length + 1 / b.length) / 4;
  if (Math.abs(beyondHalf) < 0.5 && Math.abs(beyondHalf) < z95 * deviation) return null;
  return beyondHalf > 0 ? 'first' : 'second';
}
