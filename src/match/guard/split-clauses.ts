// Text -> sentences -> clauses, which limit how far a "not" reaches. Every character belongs to one clause of one
// sentence.
//
// A sentence ends with . ! ? before a space, with 。！？；; or with its line; a line that continues in lower case belongs
// to the same sentence. A clause ends with its sentence, at a comma, colon, dash or bracket, and before a word that
// starts a new thought ("but", "so I", "and then", 但, 而是).
import { allMatches } from './all-matches.ts';
import type { Stretch } from './guard.ts';
import { unfold } from '../text/unfold.ts';

export interface Sentence extends Stretch {
  readonly clauses: readonly Stretch[];
}

const sentenceEnd = /[.!?…]+(?=["'”’)\]]*(?:\s|$))|[。！？；;]+|\n(?!\p{Ll})/gu;
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|dr|mr|mrs|ms|prof|no|approx|cf|z\.b|bzw|p\.s|sr|jr|st)$/;
const clauseEnd = new RegExp(
  unfold`
    [,，:：()（）—–]|\s-{1,2}\s|(?<!\b(?:anything|everything|nothing|all)\s)\bbut\b
    |\b(?:however|although|though|whereas|because|instead(?!\s+of)|otherwise|then)\b
    |\b(?:and|so)\s+(?=
      (?:
        i|we|you|he|she|they|it|want|need|would|could|can|please|now|then|just|only|instead|let|let's|also
        |simply|kindly|next
      )\b
    )
    |(?<=\w\s)so\s+
    (?!special|great|good|bad|hard|popular|important|that|much|many|far|long|as|called|on|forth)
    |\bwhich is why\b|\b(?:aber|sondern|jedoch|mais|pero|sino)\b|但是?|不过|而是|所以|因为|然后|只需|只要
    |就行
  `,
  'g',
);

/** The lower-case text, of the same length, tells the words. */
export function splitSentences(text: string, lower: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const end of allMatches(sentenceEnd, text)) {
    if (end[0] === '.' && abbreviation.test(lower.slice(Math.max(start, end.index - 8), end.index))) continue;
    const to = end.index + end[0].length;
    if (text.slice(start, to).trim() !== '') sentences.push(sentenceOf(lower, start, to));
    start = to;
  }
  if (text.slice(start).trim() !== '') sentences.push(sentenceOf(lower, start, text.length));
  return sentences;
}

function sentenceOf(text: string, start: number, end: number): Sentence {
  const clauses: Stretch[] = [];
  let from = start;
  for (const cut of allMatches(clauseEnd, text.slice(start, end))) {
    const at = start + cut.index;
    // A mark belongs to the clause before it, a word to the one after.
    const to = /^[\s\p{P}]/u.test(cut[0]) ? at + cut[0].length : at;
    if (to > from) clauses.push({ start: from, end: to });
    from = Math.max(from, to);
  }
  if (end > from) clauses.push({ start: from, end });
  return { start, end, clauses };
}

/** The sentence at an offset, by its index; -1 in the space between two. */
export function sentenceAt(sentences: readonly Sentence[], offset: number): number {
  let low = 0;
  let high = sentences.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { start, end } = sentences[middle] as Sentence;
    if (offset < start) high = middle - 1;
    else if (offset >= end) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** The clause at an offset of its sentence, by its index. */
export function clauseAt({ clauses }: Sentence, offset: number): number {
  let low = 0;
  let high = clauses.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((clauses[middle] as Stretch).start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
