// The words that a message and a skill share -> whether they are enough for a request, 0 to 1.
//
//   strength = telling words shared · (½ + their share of all telling words of the message)
//
// General English decides which words are telling, not the library: among few skills every word is rare.
//
// substance#W2. One telling word suffices where the message is about it ("I want bread"), and not where it is one thing
//   among others ("sailing is my hobby"). Everyday words never suffice alone ("what time is it").
// substance#W3. Two words that are neighbours in both count for more than the two apart: "meeting notes".
// substance#W4. A name or a number shows to whom or where, and not what: it does not weaken a request.
// substance#W5. The whole name of a skill in a message counts like neighbours: "a checklist for the move".
// substance#W6. How much is enough depends on the form of a short message. If it asks, several common words are enough
//   ("I need a training plan"). If it describes how something is, one word is not ("my fridge is broken"), and if it
//   narrates what somebody did, two are not ("he failed the test"): a person who wants trouble solved writes more about
//   it.
// substance#W7. A word of the skill's name is telling if it is the thing asked for, however common: "plants", "make up
//   a story". A wording that the skill lists is enough.
import type { AskedFor } from './confidence.ts';
import type { MessageForm } from './message-shape.ts';
import type { SharedWord } from './reason.ts';
import { isCommonWord } from '../text/common-words.ts';
import { requestWords } from '../text/stop-words.ts';

const worth = { telling: 1, common: 0.35, request: 0.1, name: 0.3 } as const;
/** Verbs that say that something is to be made, and not what: they are none of several words. */
const making: ReadonlySet<string> = new Set(['write', 'create', 'build', 'find', 'add', 'set']);
/** Of a word that only the body has; of one that the skill has a synonym for. */
const [inBody, bySynonym] = [0.5, 0.5];
const [sideBySide, wholeName] = [0.5, 0.35];
/** Nothing below the first, everything from the second on: how much is enough (substance#W6). */
const bounds = { asks: [0.65, 0.85], none: [0.9, 1.25], tells: [1.7, 2.2], recounts: [3.2, 4.5] } as const;

export interface Substance {
  /** Of the message, those that skills have, as written; each once. */
  readonly words: Iterable<string>;
  /** Those that no skill has. */
  readonly unknown: readonly string[];
  readonly shared: readonly SharedWord[];
  /** Two of them are neighbours in the skill's name, triggers or description too. */
  readonly neighbours: boolean;
  /** The whole name of the skill is in the message. */
  readonly named: boolean;
  readonly form: MessageForm;
  readonly askedFor: AskedFor;
}

export function substanceOf({
  words,
  unknown,
  shared,
  neighbours,
  named,
  form,
  askedFor,
}: Substance): number {
  const several =
    shared.filter(
      ({ word, place, synonym }) =>
        place !== 'body' &&
        synonym === null &&
        !requestWords.has(word.toLowerCase()) &&
        !making.has(word.toLowerCase()),
    ).length > 1;
  const [weak, enough] = bounds[form === null || (form === 'asks' && !several) ? 'none' : form];
  if (form !== 'recounts' && (askedFor.phrase > 0 || askedFor.name !== null)) return 1;
  let common = 0;
  for (const { word, place, synonym } of shared)
    common += worthOf(word) * (place === 'body' ? inBody : 1) * (synonym === null ? 1 : bySynonym);
  // The usual case of a long message, and the only one that matters for speed.
  if (common * 0.5 >= enough) return 1;
  let all = 0;
  for (const word of words) all += worthOf(word);
  for (const word of unknown) all += /^[\p{Lu}\p{N}]/u.test(word) ? worth.name : worthOf(word);
  const strength =
    (common + (neighbours ? sideBySide : 0) + (named ? wholeName : 0)) *
    (0.5 + (all === 0 ? 0 : Math.min(1, common / all)));
  return Math.min(1, Math.max(0, (strength - weak) / (enough - weak)));
}

function worthOf(word: string): number {
  const lower = word.toLowerCase();
  return requestWords.has(lower) ? worth.request : isCommonWord(lower) ? worth.common : worth.telling;
}
