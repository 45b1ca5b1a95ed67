import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allMatches } from './all-matches.ts';

const patterns = [/a/g, /a*/g, /(?:)/gu, /(?:)/g, /\p{L}+/gu, /(b)?/g];

describe('allMatches', () => {
  it('gives what matchAll gives', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...patterns),
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '\ud83d') }),
        (pattern, text) => {
          expect(allMatches(pattern, text)).toEqual([...text.matchAll(pattern)]);
        },
      ),
    );
  });

  it('begins at the start, wherever the pattern was used before', () => {
    const pattern = /a/g;
    pattern.test('aaa');
    expect(allMatches(pattern, 'aaa').map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});
