// Where each key of a dict or set is: the key as `hashKey` gives it -> a position.
//
// What a JavaScript Map does, but several times as fast for whole numbers, which are the keys of a dict of ints, of a
// grid and of a set of ints: for half a million of them a Map took 180 ms and this takes 50.
//
// Most dicts are small, and are made more often than they are looked into: up to `FEW` keys are just searched, and
// nothing is made for them. Whole numbers are found through a table of places with open addressing. Neighbours are
// looked for side by side, which is kind to the cache of the processor; a key whose place is taken continues in steps of
// its own, so that runs of neighbours do not get in each other's way. All other keys are in a Map, made when there is
// one.
// key-index#T4. The hash of a number is known to everybody, so a program can choose keys that fall on one place. When
//   a search gets long, the numbers move into the Map as text, whose hash in V8 has a secret.
// `hashes` has the keys by position; undefined where there is none.
// key-index#T6. V8 hashes a text of more than `HASHED_UNITS` by its length alone, so that each is compared with all
//   others of its length. They are counted, for the charge (compare#K6).
import type { HashKey } from './value.ts';

const FEW = 8;
const HASHED_UNITS = 16_383;
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
  /** No position is `FEW` or more, and there is neither a table nor a Map: so few keys are just searched. */
  private few = true;
  /** For each place FREE, REMOVED, or one more than the position. */
  private places = noPlaces;
  /** A hash moved right by this is a place. */
  private shift = 32;
  /** Places that are not free. */
  private used = 0;
  private others: Map<HashKey, number> | null = null;
  private distrustful = false;
  /** How many texts there are of each length above `HASHED_UNITS`; null when there is none. */
  private long: Map<number, number> | null = null;

  get(key: HashKey): number | undefined {
    const { hashes } = this;
    if (this.few) {
      for (let at = 0; at < hashes.length; at += 1) if (hashes[at] === key) return at;
      return undefined;
    }
    if (typeof key !== 'number' || this.distrustful || Math.floor(key) !== key)
      return this.others === null ? undefined : this.others.get(this.otherKey(key));
    const { places } = this;
    if (places.length === 0) return undefined;
    const mask = places.length - 1;
    const hash = hashOf(key);
    let place = firstPlace(hash, this.shift) & mask;
    for (let step = 0; ; place = (place + step) & mask) {
      const found = places[place]!;
      if (found === FREE) return undefined;
      if (found !== REMOVED && hashes[found - 1] === key) return found - 1;
      if (step === 0) step = stepOf(hash, this.shift);
    }
  }

  has(key: HashKey): boolean {
    return this.get(key) !== undefined;
  }

  /** How many keys a text of `units` may be compared with when it is looked for (key-index#T6). */
  rivals(units: number): number {
    if (units > HASHED_UNITS) return this.long?.get(units) ?? 0;
    return this.size <= FEW ? this.size : 1;
  }

  /** Adds a key that is not there, at a position that has none: at most the one after the last. */
  add(key: HashKey, position: number): void {
    this.size += 1;
    this.hashes[position] = key;
    if (typeof key === 'string' && key.length > HASHED_UNITS) this.countLong(key.length, 1);
    if (!this.few) this.file(key, position);
    // A search does not find NaN.
    else if (position >= FEW || Number.isNaN(key)) {
      this.few = false;
      for (const [at, each] of this.hashes.entries()) if (each !== undefined) this.file(each, at);
    }
  }

  /** Takes these keys and the array, into an index that has none. The place of one that is there twice, or -1. */
  take(hashes: HashKey[]): number {
    if (hashes.length > FEW || !hashes.every(isPlain)) {
      for (const [at, key] of hashes.entries()) {
        if (this.has(key)) return at;
        this.add(key, at);
      }
      return -1;
    }
    this.hashes = hashes;
    this.size = hashes.length;
    for (let at = 1; at < hashes.length; at += 1) if (hashes.indexOf(hashes[at]!) < at) return at;
    return -1;
  }

  /** The position it had, or undefined if it was not there. */
  remove(key: HashKey): number | undefined {
    const position = this.get(key);
    if (position === undefined) return undefined;
    this.size -= 1;
    this.hashes[position] = undefined;
    if (typeof key === 'string' && key.length > HASHED_UNITS) this.countLong(key.length, -1);
    if (this.few) return position;
    if (typeof key !== 'number' || this.distrustful || Math.floor(key) !== key)
      this.others?.delete(this.otherKey(key));
    else {
      const { places } = this;
      const hash = hashOf(key);
      const step = stepOf(hash, this.shift);
      let place = firstPlace(hash, this.shift) & (places.length - 1);
      while (places[place] !== position + 1) place = (place + step) & (places.length - 1);
      places[place] = REMOVED;
    }
    return position;
  }

  clear(): void {
    this.size = 0;
    this.hashes = [];
    this.few = true;
    this.others = null;
    this.distrustful = false;
    this.long = null;
    this.forgetTable();
  }

  /** Closes the gaps: every key moves to the position that is the count of those before it. */
  pack(): void {
    const { hashes, others } = this;
    closeGaps(hashes);
    if (this.few) return;
    if (others !== null) {
      for (let at = 0; at < hashes.length; at += 1) {
        const key = this.otherKey(hashes[at]!);
        if (others.has(key)) others.set(key, at);
      }
    }
    if (this.places.length > 0) this.makeTable();
  }

  private countLong(units: number, change: number): void {
    this.long ??= new Map();
    const count = (this.long.get(units) ?? 0) + change;
    if (count === 0) this.long.delete(units);
    else this.long.set(units, count);
  }

  /** Makes a key of `hashes` findable. */
  private file(key: HashKey, position: number): void {
    if (typeof key === 'number' && !this.distrustful && Math.floor(key) === key) this.place(key, position);
    else {
      this.others ??= new Map();
      this.others.set(this.otherKey(key), position);
    }
  }

  private otherKey(key: HashKey): HashKey {
    // No other key begins so: `hashKey` marks every text that begins with NUL.
    return this.distrustful && typeof key === 'number' ? `\0n${key}` : key;
  }

  private place(key: number, position: number): void {
    const { places } = this;
    if ((this.used + 1) * 2 > places.length) {
      this.makeTable();
      return;
    }
    const mask = places.length - 1;
    const hash = hashOf(key);
    let place = firstPlace(hash, this.shift) & mask;
    if (places[place] !== FREE) {
      const step = stepOf(hash, this.shift);
      for (let tries = 0; places[place] !== FREE; tries += 1) {
        if (tries > LONGEST_SEARCH) {
          this.distrust();
          return;
        }
        place = (place + step) & mask;
      }
    }
    places[place] = position + 1;
    this.used += 1;
  }

  /** A new table for all whole numbers of `hashes`, at most a quarter full. */
  private makeTable(): void {
    const { hashes } = this;
    const numbers = this.size - (this.others === null ? 0 : this.others.size);
    let length = 32;
    while (length < numbers * 4) length *= 2;
    // What is filled and emptied again and again keeps its table: new ones would leave much to collect.
    if (length === this.places.length) this.places.fill(FREE);
    else this.places = new Int32Array(length);
    this.shift = Math.clz32(length - 1);
    this.used = 0;
    for (let at = 0; at < hashes.length && !this.distrustful; at += 1) {
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
    // NaN and fractions are there under their own name.
    const others = new Map([...(this.others ?? [])].filter(([key]) => typeof key !== 'number'));
    this.distrustful = true;
    this.forgetTable();
    this.others = others;
    for (const [at, key] of this.hashes.entries())
      if (typeof key === 'number') others.set(this.otherKey(key), at);
  }
}

/** Moves what is there to the front, in order. */
export function closeGaps(items: unknown[]): void {
  let size = 0;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (item !== undefined) items[size++] = item;
  }
  items.length = size;
}

/** Whether a search finds it and nothing is to be counted: neither NaN nor a long text. */
function isPlain(key: HashKey): boolean {
  return typeof key === 'string' ? key.length <= HASHED_UNITS : !Number.isNaN(key);
}

/** 32 bits for a whole number of up to 54; an int32 is its own. */
function hashOf(key: number): number {
  const low = key | 0;
  return low === key ? low : low ^ Math.imul(Math.floor(key / TWO_32), 0x85ebca6b);
}

/** The low bits, moved by the others. To be masked. */
function firstPlace(hash: number, shift: number): number {
  return hash + Math.imul(hash >>> (32 - shift), SPREAD);
}

/** Odd, so that the steps lead to every place. */
function stepOf(hash: number, shift: number): number {
  return (Math.imul(hash, SPREAD) >>> shift) | 1;
}
