// Sequences of calls that were made again and again: n-grams over the keys of calls, with where each was seen.
//
//   keys of each piece of work, in order -> repeated sequences, the most worthwhile first
//
// F1. A count is a number of occurrences that do not overlap, taken from left to right.
// F2. Sequences do not explain the same calls twice: what one of them covers counts for no later one.
// F3. A loop is found as one round of it: a sequence that ends with its own first two calls is none.
// F4. The same keys give the same sequences, in whatever order the pieces of work come. The work grows with the number of calls,
//     not with its square: a longer sequence is only looked for where both of its parts were frequent.

export interface FindOptions {
  /** How often a sequence must have been seen. */
  readonly least: number;
  /** How many calls a sequence has at most. */
  readonly longest: number;
  /** How many sequences are wanted. */
  readonly most: number;
  /** Whether it is worth a skill. Default: it has two calls that differ. */
  readonly isWorth?: (keys: readonly string[]) => boolean;
}

export interface Place {
  /** Which piece of work, and which of its calls is the first. */
  readonly work: number;
  readonly start: number;
}

export interface Sequence {
  readonly keys: readonly string[];
  /** Where it was seen; they do not overlap. */
  readonly places: readonly Place[];
}

interface Gram extends Sequence {
  /** All of them, also those that overlap; in order. */
  readonly every: readonly Place[];
}

const shortest = 2;

export function findSequences(
  works: readonly (readonly string[])[],
  { least, longest, most, isWorth = hasTwo }: FindOptions,
): readonly Sequence[] {
  const left = frequentGrams(works, least, longest).filter(({ keys }) => !isLoop(keys) && isWorth(keys));
  const used = works.map((keys) => new Uint8Array(keys.length));
  const found: Sequence[] = [];
  while (found.length < most) {
    let best: Sequence | null = null;
    for (const { keys, every } of left) {
      const places = apart(
        every.filter(({ work, start }) => !isUsed(used[work] as Uint8Array, start, keys.length)),
        keys.length,
      );
      if (places.length >= least && (best === null || isBetter({ keys, places }, best)))
        best = { keys, places };
    }
    if (best === null) break;
    for (const { work, start } of best.places) used[work]?.fill(1, start, start + best.keys.length);
    found.push(best);
  }
  return found;
}

/** Of every length, each with all of its places: which of them count is only known when others have taken theirs. */
function frequentGrams(
  works: readonly (readonly string[])[],
  least: number,
  longest: number,
): readonly Gram[] {
  const found: Gram[] = [];
  const single = new Map<string, number>();
  const first = works.map((keys) =>
    keys.map((key) => {
      const id = single.get(key) ?? single.size;
      single.set(key, id);
      return id;
    }),
  );
  // `ids[work][at]`: the gram of this length that begins there; -1 where it is not frequent.
  let ids: readonly (readonly number[])[] = first;
  for (let length = 1; length <= longest; length += 1) {
    const grams = frequent(works, ids, length, least);
    if (length >= shortest) found.push(...grams);
    const kept = works.map((keys) => new Int32Array(keys.length).fill(-1));
    for (const [id, { every }] of grams.entries())
      for (const { work, start } of every) (kept[work] as Int32Array)[start] = id;
    const pairs = new Map<number, number>();
    ids = works.map((keys, work) => {
      const here = kept[work] as Int32Array;
      return keys.map((_, start) => {
        const [head, tail] = [here[start] ?? -1, here[start + 1] ?? -1];
        if (head < 0 || tail < 0) return -1;
        const pair = head * grams.length + tail;
        const id = pairs.get(pair) ?? pairs.size;
        pairs.set(pair, id);
        return id;
      });
    });
  }
  return found;
}

function frequent(
  works: readonly (readonly string[])[],
  ids: readonly (readonly number[])[],
  length: number,
  least: number,
): readonly Gram[] {
  const every = new Map<number, Place[]>();
  for (const [work, here] of ids.entries())
    for (const [start, id] of here.entries()) {
      if (id < 0) continue;
      const places = every.get(id);
      if (places === undefined) every.set(id, [{ work, start }]);
      else places.push({ work, start });
    }
  const grams: Gram[] = [];
  for (const all of every.values()) {
    if (all.length < least) continue;
    const places = apart(all, length);
    const [{ work, start }] = all as [Place];
    const keys = (works[work] as readonly string[]).slice(start, start + length);
    if (places.length >= least) grams.push({ keys, places, every: all });
  }
  return grams;
}

function apart(places: readonly Place[], length: number): readonly Place[] {
  const taken: Place[] = [];
  let last: Place | null = null;
  for (const place of places) {
    if (last !== null && last.work === place.work && place.start < last.start + length) continue;
    taken.push(place);
    last = place;
  }
  return taken;
}

/** By the calls that it would save; then the longer one, then the text. */
function isBetter(one: Sequence, other: Sequence): boolean {
  const saved = ({ keys, places }: Sequence): number => (keys.length - 1) * places.length;
  if (saved(one) !== saved(other)) return saved(one) > saved(other);
  if (one.keys.length !== other.keys.length) return one.keys.length > other.keys.length;
  return one.keys.join('\n') < other.keys.join('\n');
}

function isUsed(used: Uint8Array, start: number, length: number): boolean {
  return used.subarray(start, start + length).includes(1);
}

/** a b c a b: the end begins it again. */
function isLoop(keys: readonly string[]): boolean {
  for (let from = 1; from <= keys.length - 2; from += 1)
    if (keys.slice(from).every((key, at) => key === keys[at])) return true;
  return false;
}

function hasTwo(keys: readonly string[]): boolean {
  return new Set(keys).size > 1;
}
