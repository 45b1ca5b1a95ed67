// The best documents of the first ranking, looked at closely.
//
//   candidate -> features, each 0 to about 1, relative to what the query could reach at most
//
// E1. A pair of neighbours in the query that are neighbours in the document tells more than both words apart. How
//     much is judged by how many of the candidates have it: no index of pairs is needed.
// E2. A word is rare or not within names and descriptions for itself: "install" is in every body and in few names.
import { countsFor, fieldBody, fieldDescription, fieldName, fieldTitles, saturation } from './fields.ts';
import type { Query, QueryTerm } from './read-query.ts';
import { mostTerms, rarity } from './read-query.ts';
import type { StoredDocument } from './read-document.ts';
import { sectionMark } from './read-document.ts';

export interface Features {
  /** BM25F over all fields. */
  readonly lexical: number;
  /** The same over name, triggers and description, with the rarity of words there. */
  readonly head: number;
  /** How much of the skill's name the message has. */
  readonly name: number;
  /** Neighbours in name, triggers and description. */
  readonly headPairs: number;
  /** Neighbours in titles and body. */
  readonly bodyPairs: number;
  /** How much of the message the document has at all. */
  readonly coverage: number;
  /** How much of it one passage has: name, triggers and description together, or one section of the body. */
  readonly passage: number;
}

export interface Corpus {
  readonly documents: number;
  count(term: number): number;
  /** Documents that have the term in name, triggers or description. */
  headCount(term: number): number;
}

/** At most this much rarer may a word be in heads than in whole documents. */
const headBonus = 2;
/** Weight below which a query's word speaks for a name only that much. */
const weakWeight = 0.3;

/** Scratch space of one index: queries are answered one at a time. */
export class CandidateScorer {
  private places = new Int32Array(1 << 12);
  private readonly pairAt = new Int16Array(mostTerms * mostTerms);

  score(query: Query, candidates: readonly { readonly document: StoredDocument; readonly score: number }[], corpus: Corpus, termCount: number): readonly Features[] {
    const { terms, pairs } = query;
    if (this.places.length < termCount) this.places = new Int32Array(Math.max(termCount, this.places.length * 2));
    for (const [at, { term }] of terms.entries()) this.places[term] = at + 1;
    for (const [at, { first, second }] of pairs.entries()) this.pairAt[first * mostTerms + second] = at + 1;
    const sights = candidates.map(({ document }) => this.look(document, terms, pairs.length));
    const pairWorth = pairs.map(({ weight }, at) => weight * pairRarity(sights.filter((sight) => sight.headPairs[at] !== 0 || sight.bodyPairs[at] !== 0).length, candidates.length, corpus.documents));
    const headWorth = terms.map(({ term, weight, idf }) => weight * Math.min(rarity(corpus.documents, corpus.headCount(term)), idf + headBonus));
    const headMass = sum(headWorth);
    const features = candidates.map(({ document, score }, at) => this.features(query, document, score, sights[at] as Sight, { pairWorth, headWorth, headMass }, corpus));
    for (const { term } of terms) this.places[term] = 0;
    for (const { first, second } of pairs) this.pairAt[first * mostTerms + second] = 0;
    return features;
  }

  private features(query: Query, document: StoredDocument, score: number, sight: Sight, worth: Worth, corpus: Corpus): Features {
    const { terms, mass } = query;
    let head = 0;
    let coverage = 0;
    for (let at = 0; at < terms.length; at += 1) {
      const { weight, idf } = terms[at] as QueryTerm;
      const counted = sight.headCounts[at] as number;
      if (counted > 0) head += ((worth.headWorth[at] as number) * counted) / (saturation + counted);
      if (sight.anywhere[at] !== 0) coverage += weight * idf;
    }
    let headPairs = 0;
    let bodyPairs = 0;
    for (let at = 0; at < worth.pairWorth.length; at += 1) {
      const value = worth.pairWorth[at] as number;
      if (sight.headPairs[at] !== 0) headPairs += value;
      const often = sight.bodyPairs[at] as number;
      bodyPairs += (value * often) / (often + 1);
    }
    return {
      lexical: score / mass,
      head: worth.headMass > 0 ? head / worth.headMass : 0,
      name: this.nameCovered(document, terms, corpus),
      headPairs: headPairs / mass,
      bodyPairs: bodyPairs / mass,
      coverage: coverage / mass,
      passage: sight.passage / mass,
    };
  }

  private nameCovered(document: StoredDocument, terms: readonly QueryTerm[], corpus: Corpus): number {
    const seen = new Set<number>();
    let whole = 0;
    let covered = 0;
    for (let at = 0; at < (document.ends[fieldName] as number); at += 1) {
      const term = document.words[at] as number;
      if (term <= 0 || seen.has(term)) continue;
      seen.add(term);
      const worth = rarity(corpus.documents, corpus.count(term));
      whole += worth;
      const place = this.places[term] as number;
      if (place === 0) continue;
      const { weight } = terms[place - 1] as QueryTerm;
      covered += worth * (weight < weakWeight ? weight : 1);
    }
    return whole > 0 ? covered / whole : 0;
  }

  /** One pass over the words of a document. */
  private look(document: StoredDocument, terms: readonly QueryTerm[], pairCount: number): Sight {
    const { places, pairAt } = this;
    const { words, ends, lengths } = document;
    const sight: Sight = {
      headCounts: new Float64Array(terms.length),
      anywhere: new Uint8Array(terms.length),
      headPairs: new Uint16Array(pairCount),
      bodyPairs: new Uint16Array(pairCount),
      passage: 0,
    };
    const inSection = new Int32Array(terms.length);
    let section = 1;
    let covered = 0;
    let at = 0;
    for (let field = 0; field <= fieldBody; field += 1) {
      const end = ends[field] as number;
      const inHead = field <= fieldDescription;
      const counts = inHead ? countsFor(field, lengths[field] as number) : 0;
      const seenPairs = inHead ? sight.headPairs : sight.bodyPairs;
      let before = 0;
      for (; at < end; at += 1) {
        const word = words[at] as number;
        if (word === 0) {
          before = 0;
          continue;
        }
        if (word === sectionMark) {
          before = 0;
          section += 1;
          covered = 0;
          continue;
        }
        const place = places[word > 0 ? word : -word] as number;
        if (place === 0) {
          if (word > 0) before = 0;
          continue;
        }
        sight.anywhere[place - 1] = 1;
        if (inHead) sight.headCounts[place - 1] = (sight.headCounts[place - 1] as number) + counts;
        if (field !== fieldTitles && inSection[place - 1] !== section) {
          inSection[place - 1] = section;
          const { weight, idf } = terms[place - 1] as QueryTerm;
          covered += weight * idf;
          if (covered > sight.passage) sight.passage = covered;
        }
        if (word < 0) continue;
        if (before > 0) {
          const pair = pairAt[(before - 1) * mostTerms + place - 1] as number;
          if (pair > 0) seenPairs[pair - 1] = (seenPairs[pair - 1] as number) + 1;
        }
        before = place;
      }
    }
    return sight;
  }
}

interface Sight {
  /** Σ what the occurrences in name, triggers and description count for, by term. */
  readonly headCounts: Float64Array;
  readonly anywhere: Uint8Array;
  readonly headPairs: Uint16Array;
  readonly bodyPairs: Uint16Array;
  passage: number;
}

interface Worth {
  readonly pairWorth: readonly number[];
  readonly headWorth: readonly number[];
  readonly headMass: number;
}

/** E1: the rarity among the candidates, on the scale of all documents. */
function pairRarity(count: number, candidates: number, documents: number): number {
  return candidates < 2 ? rarity(documents, count) : (rarity(candidates, count) * Math.log(1 + documents)) / Math.log(1 + candidates);
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
