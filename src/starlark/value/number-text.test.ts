import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { exponentText, fixedText, floatText, intText, intTextInBase } from './number-text.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('floatText', () => {
  it.each([
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [-1.5, '-1.5'],
    [1234567, '1234567.0'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e16, '10000000000000000.0'],
    [99999999999999984, '99999999999999980.0'],
    [1e17, '1e+17'],
    [123456789012345680000, '1.2345678901234568e+20'],
    [1.5e300, '1.5e+300'],
    [0.0001, '0.0001'],
    [0.00012345, '0.00012345'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [5e-324, '5e-324'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    [Infinity, '+inf'],
    [-Infinity, '-inf'],
    [NaN, 'nan'],
  ])('writes %s', (n, text) => {
    expect(floatText(n)).toBe(text);
  });

  it('reads back as the same float and never looks like an int', () => {
    fc.assert(
      fc.property(finite, (n) => {
        const text = floatText(n);
        expect(Object.is(Number(text), n)).toBe(true);
        expect(text).toMatch(/^-?\d+(\.\d+)?(e[+-]\d{2,3})?$/);
        expect(/[.e]/.test(text)).toBe(true);
      }),
    );
  });
});

describe('fixedText', () => {
  it.each([
    [0, '0.000000'],
    [-0, '-0.000000'],
    [1.23e12, '1230000000000.000000'],
    [1e21, '1000000000000000000000.000000'],
    [-1e22, '-10000000000000000000000.000000'],
    [1 / 3, '0.333333'],
    [0.0078125, '0.007812'],
    [-0.0078125, '-0.007812'],
    [0.0234375, '0.023438'],
    [0.9999999, '1.000000'],
    [NaN, 'nan'],
    [-Infinity, '-inf'],
  ])('writes %s', (n, text) => {
    expect(fixedText(n)).toBe(text);
  });

  it('is within half a millionth', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (n) => {
        expect(Math.abs(Number(fixedText(n)) - n)).toBeLessThanOrEqual(0.5e-6 * 1.001);
      }),
    );
  });
});

describe('exponentText', () => {
  it.each([
    [0, '0.000000e+00'],
    [1.23e12, '1.230000e+12'],
    [-1.5e-7, '-1.500000e-07'],
    [1.5e300, '1.500000e+300'],
    [1.0000005, '1.000001e+00'],
    [10000005, '1.000000e+07'],
    [10000015, '1.000002e+07'],
    [10000025, '1.000002e+07'],
    [99999995, '1.000000e+08'],
    [Infinity, '+inf'],
  ])('writes %s', (n, text) => {
    expect(exponentText(n)).toBe(text);
  });
});

describe('intText', () => {
  it('writes ints of any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 600n), max: 1n << 600n }), (n) => {
        expect(BigInt(intText(testThread(), n))).toBe(n);
        expect(intTextInBase(testThread(), n, 16)).toBe(n.toString(16));
      }),
    );
  });

  it('charges a long int before it is written', () => {
    expect(faultOf(() => intText(testThread({ steps: 100 }), 1n << 60_000n))).toBe(
      'STEP_LIMIT stopped after 100 steps',
    );
    expect(faultOf(() => intText(testThread({ bytes: 1000 }), 1n << 60_000n))).toContain('MEMORY_LIMIT');
  });
});
