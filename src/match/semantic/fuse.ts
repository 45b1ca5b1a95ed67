// The ranking by words and the nearness of meanings -> one ranking.
//
//   score by words x (1 + a tenth of how far its meaning stands out)
//
// Words lead, because an embedder finds something near to every message and its quality is unknown: with small local
// weights, reciprocal ranks put the right skill first for 58 of 100 messages where words alone do for 86; this way it
// is 86 (node bench/match/meaning.mjs). How far a meaning stands out is counted in standard deviations over all skills,
// since each model has its own range of cosines.
//
// A skill without a word in common with the message is not ranked. Confidence stays that of words, with a little of its
// doubt removed; a confidence of zero stays zero.
import type { Match } from '../match.ts';
import type { Ranked } from '../rank/ranker.ts';

export interface Near {
  readonly skill: string;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
  readonly deviations: number;
}

const weight = 0.1;
/** Below the first a meaning counts for nothing, from the second on in full. */
const [usual, outstanding] = [1, 3];
/** How much of the doubt that words leave a meaning takes away at most. */
const mostLift = 0.2;

export function fuse(ranked: readonly Ranked[], near: readonly Near[]): readonly Match[] {
  const bySkill = new Map(near.map((one) => [one.skill, one]));
  const fused = ranked.map((one, at) => {
    const meaning = bySkill.get(one.skill) ?? null;
    return {
      score: one.score * (1 + weight * Math.max(0, meaning?.deviations ?? 0)),
      at,
      match: matchOf(one, meaning),
    };
  });
  return fused.sort((a, b) => b.score - a.score || a.at - b.at).map(({ match }) => match);
}

function matchOf({ skill, confidence, reason }: Ranked, near: Near | null): Match {
  const share =
    near === null ? 0 : Math.min(1, Math.max(0, (near.deviations - usual) / (outstanding - usual)));
  if (near === null || share === 0) return { skill, mode: 'lexical', confidence, variables: {}, reason };
  const lifted =
    confidence === 0 ? 0 : Math.round((confidence + (1 - confidence) * mostLift * share) * 1000) / 1000;
  return {
    skill,
    mode: 'fused',
    confidence: lifted,
    variables: {},
    reason: `${reason}; its meaning is near (${near.similarity.toFixed(2)})`,
  };
}
