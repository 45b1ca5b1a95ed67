// Evidence -> how sure it is that this skill is the one, 0 to 1.
//
// A small logistic rule with fixed weights; docs/decisions/0014-matching.md explains them. Of the suggestions with a
// confidence of 0.7 about seven in ten are right.
import type { Evidence } from './evidence.ts';

/** By kind of evidence. */
export const confidenceWeights = {
  bias: -3,
  support: 4.2,
  margin: 2.4,
  unknown: -1.1,
  words: 1.6,
  conceptual: -2,
  refusesSkill: -4.8,
} as const;

/** A match without a name or a trigger is never certain. */
const most = 0.97;

export function confidenceOf(evidence: Evidence): number {
  const sum =
    confidenceWeights.bias +
    confidenceWeights.support * evidence.support +
    confidenceWeights.margin * evidence.margin +
    confidenceWeights.unknown * evidence.unknown +
    confidenceWeights.words * evidence.words +
    (evidence.conceptual ? confidenceWeights.conceptual : 0) +
    (evidence.refusesSkill ? confidenceWeights.refusesSkill : 0);
  return Math.round((most / (1 + Math.exp(-sum))) * 1000) / 1000;
}

/** Weights of what is looked for in short messages only: message-shape.ts, said-phrase.ts. */
const askedFor = { wholeName: 3, nameWord: 1, phraseWord: 0.8 } as const;

export interface AskedFor {
  /** What of the skill's name the message asks for as a thing. */
  readonly name: 'whole' | 'word' | null;
  /** Words of a phrase that the skill says people say to it. */
  readonly phrase: number;
}

/** A confidence, with that evidence added to what it was made of. */
export function withAskedFor(confidence: number, { name, phrase }: AskedFor): number {
  const more =
    (name === 'whole' ? askedFor.wholeName : name === 'word' ? askedFor.nameWord : 0) +
    askedFor.phraseWord * phrase;
  if (more === 0 || confidence <= 0) return confidence;
  const sum = Math.log(confidence / Math.max(0.001, most - confidence)) + more;
  return Math.round((most / (1 + Math.exp(-sum))) * 1000) / 1000;
}
