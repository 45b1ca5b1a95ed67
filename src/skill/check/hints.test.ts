// Hints that show YAML can be copied: what they show parses, to the text that is meant.
import { describe, expect, it } from 'vitest';
import { readHead } from '../../../test/support/skill-texts.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { parseWholeFrontmatter } from '../frontmatter/read-frontmatter.ts';
import { parseFull } from '../yaml/bundled-parser.ts';
import { toJson } from '../yaml/node.ts';
import { validateStrict } from './validate-strict.ts';

/** All hints about a SKILL.md, of loading and of the strict rules. */
function hintsFor(text: string, folderName: string): readonly string[] {
  const { head, frontmatter, diagnostics } = readHead(text, { folderName });
  const strict: Diagnostic[] = [];
  validateStrict(
    head,
    frontmatter,
    { folderName, entries: [], fileBytes: 0 },
    collectInto(strict, 'SKILL.md'),
  );
  return [...diagnostics, ...strict].flatMap(({ hint }) => hint ?? []);
}

/** What a hint shows as YAML, parsed; nothing for prose. */
function shown(hint: string): readonly unknown[] {
  const [, quoted] = /^quote it: (.*)$/s.exec(hint) ?? [];
  const [, entry] = /^(?:write|add) (name: .*)$/s.exec(hint) ?? [];
  const yaml = quoted === undefined ? entry : `value: ${quoted}`;
  if (yaml === undefined) return [];
  const { map, faults } = parseWholeFrontmatter(`---\n${yaml}\n---\n`, parseFull);
  return faults.length > 0 ? [faults] : Object.values(toJson(map) as object);
}

describe('hints', () => {
  it.each([
    'tides',
    '123',
    'true',
    'null',
    '1e5',
    '0x10',
    'no',
    'b23 Upper',
    'Tides!',
    '2024-01-01',
    '"q" \\ x',
  ])('show a name for the folder %j that is text', (folderName) => {
    const names = hintsFor('---\ndescription: Reads the tides.\n---\n\nBody.\n', folderName).flatMap(shown);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  });

  it.each(['12', '1.50', 'true', '0x1F', '1e3', '-7', '.5'])('show %s as the text to quote', (value) => {
    for (const field of ['name', 'description', 'license', 'compatibility', 'metadata:\n  a']) {
      const text = `---\nname: x\ndescription: Reads.\n${field}: ${value}\n---\n\nBody.\n`.replace(
        new RegExp(`^${field}: (?!${value.replaceAll('.', '\\.')}).*\n`, 'm'),
        '',
      );
      const quoted = hintsFor(text, 'x').filter((hint) => hint.startsWith('quote it'));
      expect([field, quoted.length > 0]).toEqual([field, true]);
      expect(quoted.flatMap(shown)).toEqual(quoted.map(() => value));
    }
  });
});
