// What a message and a skill have in common -> whether that is enough to call it a request, 0 to 1.
//
//   strength = telling words shared · (½ + their share of all telling words of the message)
//
// W1. Judged by general English and not by the library: among few skills every word is rare.
// W2. One telling word suffices where it is what the message is about ("I want bread"), and not where it is one thing among
//     others ("sailing is my hobby"). Words of everyday talk never suffice alone ("what time is it").
// W3. Two words that stand side by side in both tell more than each: "meeting notes".
// W4. A name, or a number, tells to whom or where and not what: it does not make a request less of one.
// W5. So does a message that has the whole name: "a checklist for the move".
import type { SharedWord } from './reason.ts';
import { isCommonWord } from '../text/common-words.ts';
import { requestWords } from '../text/stop-words.ts';

const worth = { telling: 1, common: 0.35, request: 0.1, name: 0.3 } as const;
/** Of a word that only the body has. */
const inBody = 0.5;
/** W3, W5 */
const [sideBySide, wholeName] = [0.5, 0.35];
/** Nothing below the first, everything from the second on. */
const [weak, enough] = [0.9, 1.25];

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
}

export function substanceOf({ words, unknown, shared, neighbours, named }: Substance): number {
  let common = 0;
  for (const { word, inHead } of shared) common += worthOf(word) * (inHead ? 1 : inBody);
  // The usual case of a long message, and the only one that matters for speed.
  if (common * 0.5 >= enough) return 1;
  let all = 0;
  for (const word of words) all += worthOf(word);
  // W4
  for (const word of unknown) all += /^[\p{Lu}\p{N}]/u.test(word) ? worth.name : worthOf(word);
  const strength = (common + (neighbours ? sideBySide : 0) + (named ? wholeName : 0)) * (0.5 + (all === 0 ? 0 : Math.min(1, common / all)));
  return Math.min(1, Math.max(0, (strength - weak) / (enough - weak)));
}

function worthOf(word: string): number {
  const lower = word.toLowerCase();
  return requestWords.has(lower) ? worth.request : isCommonWord(lower) ? worth.common : worth.telling;
}
