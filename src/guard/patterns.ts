// The one way in which rules search texts: in time proportional to the text.
//
//   text -> one pass for the literals of all patterns -> windows around the hits -> the RegExp of the pattern in its windows
//
// P1. Every pattern names literals; one of them is in every text that it matches. Without a hit its RegExp never runs.
// P2. Every repeat of a RegExp is bounded and what it can try from one place is limited (pattern-cost.ts; a test holds all patterns to it),
//     so a window costs a constant for each of its characters. Windows of one pattern that overlap are searched as one.
// P3. All of it is charged before it is done.
import type { Work } from './detector.ts';

/** What to search for. */
export interface GuardPattern {
  /** The code of the rule, or whatever else the caller wants to get back. */
  readonly id: string;
  /** In lower case, at least three characters each: whatever `regex` matches contains one of them, letters in any case. */
  readonly literals: readonly string[];
  /** With the flags `i`, `u`, `m`, `s` as needed; never `g` or `y`. */
  readonly regex: RegExp;
  /** How far before and after a literal a match can reach. Default: 300 characters. */
  readonly reach?: number;
}

export interface PatternMatch {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** The groups of the RegExp, the whole match first. */
  readonly groups: readonly (string | undefined)[];
}

export interface PatternSet {
  readonly patterns: readonly GuardPattern[];
  /** In order of the patterns, then of their places; matches of one pattern do not overlap. At most `maxMatches` for each pattern. */
  find(text: string, work: Work, maxMatches?: number): readonly PatternMatch[];
}

const defaultReach = 300;
const defaultMatches = 5000;

/** Every set that was made: a test holds all of them to P2. */
export const compiledSets: PatternSet[] = [];

/** Costs as much as a few hundred searches: make it once, at the top of a module. */
export function compilePatterns(patterns: readonly GuardPattern[]): PatternSet {
  let search: LiteralSearch | null = null;
  const regexes = patterns.map(({ regex }) => new RegExp(regex.source, `${regex.flags}g`));
  const set: PatternSet = {
    patterns,
    find(text, work, maxMatches = defaultMatches) {
      search ??= new LiteralSearch(patterns);
      work.charge(text.length);
      const found: PatternMatch[] = [];
      for (const [index, windows] of search.windows(text)) {
        const { id } = patterns[index] as GuardPattern;
        const regex = regexes[index] as RegExp;
        let matches = 0;
        for (let at = 0; at < windows.length && matches < maxMatches; at += 2) {
          const from = windows[at] as number;
          const to = windows[at + 1] as number;
          work.charge((to - from) * regexWeight);
          const part = from === 0 && to === text.length ? text : text.slice(from, to);
          regex.lastIndex = 0;
          for (
            let match = regex.exec(part);
            match !== null && matches < maxMatches;
            match = regex.exec(part)
          ) {
            if (match[0] === '') regex.lastIndex += 1;
            matches += 1;
            const start = from + match.index;
            found.push({ id, start, end: start + match[0].length, groups: [...match] });
          }
        }
        if (matches >= maxMatches) work.leaveOut?.('a pattern fits more places than are looked at');
      }
      return found;
    },
  };
  compiledSets.push(set);
  return set;
}

/** What a character costs in a RegExp, compared to the search for literals. */
const regexWeight = 4;

/**
 * Finds the literals of all patterns in one pass: an automaton after Aho and Corasick, with its moves written out over the 7-bit
 * characters that occur in literals. Every other character leads to the start.
 */
class LiteralSearch {
  readonly #patterns: readonly GuardPattern[];
  /** Character -> its column; 0 for all that are in no literal. */
  readonly #columns = new Uint8Array(128);
  #width = 1;
  /** State * width + column -> state. */
  readonly #moves: Int32Array;
  /** Per state: the patterns with a literal that ends here, and its length. */
  readonly #ends: (readonly { readonly pattern: number; readonly length: number }[] | null)[];

  constructor(patterns: readonly GuardPattern[]) {
    this.#patterns = patterns;
    const words = new Map<string, number[]>();
    patterns.forEach(({ id, literals }, index) => {
      if (literals.length === 0) throw new Error(`the pattern "${id}" names no literal`);
      for (const literal of literals) {
        if (!/^[\0-@[-\x7f]{3,}$/.test(literal))
          throw new Error(
            `the literal "${literal}" of the pattern "${id}" is not three or more lower-case ASCII characters`,
          );
        words.set(literal, [...(words.get(literal) ?? []), index]);
      }
    });
    for (const word of words.keys())
      for (let at = 0; at < word.length; at += 1) {
        const unit = word.charCodeAt(at);
        if (this.#columns[unit] === 0) {
          this.#columns[unit] = this.#width;
          this.#width += 1;
        }
      }
    for (let unit = 65; unit <= 90; unit += 1) this.#columns[unit] = this.#columns[unit + 32] as number;
    const made = this.#build(words);
    this.#moves = made.moves;
    this.#ends = made.ends;
  }

  #build(words: ReadonlyMap<string, readonly number[]>): {
    readonly moves: Int32Array;
    readonly ends: (readonly { readonly pattern: number; readonly length: number }[] | null)[];
  } {
    const width = this.#width;
    let states = 1;
    for (const word of words.keys()) states += word.length;
    const moves = new Int32Array(states * width).fill(-1);
    const ends: ({ readonly pattern: number; readonly length: number }[] | null)[] = [null];
    let used = 1;
    for (const [word, owners] of words) {
      let state = 0;
      for (let at = 0; at < word.length; at += 1) {
        const slot = state * width + (this.#columns[word.charCodeAt(at)] as number);
        if (moves[slot] === -1) {
          moves[slot] = used;
          ends.push(null);
          used += 1;
        }
        state = moves[slot] as number;
      }
      ends[state] = [...(ends[state] ?? []), ...owners.map((pattern) => ({ pattern, length: word.length }))];
    }
    // Breadth first: where a word breaks off, the longest end of it that begins another word goes on.
    const fallback = new Int32Array(used);
    const queue: number[] = [];
    for (let column = 0; column < width; column += 1) {
      const next = moves[column] as number;
      if (next === -1) moves[column] = 0;
      else queue.push(next);
    }
    for (let at = 0; at < queue.length; at += 1) {
      const state = queue[at] as number;
      const back = fallback[state] as number;
      const inherited = ends[back];
      if (inherited !== null && inherited !== undefined) ends[state] = [...(ends[state] ?? []), ...inherited];
      for (let column = 0; column < width; column += 1) {
        const slot = state * width + column;
        const next = moves[slot] as number;
        const other = moves[back * width + column] as number;
        if (next === -1) {
          moves[slot] = other;
        } else {
          fallback[next] = other;
          queue.push(next);
        }
      }
    }
    return { moves: moves.subarray(0, used * width), ends };
  }

  /** Pattern -> the windows around its hits as start, end, start, end …, apart from each other; in order of the patterns. */
  windows(text: string): readonly (readonly [number, readonly number[]])[] {
    const width = this.#width;
    const columns = this.#columns;
    const moves = this.#moves;
    const found = new Map<number, number[]>();
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      state = unit > 127 ? 0 : (moves[state * width + (columns[unit] as number)] as number);
      const ends = this.#ends[state];
      if (ends === null || ends === undefined) continue;
      for (const { pattern, length } of ends) {
        const reach = this.#patterns[pattern]?.reach ?? defaultReach;
        const from = Math.max(0, at + 1 - length - reach);
        const to = Math.min(text.length, at + 1 + reach);
        const windows = found.get(pattern);
        if (windows === undefined) found.set(pattern, [from, to]);
        else if (from <= (windows.at(-1) as number))
          windows[windows.length - 1] = Math.max(to, windows.at(-1) as number);
        else windows.push(from, to);
      }
    }
    return [...found].toSorted((a, b) => a[0] - b[0]);
  }
}
