import { describe, expect, it } from 'vitest';
import { cognatesOf } from './cognates.ts';

describe('cognatesOf', () => {
  it.each([
    ['documentacion', 'documentation'],
    ['documentazione', 'documentation'],
    ['dokumentation', 'documentation'],
    ['документация', 'documentation'],
    ['презентация', 'presentation'],
    ['kalender', 'calendar'],
    ['calendario', 'calendar'],
    ['musik', 'music'],
    ['technologie', 'technology'],
    ['universidad', 'university'],
  ])('spells %s as %s', (word, english) => {
    expect(cognatesOf(word)).toContain(english);
  });
  it('makes nothing of short words, numbers and other scripts', () => {
    expect(['und', 'wert', '12345', '規劃行程表', 'abc123'].flatMap(cognatesOf)).toEqual([]);
  });
});
