import { describe, expect, it } from 'vitest';
import { toJson } from '../node.ts';
import { parseFull } from '../bundled-parser.ts';
import { repair } from './repair.ts';

function repaired(text: string): { value: unknown; faults: string[] } {
  const faults: string[] = [];
  const map = repair(text, 0, text.length, (code, at) =>
    faults.push(`${code} ${at === null ? '' : text.slice(at.start, at.end)}`),
  );
  return { value: JSON.parse(JSON.stringify(toJson(map))), faults };
}

describe('repair', () => {
  it('reads an unquoted value as text and leaves its neighbours alone', () => {
    expect(repaired('name: tides\ndescription: Use when: asked\nversion: 1.5\ntags: [a, b]\n')).toEqual({
      value: { name: 'tides', description: 'Use when: asked', version: 1.5, tags: ['a', 'b'] },
      faults: ['YAML_REPAIRED Use when: asked'],
    });
  });

  it('knows the usual slips', () => {
    const slips: readonly (readonly [string, string])[] = [
      ['**Bold** text', '**Bold** text'],
      ['@scope/name', '@scope/name'],
      ['`code` first', '`code` first'],
      ['%done', '%done'],
      ['[text] more', '[text] more'],
      ['"quoted" trailing', '"quoted" trailing'],
      ['"never closed', 'never closed'],
      ["'never closed", 'never closed'],
      ['"bad \\d escape: x" ', 'bad \\d escape: x'],
      ['| Use when asked', 'Use when asked\n'],
      ['> Use: it', 'Use: it'],
    ];
    for (const [written, meant] of slips) {
      const { value, faults } = repaired(`description: ${written}\nname: x\n`);
      expect([written, value]).toEqual([written, { description: meant, name: 'x' }]);
      expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['YAML_REPAIRED']);
    }
  });

  it('leaves out the comment behind a template or quotes, and nothing else', () => {
    const values: readonly (readonly [string, string])[] = [
      ['{{ outputs.a }} # TODO', '{{ outputs.a }}'],
      ['{{ a }} and {{ b }}   # later', '{{ a }} and {{ b }}'],
      ["{{ a['# x'] }} {% if b # c %}", "{{ a['# x'] }} {% if b # c %}"],
      ["'A # B' in outputs.a # why", "'A # B' in outputs.a"],
      ['Use when: issue # 12', 'Use when: issue # 12'],
      ['{{ a }}#b: c', '{{ a }}#b: c'],
    ];
    for (const [written, meant] of values)
      expect([written, repaired(`steps:\n  - task: ${written}\n    more: {{ a }} b: c\n`).value]).toEqual([
        written,
        { steps: [{ task: meant, more: '{{ a }} b: c' }] },
      ]);
  });

  it('takes lines that are not indented as part of the value above', () => {
    expect(repaired('description: one and\ntwo three\nname: x\n')).toEqual({
      value: { description: 'one and two three', name: 'x' },
      faults: ['YAML_REPAIRED one and\ntwo three'],
    });
    expect(repaired('name: x\nstray text\n')).toEqual({
      value: { name: 'x' },
      faults: ['YAML_SYNTAX stray text'],
    });
    expect(repaired('description: >\none\ntwo\nname: x\n').value).toEqual({
      description: 'one two',
      name: 'x',
    });
    expect(repaired('description: "one\n\ntwo"\nname: x\n').value).toEqual({
      description: 'one\ntwo',
      name: 'x',
    });
  });

  it('reads tabs as indentation', () => {
    expect(repaired('metadata:\n\ta: b\n\tc: d: e\nlist:\n\t- x\n\t- y\n')).toEqual({
      value: { metadata: { a: 'b', c: 'd: e' }, list: ['x', 'y'] },
      faults: ['YAML_TABS \t', 'YAML_REPAIRED d: e'],
    });
  });

  it('rescues inside lists and maps', () => {
    expect(repaired('triggers:\n  - when: asked: now\n  - plain\n  - "ok"\n').value).toEqual({
      triggers: [{ when: 'asked: now' }, 'plain', 'ok'],
    });
    expect(repaired('tags: [a, "b", 3\nname: x\n')).toEqual({
      value: { tags: ['a', 'b', 3], name: 'x' },
      faults: ['YAML_REPAIRED [a, "b", 3'],
    });
  });

  it('understands a colon without its space', () => {
    expect(repaired('name:tides\ndescription：Reads tides\n').value).toEqual({
      name: 'tides',
      description: 'Reads tides',
    });
  });

  it('drops lines that belong to nothing and says so once', () => {
    expect(repaired('garbage\nmore garbage\nname: x\n\nloose text\n')).toEqual({
      value: { name: 'x' },
      faults: ['YAML_SYNTAX garbage'],
    });
  });

  it('reads the fields on both sides of a marker or directive', () => {
    expect(repaired('%YAML 1.2\nname: x\n...\ntags: [a, b]\n-----\nend: 1\n')).toEqual({
      value: { name: 'x', tags: ['a', 'b'], end: 1 },
      faults: ['YAML_REPAIRED %YAML 1.2'],
    });
    expect(repaired('name: x\n--- y\nend: 1\n')).toEqual({
      value: { name: 'x', end: 1 },
      faults: ['YAML_SYNTAX --- y'],
    });
  });

  it('reads a list of pairs as the pairs', () => {
    expect(repaired('- name: x\n- description: one: two\n- tags:\n    - a\n')).toEqual({
      value: { name: 'x', description: 'one: two', tags: ['a'] },
      faults: ['YAML_REPAIRED -', 'YAML_REPAIRED one: two'],
    });
    expect(repaired('- step: x\n- step: y\n').value).toEqual({});
  });

  it('says what became of a list that is never closed', () => {
    const said: unknown[] = [];
    repair('triggers: [a, b\n', 0, 16, (...fault) => said.push(fault));
    expect(said).toEqual([
      [
        'YAML_REPAIRED',
        { start: 10, end: 15 },
        'the "[" is never closed; what follows it was read as the items of a list',
        'close the list with "]"',
      ],
    ]);
  });

  it('reads a list in which a text goes on with a variable as its items', () => {
    expect(
      repaired('triggers: [translate this document, translate {file}, 翻译这份文档]  # three\n'),
    ).toEqual({
      value: { triggers: ['translate this document', 'translate {file}', '翻译这份文档'] },
      faults: ['YAML_REPAIRED [translate this document, translate {file}, 翻译这份文档]'],
    });
    // What may mean something else stays as it was read.
    for (const list of ['[a, "b {c} d": e]', '[a {b: c}]', '[[a {b}]]'])
      expect(repaired(`x: ${list}\n`).value).toEqual({ x: list });
  });

  it('prefers the one of two equal keys that has a value', () => {
    expect(repaired('a:\nx: b: c\na: text\n')).toEqual({
      value: { x: 'b: c', a: 'text' },
      faults: ['YAML_REPAIRED b: c', 'YAML_DUPLICATE_KEY a'],
    });
  });

  it('repairs only the entry that is broken, however long and unusual its neighbours are', () => {
    const steps = Array.from({ length: 400 }, (_, index) => ({
      id: `s${index}`,
      task: 'a, b: [c] and so on',
    }));
    const sound = Array.from({ length: 8 }, (_, index) => `k${index}: !!map {a: &x${index} [1]}\n`).join('');
    const text = `${sound}steps: !!seq ${JSON.stringify(steps)}\ndescription: Use when: asked\n`;
    const codes: string[] = [];
    const map = repair(text, 0, text.length, (code) => codes.push(code), parseFull);
    const value = JSON.parse(JSON.stringify(toJson(map))) as {
      steps: unknown;
      description: unknown;
      k7: unknown;
    };
    expect([value.steps, value.description, value.k7]).toEqual([steps, 'Use when: asked', { a: [1] }]);
    expect(codes.filter((code) => code === 'YAML_REPAIRED')).toHaveLength(1);
  });

  it('keeps forbidden and repeated keys out', () => {
    expect(repaired('__proto__: a\nname: x\nname: y: z\n')).toEqual({
      value: { name: 'x' },
      faults: ['YAML_FORBIDDEN_KEY __proto__', 'YAML_REPAIRED y: z', 'YAML_DUPLICATE_KEY name'],
    });
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});
