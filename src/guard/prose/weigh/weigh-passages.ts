// The sentences of a text -> the passages that speak against the person, by the weights of their signs.
//
//   sentences -> passages (one sentence, or two of one block) -> signs -> sum of weights -> those above the threshold
//
// The score is the sum of the weights of the signs, each by its share, plus the bias. Weights are learned
// offline (scripts/train-prose.mjs) from lines of data/prose/ and from the texts of honest skills.
import type { Sentence } from '../read-prose.ts';
import type { SentenceSigns, StemCounts } from './read-signs.ts';
import { countStems, signsOfPassage, signsOfSentence } from './read-signs.ts';
import { trained } from './trained.ts';

export interface Passage {
  readonly sentences: readonly Sentence[];
  readonly signs: readonly SentenceSigns[];
  readonly score: number;
}

export interface Weights {
  readonly bias: number;
  readonly bySign: ReadonlyMap<string, number>;
}

const kinds: ReadonlySet<string> = new Set(['text', 'item', 'quote', 'row']);
const leastWords = 5;

/** What `passagesOf` makes of a text, before weights: for the detector and for training. */
export interface UnweighedPassage {
  readonly sentences: readonly Sentence[];
  readonly parts: readonly SentenceSigns[];
}

export function* passagesOf(sentences: readonly Sentence[]): Generator<UnweighedPassage> {
  let before: { readonly sentence: Sentence; readonly signs: SentenceSigns } | null = null;
  for (const sentence of sentences) {
    if (!kinds.has(sentence.kind)) {
      before = null;
      continue;
    }
    const signs = signsOfSentence(sentence);
    if (sentence.words.length >= leastWords) yield { sentences: [sentence], parts: [signs] };
    // Sentences of one block share what is around them.
    if (
      before !== null &&
      before.sentence.around === sentence.around &&
      before.sentence.words.length >= leastWords
    )
      yield { sentences: [before.sentence, sentence], parts: [before.signs, signs] };
    before = { sentence, signs };
  }
}

/** Passages with a score above `threshold`; of those that overlap only the one with the highest. */
export function weighPassages(sentences: readonly Sentence[], threshold: number): readonly Passage[] {
  const found: Passage[] = [];
  let counts: StemCounts | null = null;
  for (const { sentences: own, parts } of passagesOf(sentences)) {
    if (parts.every((part) => part.acts.length === 0 && part.takings.length === 0)) continue;
    counts ??= countStems(sentences);
    const score = scoreOf(signsOfPassage(parts, counts, own.length), learned());
    if (score <= threshold) continue;
    const last = found.at(-1);
    const overlaps = last !== undefined && last.sentences.some((sentence) => own.includes(sentence));
    if (!overlaps) found.push({ sentences: own, signs: parts, score });
    else if (score > last.score) found[found.length - 1] = { sentences: own, signs: parts, score };
  }
  return found;
}

/** The share of its weight that a sign counts for: words less, the more of them are known; acts and ways always the same. */
export function shareOf(isWord: boolean, knownWords: number): number {
  return isWord ? 1 / Math.sqrt(knownWords + 4) : 0.4;
}

export function isWordSign(sign: string): boolean {
  return sign.startsWith('w ') || sign.startsWith('b ');
}

function scoreOf(signs: ReadonlySet<string>, { bias, bySign }: Weights): number {
  let acts = 0;
  let words = 0;
  let knownWords = 0;
  for (const sign of signs) {
    const weight = bySign.get(sign);
    if (weight === undefined) continue;
    if (isWordSign(sign)) {
      knownWords += 1;
      words += weight;
    } else acts += weight;
  }
  return bias + acts * shareOf(false, knownWords) + words * shareOf(true, knownWords);
}

let made: Weights | null = null;

function learned(): Weights {
  if (made !== null) return made;
  const bySign = new Map<string, number>();
  for (const [steps, signs] of Object.entries(trained.signs))
    for (const sign of signs.split('|')) bySign.set(sign, Number(steps) * trained.unit);
  made = { bias: trained.bias, bySign };
  return made;
}
