import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wildcardFits, wordsFit } from './match-words.ts';

describe('wildcardFits', () => {
  it.each([
    ['', '', true],
    ['*', '', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abbd', false],
    ['a', 'ab', false],
    ['*b*', 'abc', true],
    ['a*a', 'a', false],
    ['ab*b', 'ab', false],
    ['**', 'x', true],
    ['a.c', 'abc', false],
  ])('%j fits %j: %j', (pattern, text, fits) => {
    expect(wildcardFits(pattern, text)).toBe(fits);
  });

  it('says what a regular expression says', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(letters, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (pattern, text) => {
        expect(wildcardFits(pattern, text)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text));
      }),
    );
  });

  it('takes time in proportion, not without end', () => {
    const started = performance.now();
    expect(wildcardFits('*a'.repeat(500), 'a'.repeat(20_000) + 'b')).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('wordsFit', () => {
  it.each<[readonly string[], boolean, readonly string[], boolean]>([
    [['git', 'd*'], false, ['git', 'diff'], true],
    [['git'], false, ['git', 'diff'], false],
    [['git'], true, ['git', 'diff'], true],
    [['git', 'diff'], true, ['git'], false],
    [[], true, [], true],
  ])('%j, open: %j, fits %j: %j', (words, openEnded, argv, fits) => {
    expect(wordsFit({ words, openEnded }, argv)).toBe(fits);
  });

  it('compares words as it is told', () => {
    expect([
      wordsFit({ words: ['a*'], openEnded: false }, ['ab']),
      wordsFit({ words: ['a*'], openEnded: false }, ['ab'], (word, text) => word === text),
    ]).toEqual([true, false]);
  });
});
