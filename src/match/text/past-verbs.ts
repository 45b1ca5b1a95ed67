// Finds the word of an English clause that is a verb in the past, or one that reports on others. The list has the
// irregular forms.
import { wordList } from './unfold.ts';

const irregular = new Set(
  wordList`
    was were had did went came saw said told gave got made took knew thought found left felt became kept
    began brought wrote sat stood lost paid met ran set spoke read led grew heard held fell sent built spent
    understood drew broke bought wore rose caught chose drove ate flew forgot hid learnt dreamt rode sang
    sold shook shot slept stole swam taught threw woke won put cut hit let knew swore overheard blew dug
    fought froze hung lent lit sank stuck swept tore wept meant dealt sought
  `,
);
/** Words in -ed that are no verbs, or stand before a noun. */
const adjectives = new Set(
  wordList`
    detailed animated attached advanced automated embedded need speed feed seed based related supposed
    updated shared linked limited indeed hundred red bed used united mixed fixed combined structured
  `,
);
const beforeNoun =
  /^(?:a|an|the|my|our|your|this|that|these|those|some|any|more|very|well|fully|highly|with|of|for|and|or)$/;

export function isPast(word: string, before: string | undefined): boolean {
  if (irregular.has(word)) return !(word === 'read' && before === 'please');
  return (
    word.length > 4 &&
    word.endsWith('ed') &&
    !adjectives.has(word) &&
    (before === undefined || !beforeNoun.test(before))
  );
}
