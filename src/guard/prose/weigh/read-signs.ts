// One or two sentences -> the signs that are weighed.
//
//   sentence -> acts, takings, circumstances (sign-patterns.ts), words -> signs of a passage, with pairs and what is new to the text
//
// W1. A passage without an act and without a taking has no signs: it is not weighed.
// W2. Every word is looked at a bounded number of times, and a sentence is read once, however many passages it is in.
import type { Sentence } from '../read-prose.ts';
import type { SignPattern } from './sign-patterns.ts';
import { acts, circumstances, marks, takings } from './sign-patterns.ts';
import { PatternIndex, findInSentence } from '../sentence-pattern.ts';

/** What a passage takes from one sentence. */
export interface SentenceSigns {
  readonly acts: readonly SignPattern[];
  readonly takings: readonly SignPattern[];
  readonly around: readonly SignPattern[];
  readonly marks: readonly string[];
  /** Words in stem form, and pairs of words next to each other. */
  readonly words: readonly string[];
  /** Stems of the words that carry meaning. */
  readonly content: readonly string[];
}

/** Stem -> how many sentences of the text have it. */
export type StemCounts = ReadonlyMap<string, number>;

const plainWord = /^[a-z][a-z'-]{0,24}$/;
const functionWords = new Set(
  'a an the of to in on at by for from with and or as is are be it its this that these those you your will can may then than so if not no do does when after before once also all any each every into up out only there their they them has have been was were must should would could which who what how'.split(
    ' ',
  ),
);

/** `sends`, `sending` and `send` are one; only roughly, as all texts are treated alike. */
function stemOf(word: string): string {
  return word.length < 5 ? word : word.replace(/(?:'s|ies|ing|ed|es|s|e|y)$/, '');
}

export function countStems(sentences: readonly Sentence[]): StemCounts {
  const counts = new Map<string, number>();
  for (const { words } of sentences)
    for (const stem of new Set(words.map(({ text }) => stemOf(text))))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

const ways = [...acts, ...takings, ...circumstances, ...marks].flatMap((sign) => sign.ways);
const index = new PatternIndex(ways);
const places = new Map(ways.map((way, at) => [way, at]));

export function signsOfSentence(sentence: Sentence): SentenceSigns {
  const can = index.candidates(sentence);
  const those = (patterns: readonly SignPattern[]): readonly SignPattern[] =>
    patterns.filter((sign) =>
      sign.ways.some((way) => can[places.get(way) as number] === 1 && findInSentence(way, sentence) !== null),
    );
  const words: string[] = [];
  const content: string[] = [];
  let before = '';
  let quoted = 0;
  for (const word of sentence.words) {
    if (word.quoted) quoted += 1;
    if (!plainWord.test(word.text)) {
      before = '';
      continue;
    }
    const stem = stemOf(word.text);
    words.push(`w ${stem}`);
    if (before !== '') words.push(`b ${before} ${stem}`);
    before = stem;
    if (word.text.length > 1 && !functionWords.has(word.text)) content.push(stem);
  }
  return {
    acts: those(acts),
    takings: those(takings),
    around: those(circumstances),
    marks: [
      ...those(marks).map(({ name }) => name),
      ...(quoted > sentence.words.length / 2 ? ['quoted'] : []),
    ],
    words,
    content,
  };
}

/** Empty: there is nothing to weigh (W1). `own`: in how many sentences of `counts` the passage itself is counted. */
export function signsOfPassage(
  passage: readonly SentenceSigns[],
  counts: StemCounts,
  own: number,
): ReadonlySet<string> {
  const signs = new Set<string>();
  const done = new Set(passage.flatMap((one) => one.acts.map(({ name }) => name)));
  const taken = new Set(passage.flatMap((one) => one.takings.map(({ name }) => name)));
  if (done.size === 0 && taken.size === 0) return signs;
  const others = new Set([...taken, ...passage.flatMap((one) => one.around.map(({ name }) => name))]);
  let content = 0;
  let fresh = 0;
  for (const one of passage) {
    for (const mark of one.marks) signs.add(`s ${mark}`);
    for (const word of one.words) signs.add(word);
    for (const stem of one.content) {
      content += 1;
      if ((counts.get(stem) ?? 0) <= own) fresh += 1;
    }
  }
  for (const act of done) {
    signs.add(`h ${act}`);
    for (const other of others) signs.add(`x ${act} ${other}`);
  }
  for (const other of others) signs.add(`m ${other}`);
  for (const taking of taken)
    for (const other of others) if (!taken.has(other) || other > taking) signs.add(`y ${taking} ${other}`);
  if (done.size > 0) signs.add(`v ${content === 0 ? 0 : Math.round((fresh / content) * 5)}`);
  if (passage.length > 1) signs.add('s two');
  // `whenasked` and `runs` are too common to be counted.
  const grave = [...done].filter((act) => act !== 'runs' && act !== 'gives').length;
  const taking = [...taken].filter((name) => name !== 'whenasked').length;
  for (let count = 2; count <= Math.min(4, taking); count += 1) signs.add(`t ways ${count}`);
  for (let count = 2; count <= Math.min(4, grave); count += 1) signs.add(`t acts ${count}`);
  for (let count = 2; count <= Math.min(5, grave + taking); count += 1)
    if (grave > 0 && taking > 0) signs.add(`t both ${count}`);
  return signs;
}
