import { describe, expect, it } from 'vitest';
import { callNative, faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { bytes, dict, float, list, set, tuple } from '../../../test/support/starlark-values.ts';
import { CallEach, type Thread } from '../value/native.ts';
import { newRange } from '../value/range.ts';
import { Elems, List, Module, Struct, type Builtin, type Value } from '../value/value.ts';
import { repr } from '../value/repr.ts';
import { attributeNames, getAttribute, missingAttribute } from './builtins-value.ts';
import { finishers } from './finishers.ts';
import { universe } from './universe.ts';

type Named = readonly (readonly [string, Value])[];
function call(name: string, args: Value[], named: Named = [], thread: Thread = testThread()): Value {
  return callNative(thread, (universe.get(name) as Builtin).native, null, args, named);
}
const fault = (name: string, args: Value[], named: Named = []): string =>
  faultOf(() => call(name, args, named));
const shown = (v: Value): string => repr(testThread(), v);
const range = (n: number): Value => newRange(testThread(), 0, n, 1);

/** What the machine does with a request to call back, with a JavaScript function in the place of the key. */
function keyed(request: Value, key: (v: Value) => Value): Value {
  expect(request).toBeInstanceOf(CallEach);
  const { items, finisher, extra } = request as unknown as CallEach;
  return finishers.get(finisher)?.(testThread(), items, items.map(key), extra) as Value;
}

describe('universe', () => {
  it('has the names of the specification and json', () => {
    expect([...universe.keys()].join(' ')).toBe(
      'None True False abs all any bool bytes dict dir enumerate fail float getattr hasattr hash int len list max min print range repr reversed set sorted str tuple type zip json',
    );
  });
});

describe('the functions named for types', () => {
  it.each<[string, Value[], string]>([
    ['bool', [], 'False'],
    ['bool', [list(0)], 'True'],
    ['bytes', ['é\ud83d'], 'b"é\ufffd"'],
    ['bytes', [list(65, 255)], 'b"A\\xff"'],
    ['bytes', [bytes(1)], 'b"\\x01"'],
    ['dict', [list(tuple(1, 2), list('a', 'b'))], '{1: 2, "a": "b"}'],
    ['dict', [dict([1, 2])], '{1: 2}'],
    ['float', [], '0.0'],
    ['float', [true], '1.0'],
    ['float', [3], '3.0'],
    ['float', ['-1.5e3'], '-1500.0'],
    ['float', ['+InFinity'], '+inf'],
    ['float', ['NaN'], 'nan'],
    ['int', [true], '1'],
    ['int', [float(-3.9)], '-3'],
    ['int', [float(-0.5)], '0'],
    ['int', [float(1e20)], '100000000000000000000'],
    ['int', ['-0x1F', 16], '-31'],
    ['int', ['0b111', 0], '7'],
    ['int', ['12345678901234567890'], '12345678901234567890'],
    ['list', [], '[]'],
    ['list', [dict(['k', 1])], '["k"]'],
    ['list', [new Elems('ab')], '["a", "b"]'],
    ['range', [3], 'range(3)'],
    ['range', [1, 3], 'range(1, 3)'],
    ['range', [3, 0, -1], 'range(3, 0, -1)'],
    ['set', [], 'set([])'],
    ['set', [list(3, 1, 1, float(3))], 'set([3, 1])'],
    ['set', [set(1)], 'set([1])'],
    ['str', [list('x')], '"[\\"x\\"]"'],
    ['str', [bytes(97, 0xff)], '"a\ufffd"'],
    ['tuple', [], '()'],
    ['tuple', [list(1)], '(1,)'],
  ])('%s(%o) is %s', (name, args, expected) => {
    expect(shown(call(name, args))).toBe(expected);
  });

  it('dict takes keywords after the pairs', () => {
    expect(
      shown(
        call(
          'dict',
          [list(tuple('x', 2))],
          [
            ['y', 1],
            ['x', 3],
          ],
        ),
      ),
    ).toBe('{"x": 3, "y": 1}');
  });

  it('list, set and dict make copies', () => {
    const [l, s, d] = [list(1), set(1), dict([1, 1])];
    expect([call('list', [l]) === l, call('set', [s]) === s, call('dict', [d]) === d]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each<[string, Value[], string]>([
    ['bytes', [65], 'EVAL_TYPE bytes: got int, want string, bytes, or iterable of int'],
    ['bytes', [list(256)], 'EVAL_VALUE bytes: at index 0, 256 out of range 0-255'],
    ['bytes', [list(1, 'a')], 'EVAL_TYPE bytes: at index 1, got string, want int'],
    ['dict', [null], 'EVAL_TYPE dict: got NoneType, want iterable'],
    ['dict', [list('ab')], 'EVAL_TYPE dict: sequence element #0 is not iterable (string), want a pair'],
    ['float', [list()], 'EVAL_TYPE float: got list, want number, bool or string'],
    ['float', [2n ** 2000n], 'EVAL_VALUE int too large to convert to float'],
    ['float', ['1_0'], 'EVAL_VALUE float: invalid float literal: "1_0"'],
    ['int', [null], 'EVAL_TYPE int: got NoneType, want number, bool or string'],
    ['int', [1, 10], "EVAL_TYPE int: can't convert non-string with explicit base: got int"],
    ['int', ['1', 'a'], 'EVAL_TYPE int: for parameter base, got string, want int'],
    ['int', [float(NaN)], 'EVAL_VALUE int: cannot convert float nan to int'],
    ['int', [float(-Infinity)], 'EVAL_VALUE int: cannot convert float -inf to int'],
    ['int', ['1_000'], 'EVAL_VALUE int: invalid literal with base 10: "1_000"'],
    ['list', ['ab'], 'EVAL_TYPE list: got string, want iterable'],
    ['range', ['a'], 'EVAL_TYPE range: for parameter stop, got string, want int'],
    ['range', [1, 2, 0], 'EVAL_VALUE range: step argument must not be zero'],
    [
      'range',
      [2n ** 53n],
      'EVAL_VALUE range: stop is out of range: the limit is 9007199254740991 either way',
    ],
    ['set', [list(list())], 'EVAL_UNHASHABLE unhashable type: list'],
    ['tuple', [1], 'EVAL_TYPE tuple: got int, want iterable'],
  ])('%s(%o) fails', (name, args, expected) => {
    expect(fault(name, args)).toBe(expected);
  });
});

describe('the functions over sequences', () => {
  it.each<[string, Value[], string]>([
    ['all', [list()], 'True'],
    ['all', [list(1, 0)], 'False'],
    ['any', [list()], 'False'],
    ['any', [dict(['', 1], ['a', 1])], 'True'],
    ['enumerate', [list('a', 'b')], '[(0, "a"), (1, "b")]'],
    ['enumerate', [set('a', 'b'), -1], '[(-1, "a"), (0, "b")]'],
    ['enumerate', [list('a', 'b'), 2 ** 53 - 1], '[(9007199254740991, "a"), (9007199254740992, "b")]'],
    ['len', ['é😀'], '3'],
    ['len', [bytes(1, 2)], '2'],
    ['len', [range(5)], '5'],
    ['len', [set(1)], '1'],
    ['len', [new Elems('ab')], '2'],
    ['max', [list(3, 1, 4, 1, 5)], '5'],
    ['max', ['two', 'three', 'four'], '"two"'],
    ['min', ['two', 'three', 'four'], '"four"'],
    ['min', [list(float(NaN), float(Infinity))], '+inf'],
    ['max', [list(1, float(1))], '1'],
    ['reversed', [range(3)], '[2, 1, 0]'],
    ['reversed', [dict(['a', 1], ['b', 2])], '["b", "a"]'],
    ['sorted', [list(3, 1, 2)], '[1, 2, 3]'],
    ['sorted', [list(3, 1, 2), null, true], '[3, 2, 1]'],
    ['zip', [], '[]'],
    ['zip', [range(10), list('a', 'b')], '[(0, "a"), (1, "b")]'],
    ['zip', [list()], '[]'],
  ])('%s(%o) is %s', (name, args, expected) => {
    expect(shown(call(name, args))).toBe(expected);
  });

  it.each<[string, Value[], string]>([
    ['all', ['abc'], 'EVAL_TYPE all: got string, want iterable'],
    ['any', [1], 'EVAL_TYPE any: got int, want iterable'],
    ['enumerate', ['ab'], 'EVAL_TYPE enumerate: got string, want iterable'],
    ['enumerate', [list(), 'a'], 'EVAL_TYPE enumerate: for parameter start, got string, want int'],
    ['len', [1], 'EVAL_TYPE len: value of type int has no len'],
    ['min', [], 'EVAL_ARGUMENTS min: requires at least one positional argument'],
    ['min', [1], 'EVAL_TYPE min: int value is not iterable'],
    ['max', [list()], 'EVAL_VALUE max: argument is an empty sequence'],
    ['max', [1, 'a'], 'EVAL_TYPE unsupported comparison: string > int'],
    ['reversed', [null], 'EVAL_TYPE reversed: got NoneType, want iterable'],
    ['sorted', [1], 'EVAL_TYPE sorted: got int, want iterable'],
    ['sorted', [list(), 1], 'EVAL_TYPE sorted: for parameter key, got int, want callable'],
    ['sorted', [list(), null, 1], 'EVAL_TYPE sorted: for parameter reverse, got int, want bool'],
    ['zip', [list(), 1], 'EVAL_TYPE zip: argument #2 is not iterable: int'],
  ])('%s(%o) fails', (name, args, expected) => {
    expect(fault(name, args)).toBe(expected);
  });

  it('ask for each key once, in order, also for a single element', () => {
    const key = universe.get('len') as Value;
    const words = list('two', 'three', 'four', 'six');
    const length = (v: Value): Value => (v as string).length;
    expect(shown(keyed(call('sorted', [words, key]), length))).toBe('["two", "six", "four", "three"]');
    expect(shown(keyed(call('sorted', [words, key, true]), length))).toBe('["three", "four", "two", "six"]');
    expect(keyed(call('max', [words], [['key', key]]), length)).toBe('three');
    expect(keyed(call('min', ['xx', 'y', 'z'], [['key', key]]), length)).toBe('y');
    expect((call('sorted', [list('one'), key]) as unknown as CallEach).items).toEqual(['one']);
    expect((call('sorted', [words, key]) as unknown as CallEach).items).not.toBe(words.items);
    expect(fault('min', [1, 2], [['keys', key]])).toBe(
      'EVAL_ARGUMENTS min: unexpected keyword argument keys',
    );
    expect(fault('zip', [list()], [['strict', true]])).toBe(
      'EVAL_ARGUMENTS zip: unexpected keyword argument strict',
    );
  });

  it('refuse a long range before they walk it', () => {
    const long = range(1e12);
    const names = [
      'all',
      'any',
      'enumerate',
      'list',
      'max',
      'min',
      'reversed',
      'set',
      'sorted',
      'tuple',
      'zip',
      'bytes',
    ];
    expect(names.map((name) => fault(name, [long]).split(' ')[0])).toEqual(names.map(() => 'MEMORY_LIMIT'));
    expect(call('len', [long])).toBe(1e12);
    expect(call('zip', [long, list()])).toEqual(list());
  });
});

describe('the functions for any value', () => {
  it.each<[string, Value[], string]>([
    ['abs', [-5], '5'],
    ['abs', [-(2n ** 60n)], '1152921504606846976'],
    ['abs', [float(-0.5)], '0.5'],
    ['abs', [float(-0)], '0.0'],
    ['dir', [null], '[]'],
    ['dir', [list()], '["append", "clear", "extend", "index", "insert", "pop", "remove"]'],
    ['getattr', ['', 'x', 42], '42'],
    ['getattr', ['', 'find'], '<built-in method find of string value>'],
    ['getattr', [new Struct(new Map([['a', null]])), 'a', 1], 'None'],
    ['hasattr', ['', 'find'], 'True'],
    ['hasattr', ['', '__proto__'], 'False'],
    ['hasattr', [1, 'constructor'], 'False'],
    ['hash', ['abc'], '96354'],
    ['hash', ['\u{1f600}'], '1772899'],
    ['hash', ['starlark is a language'], '-701144947'],
    ['hash', [bytes()], '2166136261'],
    ['hash', [bytes(97)], '3826002220'],
    ['repr', ['x'], '"\\"x\\""'],
    ['type', [range(1)], '"range"'],
  ])('%s(%o) is %s', (name, args, expected) => {
    expect(shown(call(name, args))).toBe(expected);
  });

  it.each<[string, Value[], string]>([
    ['abs', ['a'], 'EVAL_TYPE abs: got string, want int or float'],
    ['abs', [true], 'EVAL_TYPE abs: got bool, want int or float'],
    ['getattr', ['', 'fnd'], 'EVAL_ATTRIBUTE string has no .fnd field or method'],
    ['getattr', ['', 1], 'EVAL_TYPE getattr: for parameter name, got int, want string'],
    ['hash', [1], 'EVAL_TYPE hash: got int, want string or bytes'],
    ['fail', ['oops', 1, false], 'EVAL_FAIL fail: oops 1 False'],
    ['fail', [], 'EVAL_FAIL fail: '],
  ])('%s(%o) fails', (name, args, expected) => {
    expect(fault(name, args)).toBe(expected);
  });

  it('print hands one line to the host', () => {
    const lines: string[] = [];
    const thread: Thread = { ...testThread(), print: (text) => void lines.push(text) };
    expect(call('print', [1, 'hi', list('x')], [], thread)).toBe(null);
    call('print', ['a', 'b'], [['sep', ', ']], thread);
    call('print', [1, 'hi'], [['x', 3]], thread);
    call('print', [], [], thread);
    expect(lines).toEqual(['1 hi ["x"]', 'a, b', '1 hi x=3', '']);
    expect(fault('print', [1], [['sep', 1]])).toBe(
      'EVAL_TYPE print: for parameter sep, got int, want string',
    );
    expect(fault('fail', ['a', 'b'], [['sep', '-']])).toBe('EVAL_FAIL fail: a-b');
    expect(fault('fail', ['a'], [['x', '-']])).toBe('EVAL_ARGUMENTS fail: unexpected keyword argument x');
  });

  it('charges what it prints', () => {
    const text = 'x'.repeat(1_000_000);
    expect(
      fault(
        'print',
        Array.from({ length: 100 }, () => text),
      ),
    ).toMatch(/^MEMORY_LIMIT/);
  });
});

describe('attributes', () => {
  const module = new Module('math', new Map<string, Value>([['pi', 3]]));

  it('are methods bound to their value, or members', () => {
    expect([
      getAttribute(testThread(), module, 'pi'),
      getAttribute(testThread(), module, 'e'),
      getAttribute(testThread(), 1, 'x'),
    ]).toEqual([3, undefined, undefined]);
    expect(getAttribute(testThread(), new List([]), 'append')).toMatchObject({ native: { name: 'append' } });
    expect(attributeNames(module)).toEqual(['pi']);
  });

  it('are suggested when one is misspelt', () => {
    const errors = [
      missingAttribute(list(), 'apend'),
      missingAttribute(module, 'pj'),
      missingAttribute(1, 'bit_length'),
      missingAttribute('', 'x'.repeat(1000)),
    ];
    expect(errors.map(({ message, hint }) => [message, hint])).toEqual([
      ['list has no .apend field or method', 'did you mean .append?'],
      ['module math has no .pj field or method', 'did you mean .pi?'],
      ['int has no .bit_length field or method', null],
      [`string has no .${'x'.repeat(100)}… field or method`, null],
    ]);
  });
});
