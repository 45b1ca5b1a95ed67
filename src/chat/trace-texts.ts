// Texts of skills -> whether a text holds a piece of one, whichever way it came.
//
// T1. Letters alone count, of either case and width: numbers of lines, marks of quotes and other line ends change nothing.
// T2. A piece is a stretch of letters (some eight words), or one line that is a sentence. Of a file that is shorter than a
//     stretch every line of two words is.
// T3. Lines that import something are no part of a stretch: every program begins with the same ones.
// T4. Bounded: a table that grows to a fixed size for what is known, and one pass over what is asked about. `learn` says when
//     something did not fit, so that whoever asks knows of whom not all is known.
// T5. A piece that stands in a licence which everybody uses, or in a text that is known to be from elsewhere, is no trace.
import { encodeUtf8 } from '../registry/encode-utf8.ts';
import { licenceTexts } from './licence-texts.ts';

export interface TextTrace {
  /** `false`: not all of it is known from now on (T4). */
  learn(skill: string, text: string): boolean;
  /** Skills that a piece of `text` is from, unless it is in one of `elsewhere`, too (T5). Default: none. */
  find(text: string, elsewhere?: readonly string[]): readonly string[];
}

/** Bytes of letters: a sign of Chinese counts as three letters, which is about what it says. */
const stretch = 40;
/** Every so many letters a stretch of a known text begins, and at every letter one of a text that is asked about. */
const stride = 8;
const sentence = { words: 5, letters: 20, wideLetters: 16 };
const shortLine = { words: 2, letters: 8, wideLetters: 8 };

/** `maxPieces`: of all texts. Default: 2 Mi, which is some 12 MB of prose in a table of 40 MB. */
export function createTextTrace(maxPieces = 2 * 1024 * 1024): TextTrace {
  const owners = new Map<string, number>();
  const names: string[] = [];
  const table = new PieceTable(maxPieces);
  return {
    learn(skill, text) {
      const owner = owners.get(skill) ?? names.length;
      if (owner === names.length) {
        owners.set(skill, owner);
        names.push(skill);
      }
      let isWhole = true;
      const add = (a: number, b: number): void => {
        if (!table.add(a, b, owner)) isWhole = false;
      };
      const folded = fold(text);
      const letters = lettersOf(folded.replaceAll(imports, ''));
      eachStretch(letters, (at, a, b) => {
        if (at % stride === 0) add(a, b);
      });
      const least = letters.length < stretch + stride ? shortLine : sentence;
      for (const line of folded.split(lineEnds)) {
        const own = lettersOf(line);
        if (isLine(line, own, least)) add(...hashOf(own));
      }
      return isWhole;
    },
    find(text, elsewhere = []) {
      if (names.length === 0) return [];
      const found = new Set<number>();
      // Made when they are needed: most texts have no such piece.
      let others: readonly string[] | null = null;
      const seek = (a: number, b: number, letters: Uint8Array, at: number, end: number): void => {
        const owner = table.find(a, b);
        if (owner === null || found.has(owner)) return;
        others ??= [...licences(), ...elsewhere.flatMap(allLetters)];
        const sought = asText(letters.subarray(at, end));
        if (!others.some((other) => other.includes(sought))) found.add(owner);
      };
      const folded = fold(text);
      const letters = lettersOf(folded.replaceAll(imports, ''));
      eachStretch(letters, (at, a, b) => seek(a, b, letters, at, at + stretch));
      for (const line of folded.split(lineEnds)) for (const part of partsOf(line)) {
        const own = lettersOf(part);
        if (own.length >= shortLine.letters) seek(...hashOf(own), own, 0, own.length);
      }
      return [...found].map((owner) => names[owner] as string);
    },
  };
}

let knownLicences: readonly string[] | null = null;

function licences(): readonly string[] {
  knownLicences ??= licenceTexts.flatMap(allLetters);
  return knownLicences;
}

/** As stretches see them (T3), and as lines do. */
function allLetters(text: string): readonly string[] {
  const folded = fold(text);
  const rest = folded.replaceAll(imports, '');
  return [rest, ...(rest.length === folded.length ? [] : [folded])].map((each) => asText(lettersOf(each)));
}

/** A sign for each byte, to be looked for. */
function asText(letters: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += 8192) parts.push(String.fromCharCode(...letters.subarray(at, at + 8192)));
  return parts.join('');
}

/** Also as they stand in JSON. */
const lineEnds = /\r\n?|\n|\\n|[\u2028\u2029]/;
const imports = /^[ \t]*(?:import [\w.]+(?: as \w+)?|from [\w.]+ import \w+(?:, ?\w+)*|import (?:\w+|\{[^}\n]*\}|\* as \w+) from ["'][^"'\n]*["'];?|#include [<"][\w./]+[>"])[ \t]*$/gm;

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

const letter = /^\p{L}$/u;

/** In UTF-8. Sign by sign: a pattern over the whole text takes several times as long. */
function lettersOf(folded: string): Uint8Array {
  const bytes = new Uint8Array(folded.length * 3);
  let length = 0;
  for (let at = 0; at < folded.length; at += 1) {
    const unit = folded.charCodeAt(at);
    if (unit < 0x80) {
      if (unit >= 0x61 && unit <= 0x7a) bytes[length++] = unit;
      continue;
    }
    const sign = String.fromCodePoint(folded.codePointAt(at) as number);
    at += sign.length - 1;
    if (!letter.test(sign)) continue;
    const encoded = encodeUtf8(sign);
    bytes.set(encoded, length);
    length += encoded.length;
  }
  return bytes.slice(0, length);
}

function isLine(line: string, letters: Uint8Array, least: typeof sentence): boolean {
  if (letters.length < least.letters) return false;
  const words = line.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  // What is written without blanks has no words to count.
  return words >= least.words || letters.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0) >= least.wideLetters;
}

/** A line, and what is left of it behind `file:` and `file:7:`, as programs that search put before it. */
function partsOf(line: string): readonly string[] {
  const parts = [line];
  for (let at = line.indexOf(':'); at >= 0 && parts.length < 4; at = line.indexOf(':', at + 1)) parts.push(line.slice(at + 1));
  return parts;
}

const bases = [0x01000193, 0x5bd1e995] as const;

/** `base` to the power of `stretch`, of 32 bits. */
function leaving(base: number): number {
  let power = 1;
  for (let at = 0; at < stretch; at += 1) power = Math.imul(power, base);
  return power;
}
const powers = [leaving(bases[0]), leaving(bases[1])] as const;

/** Two numbers of 32 bits for each stretch, worked out from those of the one before it. */
function eachStretch(letters: Uint8Array, visit: (at: number, a: number, b: number) => void): void {
  let a = 0;
  let b = 0;
  for (let end = 0; end < letters.length; end += 1) {
    const byte = letters[end] as number;
    a = (Math.imul(a, bases[0]) + byte) | 0;
    b = (Math.imul(b, bases[1]) + byte) | 0;
    const begin = end - stretch;
    if (begin >= 0) {
      a = (a - Math.imul(letters[begin] as number, powers[0])) | 0;
      b = (b - Math.imul(letters[begin] as number, powers[1])) | 0;
    }
    if (begin >= -1) visit(begin + 1, a, b);
  }
}

function hashOf(letters: Uint8Array): readonly [number, number] {
  let a = letters.length;
  let b = ~letters.length;
  for (const byte of letters) {
    a = (Math.imul(a, bases[0]) + byte) | 0;
    b = (Math.imul(b, bases[1]) + byte) | 0;
  }
  return [a, b];
}

/** Pieces by their two numbers, each with the skill that was first to have it. */
class PieceTable {
  readonly #maxPieces: number;
  #keys = new Int32Array(2048);
  #owners = new Uint16Array(1024);
  #count = 0;

  constructor(maxPieces: number) {
    this.#maxPieces = maxPieces;
  }

  /** `false` when there is no room. */
  add(a: number, b: number, owner: number): boolean {
    const slot = this.#slot(a, b);
    if (this.#owners[slot] !== 0) return true;
    if (this.#count >= this.#maxPieces || owner >= 0xffff) return false;
    this.#put(slot, a, b, owner + 1);
    this.#count += 1;
    if (this.#count * 2 > this.#owners.length) this.#grow();
    return true;
  }

  find(a: number, b: number): number | null {
    const owner = this.#owners[this.#slot(a, b)] as number;
    return owner === 0 ? null : owner - 1;
  }

  #put(slot: number, a: number, b: number, owner: number): void {
    this.#keys[slot * 2] = a;
    this.#keys[slot * 2 + 1] = b;
    this.#owners[slot] = owner;
  }

  #grow(): void {
    const [keys, owners] = [this.#keys, this.#owners];
    this.#keys = new Int32Array(keys.length * 2);
    this.#owners = new Uint16Array(owners.length * 2);
    for (let at = 0; at < owners.length; at += 1) {
      if (owners[at] === 0) continue;
      const [a, b] = [keys[at * 2] as number, keys[at * 2 + 1] as number];
      this.#put(this.#slot(a, b), a, b, owners[at] as number);
    }
  }

  /** Where it is, or would be. Half of the table stays empty, so there is always such a place. */
  #slot(a: number, b: number): number {
    const mask = this.#owners.length - 1;
    let slot = (a ^ (b >>> 7)) & mask;
    while (this.#owners[slot] !== 0 && (this.#keys[slot * 2] !== a || this.#keys[slot * 2 + 1] !== b)) slot = (slot + 1) & mask;
    return slot;
  }
}
