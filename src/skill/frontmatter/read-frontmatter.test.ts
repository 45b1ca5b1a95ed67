import { describe, expect, it } from 'vitest';
import { readFrontmatter, splitFrontmatter } from './read-frontmatter.ts';
import { toJson } from '../yaml/node.ts';
import { parseFull } from '../yaml/bundled-parser.ts';

/** Stands where the library must not be needed. */
const noLibrary = (): never => {
  throw new Error('the YAML library was asked');
};

function read(yaml: string, full: typeof parseFull = parseFull): { value: unknown; codes: string[] } {
  const text = `---\n${yaml}---\nBody\n`;
  const codes: string[] = [];
  const parts = splitFrontmatter(text, (code) => codes.push(code), { complete: true });
  if (parts === null || parts === 'more') return { value: parts, codes };
  const map = readFrontmatter(text, parts, full, (code) => codes.push(code));
  return { value: JSON.parse(JSON.stringify(toJson(map))), codes };
}

const hostileLength = 64 * 1024;
const fill = (piece: string): string => piece.repeat(Math.floor(hostileLength / piece.length));

describe('readFrontmatter', () => {
  it('asks the library only in doubt', () => {
    expect(read('name: x\n', noLibrary)).toEqual({ value: { name: 'x' }, codes: [] });
    expect(() => read('name: &a x\n', noLibrary)).toThrow('the YAML library was asked');
    expect(() => read('a: b: c\nname: &a x\n', noLibrary)).toThrow('the YAML library was asked');
  });

  it('repairs what is certainly broken without the library', () => {
    expect(read('name: x\ndescription: Use when: asked\n', noLibrary)).toEqual({
      value: { name: 'x', description: 'Use when: asked' },
      codes: ['YAML_REPAIRED'],
    });
  });

  it('reports a fault once', () => {
    expect(read('description: **Use** when\nname: x\n')).toEqual({
      value: { description: '**Use** when', name: 'x' },
      codes: ['YAML_REPAIRED'],
    });
    expect(read('just text\n')).toEqual({ value: {}, codes: ['FRONTMATTER_NOT_A_MAP'] });
    expect(read('name: x\n\n{ loose\n')).toEqual({ value: { name: 'x' }, codes: ['YAML_SYNTAX'] });
    expect(read('name:x\n')).toEqual({ value: { name: 'x' }, codes: ['YAML_REPAIRED'] });
  });

  it('reads what stands behind a document marker', () => {
    expect(read('name: x\n...\ndescription: y\n')).toEqual({
      value: { name: 'x', description: 'y' },
      codes: ['YAML_REPAIRED'],
    });
    expect(read('name: x\n--- z\ndescription: y\n')).toEqual({
      value: { name: 'x', description: 'y' },
      codes: ['YAML_SYNTAX'],
    });
    expect(read('%YAML 1.2\nname: x\n')).toEqual({ value: { name: 'x' }, codes: ['YAML_REPAIRED'] });
  });

  it('sees through what nobody sees', () => {
    expect(read('name:\u00a0x\ntags: \u00a0[a, b]\n')).toEqual({
      value: { name: 'x', tags: ['a', 'b'] },
      codes: ['YAML_REPAIRED', 'YAML_REPAIRED'],
    });
    expect(read('description:\u00a0Use it: well\n')).toEqual({
      value: { description: 'Use it: well' },
      codes: ['YAML_REPAIRED', 'YAML_REPAIRED'],
    });
    expect(read('\u200bname: x\n\ufefftags: [a, b]\n')).toEqual({
      value: { name: 'x', tags: ['a', 'b'] },
      codes: ['YAML_REPAIRED', 'YAML_REPAIRED'],
    });
    expect(read('a: |\n  \u200bname: x\n  b:\u00a0c\n')).toEqual({
      value: { a: '\u200bname: x\nb:\u00a0c\n' },
      codes: [],
    });
  });

  it('reads a list of pairs as the pairs', () => {
    expect(read('- name: x\n- description: y\n')).toEqual({
      value: { name: 'x', description: 'y' },
      codes: ['YAML_REPAIRED'],
    });
  });

  it('knows when there is nothing', () => {
    for (const yaml of ['', '\n', '# note\n\n', ' \t\n'])
      expect(read(yaml, noLibrary)).toEqual({ value: {}, codes: ['FRONTMATTER_EMPTY'] });
  });

  it('reads a large file with one unusual entry, entry by entry', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `k${index}: v\n`).join('');
    const { value, codes } = read(`${many}last: "\\x41"\n`);
    expect([Object.keys(value as object).length, (value as { last: string }).last, codes]).toEqual([
      3001,
      'A',
      [],
    ]);
  });

  it('stays calm on hostile input', () => {
    const hostile: Record<string, string> = {
      brackets: fill('['),
      braces: fill('{'),
      quotes: fill('"'),
      singles: fill("'"),
      dashes: fill('- '),
      spaces: fill(' '),
      questions: fill('? '),
      chain: fill('a: '),
      value: `x: ${fill('a: ')}`,
      commas: `a: [${fill('a,')}`,
      stars: `a: ${fill('*')}`,
      anchors: fill('&a '),
      escapes: `a: "${fill('\\z')}`,
      directives: fill('%a\n'),
      repeated: fill('a: b\n'),
      tabs: fill('\ta: b\n'),
      items: `a: [\n${fill(' b: c\n')}`,
      nul: fill('\0'),
      marks: fill('...\n'),
      dots: `a:\n${fill('- a\n')}`,
      bomb: `a: &a [x, x]\n${Array.from({ length: 30 }, (_, index) => `k${index}: &k${index} [*a, *a]\n`).join('')}`,
      deep: Array.from({ length: 350 }, (_, index) => `${' '.repeat(index)}a:\n`).join(''),
    };
    for (const [name, yaml] of Object.entries(hostile)) {
      expect([name, typeof read(`${yaml}\n`).value]).toEqual([name, 'object']);
      expect([name, typeof read(`name: x\n${yaml}\n`).value]).toEqual([name, 'object']);
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('a');
  });

  it('keeps the name next to hostile input', () => {
    for (const yaml of [`a: ${fill('[')}`, `a: "${fill('\\z')}`, `x: ${fill('a: ')}`, fill('- ')])
      expect((read(`name: x\n${yaml}\n`).value as { name?: string }).name).toBe('x');
  });
});
