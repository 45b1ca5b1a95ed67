import { describe, expect, it } from 'vitest';
import { toJson } from './node.ts';
import { parseFull } from './bundled-parser.ts';

/** The value and `CODE "source"` for each report. */
function full(text: string): { value: unknown; faults: string[] } {
  const faults: string[] = [];
  const map = parseFull(text, 0, text.length, (code, at) =>
    faults.push(`${code} ${JSON.stringify(at === null ? null : text.slice(at.start, at.end))}`),
  );
  return { value: map === null ? null : JSON.parse(JSON.stringify(toJson(map))), faults };
}

describe('parseFull', () => {
  it('drops an alias, keeps the anchored value, and says both', () => {
    expect(full('a: &x [1]\nb: *x\n')).toEqual({
      value: { a: [1], b: null },
      faults: ['YAML_ALIAS "&x"', 'YAML_ALIAS "*x"'],
    });
  });

  it('reads a value that begins with "*" as text when nothing has that name', () => {
    expect(full('description: **bold**\n')).toEqual({
      value: { description: '**bold**' },
      faults: ['YAML_REPAIRED "**bold**"'],
    });
  });

  it('applies the tags of plain types, as printers write them, and ignores the others', () => {
    expect(
      full(
        'a: !!str 1\nb: !!int "2"\nc: !!bool "true"\nd: !!null "null"\ne: !!float \'1.5\'\nf: !!map {g: !!seq [h]}\n',
      ),
    ).toEqual({ value: { a: '1', b: 2, c: true, d: null, e: 1.5, f: { g: ['h'] } }, faults: [] });
    expect(full('a: !!int "x"\nb: !x {c: d}\nc: !!set {d: e}\n')).toEqual({
      value: { a: 'x', b: { c: 'd' }, c: { d: 'e' } },
      faults: ['YAML_TAG "!!int"', 'YAML_TAG "!x"', 'YAML_TAG "!!set"'],
    });
  });

  it('reads valid YAML of any density, and refuses what is over the limit of nodes', () => {
    const list = (size: number): string =>
      `a: &x b\nlist: [${Array.from({ length: size }, () => '"x, y: - z"').join(',')}]\n`;
    const prose = '- one: two? [three '.repeat(2000);
    expect(full(list(9_000)).faults).toEqual(['YAML_REPAIRED "&x b"']);
    expect(full(`a: !!str x\nb: "${prose}"\n`)).toEqual({ value: { a: 'x', b: prose }, faults: [] });
    for (const size of [10_000, 20_000])
      expect(full(list(size)).faults.map((fault) => fault.split(' ')[0])).toEqual(['YAML_TOO_MANY_NODES']);
  });

  it('keeps the first of two equal keys', () => {
    expect(full('a: 1\nb: 2\na: 3\n')).toEqual({ value: { a: 1, b: 2 }, faults: ['YAML_DUPLICATE_KEY "a"'] });
  });

  it('prefers the one of two equal keys that has a value', () => {
    expect(full('a:\nb: 2\na: 3\nc: x\nc:\nd: " "\nd: y\n')).toEqual({
      value: { b: 2, a: 3, c: 'x', d: 'y' },
      faults: ['YAML_DUPLICATE_KEY "a"', 'YAML_DUPLICATE_KEY "c"', 'YAML_DUPLICATE_KEY "d"'],
    });
  });

  it('keeps the whole of a text that begins with "&" or "!" where that means nothing', () => {
    expect(full('a: &HUMAN text\nb: !text is here\nc: !MIT\nd: &x !y z\ne:\n- &one\n- !two 2\n')).toEqual({
      value: { a: '&HUMAN text', b: '!text is here', c: '!MIT', d: '&x !y z', e: ['&one', '!two 2'] },
      faults: [
        'YAML_REPAIRED "&HUMAN text"',
        'YAML_REPAIRED "!text is here"',
        'YAML_REPAIRED "!MIT"',
        'YAML_REPAIRED "&x !y z"',
        'YAML_REPAIRED "&one"',
        'YAML_REPAIRED "!two 2"',
      ],
    });
    expect(full('a: &x text\nb: *x\n')).toEqual({
      value: { a: 'text', b: null },
      faults: ['YAML_ALIAS "&x"', 'YAML_ALIAS "*x"'],
    });
    expect(full('a: &x\n  text\nb: !x "y"\n').value).toEqual({ a: 'text', b: 'y' });
  });

  it('refuses a second document', () => {
    expect(full('a: b\n...\nc: d\n')).toEqual({ value: null, faults: ['YAML_SYNTAX "c: d\\n"'] });
    expect(full('a: b\n--- c\n').value).toBeNull();
    expect(full('a: b\n...\n')).toEqual({ value: { a: 'b' }, faults: [] });
  });

  it('drops keys that reach a prototype', () => {
    expect(full('__proto__: {x: 1}\na: {constructor: 2, b: 1}\n"prototype": 3\n')).toEqual({
      value: { a: { b: 1 } },
      faults: [
        'YAML_FORBIDDEN_KEY "__proto__"',
        'YAML_FORBIDDEN_KEY "constructor"',
        'YAML_FORBIDDEN_KEY "\\"prototype\\""',
      ],
    });
  });

  it('drops entries whose key is not text', () => {
    expect(full('? [a, b]\n: 1\nc: 2\n')).toEqual({
      value: { c: 2 },
      faults: ['YAML_KEY_NOT_TEXT "[a, b]"'],
    });
  });

  it('replaces half a surrogate pair', () => {
    expect(full('a: "x\\ud800y"\n')).toEqual({
      value: { a: 'x\uFFFDy' },
      faults: ['ENCODING_SURROGATE "\\"x\\\\ud800y\\""'],
    });
  });

  it('points at a syntax error once', () => {
    expect(full('a: b: c\nd: e: f\n')).toEqual({ value: null, faults: ['YAML_SYNTAX "b"'] });
    expect(full('a: "x\n')).toEqual({ value: null, faults: ['YAML_SYNTAX ""'] });
  });

  it('says when the root is not a map', () => {
    expect(full('- a\n- b\n')).toEqual({ value: null, faults: ['FRONTMATTER_NOT_A_MAP "- a\\n- b\\n"'] });
    expect(full('just text\n')).toEqual({ value: null, faults: ['FRONTMATTER_NOT_A_MAP "just text"'] });
  });

  it('drops what is nested too deeply, and refuses what the library could not survive', () => {
    expect(
      full(`a: ${'['.repeat(60)}${']'.repeat(60)}\n`).faults.map((fault) => fault.split(' ')[0]),
    ).toEqual(['YAML_TOO_DEEP']);
    for (const open of ['[', '{', '- ', '? ', 'a: '])
      expect([open, full(open.repeat(20_000)).faults.map((fault) => fault.split(' ')[0])]).toEqual([
        open,
        ['YAML_TOO_DEEP'],
      ]);
    expect(full('a: b\n'.repeat(20_000)).faults.map((fault) => fault.split(' ')[0])).toEqual([
      'YAML_TOO_MANY_NODES',
    ]);
  });

  it('never expands a bomb', () => {
    const bomb = 'a: &a ["x","x","x"]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\nd: [*c,*c,*c]\n';
    expect(full(bomb).value).toEqual({
      a: ['x', 'x', 'x'],
      b: [null, null, null],
      c: [null, null, null],
      d: [null, null, null],
    });
  });
});
