import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../../node/yaml.ts';
import type { WantedProperty } from './merge-properties.ts';
import { mergeProperties } from './merge-properties.ts';
import { mergeSections } from './merge-sections.ts';
import { applySplices } from './splice.ts';
import { yamlValue } from './yaml-value.ts';

function sections(note: string, added: string): string {
  const merged = mergeSections(note, added);
  return merged.ok ? applySplices(note, merged.splices) : `fault: ${merged.message}`;
}

function properties(note: string, ...wanted: readonly WantedProperty[]): string {
  const merged = mergeProperties(note, wanted, nodeParseFull);
  if (!merged.ok) return `fault: ${merged.message}`;
  return applySplices(note, merged.splices) + (merged.kept.length === 0 ? '' : `kept ${merged.kept.join()}`);
}

const set = (
  key: string,
  value: string | number | boolean | readonly string[],
  mayUpdate = false,
): WantedProperty => ({
  key,
  value,
  mayUpdate,
});
const link = (key: string, ...links: readonly string[]): WantedProperty => ({ key, links });

describe('mergeSections', () => {
  it('adds below the heading of the same name, before the next one, and leaves the rest as it is', () => {
    expect(sections('# T\n\n## A\n\nold\n\n\n## B  \nb\n', '# T\n\n## A\n\nnew\n\n## B\n\nmore\n')).toBe(
      '# T\n\n## A\n\nold\n\nnew\n\n\n## B  \nb\n\nmore\n',
    );
  });

  it('continues a list, and puts a blank line before anything else', () => {
    expect(sections('## A\n- one\n\n## B\n', '## A\n- two\n- three\n')).toBe(
      '## A\n- one\n- two\n- three\n\n## B\n',
    );
    expect(sections('## A\ntext\n', '## A\n- two\n')).toBe('## A\ntext\n\n- two\n');
    // A "---" below a line would make a heading of that line.
    expect(sections('## A\ntext\n', '## A\n---\nx\n')).toBe('## A\ntext\n\n---\nx\n');
  });

  it('fills an empty section, also the last one and one without a line end', () => {
    expect(sections('## A\n## B\n', '## A\nx\n')).toBe('## A\n\nx\n\n## B\n');
    expect(sections('## A', '## A\nx')).toBe('## A\n\nx\n');
    expect(sections('## A\nold', '## A\nx')).toBe('## A\nold\n\nx\n');
  });

  it('keeps the line ends of the note', () => {
    expect(sections('## A\r\n\r\n- one\r\n\r\n## B\r\n', '## A\n- two\n\npara\n')).toBe(
      '## A\r\n\r\n- one\r\n- two\r\n\r\npara\r\n\r\n## B\r\n',
    );
  });

  it('does not add a second time what the section has, whatever the state of a task', () => {
    const note = '## A\n\n- [x] call Ana\n- one\n  - below\n\npara\n';
    expect(sections(note, '## A\n\n- [ ] call Ana\n- one\n  - below\n\npara\n')).toBe(note);
    expect(sections(note, '## A\n- [ ] call Ben\n- one\n  - below\n')).toBe(
      '## A\n\n- [x] call Ana\n- one\n  - below\n\npara\n\n- [ ] call Ben\n',
    );
  });

  it('has nothing to say in a section of comments', () => {
    expect(sections('# T\n', '# T\n\n## A\n\n<!-- What is it? -->\n\n## B\n%% later %%\n')).toBe('# T\n');
  });

  it('fails where the note lacks a heading, or has it twice', () => {
    expect(sections('# T\n## B\n', '# T\n## A\nx\n## C\ny\n')).toBe(
      'fault: it has no heading "A", "C", below which the new text belongs',
    );
    expect(sections('## A\n## A\n', '## A\nx\n')).toBe('fault: it has more than one heading "A"');
    expect(sections('# Other\n', '# T\n\nintro\n')).toBe(
      'fault: it has no heading "T", below which the new text belongs',
    );
  });

  it('tells sections apart by the headings around them, and ignores headings in code', () => {
    expect(sections('## A\n### Notes\na\n## B\n### Notes\nb\n', '## B\n### Notes\nnew\n')).toBe(
      '## A\n### Notes\na\n## B\n### Notes\nb\n\nnew\n',
    );
    expect(sections('```\n## A\n```\n## a\n', '## A\nx\n')).toBe('```\n## A\n```\n## a\n\nx\n');
  });
});

describe('mergeProperties', () => {
  it('makes frontmatter where there is none, and adds to what is there', () => {
    expect(properties('# T\n', set('type', 'concept'), link('up', 'A', 'B'))).toBe(
      '---\ntype: concept\nup: ["[[A]]", "[[B]]"]\n---\n\n# T\n',
    );
    expect(properties('---\n---\nx', set('type', 'concept'))).toBe('---\ntype: concept\n---\nx');
    expect(properties('---\na:   1 # mine\n---\nx', set('type', 'concept'))).toBe(
      '---\na:   1 # mine\ntype: concept\n---\nx',
    );
    expect(properties('---\r\na: 1\r\n---\r\nx', set('b', 2))).toBe('---\r\na: 1\r\nb: 2\r\n---\r\nx');
  });

  it('keeps a value that differs, fills an empty one, and changes only what may be updated', () => {
    expect(properties('---\nstatus: open\n---\n', set('status', 'done'))).toBe(
      '---\nstatus: open\n---\nkept status',
    );
    expect(properties('---\nstatus: open # now\n---\n', set('status', 'done', true))).toBe(
      '---\nstatus: done # now\n---\n',
    );
    expect(properties('---\nstatus:\nb: 1\n---\n', set('status', 'done'))).toBe(
      '---\nstatus: done\nb: 1\n---\n',
    );
    expect(properties('---\nstatus: done\n---\n', set('status', 'done'))).toBe('---\nstatus: done\n---\n');
  });

  it('adds links to lists of every shape, and none twice', () => {
    expect(properties('---\nup: ["[[A]]"]\n---\n', link('up', 'a', 'B'))).toBe(
      '---\nup: ["[[A]]", "[[B]]"]\n---\n',
    );
    expect(properties('---\nup: []\n---\n', link('up', 'B'))).toBe('---\nup: ["[[B]]"]\n---\n');
    expect(properties('---\nup:\n  - "[[x/A|a]]"\nz: 1\n---\n', link('up', 'A', 'B'))).toBe(
      '---\nup:\n  - "[[x/A|a]]"\n  - "[[B]]"\nz: 1\n---\n',
    );
    expect(properties('---\nup: "[[A]]"\n---\n', link('up', 'B'))).toBe('---\nup: ["[[A]]", "[[B]]"]\n---\n');
    expect(properties('---\nUp: ["[[A]]"]\n---\n', link('up', 'A'))).toBe('---\nUp: ["[[A]]"]\n---\n');
    // Without quotes YAML reads a list of lists: it is left alone.
    expect(properties('---\nup: [[A]]\n---\n', link('up', 'B'))).toBe('---\nup: [[A]]\n---\nkept up');
  });

  it('does not touch frontmatter that is not YAML', () => {
    expect(properties('---\na: [1\nb: "x\n---\n', set('type', 'concept'))).toMatch(
      /^fault: its frontmatter cannot be read/,
    );
  });
});

describe('yamlValue', () => {
  it.each([
    ['plain words', 'plain words'],
    ['2026-11-18', '2026-11-18'],
    ['true', '"true"'],
    ['12', '"12"'],
    ['a: b', '"a: b"'],
    ['- x', '"- x"'],
    ['#tag', '"#tag"'],
    ['"quoted"\nline', '"\\"quoted\\"\\nline"'],
    [7, '7'],
    [false, 'false'],
    [['a', 'b: c'], '[a, "b: c"]'],
    ['', null],
    [[], null],
    [{ a: 1 }, null],
    [null, null],
  ])('writes %j as %j', (value, written) => {
    expect(yamlValue(value)).toBe(written);
  });
});
