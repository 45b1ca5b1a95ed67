import { describe, expect, it } from 'vitest';
import { lineAt, placeOf } from './span.ts';

describe('placeOf', () => {
  const text = 'ab\r\ncd\ref\n\u{1F600}g';

  it.each([
    [0, 1, 1],
    [1, 1, 2],
    [4, 2, 1],
    [7, 3, 1],
    [10, 4, 1],
    [12, 4, 3],
    [999, 4, 4],
    [-1, 1, 1],
  ])('puts offset %i at %i:%i', (offset, line, column) => {
    expect(placeOf(text, offset)).toEqual({ line, column });
  });
});

describe('placeOf, over and over', () => {
  it('does not pass over the text for each place', () => {
    const text = 'a\n'.repeat(500_000);
    const before = performance.now();
    let lines = 0;
    for (let at = 0; at < text.length; at += 100)
      lines += placeOf(text, at).line + lineAt(text, at).start - at;
    expect(lines).toBe(10_000 + (50 * 9_999 * 10_000) / 2);
    expect(performance.now() - before).toBeLessThan(1000);
  });
});

describe('lineAt', () => {
  it('gives the line without its end', () => {
    const text = 'one\r\ntwo\nthree';
    expect(lineAt(text, 6)).toEqual({ start: 5, end: 8 });
    expect(lineAt(text, 999)).toEqual({ start: 9, end: 14 });
    expect(lineAt(text, 0)).toEqual({ start: 0, end: 3 });
  });
});
