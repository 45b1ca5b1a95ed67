import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseData, renderData } from './parse-data.ts';

describe('parseData', () => {
  it('reads what JSON reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        // Prototypes differ, -0 is no int of its own, and a large int is a bigint here.
        const asNumbers = (_key: string, value: unknown): unknown =>
          typeof value === 'bigint' ? Number(value) : value;
        expect(JSON.stringify(parseData(text), asNumbers)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('keeps ints of any size', () => {
    expect(
      parseData(' { "a" : [ 9007199254740993 , -123456789012345678901234567890, 12, 1.5e3 ] } '),
    ).toEqual(
      Object.assign(Object.create(null), {
        a: [9007199254740993n, -123456789012345678901234567890n, 12, 1500],
      }),
    );
  });

  it.each(['', '{', '01', '[1,]', "'a'", '9'.repeat(20_001), '['.repeat(502) + ']'.repeat(502)])(
    'refuses %j',
    (text) => {
      expect(() => parseData(text)).toThrow(SyntaxError);
    },
  );
});

describe('renderData', () => {
  it('writes what JSON writes, and reads back the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = renderData(value as never);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.bigInt()), (ints) => {
        const found = parseData(renderData(ints)) as (number | bigint)[];
        expect(found.map(BigInt)).toEqual(ints);
      }),
    );
  });

  it('lays it out as JSON does', () => {
    const value = { a: [], b: {}, c: [1, { d: 'x' }] };
    expect(renderData(value)).toBe(JSON.stringify(value, null, 2));
  });
});
