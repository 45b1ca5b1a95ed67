// The best documents of the first ranking -> their features, each 0 to about 1.
//
//   candidate -> features, relative to the most that the query could reach
//
// Two words that are neighbours in both the query and the document count for more than the two apart. How much depends
// on how many candidates have the pair, so no index of pairs is needed.
import { fieldBody, fieldDescription, fieldName } from './fields.ts';
import type { Query, QueryTerm } from './read-query.ts';
import { mostTerms, rarity } from './read-query.ts';
import type { StoredDocument } from './read-document.ts';
import { sectionMark } from './read-document.ts';

export interface Features {
  /** BM25F over all fields. */
  readonly lexical: number;
  /** How much of the skill's name the message has. */
  readonly name: number;
  /** Neighbours in name, triggers and description. */
  readonly headPairs: number;
  /** Neighbours in titles and body. */
  readonly bodyPairs: number;
  /** How much of the message the document has at all. */
  readonly coverage: number;
  /** How much of it name, triggers and description have. */
  readonly headCoverage: number;
}

export interface Corpus {
  readonly documents: number;
  count(term: number): number;
}

/** Scratch space of one index: queries are answered one at a time. */
export class CandidateScorer {
  private places = new Int32Array(1 << 12);
  private readonly pairAt = new Int16Array(mostTerms * mostTerms);

  score(
    query: Query,
    candidates: readonly { readonly document: StoredDocument; readonly score: number }[],
    corpus: Corpus,
    termCount: number,
  ): readonly Features[] {
    const { terms, pairs, mass } = query;
    if (this.places.length < termCount)
      this.places = new Int32Array(Math.max(termCount, this.places.length * 2));
    for (const [at, { term }] of terms.entries()) this.places[term] = at + 1;
    for (const [at, { first, second }] of pairs.entries()) this.pairAt[first * mostTerms + second] = at + 1;
    const sights = new Sights(candidates.length, terms, pairs.length);
    for (const [at, { document }] of candidates.entries()) this.look(document, at, sights);
    const pairWorth = pairs.map((_, at) =>
      pairRarity(sights.withPair(at), candidates.length, corpus.documents),
    );
    const features = candidates.map(({ document, score }, at): Features => {
      const [headPairs, bodyPairs] = sights.pairs(at, pairWorth);
      return {
        lexical: score / mass,
        name: this.nameCovered(document, corpus),
        headPairs: headPairs / mass,
        bodyPairs: bodyPairs / mass,
        coverage: sights.coverage(at) / mass,
        headCoverage: sights.headCoverage(at) / mass,
      };
    });
    for (const { term } of terms) this.places[term] = 0;
    for (const { first, second } of pairs) this.pairAt[first * mostTerms + second] = 0;
    return features;
  }

  private nameCovered(document: StoredDocument, corpus: Corpus): number {
    const { words } = document;
    const end = document.ends[fieldName] as number;
    let whole = 0;
    let covered = 0;
    for (let at = 0; at < end; at += 1) {
      const term = words[at] as number;
      if (term <= 0 || words.indexOf(term) < at) continue;
      const worth = rarity(corpus.documents, corpus.count(term));
      whole += worth;
      covered += worth * (this.places[term] !== 0 ? 1 : this.partsCovered(words, at + 1, end));
    }
    return whole > 0 ? covered / whole : 0;
  }

  /** Of the further terms of a word ("SearchHotel": search, hotel), how many the message has, 0 to 1. */
  private partsCovered(words: Int32Array, from: number, end: number): number {
    let covered = 0;
    let at = from;
    for (; at < end && (words[at] as number) < 0; at += 1)
      if (this.places[-(words[at] as number)] !== 0) covered += 1;
    return at === from ? 0 : covered / (at - from);
  }

  /** One pass over the words of a document. */
  private look(document: StoredDocument, candidate: number, sights: Sights): void {
    const { places, pairAt } = this;
    const { words, ends } = document;
    const { inHeads, anywhere, worth } = sights;
    const row = candidate * worth.length;
    let at = 0;
    for (let field = 0; field <= fieldBody; field += 1) {
      const end = ends[field] as number;
      const inHead = field <= fieldDescription;
      const seenPairs = inHead ? sights.headPairs : sights.bodyPairs;
      const pairRow = candidate * sights.pairCount;
      let before = 0;
      for (; at < end; at += 1) {
        const word = words[at] as number;
        if (word === 0 || word === sectionMark) {
          before = 0;
          continue;
        }
        const place = places[word > 0 ? word : -word] as number;
        if (place === 0) {
          if (word > 0) before = 0;
          continue;
        }
        anywhere[row + place - 1] = 1;
        if (inHead) inHeads[row + place - 1] = 1;
        if (word < 0) continue;
        if (before > 0) {
          const pair = pairAt[(before - 1) * mostTerms + place - 1] as number;
          if (pair > 0) seenPairs[pairRow + pair - 1] = (seenPairs[pairRow + pair - 1] as number) + 1;
        }
        before = place;
      }
    }
  }
}

/** What was seen of a query in the candidates: a row for each, in few arrays, since a query makes them anew. */
class Sights {
  readonly pairCount: number;
  /** weight · idf of each term. */
  readonly worth: Float64Array;
  /** Whether name, triggers or description have it. */
  readonly inHeads: Uint8Array;
  readonly anywhere: Uint8Array;
  readonly headPairs: Uint16Array;
  readonly bodyPairs: Uint16Array;

  constructor(candidates: number, terms: readonly QueryTerm[], pairCount: number) {
    this.pairCount = pairCount;
    this.worth = Float64Array.from(terms, ({ weight, idf }) => weight * idf);
    this.inHeads = new Uint8Array(candidates * terms.length);
    this.anywhere = new Uint8Array(candidates * terms.length);
    this.headPairs = new Uint16Array(candidates * pairCount);
    this.bodyPairs = new Uint16Array(candidates * pairCount);
  }

  /** How many candidates have a pair. */
  withPair(pair: number): number {
    let count = 0;
    for (let at = pair; at < this.headPairs.length; at += this.pairCount)
      if (this.headPairs[at] !== 0 || this.bodyPairs[at] !== 0) count += 1;
    return count;
  }

  coverage(candidate: number): number {
    const row = candidate * this.worth.length;
    let total = 0;
    for (let at = 0; at < this.worth.length; at += 1)
      if (this.anywhere[row + at] !== 0) total += this.worth[at] as number;
    return total;
  }

  headCoverage(candidate: number): number {
    const row = candidate * this.worth.length;
    let total = 0;
    for (let at = 0; at < this.worth.length; at += 1)
      if (this.inHeads[row + at] !== 0) total += this.worth[at] as number;
    return total;
  }

  pairs(candidate: number, pairWorth: readonly number[]): readonly [head: number, body: number] {
    const row = candidate * this.pairCount;
    let head = 0;
    let body = 0;
    for (let at = 0; at < pairWorth.length; at += 1) {
      const value = pairWorth[at] as number;
      if (this.headPairs[row + at] !== 0) head += value;
      const often = this.bodyPairs[row + at] as number;
      body += (value * often) / (often + 1);
    }
    return [head, body];
  }
}

/** The rarity among the candidates, on the scale of all documents. */
function pairRarity(count: number, candidates: number, documents: number): number {
  return candidates < 2
    ? rarity(documents, count)
    : (rarity(candidates, count) * Math.log(1 + documents)) / Math.log(1 + candidates);
}
