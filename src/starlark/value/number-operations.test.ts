import { intFromBigint } from '../../python/int.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { anyBigint, anyFloat, float } from '../../../test/support/starlark-values.ts';
import {
  add,
  bitAnd,
  bitOr,
  bitXor,
  divide,
  floorDivide,
  invert,
  modulo,
  multiply,
  negate,
  plus,
  shiftLeft,
  shiftRight,
  subtract,
} from './arithmetic.ts';
import { bitsBound } from './int.ts';
import type { Float, Value } from './value.ts';

type Operation = (thread: ReturnType<typeof testThread>, a: Value, b: Value) => Value;

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

const int = intFromBigint;
const run = (operation: Operation, a: Value, b: Value): Value => operation(testThread(), a, b);

describe('int arithmetic', () => {
  it.each<[string, Operation, (a: bigint, b: bigint) => bigint]>([
    ['+', add, (a, b) => a + b],
    ['-', subtract, (a, b) => a - b],
    ['*', multiply, (a, b) => a * b],
    ['&', bitAnd, (a, b) => a & b],
    ['|', bitOr, (a, b) => a | b],
    ['^', bitXor, (a, b) => a ^ b],
  ])('computes %s exactly', (_name, operation, oracle) => {
    fc.assert(
      fc.property(anyBigint, anyBigint, (a, b) => {
        expect(run(operation, int(a), int(b))).toBe(int(oracle(a, b)));
      }),
      { numRuns: 2000 },
    );
  });

  it('floors // and % for every mix of signs', () => {
    fc.assert(
      fc.property(
        anyBigint,
        anyBigint.filter((b) => b !== 0n),
        (a, b) => {
          const quotient = floorDiv(a, b);
          expect(run(floorDivide, int(a), int(b))).toBe(int(quotient));
          expect(run(modulo, int(a), int(b))).toBe(int(a - quotient * b));
        },
      ),
      { numRuns: 4000 },
    );
  });

  it('divides safe integers whose quotient is closest to the next integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n, max: 2n ** 27n }), fc.bigInt({ min: 1n, max: 2n ** 26n }), (b, q) => {
        const a = b * q - 1n;
        expect(run(floorDivide, int(a), int(b))).toBe(int(q - 1n));
        expect(run(floorDivide, int(-a), int(b))).toBe(int(-q));
      }),
      { numRuns: 4000 },
    );
  });

  it('never gives minus zero', () => {
    const results = [
      run(multiply, 0, -5),
      run(floorDivide, 0, -5),
      run(modulo, -10, 5),
      run(modulo, 0, -3),
      negate(testThread(), 0),
      run(shiftRight, 0, 3),
    ];
    expect(results.map((result) => Object.is(result, 0))).toEqual(results.map(() => true));
  });

  it('shifts like a multiplication and a floored division by a power of two', () => {
    fc.assert(
      fc.property(anyBigint, fc.integer({ min: 0, max: 200 }), (a, count) => {
        expect(run(shiftLeft, int(a), count)).toBe(int(a << BigInt(count)));
        expect(run(shiftRight, int(a), count)).toBe(int(a >> BigInt(count)));
      }),
      { numRuns: 2000 },
    );
  });

  it('negates, inverts and keeps', () => {
    fc.assert(
      fc.property(anyBigint, (a) => {
        expect([
          negate(testThread(), int(a)),
          invert(testThread(), int(a)),
          plus(testThread(), int(a)),
        ]).toEqual([int(-a), int(~a), int(a)]);
      }),
    );
  });

  it('shifts right by any count, but left only within the largest int', () => {
    expect(run(shiftRight, -1, 2n ** 70n)).toBe(-1);
    expect(run(shiftRight, 2n ** 70n, 2n ** 70n)).toBe(0);
    expect(run(shiftLeft, 0, 2n ** 70n)).toBe(0);
    expect(run(shiftLeft, 1, 65_535)).toBe(1n << 65_535n);
    expect(faultOf(() => run(shiftLeft, 1, 65_536))).toBe('INT_LIMIT an int of more than 65536 bits');
    expect(faultOf(() => run(shiftLeft, 1, 2n ** 70n))).toBe('INT_LIMIT an int of more than 65536 bits');
    expect(faultOf(() => run(shiftLeft, 1, -1))).toBe('EVAL_VALUE negative shift count: -1');
    expect(faultOf(() => run(shiftRight, 1, -(2n ** 70n)))).toBe(
      'EVAL_VALUE negative shift count: a huge negative int',
    );
  });

  it('refuses an int of more bits than the run allows, at the very bit', () => {
    const largest = (1n << 65_536n) - 1n;
    const half = 1n << 32_768n;
    expect(run(subtract, largest, 1)).toBe(largest - 1n);
    expect(faultOf(() => run(add, largest, 1))).toBe('INT_LIMIT an int of more than 65536 bits');
    expect(faultOf(() => run(subtract, -largest, 1))).toBe('INT_LIMIT an int of more than 65536 bits');
    expect(faultOf(() => run(multiply, half, half))).toBe('INT_LIMIT an int of more than 65536 bits');
    expect(run(multiply, half, half - 1n)).toBe(half * (half - 1n));
    expect(faultOf(() => run(multiply, largest, largest))).toBe('INT_LIMIT an int of more than 65536 bits');
  });

  it('charges large operands by their size', () => {
    const thread = testThread();
    const a = 1n << 60_000n;
    const b = 3n << 5_000n;
    floorDivide(thread, a, b);
    expect(thread.meter.steps).toBeGreaterThan(10_000);
  });

  it('names both types when an operator has no meaning, and says why', () => {
    expect(faultOf(() => run(add, 1, 'a'))).toBe('EVAL_TYPE unsupported binary operation: int + string');
    expect(faultOf(() => run(multiply, 'abc', true))).toBe(
      'EVAL_TYPE unsupported binary operation: string * bool',
    );
    expect(faultOf(() => run(bitAnd, 1, float(1)))).toBe(
      'EVAL_TYPE unsupported binary operation: int & float',
    );
    expect(faultOf(() => run(shiftLeft, float(1), 1))).toBe(
      'EVAL_TYPE unsupported binary operation: float << int',
    );
    expect(faultOf(() => negate(testThread(), true))).toBe('EVAL_TYPE unsupported unary operation: -bool');
    expect(faultOf(() => plus(testThread(), 'a'))).toBe('EVAL_TYPE unsupported unary operation: +string');
    expect(faultOf(() => invert(testThread(), float(1)))).toBe(
      'EVAL_TYPE unsupported unary operation: ~float',
    );
  });

  it('refuses zero as a divisor', () => {
    const faults = [floorDivide, modulo, divide].map((operation) => [
      faultOf(() => run(operation, 1, 0)),
      faultOf(() => run(operation, float(1), float(-0))),
    ]);
    expect(faults).toEqual([
      ['EVAL_ZERO_DIVISION floored division by zero', 'EVAL_ZERO_DIVISION floored division by zero'],
      ['EVAL_ZERO_DIVISION integer modulo by zero', 'EVAL_ZERO_DIVISION floating-point modulo by zero'],
      [
        'EVAL_ZERO_DIVISION floating-point division by zero',
        'EVAL_ZERO_DIVISION floating-point division by zero',
      ],
    ]);
  });
});

describe('float arithmetic', () => {
  const value = (v: Value): number => (v as Float).value;

  it('follows IEEE 754, with the int turned into a float first', () => {
    fc.assert(
      fc.property(anyFloat, fc.integer(), (x, n) => {
        expect(value(run(add, float(x), n))).toBe(x + n);
        expect(value(run(subtract, n, float(x)))).toBe(n - x);
        expect(value(run(multiply, float(x), n))).toBe(x * n);
      }),
    );
  });

  it('gives a remainder with the sign of the divisor', () => {
    fc.assert(
      fc.property(
        anyFloat,
        anyFloat.filter((y) => y !== 0),
        (x, y) => {
          const rest = value(run(modulo, float(x), float(y)));
          if (Number.isNaN(rest) || rest === 0) return;
          expect(rest < 0).toBe(y < 0);
          expect(Math.abs(rest) <= Math.abs(y)).toBe(true);
        },
      ),
    );
  });

  it.each<[number, number, number, number]>([
    [7.5, 2, 3, 1.5],
    [-7.5, 2, -4, 0.5],
    [7.5, -2, -4, -0.5],
    [-7.5, -2, 3, -1.5],
    [1, Infinity, 0, 1],
    // floor(x / y), as the specification says: -1.0 / +inf is -0.0.
    [-1, Infinity, -0, Infinity],
  ])('floors %d // %d', (x, y, quotient, rest) => {
    expect([value(run(floorDivide, float(x), float(y))), value(run(modulo, float(x), float(y)))]).toEqual([
      quotient,
      rest,
    ]);
  });

  it('divides ints into floats, and refuses one that no float can hold', () => {
    expect(run(divide, 7, 2)).toEqual(float(3.5));
    expect(run(divide, 2n ** 80n, 2n ** 79n)).toEqual(float(2));
    expect(faultOf(() => run(add, 1n << 1024n, float(1)))).toBe(
      'EVAL_VALUE int too large to convert to float',
    );
  });
});

describe('bitsBound', () => {
  it('is at least the size of the int and less than twice as much', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 64n, max: 2n ** 3000n }), (b) => {
        const bits = b.toString(2).length;
        expect(bitsBound(b)).toBe(bitsBound(-b));
        expect(bitsBound(b)).toBeGreaterThanOrEqual(bits);
        expect(bitsBound(b)).toBeLessThan(2 * bits);
      }),
    );
  });
});
