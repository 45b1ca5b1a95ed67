import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { floatText } from './number-text.ts';
import { floatFromText, intFromText } from './parse-number.ts';

describe('intFromText', () => {
  it.each<[string, number, number | bigint]>([
    ['0', 10, 0],
    ['-0', 10, 0],
    ['+42', 10, 42],
    ['016', 10, 16],
    ['016', 8, 14],
    ['AF', 16, 175],
    ['az', 36, 395],
    ['0b0', 16, 176],
    ['0b', 16, 11],
    ['0x', 36, 33],
    ['0x1234', 16, 4660],
    ['0X1234', 0, 4660],
    ['-0b111', 0, -7],
    ['0o17', 0, 15],
    ['000', 0, 0],
    ['9007199254740991', 10, 9007199254740991],
    ['9007199254740992', 10, 9007199254740992n],
    ['-9007199254740993', 10, -9007199254740993n],
    ['0000000000000000000000012', 10, 12],
    ['zzzzzzzzzzzzzzzz', 36, 7958661109946400884391935n],
  ])('reads %s in base %d', (text, base, value) => {
    expect(intFromText(testThread(), text, base)).toBe(value);
  });

  it.each([
    ['', 10],
    ['-', 10],
    ['+', 10],
    [' 42', 10],
    ['42 ', 10],
    ['1.5', 10],
    ['ab', 10],
    ['0x', 0],
    ['0x', 16],
    ['0x12', 10],
    ['0xFF', 8],
    ['123', 3],
    ['016', 0],
    ['--1', 10],
    ['0x-1', 16],
    ['1_000', 10],
    ['١', 10],
    ['0b2', 2],
    ['\u212a', 36],
    ['0Oxa', 8],
  ])('refuses "%s" in base %d', (text, base) => {
    expect(faultOf(() => intFromText(testThread(), text, base))).toBe(
      `EVAL_VALUE int: invalid literal with base ${base}: ${JSON.stringify(text)}`,
    );
  });

  it.each([-1, 1, 37])('refuses base %d', (base) => {
    expect(faultOf(() => intFromText(testThread(), '1', base))).toBe(
      `EVAL_VALUE int: base must be 0 or an integer >= 2 && <= 36, got ${base}`,
    );
  });

  it('reads what writing gives, in every base', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(1n << 300n), max: 1n << 300n }),
        fc.integer({ min: 2, max: 36 }),
        (n, base) => {
          const read = intFromText(testThread(), n.toString(base), base);
          expect(BigInt(read)).toBe(n);
          expect(typeof read === 'number').toBe(Number.isSafeInteger(Number(n)));
        },
      ),
    );
  });

  it('refuses an int of too many bits without reading it', () => {
    expect(faultOf(() => intFromText(testThread({ maxIntBits: 64 }), '18446744073709551616', 10))).toBe(
      'INT_LIMIT an int of more than 64 bits',
    );
    expect(intFromText(testThread({ maxIntBits: 64 }), '18446744073709551615', 10)).toBe(
      18446744073709551615n,
    );
    expect(faultOf(() => intFromText(testThread(), '7'.repeat(1_000_000), 10))).toBe(
      'INT_LIMIT an int of more than 65536 bits',
    );
  });
});

describe('floatFromText', () => {
  it.each([
    ['1', 1],
    ['1.', 1],
    ['.5', 0.5],
    ['-1.5e3', -1500],
    ['+1E-2', 0.01],
    ['00.10', 0.1],
    ['-0', -0],
    ['inf', Infinity],
    ['+Inf', Infinity],
    ['-INFINITY', -Infinity],
    ['NaN', NaN],
    ['-nan', NaN],
    ['1e-400', 0],
  ])('reads %s', (text, value) => {
    expect(floatFromText(testThread(), text).value).toBe(value);
  });

  it.each([
    '',
    '+',
    '.',
    'e5',
    '1e',
    '1e+',
    '1.5.2',
    ' 1',
    '1 ',
    '0x10',
    '1_0',
    'infinit',
    '1,5',
    '--1',
    'infx',
    '٣',
  ])('refuses "%s"', (text) => {
    expect(faultOf(() => floatFromText(testThread(), text))).toBe(
      `EVAL_VALUE float: invalid float literal: ${JSON.stringify(text)}`,
    );
  });

  it('refuses what no float can hold', () => {
    expect(faultOf(() => floatFromText(testThread(), '-1e400'))).toBe(
      'EVAL_VALUE float: floating-point number too large: "-1e400"',
    );
  });

  it('reads what floatText writes', () => {
    fc.assert(
      fc.property(fc.double(), (n) => {
        expect(floatFromText(testThread(), floatText(n)).value).toBe(n);
      }),
    );
  });
});
