// Texts of skills -> whether another text holds a piece of one.
//
// Only letters count, in either case and width (read-letters.ts): line numbers, quote marks and other line ends change
// nothing. A piece is a stretch of letters (some eight words), or a line that is a sentence; in a file shorter than a
// stretch, every line of two words. Lines that import something are not part of a stretch: every program begins with
// the same ones. A piece of a common licence, or of a text that is known to be from elsewhere, is not a trace
// (sought-pieces.ts); the part of such texts beyond a limit excuses nothing.
//
// Memory and time are bounded: a table of a fixed greatest size, and a pass or two over the text. `learn` reports
// when something did not fit, so that the caller knows which skill is known in part.
import { eachWindow, windowHashOf } from './letter-windows.ts';
import { licenceTexts } from './licence-texts.ts';
import type { LetterLine, Letters } from './read-letters.ts';
import { minLineLetters, readLetters } from './read-letters.ts';
import { SoughtPieces } from './sought-pieces.ts';

export interface TextTrace {
  /** Reads no more of it than `maxLetters`. Default: all. */
  learn(skill: string, text: string, maxLetters?: number): Learnt;
  /** Skills that a piece of `text` is from, unless it is in one of `elsewhere`, too. Default: none. */
  find(text: string, elsewhere?: readonly string[]): readonly string[];
}

export interface Learnt {
  /** Letters after folding, as far as the text was read. */
  readonly letters: number;
  /** `false`: a part of it is not known. */
  readonly isWhole: boolean;
}

interface TextTraceLimits {
  /** Of all texts that are known. Default: 2 Mi, which is some 12 MB of prose in a table of 40 MB. */
  readonly maxPieces?: number;
  /** Of the texts from elsewhere in one question, together. Default: 4 Mi. */
  readonly maxElsewhereLetters?: number;
}

/** Bytes of letters: a Chinese sign counts as three letters, which is about its content. */
const stretch = 40;
/** Every so many letters a stretch of a known text begins, and at every letter one of a text that is asked about. */
const stride = 8;
const sentence = { words: 5, letters: 20, wideLetters: 16 };
const shortLine = { words: 2, letters: minLineLetters, wideLetters: 8 };

export function createTextTrace({
  maxPieces = 2 * 1024 * 1024,
  maxElsewhereLetters = 4 * 1024 * 1024,
}: TextTraceLimits = {}): TextTrace {
  const owners = new Map<string, number>();
  const names: string[] = [];
  const table = new PieceTable(maxPieces);
  return {
    learn(skill, text, maxLetters = Number.POSITIVE_INFINITY) {
      const owner = owners.get(skill) ?? names.length;
      if (owner === names.length) {
        owners.set(skill, owner);
        names.push(skill);
      }
      const { all, running, lines, count, isWhole: isRead } = readLetters(text, maxLetters);
      let isWhole = isRead;
      const add = (a: number, b: number): void => {
        if (!table.add(a, b, owner)) isWhole = false;
      };
      eachWindow(running, stretch, (at, a, b) => {
        if (at % stride === 0) add(a, b);
      });
      const least = running.length < stretch + stride ? shortLine : sentence;
      for (const line of lines)
        if (isLine(line, all, least)) add(...windowHashOf(all.subarray(line.begin, line.end)));
      return { letters: count, isWhole };
    },
    find(text, elsewhere = []) {
      if (names.length === 0) return [];
      const asked = readLetters(text);
      const pieces = new SoughtPieces(stretch);
      const eachHit = (
        onStretch: (owner: number, at: number, a: number, b: number) => void,
        onLine: (owner: number, letters: Uint8Array) => void,
      ): void => {
        eachWindow(asked.running, stretch, (at, a, b) => {
          const owner = table.find(a, b);
          if (owner !== null) onStretch(owner, at, a, b);
        });
        for (const { begin, end, parts } of asked.lines)
          for (const from of [begin, ...parts]) {
            const letters = asked.all.subarray(from, end);
            const owner = table.find(...windowHashOf(letters));
            if (owner !== null) onLine(owner, letters);
          }
      };
      eachHit(
        (_owner, at, a, b) => pieces.addStretch(asked.running, at, a, b),
        (_owner, letters) => pieces.add(letters),
      );
      if (pieces.isEmpty) return [];
      seeElsewhere(pieces, elsewhere, maxElsewhereLetters);
      const found = new Set<number>();
      eachHit(
        (owner, _at, a, b) => {
          if (!found.has(owner) && !pieces.hasSeenStretch(a, b)) found.add(owner);
        },
        (owner, letters) => {
          if (!found.has(owner) && !pieces.hasSeen(letters)) found.add(owner);
        },
      );
      return [...found].map((owner) => names[owner] as string);
    },
  };
}

let knownLicences: readonly Letters[] | null = null;

function seeElsewhere(pieces: SoughtPieces, elsewhere: readonly string[], maxLetters: number): void {
  knownLicences ??= licenceTexts.map((text) => readLetters(text));
  for (const licence of knownLicences) seeIn(pieces, licence);
  let room = maxLetters;
  for (const text of elsewhere) {
    if (room <= 0 || pieces.isEmpty) return;
    const letters = readLetters(text, room);
    room -= letters.count;
    seeIn(pieces, letters);
  }
}

/** As stretches see them, and as lines do. */
function seeIn(pieces: SoughtPieces, { all, running }: Letters): void {
  pieces.seeIn(running);
  if (running !== all) pieces.seeIn(all);
}

function isLine({ begin, end, words }: LetterLine, all: Uint8Array, least: typeof sentence): boolean {
  if (end - begin < least.letters) return false;
  if (words >= least.words) return true;
  // What is written without blanks has no words to count.
  let wide = 0;
  for (let at = begin; at < end && wide < least.wideLetters; at += 1)
    if ((all[at] as number) >= 0x80) wide += 1;
  return wide >= least.wideLetters;
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
    while (this.#owners[slot] !== 0 && (this.#keys[slot * 2] !== a || this.#keys[slot * 2 + 1] !== b))
      slot = (slot + 1) & mask;
    return slot;
  }
}
