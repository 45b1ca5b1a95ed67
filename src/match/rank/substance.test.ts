import { describe, expect, it } from 'vitest';
import { isCommonWord } from '../text/common-words.ts';
import { substanceOf } from './substance.ts';

const of = (shared: readonly string[], others: readonly string[] = [], more: { readonly inHead?: boolean; readonly neighbours?: boolean; readonly named?: boolean } = {}): number => {
  const { inHead = true, neighbours = false, named = false } = more;
  return substanceOf({ words: shared, unknown: others, shared: shared.map((word) => ({ word, inHead })), neighbours, named });
};

describe('substanceOf', () => {
  it('takes one telling word where it is what the message is about (W2)', () => {
    expect(of(['bread'])).toBe(1);
    expect(of(['sailing'], ['hobby'])).toBeLessThan(0.4);
  });
  it('takes no word of everyday talk alone', () => {
    expect([of(['time']), of(['someone']), of(['meeting'], ['noon']), of(['run'])]).toEqual([0, 0, 0, 0]);
  });
  it('takes what the body alone has for half', () => {
    expect(of(['bread'], [], { inHead: false })).toBe(0);
  });
  it('takes neighbours, and the whole name, for more (W3, W5)', () => {
    expect(of(['meeting', 'notes'], [], { neighbours: true })).toBe(1);
    expect(of(['checklist'], ['database', 'moving'], { named: true })).toBeGreaterThan(of(['checklist'], ['database', 'moving']));
  });
  it('does not count names and numbers against it (W4)', () => {
    expect(of(['tide'], ['Brest', '2026'])).toBeGreaterThan(of(['tide'], ['brest', 'harbours']));
  });
  it('is never in the way of a message with several telling words', () => {
    expect(of(['calibrate', 'cameras', 'videos'], ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'])).toBe(1);
  });
});

describe('isCommonWord', () => {
  it('knows words of everyday talk by their stem, and no others', () => {
    expect(['time', 'breaks', 'running', 'meetings'].every(isCommonWord)).toBe(true);
    expect(['bread', 'changelog', 'branch', 'sourdough', 'tide', 'commit'].some(isCommonWord)).toBe(false);
  });
});
