import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { dictSet, newDict } from './dict.ts';
import { EvalError } from './eval-error.ts';
import { interpolate } from './interpolate.ts';
import { Float, List, Tuple, type Dict, type Value } from './value.ts';

const percent = (format: string, args: Value): Value => interpolate(testThread(), format, args);
const tuple = (...items: Value[]): Tuple => new Tuple(items);

function dict(entries: Record<string, Value>): Dict {
  const thread = testThread();
  const d = newDict(thread);
  for (const [key, value] of Object.entries(entries)) dictSet(thread, d, key, value);
  return d;
}

describe('interpolate', () => {
  it.each<[string, Value, string]>([
    ['Hello %s', 'Bob', 'Hello Bob'],
    ['Hello %s, your score is %d', tuple('Bob', 75), 'Hello Bob, your score is 75'],
    ['%s %r', tuple('hi', 'hi'), 'hi "hi"'],
    ['%%d %d', 1, '%d 1'],
    ['100%%', tuple(), '100%'],
    ['ab%scd', new List([1]), 'ab[1]cd'],
    ['%s', tuple(tuple(40, -74)), '(40, -74)'],
    ['%d %i', tuple(new Float(3.99), new Float(-3.99)), '3 -3'],
    ['%d', new Float(-0.5), '0'],
    ['%d', new Float(1e20), '100000000000000000000'],
    ['%d', 10n ** 20n, '100000000000000000000'],
    ['%x %X %o', tuple(-255, 48879, 8), '-ff BEEF 10'],
    ['%x', -(1n << 64n), '-10000000000000000'],
    ['%e %E', tuple(new Float(1.23e12), 1), '1.230000e+12 1.000000E+00'],
    ['%f %F', tuple(new Float(1.23e12), 1), '1230000000000.000000 1.000000'],
    ['%g %G %g', tuple(new Float(0), new Float(1.2e45), 1), '0.0 1.2E+45 1.0'],
    ['%g %E %f', tuple(new Float(Infinity), new Float(-Infinity), new Float(NaN)), '+inf -inf nan'],
    ['%c%c%c', tuple(65, 'α', 0x1f600), 'Aα😀'],
    ['A %(foo)d %(bar)s %(foo)s Z', dict({ foo: 123, bar: 'hi' }), 'A 123 hi 123 Z'],
    ['%s', dict({ a: 1 }), '{"a": 1}'],
    ['nothing', dict({ a: 1 }), 'nothing'],
    ['%s', null, 'None'],
    ['%s', '%s', '%s'],
    ['', tuple(), ''],
  ])('%j %% %j is %j', (format, args, result) => {
    expect(percent(format, args)).toBe(result);
  });

  it.each<[string, Value, string]>([
    ['%d %d', 1, 'EVAL_VALUE not enough arguments for format string'],
    ['%s %s', new List([1, 2]), 'EVAL_VALUE not enough arguments for format string'],
    ['%d %d', tuple(1, 2, 3), 'EVAL_VALUE too many arguments for format string: got 3, want 2'],
    ['%s', tuple(40, -74), 'EVAL_VALUE too many arguments for format string: got 2, want 1'],
    ['%s', tuple(), 'EVAL_VALUE not enough arguments for format string'],
    ['', 1, 'EVAL_VALUE too many arguments for format string: got 1, want 0'],
    ['%', 1, 'EVAL_VALUE incomplete format: the format string ends after "%"'],
    ['%(a)', dict({ a: 1 }), 'EVAL_VALUE incomplete format: the format string ends after "%"'],
    ['%(a', dict({ a: 1 }), 'EVAL_VALUE incomplete format key: a "%(" in the format string has no ")"'],
    ['%(a)s', 1, 'EVAL_TYPE format requires a mapping: "%(…)" needs a dict, not int'],
    ['%(b)s', dict({ a: 1 }), 'EVAL_KEY key not found: "b"'],
    ['%d', true, 'EVAL_TYPE %d format requires a number, not bool'],
    ['%d', '1', 'EVAL_TYPE %d format requires a number, not string'],
    ['%f', null, 'EVAL_TYPE %f format requires a number, not NoneType'],
    ['%d', new Float(NaN), 'EVAL_VALUE %d format requires a finite number, not nan'],
    ['%f', 10n ** 400n, 'EVAL_VALUE %f format: int too large to convert to float'],
    ['%c', 'abc', 'EVAL_VALUE %c format requires a single-character string'],
    ['%c', '', 'EVAL_VALUE %c format requires a single-character string'],
    ['%c', -1, 'EVAL_VALUE %c format requires a valid Unicode code point, got -1'],
    ['%c', 0xd800, 'EVAL_VALUE %c format requires a valid Unicode code point, got 55296'],
    ['%c', new List([]), 'EVAL_TYPE %c format requires an int or a single-character string, not list'],
    ['%y', 1, 'EVAL_VALUE unknown conversion %y in format string'],
    ['%😀', 1, 'EVAL_VALUE unknown conversion %😀 in format string'],
    ['%5d', 1, 'EVAL_VALUE unknown conversion %5d: flags, width and precision are not supported'],
    ['%-10.3f', 1, 'EVAL_VALUE unknown conversion %-10.3f: flags, width and precision are not supported'],
  ])('%j %% %j is refused', (format, args, fault) => {
    expect(faultOf(() => percent(format, args))).toBe(fault);
  });

  it('says how to do without width and precision', () => {
    let hint: string | null = null;
    try {
      percent('%.2f', new Float(1.5));
    } catch (error) {
      hint = error instanceof EvalError ? error.hint : null;
    }
    expect(hint).toBe(
      'pad by hand: " " * (5 - len(s)) + s; for two decimals take int(x * 100 + 0.5) and put the point in: "%d.%s" % (n // 100, ("0" + str(n % 100))[-2:])',
    );
  });

  it('puts operands between literal pieces as concatenation does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.oneof(fc.string(), fc.maxSafeInteger())), { maxLength: 8 }),
        (pairs) => {
          const format = pairs.map(([literal]) => `${literal.replaceAll('%', '%%')}%s`).join('');
          expect(percent(format, tuple(...pairs.map(([, value]) => value)))).toBe(pairs.flat().join(''));
        },
      ),
    );
  });

  it('charges what it makes before it is made', () => {
    const large = 'x'.repeat(200_000);
    expect(
      faultOf(() => interpolate(testThread({ bytes: 1_000_000 }), '%s%s%s', tuple(large, large, large))),
    ).toContain('MEMORY_LIMIT');
  });
});
