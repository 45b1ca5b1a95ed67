import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { printable } from '../../../base/printable.ts';
import { nodeParseFull } from '../../../node/yaml.ts';
import { toJson } from '../../../skill/yaml/node.ts';
import { yamlText } from './yaml-text.ts';

function readBack(text: string): unknown {
  const faults: string[] = [];
  const map = nodeParseFull(text, 0, text.length, (code, _at, message) => faults.push(`${code} ${message}`));
  return faults.length > 0 || map === null ? faults : toJson(map);
}

describe('yamlText', () => {
  it('writes blocks for texts of several lines, and quotes what could be something else', () => {
    expect(
      yamlText({
        name: 'a b',
        odd: 'yes',
        'n o': '3',
        text: 'one\ntwo\n',
        list: [{ a: 'x\n y' }, 'z'],
        none: {},
      }),
    ).toBe(
      'name: a b\nodd: "yes"\n"n o": "3"\ntext: |\n  one\n  two\nlist:\n  - a: |-\n      x\n       y\n  - z\nnone: {}\n',
    );
  });

  it('is read back as what it was, and shows no hidden character', () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('a', ' ', '\n', '\t', ':', '#', '-', '"', "'", '|', '{', '\u202e', '0'),
      }),
    );
    // The reader refuses these, wherever they stand.
    const keys = words.filter((key) => !['__proto__', 'prototype', 'constructor'].includes(key));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        words,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(keys, value, { minKeys: 1, maxKeys: 4 }), (written) => {
        const text = yamlText(written as JsonObject);
        expect(readBack(text)).toEqual(JSON.parse(JSON.stringify(written)));
        expect(printable(text)).toBe(text);
      }),
      { numRuns: 400 },
    );
  });
});
