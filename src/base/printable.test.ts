import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasHiddenCharacters, printable, printableLine } from './printable.ts';

describe('printable', () => {
  it('leaves ordinary text, newlines and tabs alone', () => {
    expect(printable('Größe\t日本語\n✓ 👍')).toBe('Größe\t日本語\n✓ 👍');
  });

  it.each([
    ['an escape sequence', '\u001b[31mred', '\\u{1B}[31mred'],
    ['an OSC 8 link in C1 form', '\u009d8;;x\u009c', '\\u{9D}8;;x\\u{9C}'],
    ['a right-to-left override', 'a\u202eb', 'a\\u{202E}b'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200B}b'],
    ['a tag character', 'a\u{e0041}b', 'a\\u{E0041}b'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{D800}b'],
    ['a byte order mark', '\ufeffa', '\\u{FEFF}a'],
    ['a carriage return', 'a\rb', 'a\\u{D}b'],
  ])('shows %s as an escape', (_what, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('keeps the joiner inside an emoji, and only there', () => {
    expect(printable('👩‍🚀 👨🏽‍💻 ❤️‍🔥')).toBe('👩‍🚀 👨🏽‍💻 ❤️‍🔥');
    expect(printable('a\u200db')).toBe('a\\u{200D}b');
  });

  it('is idempotent and leaves nothing hidden', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = printable(text);
        expect(printable(once)).toBe(once);
        expect(hasHiddenCharacters(once)).toBe(false);
      }),
    );
  });
});

describe('printableLine', () => {
  it('puts everything on one line', () => {
    expect(printableLine('one\r\ntwo\n\n\tthree')).toBe('one two three');
  });
});
