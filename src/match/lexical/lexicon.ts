// Words as written -> numbers of terms.
//
//   (code units, hash) -> place in the table: hash, letters, main term, further terms
//
// A word is sliced, folded and stemmed once, when it is first seen; after that it costs one look-up in typed arrays,
// which waits for memory twice at most. Term 0 means none: function words have it as their main term. After 32 places a
// look-up falls back to a Map, so that texts made to collide cost no more than others.
//
// Terms that came with an index from disk are found by bisection and keep their numbers; new ones are numbered after them.
import { readCompound, readWord } from '../text/read-word.ts';
import { longestWord, wordText } from '../text/scan-words.ts';
import { type ColumnBytes, DamagedImage, type KeptImage } from '../../ports/image.ts';
import { KeptTexts, addTexts, numbersIn } from './image.ts';

const mostProbes = 32;

/** Of a place in the table: the hash, where the letters are and how many (`+ 1`, so that 0 is empty), main term, further terms. */
const stride = 4;
const lengthBits = Math.log2(longestWord);

const recentWords = 1 << 12;

interface Crowded {
  readonly main: number;
  readonly parts: number;
}

/** In the order of code units; numbers count from 1. */
interface KeptTerms {
  readonly texts: KeptTexts;
  readonly numbers: Int32Array;
}

export class Lexicon {
  private readonly kept: KeptTerms | null;
  private readonly termOf = new Map<string, number>();
  private readonly crowded = new Map<string, Crowded>();
  private table = new Int32Array(stride << 12);
  /** Places of words that were asked for lately: the frequent ones lie close together here. */
  private readonly recent = new Int32Array(stride * recentWords);
  private used = 0;
  private letters = new Uint16Array(1 << 14);
  private lettersUsed = 0;
  private readonly partLists: (readonly number[])[] = [[]];
  private foundParts = 0;

  /** Throws `DamagedImage`. */
  constructor(image: KeptImage | null = null) {
    if (image === null) this.kept = null;
    else {
      const texts = new KeptTexts(image, 'terms');
      this.kept = { texts, numbers: numbersIn(image, 'terms.numbers', texts.count) };
      if (this.kept.numbers.some((number) => number < 1 || number > texts.count))
        throw new DamagedImage('a term has no number');
    }
  }

  /** One more than the largest term. */
  get terms(): number {
    return (this.kept?.texts.count ?? 0) + this.termOf.size + 1;
  }

  /** The number of a term, 0 when no document ever had it. */
  find(term: string): number {
    const { kept } = this;
    if (kept !== null) {
      let [low, high] = [0, kept.texts.count];
      while (low < high) {
        const middle = (low + high) >> 1;
        const there = kept.texts.at(middle);
        if (there === term) return kept.numbers[middle] as number;
        if (there < term) low = middle + 1;
        else high = middle;
      }
    }
    return this.termOf.get(term) ?? 0;
  }

  /** False where a term cannot be kept. */
  write(columns: Map<string, ColumnBytes>): boolean {
    const { kept } = this;
    const all = Array.from(
      { length: kept?.texts.count ?? 0 },
      (_, at) => [(kept as KeptTerms).texts.at(at), (kept as KeptTerms).numbers[at] as number] as const,
    ).concat([...this.termOf]);
    all.sort(([a], [b]) => (a < b ? -1 : 1));
    columns.set(
      'terms.numbers',
      Int32Array.from(all, ([, number]) => number),
    );
    return addTexts(
      columns,
      'terms',
      all.map(([term]) => term),
    );
  }

  /** The main term of a word; `parts` are those of the word that was asked for last. */
  word(units: Uint16Array, start: number, end: number, hash: number, compound = false): number {
    const { recent } = this;
    const length = end - start;
    // Each word has one place here, which the last one that pointed to it holds.
    const front = (hash & (recentWords - 1)) * stride;
    if (recent[front] === hash && this.isAt((recent[front + 1] as number) - 1, units, start, length)) {
      this.foundParts = recent[front + 3] as number;
      return recent[front + 2] as number;
    }
    const { table } = this;
    const last = table.length / stride - 1;
    let at = (hash ^ (hash >>> 15)) & last;
    for (let probe = 0; probe < mostProbes; probe += 1) {
      const record = at * stride;
      const where = (table[record + 1] as number) - 1;
      if (where < 0) return this.add(units, start, end, hash, compound);
      if (table[record] === hash && this.isAt(where, units, start, length)) {
        for (let part = 0; part < stride; part += 1) recent[front + part] = table[record + part] as number;
        this.foundParts = table[record + 3] as number;
        return table[record + 2] as number;
      }
      at = (at + 1) & last;
    }
    const known = this.crowded.get(wordText(units, start, end));
    if (known === undefined) return this.add(units, start, end, hash, compound);
    this.foundParts = known.parts;
    return known.main;
  }

  /** Further terms of the word that was asked for last. */
  get parts(): readonly number[] {
    return this.partLists[this.foundParts] as readonly number[];
  }

  get hasParts(): boolean {
    return this.foundParts !== 0;
  }

  /** Whether the letters that `where` points to are these; -1 points to none. */
  private isAt(where: number, units: Uint16Array, start: number, length: number): boolean {
    if (where < 0 || (where & (longestWord - 1)) !== length - 1) return false;
    const { letters } = this;
    const from = where >>> lengthBits;
    for (let at = 0; at < length; at += 1) if (letters[from + at] !== units[start + at]) return false;
    return true;
  }

  private add(units: Uint16Array, start: number, end: number, hash: number, compound: boolean): number {
    const word = wordText(units, start, end);
    const terms = compound ? { main: readCompound(word), parts: [] } : readWord(word);
    const main = terms.main === '' ? 0 : this.number(terms.main);
    const parts =
      terms.parts.length === 0 ? 0 : this.partLists.push(terms.parts.map((part) => this.number(part))) - 1;
    if (this.used * 2 * stride > this.table.length) this.grow();
    const length = end - start;
    if (this.lettersUsed + length > this.letters.length) {
      const letters = new Uint16Array(this.letters.length * 2);
      letters.set(this.letters);
      this.letters = letters;
    }
    if (place(this.table, hash, ((this.lettersUsed << lengthBits) | (length - 1)) + 1, main, parts)) {
      for (let at = 0; at < length; at += 1)
        this.letters[this.lettersUsed + at] = units[start + at] as number;
      this.lettersUsed += length;
      this.used += 1;
    } else this.crowded.set(word, { main, parts });
    this.foundParts = parts;
    return main;
  }

  private number(term: string): number {
    const known = this.find(term);
    if (known !== 0) return known;
    const next = this.terms;
    this.termOf.set(term, next);
    return next;
  }

  private grow(): void {
    const { table, letters } = this;
    const next = new Int32Array(table.length * 2);
    for (let at = 0; at < table.length; at += stride) {
      const where = (table[at + 1] as number) - 1;
      const main = table[at + 2] as number;
      const parts = table[at + 3] as number;
      if (where < 0 || place(next, table[at] as number, where + 1, main, parts)) continue;
      const from = where >>> lengthBits;
      this.crowded.set(wordText(letters, from, from + (where & (longestWord - 1)) + 1), { main, parts });
      this.used -= 1;
    }
    this.table = next;
  }
}

/** Whether a place was free near where the hash points. */
function place(table: Int32Array, hash: number, where: number, main: number, parts: number): boolean {
  const last = table.length / stride - 1;
  let at = (hash ^ (hash >>> 15)) & last;
  for (let probe = 0; probe < mostProbes; probe += 1) {
    if (table[at * stride + 1] === 0) {
      table[at * stride] = hash;
      table[at * stride + 1] = where;
      table[at * stride + 2] = main;
      table[at * stride + 3] = parts;
      return true;
    }
    at = (at + 1) & last;
  }
  return false;
}
