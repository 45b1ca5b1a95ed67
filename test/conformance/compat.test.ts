// Public skills that nobody here wrote: each gives a head with a name and a description, and strict
// validation, body parsing and lint never throw. Skipped where the files are not at hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skipUnless } from '../support/skip-unless.ts';
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto } from '../../src/base/diagnostic.ts';
import { countCodePoints } from '../../src/skill/code-points.ts';
import { lintSkill } from '../../src/skill/check/lint.ts';
import { parseBody } from '../../src/skill/body/parse-body.ts';
import { contextOf, readHead, strictFaults } from '../support/skill-texts.ts';

const compat = resolve(import.meta.dirname, '../../../shared/compat');
const present = existsSync(compat);

function skillFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? skillFiles(path) : entry.name === 'SKILL.md' ? [path] : [];
  });
}

function contextFor(path: string, text: string) {
  const entries = readdirSync(dirname(path), { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    kind: entry.isDirectory() ? ('folder' as const) : ('file' as const),
  }));
  return contextOf(text, { folderName: basename(dirname(path)), entries });
}

describe.skipIf(skipUnless(present, '../shared/compat is absent'))(
  'public skills (skipped where ../shared/compat is absent)',
  () => {
    const files = present ? ['skills', 'compositions'].flatMap((part) => skillFiles(join(compat, part))) : [];

    it('are all there', () => {
      expect(files.length).toBeGreaterThanOrEqual(1_000);
    });

    it('all give a head, and every deviation is diagnosed', () => {
      const wrong: string[] = [];
      for (const path of files) {
        const text = readFileSync(path, 'utf8');
        const { head, diagnostics } = readHead(text, contextFor(path, text));
        if (head.name !== basename(dirname(path)) || head.description === '')
          wrong.push(`${path}: no identity`);
        const codes = new Set(diagnostics.map((fault) => fault.code));
        const said = (...any: readonly Diagnostic['code'][]): boolean => any.some((code) => codes.has(code));
        if (
          head.declaredName !== head.name &&
          !said('NAME_MISSING', 'NAME_INVALID', 'NAME_TOO_LONG', 'NAME_NOT_FOLDER')
        )
          wrong.push(`${path}: name`);
        if (head.descriptionFrom !== 'frontmatter' && !said('DESCRIPTION_MISSING', 'DESCRIPTION_NONE'))
          wrong.push(`${path}: description`);
        if (countCodePoints(head.description) > 1024 && !said('DESCRIPTION_TOO_LONG'))
          wrong.push(`${path}: length`);
        if (head.bar !== null && !said(head.bar.code)) wrong.push(`${path}: bar`);
        for (const fault of diagnostics)
          if (
            fault.span !== null &&
            (fault.span.start < 0 || fault.span.end > text.length || fault.span.end < fault.span.start)
          )
            wrong.push(`${path}: span of ${fault.code}`);
      }
      expect(wrong).toEqual([]);
    });

    it('has the compositions it is known to have', () => {
      const forms = files.map((path) => {
        const text = readFileSync(path, 'utf8');
        return readHead(text, contextFor(path, text)).head;
      });
      expect(forms.filter((head) => head.form === 'composition' && head.bar === null).length).toBe(29);
    });

    it('pass strict validation or say why not, and lint, without throwing', () => {
      let faults = 0;
      for (const path of files) {
        const text = readFileSync(path, 'utf8');
        const context = contextFor(path, text);
        const found: Diagnostic[] = [];
        const { head, frontmatter } = readHead(text, context);
        lintSkill(head, parseBody(text), ['SKILL.md'], frontmatter, collectInto(found, path));
        faults += strictFaults(text, context).length + found.length;
      }
      expect(faults).toBeGreaterThan(files.length / 2);
    });
  },
);
