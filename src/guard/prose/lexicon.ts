// Words -> the concepts that rules about sentences are written in.
//
//   concept -> verbs (all their forms), other words, phrases; in English, and the usual words of Chinese and some European languages
//
// A rule names concepts, never words, so a new word makes every rule better that uses its concept. Verbs are listed by their base form.
import { authorityConcepts } from './lexicon/authority.ts';
import type { Concepts } from './lexicon/concept-words.ts';
import { extraConcepts } from './lexicon/extras.ts';
import { frameConcepts } from './lexicon/frames.ts';
import { generalConcepts } from './lexicon/general.ts';
import { honestyConcepts } from './lexicon/honesty.ts';
import { machineConcepts } from './lexicon/machine.ts';
import { oversightConcepts } from './lexicon/oversight.ts';
import { recipientConcepts } from './lexicon/recipients.ts';
import { talkConcepts } from './lexicon/talk.ts';

export const concepts: Concepts = {
  ...generalConcepts,
  ...machineConcepts,
  ...talkConcepts,
  ...extraConcepts,
  ...recipientConcepts,
  ...oversightConcepts,
  ...honestyConcepts,
  ...authorityConcepts,
  ...frameConcepts,
};

/** Given by the reader to addresses and paths, not to words. */
export const placeConcepts: readonly string[] = [
  'URL',
  'UNKNOWN_HOST',
  'ADDRESS',
  'CATCHER',
  'PASTE',
  'BINARY_URL',
  'GIT_ADDRESS',
  'SCRIPT_URL',
  'EMAIL',
  'SECRET_FILE',
  'MEMORY_FILE',
  'DOTENV_FILE',
  'PROFILE_FILE',
  'SYSTEM_PATH',
  'CRYPTO_ADDRESS',
  'REFERRAL_URL',
];

/** Asked for by the reader and the detector of sentences, whatever the rules name. */
export const conceptsOfReader: readonly string[] = ['NOT', 'MAYBE', 'ATTACKER', 'SKILL_ACTS'];
