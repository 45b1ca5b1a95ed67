// Pieces of a text -> which of them are in other texts, too.
//
// The time is linear: the pieces are recorded first, then each of the other texts is scanned once for each length of a
// piece. There are at most `stretch` lengths, since a longer piece is recorded as all its stretches of this length. The
// result is exact: hashes find a place, letters decide. Two pieces with the same hashes count as found nowhere.
import { eachWindow } from './letter-windows.ts';

const sought = 1;
const seen = 2;
const clashing = 3;

export class SoughtPieces {
  readonly #stretch: number;
  readonly #byLength = new Map<number, WindowTable>();

  constructor(stretch: number) {
    this.#stretch = stretch;
  }

  get isEmpty(): boolean {
    return [...this.#byLength.values()].every(({ open }) => open === 0);
  }

  /** A stretch, by its numbers. */
  addStretch(letters: Uint8Array, at: number, a: number, b: number): void {
    this.#tableOf(this.#stretch).add(letters, at, a, b);
  }

  add(letters: Uint8Array): void {
    const table = this.#tableOf(Math.min(letters.length, this.#stretch));
    eachWindow(letters, table.length, (at, a, b) => table.add(letters, at, a, b));
  }

  seeIn(letters: Uint8Array): void {
    for (const table of this.#byLength.values()) {
      if (table.open === 0) continue;
      eachWindow(letters, table.length, (at, a, b) => table.see(letters, at, a, b));
    }
  }

  hasSeenStretch(a: number, b: number): boolean {
    return this.#tableOf(this.#stretch).hasSeen(a, b);
  }

  hasSeen(letters: Uint8Array): boolean {
    const table = this.#tableOf(Math.min(letters.length, this.#stretch));
    let isSeen = true;
    eachWindow(letters, table.length, (_at, a, b) => {
      if (!table.hasSeen(a, b)) isSeen = false;
    });
    return isSeen;
  }

  #tableOf(length: number): WindowTable {
    const table = this.#byLength.get(length) ?? new WindowTable(length);
    this.#byLength.set(length, table);
    return table;
  }
}

/** Of one length. Where a piece stands is kept, not the piece. */
class WindowTable {
  readonly length: number;
  /** Pieces that were not seen yet. */
  open = 0;
  #count = 0;
  #keys = new Int32Array(128);
  #states = new Uint8Array(64);
  #places = new Int32Array(64);
  #sources = new Uint8Array(64);
  readonly #texts: Uint8Array[] = [];

  constructor(length: number) {
    this.length = length;
  }

  add(letters: Uint8Array, at: number, a: number, b: number): void {
    // Lines are parts of one array: by its memory they are the same text.
    let source = this.#texts.findIndex((text) => text.buffer === letters.buffer);
    if (source < 0) source = this.#texts.push(new Uint8Array(letters.buffer)) - 1;
    const slot = this.#slot(a, b);
    if (this.#states[slot] === sought) {
      if (!this.#isSame(slot, letters, at)) {
        this.#states[slot] = clashing;
        this.open -= 1;
      }
      return;
    }
    if (this.#states[slot] !== 0) return;
    this.#put(slot, a, b, sought, letters.byteOffset + at, source);
    this.#count += 1;
    this.open += 1;
    if (this.#count * 2 > this.#states.length) this.#grow();
  }

  see(letters: Uint8Array, at: number, a: number, b: number): void {
    const slot = this.#slot(a, b);
    if (this.#states[slot] !== sought || !this.#isSame(slot, letters, at)) return;
    this.#states[slot] = seen;
    this.open -= 1;
  }

  hasSeen(a: number, b: number): boolean {
    return this.#states[this.#slot(a, b)] === seen;
  }

  #isSame(slot: number, letters: Uint8Array, at: number): boolean {
    const text = this.#texts[this.#sources[slot] as number] as Uint8Array;
    const place = this.#places[slot] as number;
    for (let next = 0; next < this.length; next += 1)
      if (text[place + next] !== letters[at + next]) return false;
    return true;
  }

  #put(slot: number, a: number, b: number, state: number, place: number, source: number): void {
    this.#keys[slot * 2] = a;
    this.#keys[slot * 2 + 1] = b;
    this.#states[slot] = state;
    this.#places[slot] = place;
    this.#sources[slot] = source;
  }

  #grow(): void {
    const [keys, states, places, sources] = [this.#keys, this.#states, this.#places, this.#sources];
    this.#keys = new Int32Array(keys.length * 2);
    this.#states = new Uint8Array(states.length * 2);
    this.#places = new Int32Array(states.length * 2);
    this.#sources = new Uint8Array(states.length * 2);
    for (let at = 0; at < states.length; at += 1) {
      if (states[at] === 0) continue;
      const [a, b] = [keys[at * 2] as number, keys[at * 2 + 1] as number];
      this.#put(this.#slot(a, b), a, b, states[at] as number, places[at] as number, sources[at] as number);
    }
  }

  /** Where it is, or would be; half of the table stays empty. */
  #slot(a: number, b: number): number {
    const mask = this.#states.length - 1;
    let slot = (a ^ (b >>> 7)) & mask;
    while (this.#states[slot] !== 0 && (this.#keys[slot * 2] !== a || this.#keys[slot * 2 + 1] !== b))
      slot = (slot + 1) & mask;
    return slot;
  }
}
