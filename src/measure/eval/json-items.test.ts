import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonItemSpans } from './json-items.ts';

describe('jsonItemSpans', () => {
  it('finds the items of any list, alone or under a key', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.jsonValue(),
        fc.constantFrom(undefined, 1),
        (list, other, indent) => {
          for (const value of [
            list,
            { other, cases: list },
            { 'a "b" [': other, triggers: list, rubric: other },
          ]) {
            const text = ` ${JSON.stringify(value, null, indent)}\n`;
            expect(
              jsonItemSpans(text, ['cases', 'triggers']).map(
                ({ start, end }) => JSON.parse(text.slice(start, end)) as unknown,
              ),
            ).toEqual(JSON.parse(JSON.stringify(list)));
          }
        },
      ),
    );
  });

  it('finds nothing where there is no list', () => {
    expect([
      jsonItemSpans('{"cases": 3}', ['cases']),
      jsonItemSpans('{}', ['cases']),
      jsonItemSpans('7', ['cases']),
    ]).toEqual([[], [], []]);
  });
});
