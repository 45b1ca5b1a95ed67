// TODO header
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from './json.ts';
import { canonicalJson, jsonIn, parseJson, quoteJson, shapedObject, deepFreeze, append } from './json.ts';

describe('canonicalJson', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
  });

  it('reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is what sorting the keys and stringifying gives, whatever their order and number', () => {
    const sorted = (value: Json): Json =>
      value === null || typeof value !== 'object'
        ? value
        : Array.isArray(value)
          ? value.map(sorted)
          : Object.fromEntries(
              Object.entries(value)
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([key, item]) => [key, sorted(item)]),
            );
    // Keys that look like numbers come first in any object, so they cannot be compared this way.
    const key = fc.string({ unit: 'binary', maxLength: 70 }).map((text) => `k${text}`);
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'binary', maxLength: 70 }),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 20 }),
      ),
    })).value;
    fc.assert(fc.property(value, (one) => canonicalJson(one) === JSON.stringify(sorted(one))));
    expect(canonicalJson({ 9: 1, 10: 2 })).toBe('{"10":2,"9":1}');
  });
});

describe('quoteJson', () => {
  it('is JSON.stringify', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }),
        (text) => quoteJson(text) === JSON.stringify(text),
      ),
    );
    for (const text of ['', '"', '\\', '\u007f', '\u2028', '\ud800', '\udc00', '\u0000', 'é', '😀'])
      expect(quoteJson(text)).toBe(JSON.stringify(text));
  });
});

describe('shapedObject', () => {
  it('inherits nothing, and holds hostile keys as its own', () => {
    const value = shapedObject();
    expect([value['constructor'], value['toString'], value['__proto__']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    value['__proto__'] = { polluted: 1 };
    expect([Object.keys(value), value['polluted'], shapedObject()['polluted']]).toEqual([
      ['__proto__'],
      undefined,
      undefined,
    ]);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1}}');
  });
});

describe('parseJson', () => {
  it('gives objects without a prototype, also for hostile keys', () => {
    const value = parseJson('{"__proto__": {"polluted": 1}, "a": [{"constructor": 2}]}') as Record<
      string,
      Json
    >;
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('deepFreeze', () => {
  it('freezes what is inside, also behind what was frozen before', () => {
    const inner = { list: [{ a: 1 }] };
    const value = deepFreeze({ held: Object.freeze({ inner }) });
    expect([value, value.held, inner, inner.list, inner.list[0]].every(Object.isFrozen)).toBe(true);
  });

  it('ends in a circle and leaves plain values alone', () => {
    const circle: { self: unknown } = { self: null };
    circle.self = circle;
    expect(Object.isFrozen(deepFreeze(circle))).toBe(true);
    expect(deepFreeze('text')).toBe('text');
    expect(deepFreeze(null)).toBe(null);
  });
});

it('adds more items than a call takes arguments', () => {
  const into = [0];
  append(
    into,
    Array.from({ length: 1_000_000 }, (_, at) => at + 1),
  );
  expect([into.length, into[1], into.at(-1)]).toEqual([1_000_001, 1, 1_000_000]);
});

describe('jsonIn', () => {
  it('gives the value, and nothing for what is no JSON or is nested beyond all measure', () => {
    const deep = 200_000;
    expect([jsonIn('{"a": 1}'), jsonIn('{'), jsonIn('['.repeat(deep) + ']'.repeat(deep))]).toEqual([
      { a: 1 },
      undefined,
      undefined,
    ]);
  });
});
