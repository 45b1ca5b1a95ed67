import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skipUnless } from '../../../../test/support/skip-unless.ts';
import { compatRoot, readCompatTexts } from '../../../../test/fuzz/compat-texts.ts';
import { splitFrontmatter } from '../../frontmatter/read-frontmatter.ts';
import type { YamlMap, YamlNode } from '../node.ts';
import { toJson, yamlLimits } from '../node.ts';
import { parseFull } from '../bundled-parser.ts';
import { parsePlain, tryPlain } from './parse-plain.ts';

const json = (text: string): unknown => {
  const map = parsePlain(text, 0, text.length);
  return map === null ? null : JSON.parse(JSON.stringify(toJson(map)));
};

/** The tree of `parsePlain`, after asserting that the library gives the same one and no report. */
function agreed(text: string): YamlMap | null {
  const plain = tryPlain(text, 0, text.length);
  const codes: string[] = [];
  const full = parseFull(text, 0, text.length, (code) => codes.push(code));
  if (plain === null) return null;
  const said =
    plain === 'broken' ? { text, tree: null, codes: ['YAML_SYNTAX'] } : { text, tree: plain, codes: [] };
  expect(said).toEqual({ text, tree: full, codes });
  return said.tree;
}

describe('parsePlain', () => {
  it('gives the place of every key and value', () => {
    expect(parsePlain('name: tides\ntags: [a]\n', 0, 22)).toEqual({
      kind: 'map',
      flow: false,
      span: { start: 0, end: 21 },
      entries: [
        {
          key: 'name',
          keySpan: { start: 0, end: 4 },
          value: {
            kind: 'scalar',
            value: 'tides',
            raw: 'tides',
            style: 'plain',
            span: { start: 6, end: 11 },
          },
        },
        {
          key: 'tags',
          keySpan: { start: 12, end: 16 },
          value: {
            kind: 'seq',
            flow: true,
            span: { start: 18, end: 21 },
            items: [{ kind: 'scalar', value: 'a', raw: 'a', style: 'plain', span: { start: 19, end: 20 } }],
          },
        },
      ],
    } satisfies YamlMap);
  });

  it('reads the styles that real frontmatter uses', () => {
    expect(
      json(
        "a: x # note\nb: \"q\\n\\u00e9\\ud83d\\ude00\"\nc: 'it''s'\nd:\ne: several\n  lines\n\n  of text\n",
      ),
    ).toEqual({ a: 'x', b: 'q\né😀', c: "it's", d: null, e: 'several lines\nof text' });
    expect(
      json('a: |\n  one\n   two\n\nb: >-\n  folded\n  text\n\n  next\n    deeper\n  end\nc: |+\n  keep\n\n'),
    ).toEqual({ a: 'one\n two\n', b: 'folded text\nnext\n  deeper\nend', c: 'keep\n\n' });
    expect(json('a:\n- 1\n- k: v\n  w: [x, "y", {z: ~}]\n-\n  - deep\nb:\n  c:\n    d: true\n')).toEqual({
      a: [1, { k: 'v', w: ['x', 'y', { z: null }] }, ['deep']],
      b: { c: { d: true } },
    });
    expect(json('m: {\n  "a": {"b": ["c"]},\n}\nn:\n  [\n    1,\n    2\n  ]\n')).toEqual({
      m: { a: { b: ['c'] } },
      n: [1, 2],
    });
    expect(json('a: b\r\nc: "d\r\n  e"\r\n')).toEqual({ a: 'b', c: 'd e' });
    expect(
      json(
        'a: "one,\\\n  \\ two \\\r\n  three\\n\\x21\\u2014\\_\n\n  four \\"five\\"\n  six\\\n  "\nb: \'it\'\'s\n  so\n\n  then\'\n',
      ),
    ).toEqual({ a: 'one, two three\n!—\u00a0\nfour "five" six', b: "it's so\nthen" });
  });

  it('is in doubt about everything outside the subset', () => {
    const doubtful = [
      '',
      '- a\n',
      'a\n',
      'a: &x b\n',
      'a: *x\n',
      'a: !t b\n',
      '? a\n: b\n',
      '\ta: b\n',
      'a:\n\tb: c\n',
      'a:\tb\n',
      '%YAML 1.2\n',
      'a: b\n...\n',
      'a: b\na: c\n',
      '__proto__: 1\n',
      'constructor: 1\n',
      'a: {prototype: 1}\n',
      'a: b: c\n',
      'a: b:\n',
      'a: "x" y\n',
      'a: [b] c\n',
      'a: @b\n',
      'a: `b`\n',
      'a: "\\ud800"\n',
      'a: "\\q"\n',
      'a: "\\x4"\n',
      'a: "x\\\ny"\n',
      'a: "x\\\n\n  y"\n',
      '"a\\\n b": c\n',
      'a: {"b\\\n c": d}\n',
      'a: "x\n',
      "a: 'x\n",
      'a: [b\n',
      'a: {b: c\n',
      'a: | text\n',
      'a: |3\n    x\n',
      'a : b\n',
      'a: b\n c: d\n',
      'a: b # c\n  d\n',
      'a: [b: c]\n',
      'a: [b,,c]\n',
      'a: {b}\n',
      ' a: b\n',
      'a: "x\ny"\n',
      `${'k'.repeat(300)}: v\n`,
      `a: ${'['.repeat(60)}${']'.repeat(60)}\n`,
      `a:\n${'- x\n'.repeat(yamlLimits.nodes)}`,
    ];
    for (const text of doubtful)
      expect([text.slice(0, 40), parsePlain(text, 0, text.length)]).toEqual([text.slice(0, 40), null]);
  });

  it('is in doubt about markers, byte order marks and odd ends, wherever they stand', () => {
    const doubtful = [
      '\ufeffa: b\n',
      'a: b\n\ufeffc: d\n',
      'a:\n  \ufeffb: c\n',
      '--- a\nb: c\n',
      'a: b\n--- c: d\n',
      'a: b\n... c: d\n',
      'a:\n--- {a: b}\n',
      'a: b\n...\nc: d\n',
      '---x: 1\n',
      'a: b\r',
      'a:\r',
      'a: |\n  b\r',
      'a: |+\n  b\n  ',
      'a: b\n ',
      'a: b ',
      'a: b\n\t',
    ];
    for (const text of doubtful) expect([text, tryPlain(text, 0, text.length)]).toEqual([text, null]);
  });

  it('calls broken only what no YAML parser takes', () => {
    for (const text of [
      'a: b: c\n',
      'a: b:\n',
      'a: @b\n',
      'a: %b\n',
      'a: `b`\n',
      'a: "x" y\n',
      'a: [b] c\n',
      'a: [- b]\n',
      'a: [b, `c`]\n',
      'a: | text\n',
      'a: >-  text\n  more\n',
      '- a: b: c\n'.replace('- ', 'k:\n- '),
    ]) {
      expect([text, tryPlain(text, 0, text.length)]).toEqual([text, 'broken']);
      expect(agreed(text)).toBeNull();
    }
  });

  it('stays inside its range', () => {
    const text = '---\na: b\n---\nc: d\n';
    expect(JSON.stringify(toJson(parsePlain(text, 4, 9) as YamlNode))).toBe('{"a":"b"}');
  });

  it('agrees with the library on generated trees printed in many styles', () => {
    let answered = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(keyText, nodeText), { minLength: 1, maxLength: 5 }),
        newline,
        (entries, eol) => {
          const unique = new Map(entries);
          const text = [...unique]
            .map(([key, value]) => printEntry(key, value, 0))
            .join('')
            .replaceAll('\n', eol);
          if (agreed(text) !== null) answered += 1;
        },
      ),
      { seed: 5, numRuns: 1500 },
    );
    expect(answered).toBeGreaterThan(500);
  });

  it('agrees with the library on generated trees with markers, byte order marks and odd ends', () => {
    let answered = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(keyText, nodeText), { minLength: 1, maxLength: 3 }),
        newline,
        fc.nat(),
        oddLine,
        oddEnd,
        (entries, eol, place, line, end) => {
          const rows = [...new Map(entries)]
            .map(([key, value]) => printEntry(key, value, 0))
            .join('')
            .split('\n');
          const at = place % rows.length;
          const odd = line.endsWith('\n')
            ? [...rows.slice(0, at), line.slice(0, -1), ...rows.slice(at)]
            : rows.map((row, index) => (index === at ? line + row : row));
          if (agreed(odd.join('\n').replace(/\n$/, end).replaceAll('\n', eol)) !== null) answered += 1;
        },
      ),
      { seed: 6, numRuns: 3000 },
    );
    expect(answered).toBeGreaterThan(100);
  });

  const compat = readCompatTexts(compatRoot);
  it.skipIf(skipUnless(compat.length > 0, '../shared/compat is absent'))(
    'answers for every compat file, and as the library does',
    () => {
      let doubts = 0;
      for (const text of compat) {
        const parts = splitFrontmatter(text, () => undefined, { complete: true });
        if (parts === null || parts === 'more') continue;
        if (agreed(text.slice(parts.yamlStart, parts.yamlEnd)) === null) doubts += 1;
      }
      expect(doubts).toBe(0);
    },
  );
});

type Printed = { readonly inline: string } | { readonly block: (indent: number) => string };

const newline = fc.constantFrom('\n', '\n', '\r\n');
/** Put before a line, or as a line of its own when it ends in one. */
const oddLine = fc.constantFrom(
  '',
  '',
  '',
  '\ufeff',
  '--- ',
  '... ',
  '---',
  '--- x\n',
  '--- x: y\n',
  '--- {a: b}\n',
  '...\n',
  '... x: y\n',
  '---x: y\n',
);
/** In place of the last line end. */
const oddEnd = fc.constantFrom('\n', '\n', '', '\r', '\n\r', '\n  ', '\n    ', ' ', '\n\n  ', '\t');
const keyText = fc.constantFrom(
  'name',
  'a-b',
  'x_y',
  'when to use',
  '"quoted"',
  "'single'",
  'k1',
  '7',
  'ключ',
  'null',
);
const words = fc
  .array(
    fc.constantFrom(
      'use',
      'when',
      'x:y',
      'a#b',
      '#',
      ':',
      '-',
      "it's",
      '"q"',
      '1',
      'true',
      'http://a.b',
      'né',
      '😀',
      'a,b',
      '[c]',
      '{d}',
      '&e',
      '*f',
      '\\n',
      '~',
      '|',
      '>',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => list.join(' '));
const lines = fc.array(
  fc.oneof(words, fc.constantFrom('', '  indented', '    more', '- item', 'trailing ')),
  { minLength: 1, maxLength: 5 },
);
const scalarText: fc.Arbitrary<Printed> = fc.oneof(
  words.map((inline) => ({ inline })),
  words.map((text) => ({ inline: JSON.stringify(text) })),
  words.map((text) => ({ inline: `'${text.replaceAll("'", "''")}'` })),
  fc
    .constantFrom(
      '',
      '~',
      '12',
      '1.50',
      '0x1f',
      'true',
      '""',
      "''",
      'x # note',
      '[]',
      '{}',
      '[a, b ,"c"]',
      '{a: 1, "b":2}',
      '[[a], {b: [c]}]',
    )
    .map((inline) => ({ inline })),
  fc.tuple(fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '| # note'), lines).map(([sign, rows]) => ({
    block: (indent: number) =>
      ` ${sign}\n${rows.map((row) => (row === '' ? '' : ' '.repeat(indent + 2) + row)).join('\n')}\n`,
  })),
  // Lines as printers fold them: with escapes, and a backslash before a line end.
  fc
    .array(
      fc.constantFrom(
        'one',
        ' two',
        '\\n',
        '\\',
        '\\\\',
        '\\"',
        '\\ ',
        '\\x41',
        '\\u00e9',
        '\\U0001F600',
        '\\P',
        '\\q',
        '#',
        ':',
        ' ',
        '\n',
        '\n\n',
        "'",
      ),
      { minLength: 2, maxLength: 12 },
    )
    .map((parts) => ({
      block: (indent: number) => ` "${parts.join('').replaceAll('\n', `\n${' '.repeat(indent + 2)}`)}"\n`,
    })),
  fc
    .tuple(
      fc.constantFrom('"', "'", ''),
      fc.array(fc.constantFrom('one', 'two', '', 'three four'), { minLength: 2, maxLength: 4 }),
    )
    .map(([quote, rows]) => ({
      block: (indent: number) =>
        ` ${quote}s${rows.map((row) => `\n${row === '' ? '' : ' '.repeat(indent + 2)}${row}`).join('')}${quote === '' ? '' : `\n${' '.repeat(indent + 1)}${quote}`}\n`,
    })),
);
const nodeText: fc.Arbitrary<Printed> = fc.letrec<{ node: Printed }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalarText,
    fc
      .tuple(
        fc.array(fc.tuple(keyText, tie('node')), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '# note\n', '\n'),
      )
      .map(([entries, gap]) => ({
        block: (indent: number) =>
          `\n${gap}${[...new Map(entries)].map(([key, value]) => printEntry(key, value, indent + 2)).join(gap)}`,
      })),
    fc
      .tuple(fc.array(tie('node'), { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 2))
      .map(([items, extra]) => ({
        block: (indent: number) =>
          `\n${items.map((item) => `${' '.repeat(indent + extra)}-${printValue(item, indent + extra)}`).join('')}`,
      })),
    fc.array(fc.tuple(keyText, scalarText), { minLength: 1, maxLength: 3 }).map((entries) => ({
      block: (indent: number) =>
        `\n${' '.repeat(indent)}- ${[...new Map(entries)]
          .map(([key, value]) => printEntry(key, value, indent + 2))
          .join('')
          .trimStart()}`,
    })),
  ),
})).node;

function printEntry(key: string, value: Printed, indent: number): string {
  return `${' '.repeat(indent)}${key}:${printValue(value, indent)}`;
}

function printValue(value: Printed, indent: number): string {
  return 'inline' in value ? `${value.inline === '' ? '' : ` ${value.inline}`}\n` : value.block(indent);
}
