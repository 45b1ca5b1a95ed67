import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callNative, faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { Float, List, type Value } from '../value/value.ts';
import { stringMethods } from './methods.ts';

function format(text: string, args: Value[] = [], named: [string, Value][] = []): Value {
  return callNative(testThread(), stringMethods.get('format'), text, args, named);
}

describe('string.format', () => {
  it.each<[string, Value[], [string, Value][], string]>([
    [
      'a{x}b{y}c{}',
      [1],
      [
        ['x', 2],
        ['y', 3],
      ],
      'a2b3c1',
    ],
    ['a{}b{}c', [1, 2], [], 'a1b2c'],
    ['({1}, {0})', ['zero', 'one'], [], '(one, zero)'],
    ['{0}{0}', ['é'], [], 'éé'],
    ['a{{b}}c', [], [], 'a{b}c'],
    ['{{{}}}', [1], [], '{1}'],
    ['}}{{', [], [], '}{'],
    ['{012}', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [], '12'],
    ['{!s} {!r} {x!r}', ['a', 'b'], [['x', 'c']], 'a "b" "c"'],
    ['{0!r:}', ['a'], [], '"a"'],
    ['{:}', ['a'], [], 'a'],
    ['{} {}', [new List(['a', 1]), new Float(1)], [], '["a", 1] 1.0'],
    ['{a b}', [], [['a b', 1]], '1'],
    ['{a.b}', [], [['a.b', 1]], '1'],
    ['', [1], [], ''],
    ['plain', [], [], 'plain'],
  ])('"%s" with %j and %j is "%s"', (text, args, named, result) => {
    expect(format(text, args, named)).toBe(result);
  });

  it.each<[string, string]>([
    ['a{z}b', 'EVAL_KEY format: keyword z not found'],
    ['{-1}', 'EVAL_KEY format: keyword -1 not found'],
    ['{ 0}', 'EVAL_KEY format: keyword  0 not found'],
    ['{0,1}', 'EVAL_KEY format: keyword 0,1 not found'],
    ['{123}', 'EVAL_INDEX format: tuple index out of range: no replacement found for index 123'],
    ['{}{}{}', 'EVAL_INDEX format: tuple index out of range: no replacement found for index 2'],
    [
      `{${'9'.repeat(400)}}`,
      'EVAL_INDEX format: tuple index out of range: no replacement found for index Infinity',
    ],
    [
      '{}{1}',
      'EVAL_VALUE format: cannot switch from automatic field numbering to manual field specification',
    ],
    [
      '{1}{}',
      'EVAL_VALUE format: cannot switch from manual field specification to automatic field numbering',
    ],
    ['{a.b}', 'EVAL_VALUE format: attribute syntax x.y is not supported in replacement fields: "a.b"'],
    ['{a[0]}', 'EVAL_VALUE format: element syntax a[i] is not supported in replacement fields: "a[0]"'],
    ['{ {} }', 'EVAL_VALUE format: nested replacement fields are not supported: " {"'],
    ['{{}', "EVAL_VALUE format: single '}' in format"],
    ['{}}', "EVAL_VALUE format: single '}' in format"],
    ['}}{', "EVAL_VALUE format: unmatched '{' in format"],
    ['}{{', "EVAL_VALUE format: single '}' in format"],
    ['{:5}', 'EVAL_VALUE format: format spec features not supported in replacement fields: "5"'],
    ['{!x}', 'EVAL_VALUE format: unknown conversion "x"'],
    ['{!}', 'EVAL_VALUE format: unknown conversion ""'],
  ])('refuses "%s"', (text, fault) => {
    expect(faultOf(() => format(text, [1, 2]))).toBe(fault);
  });

  it('puts arguments between literal pieces as concatenation does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 8 }),
        fc.boolean(),
        (pairs, numbered) => {
          const escape = (s: string): string => s.replaceAll('{', '{{').replaceAll('}', '}}');
          const text = pairs.map(([literal], i) => `${escape(literal)}{${numbered ? i : ''}}`).join('');
          expect(
            format(
              text,
              pairs.map(([, value]) => value),
            ),
          ).toBe(pairs.flat().join(''));
        },
      ),
    );
  });

  it('either gives a text or ends in a fault of its own, whatever the format', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '!', ':', '0', 'r', 'x', '.', '['), maxLength: 12 }),
        (text) => {
          const fault = faultOf(() => format(text, [1], [['x', 2]]));
          expect(fault).toMatch(/^(no fault$|EVAL_(VALUE|KEY|INDEX) format: )/);
        },
      ),
    );
  });
});

describe('the work of string.format', () => {
  const steps = (text: string, args: Value[] = [], named: [string, Value][] = []): number => {
    const thread = testThread();
    callNative(thread, stringMethods.get('format'), text, args, named);
    return thread.meter.steps;
  };
  // The text: 1, 1 for each piece and 1 for each 32 units. A field: 3. What is written in it: 1 and a quarter for each unit.
  // A name: a quarter for each named argument.
  const names = Array.from({ length: 8 }, (_, at): [string, Value] => [`name${at}`, '']);
  it.each<[string, string, Value[], [string, Value][], number]>([
    ['a text without fields', 'x'.repeat(64), [], [], 1 + 1 + 2],
    ['a field without a name', '{}', ['x'.repeat(32)], [], 3 + (1 + 1 + 1)],
    ['three fields and two texts', '{}-{}-{}', ['a', 'b', 'c'], [], 3 * 3 + (1 + 5)],
    ['braces', '{{}}', [], [], 1 + 2],
    ['a number', '{0}', ['a'], [], 3 + 1 + (1 + 1)],
    ['a conversion', '{!s}', ['a'], [], 3 + 1 + (1 + 1)],
    ['a name among eight', '{name7}', [], names, 3 + (1 + 1) + 2 + (1 + 1)],
    ['a long number', `{${'0'.repeat(16)}}`, ['a'], [], 3 + (1 + 4) + (1 + 1)],
  ])('of %s', (_what, text, args, named, expected) => {
    expect(steps(text, args, named)).toBe(expected);
  });
});
