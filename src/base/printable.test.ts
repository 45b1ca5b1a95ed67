// TODO header
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasHiddenCharacters, printable, printableLine, renderJson } from './printable.ts';

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

  it('keeps selectors and tags of emoji that exist, and only those', () => {
    for (const text of [
      '\u2764\uFE0F',
      '\u2764\uFE0E',
      '1\uFE0F\u20E3',
      '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    ])
      expect(printable(text)).toBe(text);
    expect(printable('a\uFE0F 1\uFE0F \u6f22\uFE00')).toBe('a\\u{FE0F} 1\\u{FE0F} \u6f22\\u{FE00}');
    expect(printable('\u{1F3F4}\u{E0068}\u{E0069}\u{E007F}')).toBe('\u{1F3F4}\\u{E0068}\\u{E0069}\\u{E007F}');
  });

  it('shows everything that Unicode ignores, formats or controls with', () => {
    const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
    const missed: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (
        ignorable.test(character) !== hasHiddenCharacters(character) &&
        character !== '\t' &&
        character !== '\n'
      )
        missed.push(point.toString(16));
    }
    expect(missed).toEqual([]);
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

describe('renderJson', () => {
  it('writes what would command a terminal or hide text as escapes', () => {
    expect(renderJson({ a: '\u001B[2J\u009B2J\u202Ex\u200B\u{E0041}é潮' })).toBe(
      '{"a":"\\u001b[2J\\u009b2J\\u202ex\\u200b\\udb40\\udc41é潮"}',
    );
  });

  it('hides by the same table as text, and leaves emoji whole', () => {
    expect(renderJson('\u034F\uFE01\u{1D173}\u{13430}\u{1BCA0}')).toBe(
      '"\\u034f\\ufe01\\ud834\\udd73\\ud80d\\udc30\\ud82f\\udca0"',
    );
    expect(renderJson('\u2764\uFE0F\u200D\u{1F525}')).toBe('"\u2764\uFE0F\u200D\u{1F525}"');
  });

  it('leaves the value as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(renderJson([text], 2))).toEqual([text]);
      }),
    );
  });
});
