// A message -> the terms it asks for, each with its weight, and which of them stand side by side.
//
// A term that no document has counts as unknown: it shows how much of the message the index cannot judge. At most 64
// terms count, the weightiest, so that a pasted page costs no more than a long question. Synonyms of the words count a little. Reading
// never adds to the lexicon.
import { cognatesOf } from '../text/cognates.ts';
import { fold } from '../text/fold.ts';
import { readCompound, readWord } from '../text/read-word.ts';
import { scanWords, wordText, type WordVisitor } from '../text/scan-words.ts';
import { stem } from '../text/stem.ts';
import { pairsWithin } from '../text/segment-words.ts';
import { requestWords } from '../text/stop-words.ts';
import { synonymsOf } from '../text/synonyms.ts';
import type { Lexicon } from './lexicon.ts';

export const mostTerms = 64;
/** Characters of a message that are read. */
const mostCharacters = 20_000;

const weights = { part: 0.4, compound: 0.6, request: 0.2, synonym: 0.25, cognate: 0.6 } as const;
/** A synonym that more than one in so many documents has tells too little for what it costs. */
const leastRare = 10;
const longestGap = 2;
/** From so many documents on it tells something that none of them has a word. */
const manyDocuments = 300;

export interface QueryTerm {
  readonly term: number;
  /** 0 to 1: less for parts of words. */
  readonly weight: number;
  readonly idf: number;
  /** As written in the message. */
  readonly word: string;
  /** The synonym that the term is, where the message has only `word`. */
  readonly synonym: string | null;
}

/** Two neighbours, as places in `terms`. */
export interface QueryPair {
  readonly first: number;
  readonly second: number;
}

export interface Query {
  readonly terms: readonly QueryTerm[];
  readonly pairs: readonly QueryPair[];
  /** Σ weight · idf of the terms. */
  readonly mass: number;
  /** The same of the words that no document has, as if each were as rare as can be; less among few documents, which have few words. */
  readonly unknownMass: number;
  /** These words, as written. */
  readonly unknownWords: readonly string[];
}

export interface TermStatistics {
  readonly documents: number;
  count(term: number): number;
}

/** How much a term tells that `count` of `documents` have. */
export function rarity(documents: number, count: number): number {
  return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
}

interface Seen {
  readonly term: number;
  readonly word: string;
  readonly order: number;
  weight: number;
}

class QueryReader implements WordVisitor {
  readonly seen = new Map<number, Seen>();
  readonly unknown = new Map<string, { readonly weight: number; readonly word: string }>();
  /** `stands`: no document has the word itself. */
  readonly synonyms = new Map<
    number,
    { readonly word: string; readonly synonym: string; readonly stands: boolean }
  >();
  readonly neighbours: (readonly [first: number, second: number])[] = [];
  private readonly lexicon: Lexicon;
  private readonly statistics: TermStatistics;
  private before = 0;
  private skipped = 0;
  private readonly pairs: Uint8Array | null;

  constructor(message: string, lexicon: Lexicon, statistics: TermStatistics) {
    this.pairs = pairsWithin(message);
    this.lexicon = lexicon;
    this.statistics = statistics;
  }

  word(units: Uint16Array, start: number, end: number): void {
    const word = wordText(units, start, end);
    const { main, parts } = readWord(word);
    if (main === '') {
      this.skipped += 1;
      return;
    }
    let known = false;
    for (const part of parts) known = this.see(this.find(part), word, weights.part) || known;
    const term = this.find(main);
    for (const { term: other, word: synonym } of synonymsOf(main)) {
      const found = this.find(other);
      if (found === 0) continue;
      known = true;
      if (!this.synonyms.has(found)) this.synonyms.set(found, { word, synonym, stands: term === 0 });
    }
    if (term === 0 && !known) known = this.seeCognate(word);
    if (!this.see(term, word, 1)) this.unknown.set(main, { weight: unknownWeight(word, known), word });
    if (this.before > 0 && term > 0 && this.skipped <= longestGap) this.neighbours.push([this.before, term]);
    this.before = term;
    this.skipped = 0;
  }

  /** A word of another language may be one of a skill, spelled otherwise: the first that is. */
  private seeCognate(word: string): boolean {
    for (const spelling of cognatesOf(fold(word))) {
      const found = this.find(stem(spelling));
      if (found === 0) continue;
      this.see(found, word, weights.cognate);
      return true;
    }
    return false;
  }

  compound(units: Uint16Array, start: number, end: number): void {
    const word = wordText(units, start, end);
    this.see(this.find(readCompound(word)), word, weights.compound);
  }

  pair(units: Uint16Array, start: number, end: number): void {
    const isAlone = end - start === 1;
    if (isAlone || this.pairs === null || this.pairs[start] === 1) this.word(units, start, end);
    else this.before = 0;
  }

  pause(): void {
    this.before = 0;
  }

  /** 0 also for a term whose last document is gone: an index built anew would not know it. */
  private find(term: string): number {
    const found = this.lexicon.find(term);
    return this.statistics.count(found) > 0 ? found : 0;
  }

  private see(term: number, word: string, weight: number): boolean {
    if (term === 0) return false;
    const known = this.seen.get(term);
    if (known === undefined) this.seen.set(term, { term, word, weight, order: this.seen.size });
    else known.weight = Math.max(known.weight, weight);
    return true;
  }
}

/** That no skill has a word for "please" says nothing. */
function unknownWeight(word: string, isPartKnown: boolean): number {
  return requestWords.has(word.toLowerCase()) ? weights.request : isPartKnown ? 0.5 : 1;
}

export function readQuery(message: string, lexicon: Lexicon, statistics: TermStatistics): Query {
  const reader = new QueryReader(message, lexicon, statistics);
  scanWords(message, reader, mostCharacters);
  const terms: (QueryTerm & { readonly order: number })[] = [];
  let mass = 0;
  let unknownMass = 0;
  const rarest = rarity(statistics.documents, 0);
  for (const { term, word, weight, order } of reader.seen.values()) {
    const idf = rarity(statistics.documents, statistics.count(term));
    terms.push({ term, weight, word, synonym: null, order, idf });
  }
  if (terms.length > mostTerms) {
    terms.sort((a, b) => b.weight * b.idf - a.weight * a.idf || a.order - b.order);
    terms.length = mostTerms;
    terms.sort((a, b) => a.order - b.order);
  }
  for (const { weight, idf } of terms) mass += weight * idf;
  // A message tells no more for having synonyms, unless they stand for words that are not there.
  for (const [term, { word, synonym, stands }] of reader.synonyms) {
    const count = statistics.count(term);
    if (terms.length === mostTerms) break;
    if (reader.seen.has(term) || count * leastRare > statistics.documents + leastRare) continue;
    const idf = rarity(statistics.documents, count);
    terms.push({ term, weight: weights.synonym, word, synonym, order: terms.length, idf });
    if (stands) mass += weights.synonym * idf;
  }
  const telling = Math.min(1, Math.log(1 + statistics.documents) / Math.log(1 + manyDocuments));
  for (const { weight } of reader.unknown.values()) unknownMass += weight * rarest * telling;
  return {
    terms,
    pairs: pairsOf(reader, terms),
    mass,
    unknownMass,
    unknownWords: Array.from(reader.unknown.values(), ({ word }) => word),
  };
}

function pairsOf(reader: QueryReader, terms: readonly QueryTerm[]): readonly QueryPair[] {
  const place = new Map(terms.map(({ term }, at) => [term, at]));
  const pairs = new Map<number, QueryPair>();
  for (const [before, after] of reader.neighbours) {
    const first = place.get(before);
    const second = place.get(after);
    if (first === undefined || second === undefined) continue;
    const key = first * mostTerms + second;
    if (!pairs.has(key)) pairs.set(key, { first, second });
  }
  return [...pairs.values()];
}
