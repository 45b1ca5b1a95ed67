import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callNative, faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { fromData, toData } from '../value/boundary.ts';
import { dictSet, newDict } from '../value/dict.ts';
import {
  Bytes,
  Dict,
  Elems,
  Float,
  List,
  Range,
  SetValue,
  Struct,
  Tuple,
  type Builtin,
  type Value,
} from '../value/value.ts';
import { jsonModule } from './json.ts';
import { stringMethods } from './methods.ts';

function call(name: string, ...args: Value[]): Value {
  return callNative(testThread(), (jsonModule.members.get(name) as Builtin).native, null, args);
}

const decode = (text: string): Value => call('decode', text);
const encode = (v: Value): string => call('encode', v) as string;
const list = (...items: Value[]): List => new List(items);

function dict(...entries: [Value, Value][]): Dict {
  const thread = testThread();
  const d = newDict(thread);
  for (const [key, value] of entries) dictSet(thread, d, key, value);
  return d;
}

/** Values as JavaScript data in which ints and floats stay apart. */
function shape(v: Value): unknown {
  if (v instanceof Float) return { float: v.value };
  if (v instanceof List) return v.items.map(shape);
  if (v instanceof Dict) return v.keys.map((key, i) => [key, shape(v.values[i] as Value)]);
  return v;
}

describe('jsonModule', () => {
  it('has four functions', () => {
    expect([...jsonModule.members.keys()]).toEqual(['decode', 'encode', 'encode_indent', 'indent']);
  });
});

describe('json.encode', () => {
  it.each<[Value, string]>([
    [null, 'null'],
    [true, 'true'],
    [-12, '-12'],
    [10n ** 30n, '1000000000000000000000000000000'],
    [new Float(1), '1.0'],
    [new Float(-0), '-0.0'],
    [new Float(1e300), '1e+300'],
    ['', '""'],
    ['\t"\\/\u007f\u0001é😀\u2028', '"\\t\\"\\\\/\u007f\\u0001é😀\u2028"'],
    ['a\ud83d', '"a\ufffd"'],
    [list(), '[]'],
    [list(1, new Tuple([2, 'x'])), '[1,[2,"x"]]'],
    [new Range(0, 6, 2, 3), '[0,2,4]'],
    [new Elems('ab'), '["a","b"]'],
    [new SetValue(), '[]'],
    [dict(), '{}'],
    [dict(['b', 1], ['a', list(true)]), '{"a":[true],"b":1}'],
    [dict(['\ue000', 1], ['😀', 2]), '{"😀":2,"\ue000":1}'],
    [
      new Struct(
        new Map<string, Value>([
          ['y', 1],
          ['x', null],
        ]),
      ),
      '{"x":null,"y":1}',
    ],
  ])('writes %o as %s', (v, text) => {
    expect(encode(v)).toBe(text);
  });

  it('refuses what JSON cannot hold, with the way to it', () => {
    const encodeFunction = jsonModule.members.get('encode') as Builtin;
    const loop = list(1);
    loop.items.push(dict(['self', loop]));
    expect(
      [
        encodeFunction,
        dict(['a', list(1, 2, encodeFunction)]),
        new Struct(new Map([['f', new Bytes(new Uint8Array())]])),
        list(new Float(NaN)),
        new Float(-Infinity),
        dict([1, 2]),
        loop,
      ].map((v) => faultOf(() => encode(v))),
    ).toEqual([
      'EVAL_VALUE json.encode: cannot encode builtin_function_or_method as JSON',
      'EVAL_VALUE json.encode: in dict key "a": at list index 2: cannot encode builtin_function_or_method as JSON',
      'EVAL_VALUE json.encode: in struct field .f: cannot encode bytes as JSON',
      'EVAL_VALUE json.encode: at list index 0: cannot encode non-finite float nan',
      'EVAL_VALUE json.encode: cannot encode non-finite float -inf',
      'EVAL_VALUE json.encode: dict has int key, want string',
      'EVAL_VALUE json.encode: at list index 1: in dict key "self": cycle in JSON structure',
    ]);
  });

  it('stops at the depth limit, and where shared parts grow too large', () => {
    let deep = list();
    for (let i = 0; i < 600; i++) deep = list(deep);
    expect(faultOf(() => encode(deep))).toBe('DEPTH_LIMIT json.encode: values are nested more than 500 deep');
    let shared: Value = 'x'.repeat(100);
    for (let i = 0; i < 40; i++) shared = list(shared, shared);
    expect(faultOf(() => encode(shared))).toContain('MEMORY_LIMIT');
    expect(
      faultOf(() =>
        callNative(
          testThread({ bytes: 1_000_000 }),
          (jsonModule.members.get('encode') as Builtin).native,
          null,
          ['\u0001'.repeat(300_000)],
        ),
      ),
    ).toContain('MEMORY_LIMIT');
  });

  it('quotes long texts as it quotes short ones', () => {
    const long = 'aé😀"\n\u0001'.repeat(3000);
    expect(encode(long)).toBe(JSON.stringify(long));
    expect(encode(`x${long}`)).toBe(JSON.stringify(`x${long}`));
  });
});

describe('json.decode', () => {
  it.each<[string, Value]>([
    ['null', null],
    [' \t\r\n true ', true],
    ['false', false],
    ['0', 0],
    ['-0', 0],
    ['-12', -12],
    ['9007199254740993', 9007199254740993n],
    ['1.0', new Float(1)],
    ['-0.0', new Float(-0)],
    ['1e2', new Float(100)],
    ['1E-2', new Float(0.01)],
    ['1e-400', new Float(0)],
    ['"a\\n\\u00e9\\"\\\\\\/"', 'a\né"\\/'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\ud83d"', '\ufffd'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\ud83d"', '\ufffd'],
    ['"\u007f\u2028"', '\u007f\u2028'],
    ['[]', list()],
    ['[1, [2.5], {}]', list(1, list(new Float(2.5)), dict())],
    ['{"b": 1, "a": {"c": null}}', dict(['b', 1], ['a', dict(['c', null])])],
    ['{"__proto__": 1}', dict(['__proto__', 1])],
  ])('reads %s', (text, v) => {
    expect(shape(decode(text))).toEqual(shape(v));
  });

  it.each<[string, string]>([
    ['', 'at offset 0, unexpected end of file'],
    ['  ', 'at offset 2, unexpected end of file'],
    ['nul', 'at offset 0, unexpected character "n"'],
    ['True', 'at offset 0, unexpected character "T"'],
    ['[1, 2', 'at offset 5, unexpected end of file'],
    ['[1, ]', 'at offset 4, unexpected character "]"'],
    ['[1 2]', "at offset 3, got \"2\", want ',' or ']'"],
    ['{"a" 1}', 'at offset 5, after object key, got "1", want \':\''],
    ['{"a": 1 "b"}', "at offset 8, in object, got \"\\\"\", want ',' or '}'"],
    ['{"a": 1,}', 'at offset 8, unexpected character "}"'],
    ['{1: 2}', 'at offset 1, got int for object key, want string'],
    ['"abc', 'at offset 4, unclosed string literal'],
    ['"a\nb"', 'at offset 2, invalid character "\\n" in string literal'],
    ['"\\x"', "at offset 1, invalid escape '\\x'"],
    ['"\\', 'at offset 1, incomplete escape'],
    ['"\\u12', 'at offset 1, incomplete \\uXXXX escape'],
    ['"\\u12g4"', 'at offset 5, invalid hex char "g" in \\uXXXX escape'],
    ['01', 'at offset 0, invalid number: 01'],
    ['-', 'at offset 0, invalid number: -'],
    ['[-x]', 'at offset 1, invalid number: -'],
    ['1.', 'at offset 0, invalid number: 1.'],
    ['.5', 'at offset 0, unexpected character "."'],
    ['1e', 'at offset 0, invalid number: 1e'],
    ['1e400', 'at offset 0, invalid number: 1e400: floating-point number too large'],
    ['NaN', 'at offset 0, unexpected character "N"'],
    ['1 2', 'at offset 2, unexpected character "2" after value'],
    ['[1] // x', 'at offset 4, unexpected character "/" after value'],
    ['\ufeff1', 'at offset 0, unexpected character "\ufeff"'],
  ])('refuses %s, or gives the default', (text, fault) => {
    expect(faultOf(() => decode(text))).toBe(`EVAL_VALUE json.decode: ${fault}`);
    expect(call('decode', text, 'default')).toBe('default');
    expect(call('decode', text, null)).toBe(null);
  });

  it('takes a string only', () => {
    expect(faultOf(() => call('decode', 1))).toBe(
      'EVAL_TYPE json.decode: for parameter x, got int, want string',
    );
  });

  it('has no default for a limit', () => {
    expect(faultOf(() => call('decode', '['.repeat(600), 1))).toBe(
      'DEPTH_LIMIT json.decode: at offset 500, arrays and objects are nested more than 500 deep',
    );
    expect(faultOf(() => call('decode', '9'.repeat(20_000), 1))).toBe(
      'INT_LIMIT an int of more than 65536 bits',
    );
    expect(
      faultOf(() =>
        callNative(
          testThread({ bytes: 100_000 }),
          (jsonModule.members.get('decode') as Builtin).native,
          null,
          [`[${'0,'.repeat(10_000)}0]`],
        ),
      ),
    ).toContain('MEMORY_LIMIT');
    expect(
      faultOf(() =>
        callNative(testThread({ steps: 1000 }), (jsonModule.members.get('decode') as Builtin).native, null, [
          ' '.repeat(100_000),
        ]),
      ),
    ).toContain('STEP_LIMIT');
  });

  it('gives back what encode was given', () => {
    const value = fc.letrec<{ value: Value }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constant<Value>(null),
        fc.boolean(),
        fc.maxSafeInteger(),
        fc.bigInt({ min: 1n << 53n, max: 1n << 80n }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => new Float(n)),
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }).filter((s) => !/\p{Cs}/u.test(s)),
        fc.array(tie('value')).map((items) => new List(items)),
        fc
          .dictionary(fc.string(), tie('value'))
          .map((record) => dict(...Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
      ),
    })).value;
    fc.assert(
      fc.property(value, (v) => {
        expect(shape(decode(encode(v)))).toEqual(shape(v));
        expect(shape(decode(call('encode_indent', v) as string))).toEqual(shape(v));
      }),
    );
  });

  it('reads what JSON.parse reads, and refuses what it refuses', () => {
    const valid = fc.json();
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'u',
      '0',
      '1',
      '-',
      '.',
      'e',
      '+',
      'null',
      'true',
      ' ',
      '\n',
      'a',
      '"a"',
      '\\u00e9',
      '\u0000',
    );
    const noise = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    const damaged = fc.tuple(valid, fc.nat(), fc.nat(3), noise).map(([text, at, cut, put]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + put + text.slice(from + cut);
    });
    fc.assert(
      fc.property(fc.oneof(valid, noise, damaged), (text) => {
        const fault = faultOf(() => decode(text));
        // The one way in which this reader is stricter.
        fc.pre(!fault.includes('too large'));
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expected = 'refused';
        }
        expect(fault === 'no fault').toBe(expected !== 'refused' || /^\s*"refused"\s*$/.test(text));
        if (fault !== 'no fault') return;
        const thread = testThread();
        const read = toData(thread, decode(text), 'the result');
        expect(
          JSON.parse(JSON.stringify(read, (_key, v: unknown) => (typeof v === 'bigint' ? Number(v) : v))),
        ).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('json.indent', () => {
  it('puts each element and entry on a line', () => {
    expect(call('indent', ' {"a":[1,{"b" : 2.50}],"c":{},"d":[ ], "e":"\\u00e9,[" } ')).toBe(
      '{\n\t"a": [\n\t\t1,\n\t\t{\n\t\t\t"b": 2.50\n\t\t}\n\t],\n\t"c": {},\n\t"d": [],\n\t"e": "\\u00e9,["\n}',
    );
    expect(call('indent', '[1,2]', '> ', '  ')).toBe('[\n>   1,\n>   2\n> ]');
    expect(call('indent', ' 1 ')).toBe('1');
    expect(call('encode_indent', dict(['b', 1], ['a', list()]), '', ' ')).toBe('{\n "a": [],\n "b": 1\n}');
  });

  it('agrees with JSON.stringify', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const data: unknown = JSON.parse(text);
        expect(call('indent', JSON.stringify(data), '', '  ')).toBe(JSON.stringify(data, null, 2));
      }),
    );
  });

  it('refuses what is not JSON, and a text that would grow too large', () => {
    expect(
      ['[1,', '[1}', '{"a"}', '{1:2}', 'x', '1 1', '"'].map((text) => faultOf(() => call('indent', text))),
    ).toEqual([
      'EVAL_VALUE json.indent: at offset 3, unexpected end of file',
      "EVAL_VALUE json.indent: at offset 2, got \"}\", want ',' or ']'",
      'EVAL_VALUE json.indent: at offset 4, after object key, got "}", want \':\'',
      'EVAL_VALUE json.indent: at offset 1, got "1" for object key, want string',
      'EVAL_VALUE json.indent: at offset 0, unexpected character "x"',
      'EVAL_VALUE json.indent: at offset 2, unexpected character "1" after value',
      'EVAL_VALUE json.indent: at offset 1, unclosed string literal',
    ]);
    expect(
      faultOf(() => call('indent', '['.repeat(400) + ']'.repeat(400), '', 'x'.repeat(1_000_000))),
    ).toContain('MEMORY_LIMIT');
    expect(faultOf(() => call('indent', '[]', 1))).toBe(
      'EVAL_TYPE json.indent: for parameter prefix, got int, want string',
    );
  });
});

describe('json and the boundary', () => {
  it('agree on what data is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const thread = testThread();
        const data: unknown = JSON.parse(text);
        const v = fromData(thread, data, 'x');
        // Integral floats and -0 are ints after crossing, so compare after crossing twice.
        expect(JSON.parse(encode(v))).toEqual(
          JSON.parse(encode(fromData(thread, toData(thread, v, 'x'), 'x'))),
        );
        expect(callNative(thread, stringMethods.get('upper'), 'x')).toBe('X');
      }),
    );
  });
});
