import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuotes } from './find-quotes.ts';

const quoted = (text: string): readonly string[] =>
  findQuotes(text).map(({ start, end }) => text.slice(start, end));

describe('findQuotes', () => {
  it.each([
    ['say "hello there" now', ['hello there']],
    ['“a” and „b“ and «c» and 「d」 and `e`', ['a', 'b', 'c', 'd', 'e']],
    ["don't stop, it's 5\" wide", []],
    ['an "open one\n\nand a "closed" one', ['closed']],
    ["'one line\nanother' 'this'", ['this']],
    ['“never closed “closed”', ['never closed “closed']],
    ['""', []],
  ] as const)('finds what is quoted in %s', (text, expected) => {
    expect(quoted(text)).toEqual(expected);
  });

  it('finds what looking anew for every mark finds', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '“',
      '”',
      '„',
      '‘',
      '’',
      '`',
      '「',
      '」',
      'a',
      ' ',
      '\n',
      '\n\n',
      'it',
      '5',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        expect(quoted(text)).toEqual(quotedAnew(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('reads a text of marks that are never closed once, and not once for each', () => {
    for (const unit of ['“', '"a ', "'a ", '‘a', '「', '`x', '„x'])
      expect(findQuotes(unit.repeat(300_000)).length).toBeGreaterThanOrEqual(0);
  });
});

/** Whole remainders, one mark at a time: a mark is the first of its text, so that none before it looked in vain. */
function quotedAnew(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    // One character stays before it, since what opens depends on it.
    const before =
      at === 0 ? '' : /["'“„‘`「]/.test(text[at - 1] as string) ? '。' : (text[at - 1] as string);
    const [first] = findQuotes(before + text.slice(at));
    if (first === undefined || first.start !== before.length + 1) continue;
    found.push((before + text.slice(at)).slice(first.start, first.end));
    at += first.end - before.length;
  }
  return found;
}
