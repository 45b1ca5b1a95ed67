// Where each key of a dict or set is: the key as `hash-key.ts` gives it -> a position.
//
// What a JavaScript Map does, but several times as fast for whole numbers, which are the keys of a dict of ints, of a
// grid and of a set of ints: for half a million of them a Map took 180 ms and this takes 50.
//
// T1. Whole numbers are found through a table of places with open addressing. Up to `SMALL` of them are just searched:
//     most dicts are small, and a typed array is dear to make.
// T2. All other keys are in a Map, made when there is one.
// T3. The hash of a number is known to everybody, so a program can choose keys that fall on one place. When a search
//     gets long, the numbers move into the Map as text, whose hash in V8 has a secret.
// T4. `hashes` has the keys by position; undefined where there is none.
import type { HashKey } from './value.ts';

const SMALL = 8;
/** With at most half of the places taken a search this long does not happen by chance. */
const LONGEST_SEARCH = 256;
/** 2^32 divided by the golden ratio: neighbours fall far apart. */
const SPREAD = 0x9e3779b1;
const TWO_32 = 0x100000000;
const FREE = 0;
const REMOVED = -1;
const noPlaces = new Int32Array(0);

export class KeyIndex {
  size = 0;
  hashes: (HashKey | undefined)[] = [];
  /** Positions of the whole numbers while they are few. */
  private small: number[] = [];
  /** When they are more: for each place FREE, REMOVED, or one more than the position. */
  private places = noPlaces;
  /** 32 while there is no table. */
  private shift = 32;
  /** Places that are not free. */
  private used = 0;
  private others: Map<HashKey, number> | null = null;
  private distrustful = false;

  get(key: HashKey): number | undefined {
    if (typeof key !== 'number' || this.distrustful || Math.floor(key) !== key) return this.others === null ? undefined : this.others.get(this.otherKey(key));
    const { hashes } = this;
    if (this.shift === 32) {
      const { small } = this;
      for (let at = 0; at < small.length; at += 1) if (hashes[small[at]!] === key) return small[at];
      return undefined;
    }
    const { places } = this;
    const mask = places.length - 1;
    for (let place = spread(key) >>> this.shift; ; place = (place + 1) & mask) {
      const found = places[place]!;
      if (found === FREE) return undefined;
      if (found !== REMOVED && hashes[found - 1] === key) return found - 1;
    }
  }

  has(key: HashKey): boolean {
    return this.get(key) !== undefined;
  }

  /** Adds a key that is not there, at a position that has none. */
  add(key: HashKey, position: number): void {
    this.size += 1;
    this.hashes[position] = key;
    if (typeof key !== 'number' || this.distrustful || Math.floor(key) !== key) {
      this.others ??= new Map();
      this.others.set(this.otherKey(key), position);
    } else if (this.shift !== 32) this.place(key, position);
    else if (this.small.length < SMALL) this.small.push(position);
    else {
      this.makeTable(32);
      this.place(key, position);
    }
  }

  /** The position it had, or undefined if it was not there. */
  remove(key: HashKey): number | undefined {
    const position = this.get(key);
    if (position === undefined) return undefined;
    this.size -= 1;
    this.hashes[position] = undefined;
    if (typeof key !== 'number' || this.distrustful || Math.floor(key) !== key) this.others?.delete(this.otherKey(key));
    else if (this.shift === 32) this.small.splice(this.small.indexOf(position), 1);
    else {
      const { places } = this;
      let place = spread(key) >>> this.shift;
      while (places[place] !== position + 1) place = (place + 1) & (places.length - 1);
      places[place] = REMOVED;
    }
    return position;
  }

  clear(): void {
    this.size = 0;
    this.hashes = [];
    this.small = [];
    this.others = null;
    this.distrustful = false;
    this.forgetTable();
  }

  /** Closes the gaps: every key moves to the position that is the count of those before it. */
  pack(): void {
    const { hashes } = this;
    this.clear();
    for (let at = 0; at < hashes.length; at += 1) {
      const key = hashes[at];
      if (key !== undefined) this.add(key, this.size);
    }
  }

  private otherKey(key: HashKey): HashKey {
    // No other key begins so (K2 of hash-key.ts).
    return this.distrustful && typeof key === 'number' ? `\0n${key}` : key;
  }

  private place(key: number, position: number): void {
    const { places } = this;
    const mask = places.length - 1;
    let place = spread(key) >>> this.shift;
    for (let tries = 0; places[place] !== FREE; tries += 1) {
      if (tries > LONGEST_SEARCH) {
        this.distrust();
        return;
      }
      place = (place + 1) & mask;
    }
    places[place] = position + 1;
    this.used += 1;
    if (this.used * 2 > places.length) this.makeTable(places.length);
  }

  /** A table for the keys there are, without what was removed; of `least` places or more, and at most a quarter full. */
  private makeTable(least: number): void {
    const { hashes } = this;
    const numbers = this.size - (this.others === null ? 0 : this.others.size);
    let length = least;
    while (length < numbers * 4) length *= 2;
    this.small = [];
    this.places = new Int32Array(length);
    this.shift = Math.clz32(length - 1);
    this.used = 0;
    for (let at = 0; at < hashes.length && this.shift !== 32; at += 1) {
      const key = hashes[at];
      if (typeof key === 'number' && Math.floor(key) === key) this.place(key, at);
    }
  }

  private forgetTable(): void {
    this.places = noPlaces;
    this.shift = 32;
    this.used = 0;
  }

  private distrust(): void {
    this.distrustful = true;
    this.forgetTable();
    this.others ??= new Map();
    for (const [at, key] of this.hashes.entries()) if (typeof key === 'number') this.others.set(this.otherKey(key), at);
    // NaN and fractions were there under their own name.
    for (const key of this.others.keys()) if (typeof key === 'number') this.others.delete(key);
  }
}

/** For whole numbers of up to 54 bits. */
function spread(key: number): number {
  const low = key | 0;
  return Math.imul(low === key ? low : low ^ Math.imul(Math.floor(key / TWO_32), 0x85ebca6b), SPREAD);
}
