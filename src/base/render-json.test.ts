import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderJson } from './printable.ts';

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
