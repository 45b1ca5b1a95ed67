// The ranking by words and the nearness of meanings -> one ranking.
//
//   score by words x (1 + a tenth of how far its meaning stands out)
//
// Words lead, because an embedder finds something near to every message and its quality is unknown: with small local
// weights, reciprocal ranks put the right skill first for 58 of 100 messages where words alone do for 86; this way it
// is 86 (node bench/match/meaning.mjs). How far a meaning stands out is counted in standard deviations over all skills,
// since each model has its own range of cosines.
//
// Confidence is that of words, with a little of its doubt removed; a confidence of zero, which guards gave, stays zero.
//
// A skill without a word in common with the message is nominated where its meaning stands out, unless the embedder is weak on these skills
// (strength.ts). That no word and no name agree lowers its confidence: it is never surer than `mostMeant`.
import type { Match } from '../match.ts';
import type { Ranked } from '../rank/ranker.ts';
import type { Strength } from './strength.ts';

export interface Near {
  readonly skill: string;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
  readonly deviations: number;
  /** How far before the next one; before 0.5 where there is no other. */
  readonly lead: number;
  /** As far as any skill could stand out among so many, nearly. */
  readonly farthest: number;
}

const weight = 0.1;
/** Below the first a meaning counts for nothing, from the second on in full. */
const [usual, outstanding] = [1, 3];
/** How much of the doubt that words leave a meaning takes away at most. */
const mostLift = 0.2;

/** How sure a meaning alone may be. */
const mostMeant = { strong: 0.6, unknown: 0.5, weak: 0 } as const;
/** By meaning alone, from so far out on. */
const leastShare = 0.8;
const mostNominated = 3;
/** Among fewer skills deviations say nothing, and the nearest must be well before the next. */
const fewest = 4;
const leastLead = 0.25;

/** Those of `near` that words did not find, nearest first. */
export function nominate(
  near: readonly Near[],
  strength: Strength,
  isKnown: (skill: string) => boolean,
): readonly Match[] {
  return near
    .filter((one) => !isKnown(one.skill) && standingOut(one) >= leastShare)
    .slice(0, strength === 'weak' ? 0 : mostNominated)
    .map((one) => ({
      skill: one.skill,
      mode: 'semantic',
      confidence: rounded(mostMeant[strength] * standingOut(one)),
      variables: {},
      reason: `shares no word, but its meaning is near (${one.similarity.toFixed(2)})`,
    }));
}

/** 0 to 1. */
function standingOut({ lead, deviations, farthest }: Near): number {
  if (farthest < 0.9 * Math.sqrt(fewest - 1)) return lead >= leastLead ? 1 : 0;
  const enough = Math.min(outstanding, farthest);
  return Math.min(1, Math.max(0, (deviations - usual) / (enough - usual)));
}

function rounded(confidence: number): number {
  return Math.round(confidence * 1000) / 1000;
}

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
  const lifted = confidence === 0 ? 0 : rounded(confidence + (1 - confidence) * mostLift * share);
  return {
    skill,
    mode: 'fused',
    confidence: lifted,
    variables: {},
    reason: `${reason}; its meaning is near (${near.similarity.toFixed(2)})`,
  };
}
