// Verdicts of a judge -> whether they follow the order in which it saw the results.
//
// An unbiased judge prefers the same result in either place. So the rate at which the first one wins is computed for
// each order, and the mean of both compared with one half: a skill that always wins does not look like a bias, even if
// one order came more often. A bias is reported if every verdict of at least three follows the order, or more of them
// than chance explains (95 %). Verdicts in one order alone show nothing.
import type { OutputJudgement } from './judge.ts';

/** Which place the judge favours; null: none that can be seen. */
export type PositionBias = 'first' | 'second' | null;

const fewest = 3;
const z95 = 1.96;

export function positionBiasOf(judgements: readonly OutputJudgement[]): PositionBias {
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
