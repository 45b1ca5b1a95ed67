import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, Scalar } from 'yaml';
import { nodeParseFull } from '../node/yaml.ts';
import type { YamlMap, YamlScalar } from '../skill/yaml/node.ts';
import { placesOf } from './scalar-places.ts';

function scalarIn(text: string): YamlScalar {
  const map = nodeParseFull(text, 0, text.length, (code, _at, message) => {
    throw new Error(`${code}: ${message}`);
  }) as YamlMap;
  const outer = map.entries[0]?.value as YamlMap;
  return outer.entries[0]?.value as YamlScalar;
}

const styles = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;

describe('placesOf', () => {
  it.each([
    ['plain', 'a:\n  b: one {{ x }}\n'],
    ['plain over two lines', 'a:\n  b: one\n    two {{ x }}\n'],
    ['single quotes', "a:\n  b: 'it''s {{ x }}'\n"],
    ['double quotes', 'a:\n  b: "tab\\t \\u00e9 \\"q\\" {{ x }}"\n'],
    ['double quotes over lines', 'a:\n  b: "one\n\n    two \\\n    three {{ x }}"\n'],
    ['a literal block', 'a:\n  b: |\n    one\n\n      two {{ x }}\n'],
    ['a literal block that begins with blank lines', 'a:\n  b: |\n\n\n    one {{ x }}\n'],
    ['a literal block with explicit indentation', 'a:\n  b: |2\n      one {{ x }}\n'],
    ['a literal block with CRLF', 'a:\r\n  b: |\r\n    one\r\n    two {{ x }}\r\n'],
    ['a folded block', 'a:\n  b: >-\n    one\n    two {{ x }}\n\n    three\n'],
  ])('finds the tag in %s', (_style, text) => {
    const node = scalarIn(text);
    const places = placesOf(text, node);
    const at = String(node.value).indexOf('{{ x }}');
    expect(places.exact).toBe(true);
    expect(places.span({ start: at, end: at + 7 })).toEqual({
      start: text.indexOf('{{ x }}'),
      end: text.indexOf('{{ x }}') + 7,
    });
  });

  it('gives every character that is written as it is its own place, in every style', () => {
    const line = fc.stringMatching(/^[a-zA-Z'"{}%é世,.:#-][a-zA-Z '"{}%é世,.:#-]{0,20}$/);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...styles),
        (lines, style) => {
          const value = lines.join('\n');
          const scalar = new Scalar(value);
          scalar.type = style;
          const document = new Document({ a: {} });
          document.setIn(['a', 'b'], scalar);
          const text = document.toString({ lineWidth: 30 });
          // The library writes some plain texts that cannot be read back.
          let faults = 0;
          nodeParseFull(text, 0, text.length, () => {
            faults += 1;
          });
          fc.pre(faults === 0);
          const node = scalarIn(text);
          const read = String(node.value);
          const places = placesOf(text, node);
          expect(places.exact).toBe(true);
          // Quotes may be escaped, line ends folded.
          const plain = Array.from({ length: read.length }, (_, offset) => offset).filter(
            (offset) => !/[\s'"\\]/.test(read.charAt(offset)),
          );
          expect(plain.map((offset) => text.charAt(places.at(offset)))).toEqual(
            plain.map((offset) => read.charAt(offset)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has one place for a value that does not follow from its text', () => {
    const node: YamlScalar = {
      kind: 'scalar',
      value: 'other',
      raw: 'other',
      style: 'plain',
      span: { start: 3, end: 8 },
    };
    expect(placesOf('b: value', node)).toMatchObject({ exact: false });
    expect(placesOf('b: value', node).span({ start: 1, end: 2 })).toEqual({ start: 3, end: 8 });
  });
});
