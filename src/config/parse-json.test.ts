import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import { canonicalJson, emptyObject } from '../base/json.ts';
import { renderDiagnostic } from '../base/render-diagnostic.ts';
import type { JsonNode } from './parse-json.ts';
import { parseJsonNodes } from './parse-json.ts';

function parse(text: string): { value: Json | undefined; faults: readonly string[] } {
  const faults: Diagnostic[] = [];
  const node = parseJsonNodes(text, collectInto(faults, 'techne.json'));
  return {
    value: node === null ? undefined : toJson(node),
    faults: faults.map((fault) => renderDiagnostic(fault, text)),
  };
}

describe('parseJsonNodes', () => {
  it('reads what JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        if (/__proto__|constructor|prototype/.test(text)) return;
        const parsed = parse(text);
        expect(parsed.faults).toEqual([]);
        expect(canonicalJson(parsed.value as Json)).toBe(canonicalJson(JSON.parse(text) as Json));
      }),
    );
  });

  it('never throws, and refuses what JSON.parse refuses unless it is a comment or a trailing comma', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:0-1.eE\\unt rulfas/*\n')) }),
        (text) => {
          const parsed = parse(text);
          let strict: boolean;
          try {
            JSON.parse(text);
            strict = true;
          } catch {
            strict = false;
          }
          const lenient = /\/\/|\/\*|,\s*[\]}]/.test(text);
          expect([
            text,
            parsed.value !== undefined ? strict || lenient : !strict && parsed.faults.length === 1,
          ]).toEqual([text, true]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads comments and trailing commas', () => {
    expect(parse('\uFEFF// top\n{ "a": [1, 2,], /* b */ "b": "// no",\n}')).toEqual({
      value: { a: [1, 2], b: '// no' },
      faults: [],
    });
  });

  it('drops keys that reach a prototype', () => {
    const { value, faults } = parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    expect([
      Object.keys(value as object),
      ({} as { polluted?: boolean }).polluted,
      Object.getPrototypeOf(value),
    ]).toEqual([[], undefined, null]);
    expect(faults).toEqual([
      'techne.json:1:2: error CONFIG_UNKNOWN_KEY: the key "__proto__" is not allowed and was dropped\n  {"__proto__": {"polluted": true}, "constructor": 1}\n   ^^^^^^^^^^^',
      'techne.json:1:35: error CONFIG_UNKNOWN_KEY: the key "constructor" is not allowed and was dropped\n  {"__proto__": {"polluted": true}, "constructor": 1}\n                                    ^^^^^^^^^^^^^',
    ]);
  });

  it('reports a key that is given twice and keeps the first', () => {
    expect(parse('{"a": 1, "a": 2}')).toEqual({
      value: { a: 1 },
      faults: [
        'techne.json:1:10: error CONFIG_VALUE: the key "a" is given twice; the first one counts\n  {"a": 1, "a": 2}\n           ^^^\n  hint: remove one of the two',
      ],
    });
  });

  const broken: readonly (readonly [string, string])[] = [
    [
      '{"a": tru}',
      'techne.json:1:7: error CONFIG_SYNTAX: a value was expected here\n  {"a": tru}\n        ^\n  hint: text goes in double quotes',
    ],
    [
      '{"a": 1',
      'techne.json:1:8: error CONFIG_SYNTAX: the file ends too early: a "," or "}" was expected here\n  {"a": 1\n         ^\n  hint: the "{" at 1:1 is never closed',
    ],
    [
      '{a: 1}',
      'techne.json:1:2: error CONFIG_SYNTAX: a key in double quotes was expected here\n  {a: 1}\n   ^',
    ],
    [
      '["a\nb"]',
      'techne.json:1:2: error CONFIG_SYNTAX: the text opened here is not closed on its line\n  ["a\n   ^^\n  hint: end it with a double quote',
    ],
    [
      '["\\x"]',
      'techne.json:1:3: error CONFIG_SYNTAX: this escape does not exist in JSON\n  ["\\x"]\n    ^^\n  hint: write a backslash as \\\\',
    ],
    ['[1e999]', 'techne.json:1:2: error CONFIG_SYNTAX: the number is too large\n  [1e999]\n   ^^^^^'],
    ['{} x', 'techne.json:1:4: error CONFIG_SYNTAX: nothing more was expected here\n  {} x\n     ^'],
    ['/* x', 'techne.json:1:1: error CONFIG_SYNTAX: the comment opened here is never closed\n  /* x\n  ^^'],
  ];
  for (const [text, fault] of broken) {
    it(`points into ${JSON.stringify(text)}`, () => {
      expect(parse(text)).toEqual({ value: undefined, faults: [fault] });
    });
  }

  it('refuses what is nested too deeply, without overflowing', () => {
    expect(parse('['.repeat(100_000)).faults[0]).toMatch(
      /^techne\.json:1:34: error CONFIG_SYNTAX: nested deeper than 32 levels/,
    );
  });
});

function toJson(node: JsonNode): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(toJson);
    case 'map': {
      const object = emptyObject();
      for (const member of node.members) object[member.key] = toJson(member.value);
      return object;
    }
  }
}
