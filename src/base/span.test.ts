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

describe('lineAt', () => {
  it('gives the line without its end', () => {
    const text = 'one\r\ntwo\nthree';
    expect(lineAt(text, 6)).toEqual({ start: 5, end: 8 });
    expect(lineAt(text, 999)).toEqual({ start: 9, end: 14 });
    expect(lineAt(text, 0)).toEqual({ start: 0, end: 3 });
  });
});
