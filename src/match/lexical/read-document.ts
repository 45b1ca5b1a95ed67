// A skill as matching sees it -> numbers.
//
//   fields -> words in order, one field after the other:   n  the term n     -n  a further term of the word before
//                                                          0  a pause         sectionMark  the next section of the body
//
// Function words are left out, but three in a row are a pause, which ends a phrase. Only the first `bodyCharacters` of
// a body and the first `mostCharacters` of every other field are read, so that one skill cannot make the index slow.
import type { MatchDocument } from '../match.ts';
import { scanWords, type WordVisitor } from '../text/scan-words.ts';
import {
  fieldBody,
  fieldDescription,
  fieldName,
  fieldNotFor,
  fields,
  fieldTitles,
  fieldTriggers,
} from './fields.ts';
import type { Lexicon } from './lexicon.ts';
import { splitDescription } from './not-for.ts';

export const sectionMark = -0x8000_0000;
const longestGap = 2;
const mostCharacters = 20_000;

export interface StoredDocument {
  readonly name: string;
  readonly priority: number;
  readonly words: Int32Array;
  /** Where each field ends in `wordList`. */
  readonly ends: readonly number[];
  /** Words of each field, function words too. */
  readonly lengths: readonly number[];
  /** What people say to it by its own account: triggers, and questions of the description ("asks what to cook"). */
  readonly said: readonly string[];
}

/** "when" opens most descriptions, and asks for nothing there unless "to" follows. */
const question = /(?<![\p{L}\p{N}])(?:what|where|which|how|whether|who|when(?= to))\s[^.,;:!?()\n]{3,60}/giu;
const mostSaid = 24;

/** Numbers of a chunk: documents share them, since ten thousand small arrays cost more than what is in them. */
const chunkNumbers = 1 << 18;

/** Reads one document after the other into one buffer; what a `read` answers is a copy. */
export class DocumentReader implements WordVisitor {
  private readonly lexicon: Lexicon;
  private readonly bodyCharacters: number;
  private buffer = new Int32Array(1 << 12);
  private chunk = new Int32Array(0);
  private chunkUsed = 0;
  private size = 0;
  private length = 0;
  private skipped = 0;

  constructor(lexicon: Lexicon, bodyCharacters: number) {
    this.lexicon = lexicon;
    this.bodyCharacters = bodyCharacters;
  }

  read(document: MatchDocument): StoredDocument {
    const { uses, notFor } = splitDescription(document.description.slice(0, mostCharacters));
    const ends = fields.map(() => 0);
    const lengths = fields.map(() => 0);
    this.size = 0;
    const field = (at: number, texts: Iterable<string>): void => {
      this.length = 0;
      let left = mostCharacters;
      for (const text of texts) {
        if (left <= 0) break;
        this.pause();
        scanWords(text, this, left);
        left -= text.length;
      }
      ends[at] = this.size;
      lengths[at] = this.length;
    };
    // In the order of the fields' numbers: a field starts where the one before it ends.
    field(fieldName, [document.name]);
    field(fieldTriggers, document.triggers);
    field(fieldDescription, uses);
    field(
      fieldTitles,
      document.sections.map((section) => section.title),
    );
    this.length = 0;
    let left = this.bodyCharacters;
    for (const { text } of document.sections) {
      if (left <= 0) break;
      this.push(sectionMark);
      this.skipped = 0;
      scanWords(text, this, left);
      left -= text.length;
    }
    ends[fieldBody] = this.size;
    lengths[fieldBody] = this.length;
    field(fieldNotFor, notFor);
    return {
      name: document.name,
      priority: document.priority,
      words: this.kept(),
      ends,
      lengths,
      said: [...document.triggers, ...uses.flatMap((text) => text.match(question) ?? [])].slice(0, mostSaid),
    };
  }

  /** A chunk goes when the last document in it does. */
  private kept(): Int32Array {
    if (this.chunkUsed + this.size > this.chunk.length) {
      this.chunk = new Int32Array(Math.max(chunkNumbers, this.size));
      this.chunkUsed = 0;
    }
    const from = this.chunkUsed;
    this.chunkUsed += this.size;
    this.chunk.set(this.buffer.subarray(0, this.size), from);
    return this.chunk.subarray(from, this.chunkUsed);
  }

  word(units: Uint16Array, start: number, end: number, hash: number): void {
    this.take(this.lexicon.word(units, start, end, hash));
  }

  compound(units: Uint16Array, start: number, end: number, hash: number): void {
    const main = this.lexicon.word(units, start, end, hash, true);
    if (main !== 0) this.push(-main);
  }

  pair(units: Uint16Array, start: number, end: number, hash: number): void {
    this.take(this.lexicon.word(units, start, end, hash));
  }

  pause(): void {
    this.skipped = 0;
    if (this.size > 0 && this.buffer[this.size - 1] !== 0) this.push(0);
  }

  private take(main: number): void {
    this.length += 1;
    if (main === 0) {
      this.skipped += 1;
      return;
    }
    if (this.skipped > longestGap) this.pause();
    this.skipped = 0;
    this.push(main);
    if (!this.lexicon.hasParts) return;
    for (const part of this.lexicon.parts) this.push(-part);
  }

  private push(value: number): void {
    if (this.size === this.buffer.length) {
      const larger = new Int32Array(this.buffer.length * 2);
      larger.set(this.buffer);
      this.buffer = larger;
    }
    this.buffer[this.size] = value;
    this.size += 1;
  }
}
