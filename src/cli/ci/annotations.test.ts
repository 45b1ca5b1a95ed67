import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyedFinding } from '../../techne/ci/finding.ts';
import { renderAnnotations } from './annotations.ts';
import { escapeMarkdown } from './summary.ts';

const sample: KeyedFinding = {
  kind: 'check',
  code: 'LINT',
  severity: 'warning',
  skill: 'tides',
  path: '/work/skills/tides/SKILL.md',
  shown: 'skills/tides/SKILL.md',
  line: 3,
  column: 2,
  endLine: 3,
  endColumn: 9,
  message: 'it is wrong',
  hint: null,
  anchor: '',
  key: 'k',
};

describe('renderAnnotations', () => {
  it('points at a line, and gives the end of a column on that line only', () => {
    const render = (more: Partial<KeyedFinding>): string =>
      renderAnnotations([{ ...sample, ...more }], ({ shown }) => shown);
    expect(render({})).toBe(
      '::warning file=skills/tides/SKILL.md,line=3,endLine=3,col=2,endColumn=9,title=techne LINT::it is wrong\n',
    );
    expect(render({ endLine: 5, hint: 'fix it', severity: 'error' })).toBe(
      '::error file=skills/tides/SKILL.md,line=3,endLine=5,col=2,title=techne LINT::it is wrong (fix it)\n',
    );
    expect(render({ line: null, column: null, endLine: null, endColumn: null, severity: 'info' })).toBe(
      '::notice file=skills/tides/SKILL.md,title=techne LINT::it is wrong\n',
    );
  });

  it('gives the worst first', () => {
    const all = (['info', 'warning', 'error'] as const).map((severity) => ({ ...sample, severity }));
    expect(renderAnnotations(all, () => 'f').match(/^::\w+/gm)).toEqual(['::error', '::warning', '::notice']);
  });

  it('is one command on one line, whatever a skill says', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('::', '\n', '\r', ',', '=', '%', '%0A', ':', '\u2028', '##[error]', 'a'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (message, path, hint) => {
        const text = renderAnnotations([{ ...sample, message, hint }], () => path);
        const [line = '', ...rest] = text.split('\n');
        expect(rest).toEqual(['']);
        expect(line).not.toMatch(/[\r\u0000-\u001f]/);
        // As the runner reads it: the first "::" after the command ends its properties.
        const [, properties = ''] = /^::warning (.*?)::/.exec(line) ?? [];
        expect(properties.split(',').map((one) => one.split('=')[0])).toEqual([
          'file',
          'line',
          'endLine',
          'col',
          'endColumn',
          'title',
        ]);
        expect(properties.endsWith('title=techne LINT')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('escapeMarkdown', () => {
  it('leaves no mark of Markdown or HTML, and no line end', () => {
    expect(escapeMarkdown('a | <b> [c](https://x.y) `d`\n# e')).toBe(
      'a \\| \\<b\\> \\[c\\]\\(https\\:\\/\\/x\\.y\\) \\`d\\` \\# e',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeMarkdown(text)).not.toMatch(/(?<!\\)(?:\\\\)*[|<>`[\]_*]|\n/);
      }),
    );
  });
});
