import { describe, expect, it } from 'vitest';
import { hasHiddenCharacters } from '../base/printable.ts';
import { chooseLayout, lineSize, omissionNote, onOneLine, turnShare } from './index-layout.ts';

describe('onOneLine', () => {
  it('leaves no line end, no double blank and nothing hidden, of any character', () => {
    const wrong: string[] = [];
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const line = onOneLine(`a${String.fromCharCode(unit)}b`);
      if (/[^\S ]|\s\s/.test(line) || hasHiddenCharacters(line)) wrong.push(unit.toString(16));
    }
    expect(wrong).toEqual([]);
  });
  it('keeps what can be seen', () => {
    expect(onOneLine('  “Größe” — 大小\n→ 🌊 ')).toBe('“Größe” — 大小 → 🌊');
    expect(onOneLine('')).toBe('');
  });
});

describe('chooseLayout', () => {
  const sizes = Array.from({ length: 50 }, () => lineSize('0123456789', 'd'.repeat(100), ''));
  it('has room for nothing', () => {
    expect(chooseLayout(sizes, { limit: 0, turn: 0 })).toEqual({ tier: 'omitted', cap: 0, count: 0 });
    expect(chooseLayout([], { limit: 0, turn: 0 })).toEqual({ tier: 'full', cap: 0, count: 0 });
  });
  it('gives all descriptions the same, the most that fits', () => {
    // 94 of the header, and 50 lines of 15 and a description.
    expect(chooseLayout(sizes, { limit: 94 + 50 * (15 + 40), turn: 0 })).toEqual({
      tier: 'shortened',
      cap: 40,
      count: 50,
    });
    expect(chooseLayout(sizes, { limit: 94 + 50 * (15 + 40) - 1, turn: 0 })).toMatchObject({ cap: 39 });
  });
});

describe('turnShare', () => {
  it('is at most two fifths', () => {
    expect([turnShare({ limit: 8000, turn: 4000 }), turnShare({ limit: 16_000, turn: 4000 })]).toEqual([
      3200, 4000,
    ]);
  });
});

describe('omissionNote', () => {
  it('counts', () => {
    expect([omissionNote(1, 3), omissionNote(2, 0)]).toEqual([
      '(1 more skill not listed: find it with `skill_search(query)`.)',
      '(2 skills not listed: find them with `skill_search(query)`.)',
    ]);
  });
});
