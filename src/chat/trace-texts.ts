// Texts of skills -> whether a text holds a piece of one, whichever way it came.
//
// T1. Letters alone count, of either case and width: numbers of lines, marks of quotes and other line ends change nothing.
// T2. A piece is a stretch of letters (some eight words), or one line that is a sentence. Of a file that is shorter than a
//     stretch every line is.
// T3. Lines that import something are no part of a stretch: every program begins with the same ones.
// T4. Bounded: a table of fixed size for what is known, and one pass over what is asked about. What does not fit is not known.
import { encodeUtf8 } from '../registry/encode-utf8.ts';

export interface SkillText {
  readonly skill: string;
  readonly text: string;
}

export interface TextTrace {
  /** Skills that a piece of `text` is from. */
  find(text: string): readonly string[];
}

/** Bytes of letters: a sign of Chinese counts as three letters, which is about what it says. */
const stretch = 40;
/** Every so many letters a stretch of a known text begins, and at every letter one of a text that is asked about. */
const stride = 8;
const sentence = { words: 5, letters: 20, wideLetters: 16 };
const leastLine = 8;
/** Code units of a text that is asked about: more than a model is ever given. */
const mostAsked = 1_000_000;

/** Texts that come first are known first. `maxLetters`: of all of them. Default: 4 MiB. */
export function createTextTrace(texts: readonly SkillText[], maxLetters = 4 * 1024 * 1024): TextTrace {
  const skills = [...new Set(texts.map(({ skill }) => skill))];
  let room = maxLetters;
  const known = texts.flatMap(({ skill, text }) => {
    const folded = fold(text);
    const letters = lettersOf(folded.replaceAll(imports, ''));
    if (letters.length > room) return [];
    room -= letters.length;
    return [{ owner: skills.indexOf(skill), folded, letters }];
  });
  const table = new PieceTable(maxLetters - room);
  for (const { owner, folded, letters } of known) {
    eachStretch(letters, (at, a, b) => {
      if (at % stride === 0) table.add(a, b, owner);
    });
    const isShort = letters.length < stretch + stride;
    for (const line of folded.split(lineEnds)) {
      const own = lettersOf(line);
      if (isShort ? own.length >= leastLine : isSentence(line, own)) table.add(...hashOf(own), owner);
    }
  }
  return {
    find(text) {
      if (skills.length === 0) return [];
      const found = new Set<number>();
      const folded = fold(text.slice(0, mostAsked));
      const seek = (a: number, b: number): void => {
        const owner = table.find(a, b);
        if (owner !== null) found.add(owner);
      };
      eachStretch(lettersOf(folded.replaceAll(imports, '')), (_at, a, b) => seek(a, b));
      for (const line of folded.split(lineEnds)) for (const part of partsOf(line)) {
        const own = lettersOf(part);
        if (own.length >= leastLine) seek(...hashOf(own));
      }
      return [...found].map((owner) => skills[owner] as string);
    },
  };
}

/** Also as they stand in JSON. */
const lineEnds = /\r\n?|\n|\\n|[\u2028\u2029]/;
const imports = /^[ \t]*(?:import [\w.]+(?: as \w+)?|from [\w.]+ import \w+(?:, ?\w+)*|import (?:\w+|\{[^}\n]*\}|\* as \w+) from ["'][^"'\n]*["'];?|#include [<"][\w./]+[>"])[ \t]*$/gm;

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function lettersOf(folded: string): Uint8Array {
  return encodeUtf8(folded.replaceAll(/[^\p{L}]+/gu, ''));
}

function isSentence(line: string, letters: Uint8Array): boolean {
  if (letters.length < sentence.letters) return false;
  const words = line.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  // What is written without blanks has no words to count.
  return words >= sentence.words || letters.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0) >= sentence.wideLetters;
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
  readonly #keys: Int32Array;
  readonly #owners: Uint16Array;
  readonly #mask: number;
  #left: number;

  /** For texts of about so many letters. */
  constructor(letters: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1024, letters / 2)));
    this.#keys = new Int32Array(size * 2);
    this.#owners = new Uint16Array(size);
    this.#mask = size - 1;
    this.#left = size >> 1;
  }

  add(a: number, b: number, owner: number): void {
    const slot = this.#slot(a, b);
    if (this.#owners[slot] !== 0 || this.#left === 0 || owner >= 0xffff) return;
    this.#left -= 1;
    this.#keys[slot * 2] = a;
    this.#keys[slot * 2 + 1] = b;
    this.#owners[slot] = owner + 1;
  }

  find(a: number, b: number): number | null {
    const owner = this.#owners[this.#slot(a, b)] as number;
    return owner === 0 ? null : owner - 1;
  }

  /** Where it is, or would be. Half of the table stays empty, so there is always such a place. */
  #slot(a: number, b: number): number {
    let slot = (a ^ (b >>> 7)) & this.#mask;
    while (this.#owners[slot] !== 0 && (this.#keys[slot * 2] !== a || this.#keys[slot * 2 + 1] !== b)) slot = (slot + 1) & this.#mask;
    return slot;
  }
}
