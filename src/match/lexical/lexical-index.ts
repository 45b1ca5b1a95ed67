// Which documents have the words of a message: an inverted index in typed arrays that changes one document at a time.
//
//   set, remove -> lexicon, postings, documents by slot;   search -> BM25F over all -> the best, scored closely
//
// `set` and `remove` touch only the words of that document. After any sequence of changes the index answers as one
// built anew from the documents that are left. Equal scores are ordered by priority, then by name.
import type { MatchDocument } from '../match.ts';
import type { Checksum, ColumnBytes, Image, KeptImage } from '../../ports/image.ts';
import { readDocuments, writeDocuments } from './kept-documents.ts';
import { countsFor, fields, saturation } from './fields.ts';
import { Lexicon } from './lexicon.ts';
import { mostDocuments, Postings } from './postings.ts';
import { DocumentReader, sectionMark, type StoredDocument } from './read-document.ts';
import type { Query } from './read-query.ts';
import { readQuery } from './read-query.ts';
import { CandidateScorer, type Features } from './score-candidates.ts';
import { topSlots } from './top-slots.ts';

export interface LexicalOptions {
  /** Characters of a body that are indexed. Default: 16,000. */
  readonly bodyCharacters?: number;
  /** Documents of the first ranking that are looked at closely. Default: 24. */
  readonly candidates?: number;
}

export interface LexicalHit {
  readonly name: string;
  readonly priority: number;
  readonly features: Features;
}

export interface LexicalFindings {
  /** By the first ranking; the ranker reorders them by features. */
  readonly hits: readonly LexicalHit[];
  readonly query: Query;
}

/** A word of the message, and the first of these that has it. */
export interface SharedWord {
  readonly word: string;
  /** What the document has in its stead, a synonym; null where it has the word. */
  readonly synonym: string | null;
  readonly place: 'name' | 'triggers' | 'description' | 'body';
  /** Of a name of several words, the last one: it says what kind of thing it is, not which ("expense-report"). */
  readonly endsName: boolean;
}

export interface LexicalIndex {
  readonly size: number;
  readonly has: (name: string) => boolean;
  /** Adds a document, or puts it in the place of the one of that name. */
  readonly set: (document: MatchDocument) => void;
  /** Both halves of `set`: what was read once can be put back after it was removed, or replaced. */
  readonly read: (document: MatchDocument) => StoredDocument;
  readonly put: (document: StoredDocument) => void;
  /** Whether there was one. */
  readonly remove: (name: string) => boolean;
  search(message: string): LexicalFindings;
  /** The same of these documents alone: what they would be worth if the message said only so much. */
  searchAmong(message: string, names: readonly string[]): LexicalFindings;
  /** Words of the message that a document has, the most telling first. */
  sharedWords(query: Query, name: string, most: number): readonly SharedWord[];
  /** What people say to a document by its own account. */
  said(name: string): readonly string[];
  /** What was put, or came with the image. */
  readonly document: (name: string) => StoredDocument | null;
  /** What `createLexicalIndex` makes the same index of; null where a text cannot be kept. */
  readonly image: (checksum: Checksum) => Image | null;
}

/** With an image, the index that it was made of. Throws `DamagedImage`, then and whenever it reads more of it. */
export function createLexicalIndex(
  options: LexicalOptions = {},
  kept: KeptImage | null = null,
): LexicalIndex {
  const { bodyCharacters = 16000, candidates = 24 } = options;
  const lexicon = new Lexicon(kept);
  const reader = new DocumentReader(lexicon, bodyCharacters);
  const scorer = new CandidateScorer();
  const documents: (StoredDocument | undefined)[] = kept === null ? [] : readDocuments(kept);
  const freeSlots = [...documents.keys()].filter((slot) => documents[slot] === undefined);
  /** Null until a name is looked up that no search of an opened index found: making it is much of what a first match costs. */
  let named: Map<string, number> | null = kept === null ? new Map() : null;
  const found = new Map<string, number>();
  const names = (): Map<string, number> => {
    if (named !== null) return named;
    named = new Map();
    for (const [slot, document] of documents.entries())
      if (document !== undefined) named.set(document.name, slot);
    return named;
  };
  const slotOf = (name: string): number | undefined =>
    named === null ? (found.get(name) ?? names().get(name)) : named.get(name);
  const postings = new Postings(kept, lexicon.terms, documents.length);
  /** By term, all 0 between documents: tf' so far. */
  let counted = new Float32Array(1 << 12);
  let terms = new Int32Array(1 << 12);
  let scores = new Float64Array(1 << 8);

  const statistics = {
    get documents() {
      return documents.length - freeSlots.length;
    },
    count: (term: number) => postings.count(term),
  };

  const makeRoom = (): void => {
    const size = lexicon.terms;
    if (size <= counted.length) return;
    const larger = Math.max(size, counted.length * 2);
    counted = new Float32Array(larger);
  };

  /** Gathers each term of a document once in `terms`, with tf' in `counted`; returns how many. */
  const gather = (document: StoredDocument): number => {
    const { words, ends, lengths } = document;
    if (terms.length < words.length) terms = new Int32Array(words.length * 2);
    let all = 0;
    let at = 0;
    for (let field = 0; field < fields.length; field += 1) {
      const worth = countsFor(field, lengths[field] as number);
      for (const end = ends[field] as number; at < end; at += 1) {
        const word = words[at] as number;
        if (word === 0 || word === sectionMark) continue;
        const term = word > 0 ? word : -word;
        const before = counted[term] as number;
        if (before === 0) {
          terms[all] = term;
          all += 1;
        }
        counted[term] = before + worth;
      }
    }
    return all;
  };

  const remove = (name: string): boolean => {
    const slot = names().get(name);
    if (slot === undefined) return false;
    const all = gather(documents[slot] as StoredDocument);
    for (let at = 0; at < all; at += 1) {
      const term = terms[at] as number;
      counted[term] = 0;
      postings.remove(term, slot);
    }
    documents[slot] = undefined;
    names().delete(name);
    freeSlots.push(slot);
    return true;
  };

  const put = (stored: StoredDocument): void => {
    remove(stored.name);
    if (statistics.documents >= mostDocuments)
      throw new RangeError(`an index holds at most ${mostDocuments} documents`);
    makeRoom();
    const slot = freeSlots.pop() ?? documents.length;
    documents[slot] = stored;
    names().set(stored.name, slot);
    const all = gather(stored);
    for (let at = 0; at < all; at += 1) {
      const term = terms[at] as number;
      const weighted = counted[term] as number;
      counted[term] = 0;
      postings.add(term, slot, weighted / (saturation + weighted));
    }
  };

  const image = (checksum: Checksum): Image | null => {
    const columns = new Map<string, ColumnBytes>();
    const region: ColumnBytes[] = [];
    if (!lexicon.write(columns) || !writeDocuments(documents, columns, region, { offset: 0, checksum }))
      return null;
    const offset = region.reduce((sum, { byteLength }) => sum + byteLength, 0);
    postings.write(columns, region, { offset, terms: lexicon.terms, checksum });
    return { columns, region };
  };

  const search = (message: string): LexicalFindings => {
    const query = readQuery(message, lexicon, statistics);
    if (query.terms.length === 0) return { hits: [], query };
    if (scores.length < documents.length)
      scores = new Float64Array(Math.max(documents.length, scores.length * 2));
    else scores.fill(0, 0, documents.length);
    for (const { term, weight, idf } of query.terms) postings.accumulate(term, weight * idf, scores);
    const best = topSlots(scores, documents.length, candidates, (a, b) =>
      compareDocuments(documents[a] as StoredDocument, documents[b] as StoredDocument),
    );
    return findings(query, best, (slot) => scores[slot] as number);
  };

  const searchAmong = (message: string, among: readonly string[]): LexicalFindings => {
    const query = readQuery(message, lexicon, statistics);
    const score = (slot: number): number => {
      let sum = 0;
      for (const { term, weight, idf } of query.terms) sum += weight * idf * postings.impact(term, slot);
      return sum;
    };
    const slots = among.flatMap((name) => slotOf(name) ?? []).filter((slot) => score(slot) > 0);
    return findings(query, slots, score);
  };

  const findings = (
    query: Query,
    slots: readonly number[],
    score: (slot: number) => number,
  ): LexicalFindings => {
    const scored = slots.map((slot) => ({ document: documents[slot] as StoredDocument, score: score(slot) }));
    const features = scorer.score(query, scored, statistics, lexicon.terms);
    if (named === null) for (const slot of slots) found.set((documents[slot] as StoredDocument).name, slot);
    return {
      hits: scored.map(({ document: { name, priority } }, at) => ({
        name,
        priority,
        features: features[at] as Features,
      })),
      query,
    };
  };

  const sharedWords: LexicalIndex['sharedWords'] = (query, name, most) => {
    const slot = slotOf(name);
    if (slot === undefined) return [];
    const { words, ends } = documents[slot] as StoredDocument;
    const shared = query.terms
      .map(({ term, weight, idf, word, synonym }) => ({
        term,
        word,
        synonym,
        worth: weight * idf * postings.impact(term, slot),
      }))
      .filter(({ worth }) => worth > 0)
      .sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
    const [nameEnd = 0, triggersEnd = 0, headEnd = 0] = ends;
    const head = words.subarray(0, headEnd);
    const byWord = new Map<string, SharedWord>();
    for (const { term, word, synonym } of shared) {
      if (byWord.size === most) break;
      const key = word.toLowerCase();
      if (byWord.has(key)) continue;
      const [whole, part] = [head.indexOf(term), head.indexOf(-term)];
      const at = whole < 0 ? part : part < 0 ? whole : Math.min(whole, part);
      byWord.set(key, {
        word,
        synonym,
        place: at < 0 ? 'body' : at < nameEnd ? 'name' : at < triggersEnd ? 'triggers' : 'description',
        endsName: at > 0 && at < nameEnd && isLastWord(head, at, nameEnd),
      });
    }
    return [...byWord.values()];
  };

  return {
    get size() {
      return statistics.documents;
    },
    has: (name) => slotOf(name) !== undefined,
    set: (document) => put(reader.read(document)),
    read: (document) => reader.read(document),
    put,
    remove,
    search,
    searchAmong,
    sharedWords,
    image,
    document: (name) => {
      const slot = slotOf(name);
      return slot === undefined ? null : (documents[slot] as StoredDocument);
    },
    said(name) {
      const slot = slotOf(name);
      return slot === undefined ? [] : (documents[slot] as StoredDocument).said;
    },
  };
}

/** Further terms and pauses after it are no words. */
function isLastWord(words: Int32Array, at: number, nameEnd: number): boolean {
  for (let next = at + 1; next < nameEnd; next += 1) if ((words[next] as number) > 0) return false;
  return true;
}

/** Negative when `a` goes first. */
function compareDocuments(a: StoredDocument, b: StoredDocument): number {
  return b.priority - a.priority || (a.name < b.name ? -1 : 1);
}
