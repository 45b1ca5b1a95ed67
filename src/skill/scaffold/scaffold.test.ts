import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contextOf, readHead, strictFaults } from '../../../test/support/skill-texts.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { lintSkill } from '../check/lint.ts';
import { parseBody } from '../body/parse-body.ts';
import { scaffold } from './scaffold.ts';
import { forms } from '../types.ts';

function check(name: string, form: (typeof forms)[number], description?: string) {
  const files = scaffold(name, form, description);
  const text = files.get('SKILL.md') as string;
  const entries = [...new Set([...files.keys()].map((path) => path.split('/')[0] as string))].map(
    (entry) => ({ name: entry, kind: files.has(entry) ? ('file' as const) : ('folder' as const) }),
  );
  const context = contextOf(text, { folderName: name, entries });
  const lint: Diagnostic[] = [];
  const { head, frontmatter, faults } = readHead(text, context);
  lintSkill(head, parseBody(text), [...files.keys()], frontmatter, collectInto(lint, 'SKILL.md'));
  return {
    files,
    head,
    faults: [
      ...faults,
      ...strictFaults(text, context),
      ...lint.map((fault) => `${fault.code}: ${fault.message}`),
    ],
  };
}

describe('scaffold', () => {
  it.each(forms)('makes a %s that passes every check without a word', (form) => {
    const { head, faults, files } = check('tide-table', form);
    expect(faults).toEqual([]);
    expect([head.form, head.bar, head.name, head.declaredName]).toEqual([
      form,
      null,
      'tide-table',
      'tide-table',
    ]);
    expect(JSON.parse(files.get('evals/evals.json') as string)).toMatchObject({
      skill_name: 'tide-table',
      triggers: [
        { kind: 'positive', expected: 'tide-table' },
        { kind: 'explicit', expected: 'tide-table' },
        { kind: 'pasted-history', expected: null },
        { kind: 'neighbouring-domain', expected: null },
      ],
      rubric: expect.arrayContaining([expect.any(String)]),
    });
  });

  it.each(['123', 'true', 'null', '1e3', 'on'])(
    'quotes the name %s where YAML would read something else',
    (name) => {
      expect(check(name, 'instructions').faults).toEqual([]);
    },
  );

  it.each(['Does: "this" # when asked', "It's fine when — well — asked", '- when listed', 'Wenn nötig'])(
    'quotes the description %j',
    (description) => {
      const { head, faults } = check('tides', 'instructions', description);
      expect([head.description, faults]).toEqual([description, []]);
    },
  );

  it.each(forms)('says that the %s is an example', (form) => {
    const lines = (check('tide-table', form).files.get('SKILL.md') as string).split('\n');
    expect(lines.filter((line) => line.startsWith('> An example about '))).toHaveLength(1);
  });

  it.each(forms)('puts the description wherever the %s says what it is for', (form) => {
    const { files, head, faults } = check('tides', form, 'Says "when"\nto sail. Use at sea.');
    expect([head.description, faults]).toEqual(['Says "when"\nto sail. Use at sea.', []]);
    expect(files.get('SKILL.md')).toContain(
      '# Tides\n\nPurpose: Says "when" to sail. Use at sea.\n\n> An example about ',
    );
    expect(files.get('SKILL.star')?.split('\n')[0]).toBe(
      form === 'program' ? String.raw`"Says \"when\" to sail. Use at sea."` : undefined,
    );
  });

  it('chains skills that are shipped', () => {
    const shipped = readdirSync(new URL('../../../skills', import.meta.url));
    const { head } = check('tides', 'chain');
    expect(head.requires?.skills).toEqual(['diff-review', 'require-heading']);
    expect(head.requires?.skills.filter((name) => !shipped.includes(name))).toEqual([]);
  });

  it('declares the inputs of the program', () => {
    const { head } = check('tides', 'program');
    expect(
      head.inputs?.map(({ key, required, schema }) => [key, required, schema?.['type'], schema?.['default']]),
    ).toEqual([
      ['task', true, 'string', undefined],
      ['max_words', false, 'integer', 120],
    ]);
  });
});
