import { describe, expect, it } from 'vitest';
import { PasteFilter } from './paste.ts';

const paste = (text: string): string => `\u001B[200~${text}\u001B[201~`;

describe('PasteFilter', () => {
  it('keeps several lines aside, and puts them back', () => {
    const filter = new PasteFilter();
    const keys = filter.keys(`see ${paste('a\r\nb\rc\n')} please`);
    expect(keys).toBe('see [pasted text 1: 3 lines] please');
    expect(filter.expand(keys)).toBe('see a\nb\nc\n please');
    expect(filter.keys(paste('x\ny'))).toBe('[pasted text 2: 2 lines]');
  });

  it('types what is one plain line, and nothing that is a key', () => {
    const filter = new PasteFilter();
    expect([filter.keys(paste('plain')), filter.keys(paste('a\tb\u0003'))]).toEqual([
      'plain',
      '[pasted text 1: 4 characters]',
    ]);
    expect(filter.expand('[pasted text 9: 2 lines]')).toBe('[pasted text 9: 2 lines]');
  });

  it('knows marks that come in pieces, wherever they are cut', () => {
    const whole = `a${paste('b\nc')}d\r`;
    for (let at = 1; at < whole.length; at += 1) {
      // A lone Escape at the end of a piece: a person may have pressed it.
      if (at === 2) continue;
      const filter = new PasteFilter();
      expect(filter.expand(filter.keys(whole.slice(0, at)) + filter.keys(whole.slice(at)))).toBe('ab\ncd\r');
    }
  });

  it('takes many lines in one piece for a paste, and sends it where it ends with a line end', () => {
    const filter = new PasteFilter();
    expect([filter.keys('one\ntwo\n'), filter.keys('one\rtwo')]).toEqual([
      '[pasted text 1: 2 lines]\r',
      '[pasted text 2: 2 lines]',
    ]);
    expect([filter.keys('typed\r'), filter.keys('\u001B[A'), filter.keys('\u001B')]).toEqual([
      'typed\r',
      '\u001B[A',
      '\u001B',
    ]);
  });
});
