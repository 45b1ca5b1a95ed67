// The evidence for and against suggesting the best candidate at all.
//
// A word in the name, the triggers or the description tells as much among few skills as among many, because these texts
// are about the subject of the skill. Measured by the rarest that a word could be (one that no skill has), each word in
// a library of two counted for less than half, and plain requests failed. Bodies keep that measure: they are long and
// full of ordinary words, and a few skills cannot show which words those are.
import type { Query } from '../lexical/read-query.ts';
import { rarity } from '../lexical/read-query.ts';
import type { Features } from '../lexical/score-candidates.ts';
import type { MessageShape } from './message-shape.ts';

export interface Evidence {
  /** The candidate's score, of all that the message tells: 0 to about 1. */
  readonly support: number;
  /** How far the next best is behind, 0 to 1. */
  readonly margin: number;
  /** How much of what the message tells no skill has a word for, 0 to 1. */
  readonly unknown: number;
  /** ln(1 + as many fully telling words as the candidate shares with the message). */
  readonly words: number;
  readonly conceptual: boolean;
  /** The message names a skill and refuses it, or asks about it. */
  readonly refusesSkill: boolean;
}

export interface EvidenceParts {
  readonly score: number;
  /** Of the next candidate, or of the best one when this is not it; 0 when there is none. */
  readonly rival: number;
  readonly features: Features;
  readonly query: Query;
  readonly documents: number;
  readonly shape: MessageShape;
  readonly refusesSkill: boolean;
}

/** How much of a fully telling word one is that a single skill has, among some hundreds. */
const onlyOne = 0.83;

export function evidenceOf({
  score,
  rival,
  features,
  query,
  documents,
  shape,
  refusesSkill,
}: EvidenceParts): Evidence {
  const whole = query.mass + query.unknownMass;
  const known = whole > 0 ? query.mass / whole : 0;
  return {
    support: score * known,
    margin: score + rival > 0 ? (score - rival) / Math.max(score, rival) : 0,
    unknown: 1 - known,
    words: Math.log(
      1 +
        query.mass *
          ((onlyOne * features.headCoverage) / rarity(documents, 1) +
            (features.coverage - features.headCoverage) / rarity(documents, 0)),
    ),
    conceptual: shape.conceptual,
    refusesSkill,
  };
}
