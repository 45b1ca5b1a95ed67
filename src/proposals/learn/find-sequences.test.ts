import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sequence } from './find-sequences.ts';
import { findSequences } from './find-sequences.ts';

const options = { least: 2, longest: 5, most: 20 };
const shown = (found: readonly Sequence[]): readonly string[] =>
  found.map(({ keys, places }) => `${keys.join('')} ${places.length}`);
const works = (...texts: readonly string[]): readonly (readonly string[])[] =>
  texts.map((text) => text.split(''));

describe('findSequences', () => {
  it('finds what was done again, the longest explanation first', () => {
    expect(shown(findSequences(works('abcx', 'yabc', 'zabcq'), { ...options, least: 3 }))).toEqual(['abc 3']);
  });

  it('counts in one piece of work, without overlaps', () => {
    expect(shown(findSequences(works('ababab'), options))).toEqual(['ab 3']);
    expect(shown(findSequences(works('aaaaaa'), options))).toEqual([]);
    expect(shown(findSequences(works('aaaaaa'), { ...options, isWorth: () => true }))).toEqual(['aa 3']);
  });

  it('does not look across the end of a piece of work', () => {
    expect(shown(findSequences(works('a', 'b', 'a', 'b'), options))).toEqual([]);
  });

  it('prefers what saves most, and explains no call twice', () => {
    expect(shown(findSequences(works('abcd', 'abcd', 'bc', 'bc', 'bc'), options))).toEqual([
      'abcd 2',
      'bc 3',
    ]);
    expect(shown(findSequences(works('abc', 'abc', 'cab'), options))).toEqual(['abc 2']);
  });

  it('gives no rotation of a loop beside the loop', () => {
    expect(shown(findSequences(works('abcabcabcabc'), options))).toEqual(['abc 4']);
  });

  it('takes one occurrence where one is enough, and no more calls than asked for', () => {
    expect(shown(findSequences(works('abcdefg'), { least: 1, longest: 5, most: 5 }))).toEqual([
      'abcde 1',
      'fg 1',
    ]);
  });

  const histories = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 }), {
    maxLength: 6,
  });
  const countIn = (work: readonly string[], keys: readonly string[]): number => {
    let count = 0;
    for (let at = 0; at + keys.length <= work.length;)
      if (keys.every((key, more) => work[at + more] === key)) {
        count += 1;
        at += keys.length;
      } else at += 1;
    return count;
  };

  const endsAsItBegins = (text: string): boolean =>
    [2, 3, 4].some((length) => length < text.length && text.endsWith(text.slice(0, length)));

  it('says the truth about every place, and no two overlap', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 3 }), (history, least) => {
        const taken = new Set<string>();
        for (const { keys, places } of findSequences(history, { ...options, least })) {
          expect(places.length).toBeGreaterThanOrEqual(least);
          for (const { work, start } of places) {
            expect(history[work]?.slice(start, start + keys.length)).toEqual(keys);
            for (let at = start; at < start + keys.length; at += 1) {
              expect(taken.has(`${work}:${at}`)).toBe(false);
              taken.add(`${work}:${at}`);
            }
          }
        }
      }),
    );
  });

  it('finds first what no other sequence beats, by counting all of them', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 3 }), (history, least) => {
        const all = new Map<string, readonly string[]>();
        for (const work of history)
          for (let start = 0; start < work.length; start += 1)
            for (let length = 2; length <= options.longest && start + length <= work.length; length += 1) {
              const keys = work.slice(start, start + length);
              all.set(keys.join(''), keys);
            }
        const best = Math.max(
          0,
          ...[...all.values()]
            .filter((keys) => new Set(keys).size > 1 && !endsAsItBegins(keys.join('')))
            .map((keys) => [keys, history.reduce((sum, work) => sum + countIn(work, keys), 0)] as const)
            .filter(([, count]) => count >= least)
            .map(([keys, count]) => (keys.length - 1) * count),
        );
        const [first] = findSequences(history, { ...options, least });
        expect(first === undefined ? 0 : (first.keys.length - 1) * first.places.length).toBe(best);
      }),
    );
  });

  it('leaves nothing out: in what is not covered no sequence is frequent', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 2, max: 3 }), (history, least) => {
        const found = findSequences(history, { ...options, least, most: 1000 });
        // Cut where something was found: what is left has no frequent pair of different calls.
        const pieces = history.flatMap((work, index) => {
          const covered = new Set(
            found.flatMap(({ keys, places }) =>
              places
                .filter((place) => place.work === index)
                .flatMap(({ start }) => keys.map((_, more) => start + more)),
            ),
          );
          const cut: string[][] = [[]];
          for (const [at, key] of work.entries())
            if (covered.has(at)) cut.push([]);
            else cut.at(-1)?.push(key);
          return cut;
        });
        for (const one of ['a', 'b', 'c', 'd'])
          for (const other of ['a', 'b', 'c', 'd']) {
            if (one === other) continue;
            const count = pieces.reduce((sum, piece) => sum + countIn(piece, [one, other]), 0);
            expect([one, other, count < least]).toEqual([one, other, true]);
          }
      }),
    );
  });

  it('gives the same sequences and counts whatever the order of the work', () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(shown(findSequences([...history].reverse(), options))).toEqual(
          shown(findSequences(history, options)),
        );
      }),
    );
  });
});
