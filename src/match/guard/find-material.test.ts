import { describe, expect, it } from 'vitest';
import { findMaterial } from './find-material.ts';

describe('findMaterial', () => {
  /** Records, and a question about them with so many characters. */
  const asked = (length: number): string => {
    const [head, tail] = ['which of the names ', ' is the longest?'];
    return `name: ada\nname: bo\n\n${head}${'x'.repeat(length - head.length - tail.length)}${tail}`;
  };

  it('is what a question is asked about', () => {
    expect(findMaterial(asked(60))).toEqual([{ start: 0, end: 20, what: 'the text that is asked about' }]);
  });

  it('is none of a question that does not end within 300 characters', () => {
    expect([findMaterial(asked(300)).length, findMaterial(asked(301)).length]).toEqual([1, 0]);
  });
});
