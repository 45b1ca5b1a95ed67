import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText, parseJson, withoutPrototypes } from './json.ts';
import { keysOf } from './key-order.ts';

const roundTrip = (text: string): string => jsonText(parseJson(text));

describe('keysOf', () => {
  it.each([
    '{"b":1,"2":2,"1":3}',
    '{"10":{"z":[{"2":1,"1":[]}]},"9":"\\"3\\": x","a":null}',
    '[{"1":1,"0":2},{"a":1},[],{}]',
    '{"a":{"2":1,"1":1},"4294967295":1,"4294967294":2}',
    '{"x":"\\\\\\"","3":1,"2":"]}"}',
    '{"__proto__":{"2":1,"1":2},"1":1,"0":0}',
  ])('is the order of the document: %s', (text) => {
    expect(roundTrip(text)).toBe(text);
    expect(jsonText(withoutPrototypes(parseJson(text)))).toBe(text);
  });

  it('has a key that is written twice at its first place, with its last value', () => {
    expect(roundTrip('{ "2" : {"9":1,"8":1} , "1" : 0, "2": {"7":1,"6":{"5":1,"4":1}} }')).toBe(
      '{"2":{"7":1,"6":{"5":1,"4":1}},"1":0}',
    );
  });

  it('leaves everything else as JSON.parse and JSON.stringify have it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const value = parseJson(text);
        expect(value).toEqual(withoutPrototypes(JSON.parse(text)));
        expect(parseJson(jsonText(value))).toEqual(value);
      }),
    );
  });

  it('keeps the order of any document with such keys', () => {
    const keys = fc.uniqueArray(fc.constantFrom('1', '2', '10', '007', 'a', '-1', '"2":', ''), {
      minLength: 1,
      maxLength: 6,
    });
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('1', 'null', '"{\\"1\\":2,"', '-2500', 'true'),
        fc
          .tuple(keys, fc.array(tie('value'), { minLength: 6, maxLength: 6 }))
          .map(
            ([names, values]) =>
              `{${names.map((name, at) => `${JSON.stringify(name)}:${values[at] as string}`).join(',')}}`,
          ),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
      ),
    }));
    fc.assert(
      fc.property(value, (text) => {
        expect(roundTrip(text)).toBe(text);
      }),
    );
  });

  it("is JavaScript's for an object that no document has", () => {
    expect(keysOf({ b: 1, 2: 1, 1: 1 })).toEqual(['1', '2', 'b']);
  });
});
