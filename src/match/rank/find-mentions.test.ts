import { describe, expect, it } from 'vitest';
import { findMentions } from './find-mentions.ts';

const known = new Set(['pr-review', 'tides', 'a_b']);
const named = (text: string): readonly string[] =>
  findMentions(text, (name) => known.has(name)).map(({ name }) => name);

describe('findMentions', () => {
  it.each([
    ['have pr-review look at it', ['pr-review']],
    ['PR-Review, then a_b', ['pr-review', 'a_b']],
    ['the tides skill', ['tides']],
    ['the "tides" skill', ['tides']],
    ['tides are high', []],
    ['xpr-review', []],
  ] as const)('finds the names in %s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  it('looks at a word once, however long it is', () => {
    for (const unit of ['写', 'x', 'a-', 'a_a', 'x '])
      for (let again = 0; again < 100; again += 1) expect(named(unit.repeat(20_000))).toEqual([]);
  });
});
