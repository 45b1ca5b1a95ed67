import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { bytes, dict, float, list, nested, set, tuple } from '../../../test/support/starlark-values.ts';
import { dictDelete } from './dict.ts';
import { fixed } from './native.ts';
import { briefly, repr, str } from './repr.ts';
import { typeName } from './type-name.ts';
import { truth } from './truth.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { codePointAt, decodeReplacing, pointBytes, utf8Length } from './utf8.ts';
import {
  BoundMethod,
  Builtin,
  Closure,
  Elems,
  HostFunction,
  List,
  Module,
  Range,
  Struct,
  type Value,
} from './value.ts';

const native = fixed('f', '', () => null);
const closure = new Closure({ name: 'g' } as never, {} as never, [], [], {});
const empty = new Map<string, Value>();

describe('repr', () => {
  const samples: [Value, string, string, boolean][] = [
    [null, 'None', 'NoneType', false],
    [true, 'True', 'bool', true],
    [false, 'False', 'bool', false],
    [0, '0', 'int', false],
    [-5, '-5', 'int', true],
    [2n ** 70n, '1180591620717411303424', 'int', true],
    [float(1), '1.0', 'float', true],
    [float(-0), '-0.0', 'float', false],
    [float(NaN), 'nan', 'float', true],
    ['', '""', 'string', false],
    ['a"b\\c\n\t\r\x07\x08\x0b\x0c', '"a\\"b\\\\c\\n\\t\\r\\a\\b\\v\\f"', 'string', true],
    ["it's é 😀", '"it\'s é 😀"', 'string', true],
    ['\0\x1f\x7f', '"\\x00\\x1f\\x7f"', 'string', true],
    ['\x80\u200b\u2028\u202e\ufeff', '"\\u0080\\u200b\\u2028\\u202e\\ufeff"', 'string', true],
    ['\ud83d', '"\\ud83d"', 'string', true],
    ['😀\ude00', '"😀\\ude00"', 'string', true],
    [bytes(), 'b""', 'bytes', false],
    [bytes(0x61, 0x22, 0, 0xff, 0xc3, 0xa9), 'b"a\\"\\x00\\xffé"', 'bytes', true],
    [list(), '[]', 'list', false],
    [list(1, 'x', list()), '[1, "x", []]', 'list', true],
    [tuple(), '()', 'tuple', false],
    [tuple(1), '(1,)', 'tuple', true],
    [tuple(1, 2), '(1, 2)', 'tuple', true],
    [dict(), '{}', 'dict', false],
    [dict(['a', 1], [2, tuple()]), '{"a": 1, 2: ()}', 'dict', true],
    [set(), 'set([])', 'set', false],
    [set(3, 1), 'set([3, 1])', 'set', true],
    [new Range(0, 10, 1, 10), 'range(10)', 'range', true],
    [new Range(1, 1, 1, 0), 'range(1, 1)', 'range', false],
    [new Range(0, 10, 2, 5), 'range(0, 10, 2)', 'range', true],
    [new Elems('ab'), '"ab".elems()', 'string.elems', true],
    [new Elems(bytes()), 'b"".elems()', 'bytes.elems', false],
    [closure, '<function g>', 'function', true],
    [new Builtin(native), '<built-in function f>', 'builtin_function_or_method', true],
    [new HostFunction('ask'), '<built-in function ask>', 'builtin_function_or_method', true],
    [new BoundMethod('x', native), '<built-in method f of string value>', 'builtin_function_or_method', true],
    [new Module('json', empty), '<module "json">', 'module', true],
    [
      new Struct(
        new Map<string, Value>([
          ['a', 1],
          ['b', 'x'],
        ]),
      ),
      'struct(a = 1, b = "x")',
      'struct',
      true,
    ],
  ];

  it.each(samples)('shows %o as %s, of type %s, true: %s', (v, text, type, isTrue) => {
    expect([repr(testThread(), v), typeName(v), truth(v), str(testThread(), v)]).toEqual([
      text,
      type,
      isTrue,
      typeof v === 'string'
        ? v
        : type === 'bytes'
          ? decodeReplacing((v as ReturnType<typeof bytes>).bytes)
          : text,
    ]);
  });

  it('leaves out removed entries', () => {
    const d = dict([1, 1], [2, 2], [3, 3]);
    dictDelete(testThread(), d, 2);
    expect(repr(testThread(), d)).toBe('{1: 1, 3: 3}');
  });

  it('writes what contains itself once', () => {
    const l = list(1);
    const d = dict(['l', l]);
    l.items.push(l, d, tuple(l));
    expect(repr(testThread(), l)).toBe('[1, [...], {"l": [...]}, ([...],)]');
    d.values[0] = d;
    expect(repr(testThread(), d)).toBe('{"l": {...}}');
  });

  it('writes a list that is there twice, side by side, both times', () => {
    const shared = list(1);
    expect(repr(testThread(), list(shared, shared))).toBe('[[1], [1]]');
  });

  it('ends in a limit when the text would fill the memory, or nests too deep', () => {
    expect(faultOf(() => repr(testThread(), nested(64, true)))).toMatch(/^MEMORY_LIMIT/);
    expect(faultOf(() => repr(testThread({ steps: 1e6 }), nested(64, true)))).toMatch(/^STEP_LIMIT/);
    expect(faultOf(() => repr(testThread(), nested(1000)))).toBe(
      'DEPTH_LIMIT repr exceeded the maximum recursion depth: values nest more than 500 deep',
    );
    expect(repr(testThread(), nested(400))).toHaveLength(802);
  });

  it('charges a string of escapes by the text it becomes', () => {
    const thread = testThread({ bytes: 1_000_000 });
    expect(faultOf(() => repr(thread, '\0'.repeat(200_000)))).toMatch(/^MEMORY_LIMIT/);
  });
});

describe('briefly', () => {
  it('shows the start of a value, without a limit to fail on', () => {
    expect(briefly('a'.repeat(100))).toBe(`"${'a'.repeat(59)}…`);
    expect(briefly(nested(64, true))).toHaveLength(61);
    expect(briefly(nested(100_000))).toHaveLength(61);
    expect(briefly(list(2n ** 70n, 'x'))).toBe('[a huge int, "x"]');
    expect(briefly(new List(Array.from({ length: 1e5 }, () => 1)))).toBe(`[${'1, '.repeat(19)}1,…`);
  });
});

describe('utf8Length, decodeUtf8', () => {
  it('agree with the platform on all text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Length(text)).toBe(encodeUtf8(text).length);
        expect(decodeReplacing(encodeUtf8(text))).toBe(text);
      }),
    );
  });

  it('replace what is no text: each half of a pair, and each single byte', () => {
    expect(decodeReplacing(encodeUtf8('\ud83d!\ude00'))).toBe('\ufffd!\ufffd');
    expect(decodeReplacing(Uint8Array.of(0xf0, 0x9f, 0x98))).toBe('\ufffd\ufffd\ufffd');
    expect(decodeReplacing(Uint8Array.of(0xc0, 0x80, 0x41, 0xed, 0xa0, 0x80, 0xf5))).toBe(
      '\ufffd\ufffdA\ufffd\ufffd\ufffd\ufffd',
    );
  });

  it('accept exactly the valid sequences', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const isValid = (input: Uint8Array): boolean => {
      try {
        strict.decode(input);
        return true;
      } catch (error) {
        if (error instanceof TypeError) return false;
        throw error;
      }
    };
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            0,
            0x41,
            0x7f,
            0x80,
            0x8f,
            0x90,
            0x9f,
            0xa0,
            0xbf,
            0xc0,
            0xc2,
            0xdf,
            0xe0,
            0xed,
            0xef,
            0xf0,
            0xf4,
            0xf5,
            0xff,
          ),
          { maxLength: 5 },
        ),
        (parts) => {
          const input = Uint8Array.from(parts);
          // U+FFFD itself is not among the bytes below.
          expect(decodeReplacing(input).includes('\ufffd')).toBe(!isValid(input));
        },
      ),
      { numRuns: 3000 },
    );
    expect([codePointAt(Uint8Array.of(0xe2, 0x82, 0xac), 0), pointBytes(0x20ac)]).toEqual([0x20ac, 3]);
  });
});
