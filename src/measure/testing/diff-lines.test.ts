import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

function shown(expected: string, got: string): string {
  return diffLines(expected, got)
    .map(({ sign, text }) => sign + text)
    .join('|');
}

describe('diffLines', () => {
  it('keeps what both have', () => {
    expect([shown('a\nb\nc', 'a\nx\nc'), shown('a', 'a'), shown('', 'a'), shown('a\nb', 'b')]).toEqual([
      ' a|-b|+x| c',
      ' a',
      '-|+a',
      '-a| b',
    ]);
    expect(shown('one\ntwo\nthree\nfour', 'zero\none\nthree\nfive\nfour')).toBe(
      '+zero| one|-two| three|+five| four',
    );
  });

  it('gives both texts back', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (expected, got) => {
        const lines = diffLines(expected, got);
        expect(
          lines
            .filter(({ sign }) => sign !== '+')
            .map((line) => line.text)
            .join('\n'),
        ).toBe(expected);
        expect(
          lines
            .filter(({ sign }) => sign !== '-')
            .map((line) => line.text)
            .join('\n'),
        ).toBe(got);
      }),
    );
  });

  it('takes texts that are too long to be compared', () => {
    const [left, right] = [
      Array.from({ length: 3000 }, (_, at) => `a${at}`).join('\n'),
      Array.from({ length: 3000 }, (_, at) => `b${at}`).join('\n'),
    ];
    expect(diffLines(`same\n${left}`, `same\n${right}`).length).toBe(6001);
  });
});
