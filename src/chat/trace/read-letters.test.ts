import { describe, expect, it } from 'vitest';
import { readLetters } from './read-letters.ts';

const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const linesOf = (text: string): readonly string[] => {
  const { all, lines } = readLetters(text);
  return lines.map(({ begin, end, words }) => `${words} ${decode(all.subarray(begin, end))}`);
};

describe('readLetters', () => {
  it('gives letters of one case and width, and lines of some length with their words', () => {
    expect(decode(readLetters('Ａb 1 ÀÉ, 𝐗ﬁ\n総').all)).toBe('abàéxfi総');
    expect(linesOf('One two, three 4\r\nshort\\nfour five six\u2028x')).toEqual([
      '3 onetwothree',
      '3 fourfivesix',
    ]);
  });

  it('leaves lines that import something out of the running text', () => {
    const { all, running } = readLetters('import os\nfrom a import b, c\ndo(it)\n#include <x.h>');
    expect([decode(all), decode(running)]).toEqual(['importosfromaimportbcdoitincludexh', 'doit']);
  });

  it('knows where a line goes on behind its place', () => {
    const {
      all,
      lines: [line],
    } = readLetters('docs:7:and so it goes: on');
    expect(line?.parts.map((part) => decode(all.subarray(part, line.end)))).toEqual([
      'andsoitgoeson',
      'andsoitgoeson',
    ]);
  });

  it.each([
    ['letters and marks', 'e\u0301'],
    ['parts of syllables', '\u1112\u1161\u11ab'],
    ['narrow letters with marks', '\uff76\uff9e'],
    ['pairs', '𝐗'],
    ['letters that end words in another way', 'ΟΔΟΣΟ'],
  ])('gives the same wherever a long line is cut: %s', (_what, sign) => {
    const whole = sign.repeat(40).normalize('NFKC').toLowerCase();
    for (let shift = 0; shift < 4; shift += 1)
      expect(decode(readLetters('x'.repeat(shift) + sign.repeat(4000)).all)).toBe(
        'x'.repeat(shift) + whole.repeat(100),
      );
  });

  // The square of two million, if they were put in order.
  it('takes no longer for marks than for letters', () => {
    expect(decode(readLetters(`a${'\u0300\u0316'.repeat(1_000_000)}b`).all)).toMatch(/^àb$/);
  });
});
