import { describe, expect, it } from 'vitest';
import { splitFrontmatter } from './read-frontmatter.ts';

/** The two parts as text, and `CODE "source"` for each report. */
function split(text: string, complete = true): unknown {
  const faults: string[] = [];
  const parts = splitFrontmatter(
    text,
    (code, at) => faults.push(`${code} ${JSON.stringify(at === null ? null : text.slice(at.start, at.end))}`),
    { complete },
  );
  if (parts === null || parts === 'more') return { parts, faults };
  return { yaml: text.slice(parts.yamlStart, parts.yamlEnd), body: text.slice(parts.bodyStart), faults };
}

describe('splitFrontmatter', () => {
  it('finds the two parts', () => {
    expect(split('---\nname: x\n---\nBody\n')).toEqual({ yaml: 'name: x\n', body: 'Body\n', faults: [] });
    expect(split('\ufeff--- \t\r\nname: x\r\n---  \r\nBody')).toEqual({
      yaml: 'name: x\r\n',
      body: 'Body',
      faults: [],
    });
    expect(split('---\n---\n')).toEqual({ yaml: '', body: '', faults: [] });
    expect(split('---\nname: x\n---')).toEqual({ yaml: 'name: x\n', body: '', faults: [] });
  });

  it('is closed by a fence only', () => {
    expect(split('---\na: x---y\nb: |\n  ---\n---z: 1\n---\nBody\n---\nrule\n')).toEqual({
      yaml: 'a: x---y\nb: |\n  ---\n---z: 1\n',
      body: 'Body\n---\nrule\n',
      faults: [],
    });
    expect(split('---\nb: |\n  x\n---\n  y\n')).toEqual({ yaml: 'b: |\n  x\n', body: '  y\n', faults: [] });
  });

  it('asks for more of a head whose fence is further down, and reports nothing then', () => {
    for (const head of [
      '',
      '-',
      '---',
      '---\r',
      '---\nname: x\n',
      '---\nname: x\n---',
      '---\nname: x\n--',
      '\n\n',
      'name: x\n',
    ])
      expect([head, split(head, false)]).toEqual([head, { parts: 'more', faults: [] }]);
    expect(split('---\nname: x\n---\n', false)).toEqual({ yaml: 'name: x\n', body: '', faults: [] });
  });

  it('points at a fence that is never closed, and still reads the fields under it', () => {
    expect(split('---\nname: tides\ndescription: Reads\n  tides\n\n# Body\ntext\n')).toEqual({
      yaml: 'name: tides\ndescription: Reads\n  tides\n',
      body: '\n# Body\ntext\n',
      faults: ['FRONTMATTER_UNCLOSED "---"'],
    });
    expect(split('---\nname: tides\n***\nBody\n')).toEqual({
      yaml: 'name: tides\n',
      body: 'Body\n',
      faults: ['FRONTMATTER_UNCLOSED "---"'],
    });
    expect(split('---\n# Title\ntext\n')).toEqual({ parts: null, faults: ['FRONTMATTER_UNCLOSED "---"'] });
  });

  it('reads fields after blank lines, a comment, a heading or a code fence, and says so', () => {
    for (const before of ['\n\n', '<!-- note -->\n', '# Title\n\n', '```markdown\n']) {
      const result = split(`${before}---\nname: x\n---\nBody\n`) as { yaml: string; faults: string[] };
      expect([before, result.yaml, result.faults.map((fault) => fault.split(' ')[0])]).toEqual([
        before,
        'name: x\n',
        ['FRONTMATTER_MISSING'],
      ]);
    }
  });

  it('reads fields without an opening fence when they name the skill', () => {
    expect(split('name: x\ndescription: y\n---\nBody\n')).toEqual({
      yaml: 'name: x\ndescription: y\n',
      body: 'Body\n',
      faults: ['FRONTMATTER_MISSING "name: x"'],
    });
    expect(split('Note: a body\n\n---\n\nmore\n')).toEqual({
      parts: null,
      faults: ['FRONTMATTER_MISSING "Note: a body"'],
    });
    expect(split('# Title\n\n---\n\n## Rule above\n\n---\n')).toEqual({
      parts: null,
      faults: ['FRONTMATTER_MISSING "# Title"'],
    });
  });

  it('accepts fences of more dashes and indented ones where fields stand between them, and says so', () => {
    const parts = { yaml: 'name: x\n', body: 'Body\n\n---\nrule\n' };
    expect(split(`----\nname: x\n-----\n${parts.body}`)).toEqual({
      ...parts,
      faults: ['FRONTMATTER_FENCE "----"', 'FRONTMATTER_FENCE "-----"'],
    });
    expect(split(` ---\nname: x\n  ---\n${parts.body}`)).toEqual({
      ...parts,
      faults: ['FRONTMATTER_FENCE " ---"', 'FRONTMATTER_FENCE "  ---"'],
    });
    expect(split(`---\nname: x\n  ---\n${parts.body}`)).toEqual({
      ...parts,
      faults: ['FRONTMATTER_FENCE "  ---"'],
    });
    expect(split('-----\n\n# Title\n')).toEqual({ parts: null, faults: ['FRONTMATTER_MISSING "-----"'] });
    expect(split('---\na: b\n-----\nc: d\n---\nBody\n')).toEqual({
      yaml: 'a: b\n-----\nc: d\n',
      body: 'Body\n',
      faults: [],
    });
    expect(split('---\na: |\n  x\n\n  ---\nb: c\n---\nBody\n')).toEqual({
      yaml: 'a: |\n  x\n\n  ---\nb: c\n',
      body: 'Body\n',
      faults: [],
    });
  });

  it('accepts "..." for the closing fence, so that nothing of the body is taken for YAML', () => {
    for (const body of ['Body\n', 'Body\n\n---\nrule\n', ''])
      expect(split(`---\nname: x\n...\n${body}`)).toEqual({
        yaml: 'name: x\n',
        body,
        faults: ['FRONTMATTER_FENCE "..."'],
      });
    expect(split('---\nname: x\n...\n---\nBody\n')).toEqual({
      yaml: 'name: x\n...\n',
      body: 'Body\n',
      faults: [],
    });
    expect(split('---\nname: x\n...\nlicense: y\n---\nBody\n')).toEqual({
      yaml: 'name: x\n...\nlicense: y\n',
      body: 'Body\n',
      faults: [],
    });
  });

  it('passes over a directive before the fence or between two of them', () => {
    expect(split('---\n%YAML 1.2\n---\nname: x\n---\nBody\n')).toEqual({
      yaml: 'name: x\n',
      body: 'Body\n',
      faults: ['FRONTMATTER_FENCE "%YAML 1.2"'],
    });
    expect(split('%YAML 1.2\n---\nname: x\n---\nBody\n')).toEqual({
      yaml: 'name: x\n',
      body: 'Body\n',
      faults: ['FRONTMATTER_MISSING "%YAML 1.2"'],
    });
    expect(split('---\n%YAML 1.2\n---\nBody\n')).toEqual({ yaml: '%YAML 1.2\n', body: 'Body\n', faults: [] });
  });

  it('refuses frontmatter over the limit', () => {
    expect(split(`---\na: ${'x'.repeat(300_000)}\n---\n`)).toEqual({
      parts: null,
      faults: ['FRONTMATTER_TOO_LARGE "---"'],
    });
    expect(split(`---\na: ${'x'.repeat(300_000)}`, false)).toEqual({
      parts: null,
      faults: ['FRONTMATTER_TOO_LARGE "---"'],
    });
  });
});
