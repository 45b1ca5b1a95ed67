// Two rankings of skills, by words and by meaning -> one.
//
//   Σ 1 / (60 + place)      reciprocal rank fusion: places are comparable, scores of two kinds are not
//
// F1. A skill that only its meaning brings needs some words in common with the message: an embedder finds something
//     near to everything.
// F2. Confidence stays that of words, lifted by how near the meaning is; meaning alone never carries a suggestion far.
import type { Match } from '../match.ts';
import type { Ranked } from '../rank/ranker.ts';

export interface Near {
  readonly skill: string;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

const flatness = 60;
/** Below the first a meaning says nothing, above the second it says all it can. */
const [unrelated, alike] = [0.3, 0.8];
/** How much of the doubt that words leave a meaning takes away at most. */
const mostLift = 0.6;

export function fuse(ranked: readonly Ranked[], near: readonly Near[]): readonly Match[] {
  const places = new Map(near.map(({ skill, similarity }, at) => [skill, { at, similarity }]));
  const fused = ranked.map((one, at) => {
    const other = places.get(one.skill);
    const score = 1 / (flatness + at + 1) + (other === undefined ? 0 : 1 / (flatness + other.at + 1));
    return { score, at, match: matchOf(one, other?.similarity ?? null) };
  });
  return fused.sort((a, b) => b.score - a.score || a.at - b.at).map(({ match }) => match);
}

function matchOf({ skill, confidence, reason }: Ranked, similarity: number | null): Match {
  const nearness = similarity === null ? 0 : Math.min(1, Math.max(0, (similarity - unrelated) / (alike - unrelated)));
  if (similarity === null || nearness === 0) return { skill, mode: 'lexical', confidence, variables: {}, reason };
  // A guard that left nothing of the words is not overruled.
  const lifted = confidence === 0 ? 0 : Math.round((confidence + (1 - confidence) * mostLift * nearness) * 1000) / 1000;
  return { skill, mode: 'fused', confidence: lifted, variables: {}, reason: `${reason}; its meaning is near (${similarity.toFixed(2)})` };
}
