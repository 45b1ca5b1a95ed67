// Features of a candidate -> one score by which candidates are ordered, 0 to about 1.
//
// The weights are those of a logistic fit of "this one, not the others", rounded; docs/decisions/0014-matching.md says
// how they were chosen, and that halving or doubling any of them changes little.
import type { Features } from '../lexical/score-candidates.ts';

const weights = { lexical: 0.42, head: 0.16, name: 0.12, headPairs: 0.1, bodyPairs: 0.2 } as const;

/** Neighbours may outweigh a query of few telling words; they shall not decide alone. */
const mostPairs = 1;

export function scoreOf(features: Features): number {
  return (
    weights.lexical * features.lexical +
    weights.head * features.head +
    weights.name * features.name +
    weights.headPairs * Math.min(mostPairs, features.headPairs) +
    weights.bodyPairs * Math.min(mostPairs, features.bodyPairs)
  );
}
