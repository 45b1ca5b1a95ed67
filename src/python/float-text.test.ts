import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentText, fixedText, floatText, parseFloatText } from './float-text.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const ties = fc.tuple(fc.integer({ min: 0, max: 1 << 20 }), fc.nat(30)).map(([n, bits]) => n / 2 ** bits);

/** `|value| * 10 ** digits`, to the nearest whole number, half to even: from all digits of the value. */
function nearest(value: number, digits: number): bigint {
  const [whole = '', fraction = ''] = Math.abs(value).toFixed(100).split('.');
  const all = BigInt(whole + fraction);
  const unit = 10n ** BigInt(100 - digits);
  const [low, rest] = [all / unit, (all % unit) * 2n];
  return rest > unit || (rest === unit && low % 2n === 1n) ? low + 1n : low;
}

describe('fixedText', () => {
  it('rounds half to even, on the exact value', () => {
    fc.assert(
      fc.property(ties, fc.nat(20), (value, digits) => {
        expect(BigInt(fixedText(value, digits).replace('.', ''))).toBe(nearest(value, digits));
      }),
    );
  });

  it.each([
    [2.5, 0, '2'],
    [0.125, 2, '0.12'],
    [0.375, 2, '0.38'],
    [1e22, 1, '10000000000000000000000.0'],
    [5e-324, 3, '0.000'],
    [0.5, 120, `0.5${'0'.repeat(119)}`],
  ])('writes %s with %d digits', (value, digits, text) => {
    expect(fixedText(value, digits)).toBe(text);
  });
});

describe('exponentText', () => {
  it('gives the digits of fixedText for a number of one digit before the point', () => {
    fc.assert(
      fc.property(
        ties.map((n) => 1 + (n % 8)),
        fc.nat(20),
        (value, digits) => {
          expect(exponentText(value, digits)).toBe(`${fixedText(value, digits)}e+00`);
        },
      ),
    );
  });
});

describe('parseFloatText', () => {
  it('reads back what floatText writes', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(parseFloatText(floatText(value))).toBe(value);
      }),
    );
  });

  it.each(['', '.', '1e', '1_0', ' 1', '+-1', 'infinit', '0x1'])('refuses %j', (text) => {
    expect(parseFloatText(text)).toBeNull();
  });
});
