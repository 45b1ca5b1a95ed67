// Seed S2's testing list, row "frontmatter validation", with `loading: strict`: what the standard rejects is skipped with a
// warning. And what S2 wants told when a skill is loaded, in both modes. Over real files, as every surface loads them.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/registry/snapshot.ts';
import type { OpenSkillsOptions } from '../../src/techne/open-skills.ts';
import { openSkills } from '../../src/techne/open-skills.ts';
import type { HeadIndex, IndexSection } from '../../src/registry/cache/head-index.ts';
import { createMemoryFiles } from '../../src/ports/memory-files.ts';
import { codesOf, loadFrom, namesOf, skillText } from '../support/library.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'techne-strict-'));
  mkdirSync(join(base, 'home'));
  mkdirSync(join(base, 'skills'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
async function load(options: OpenSkillsOptions = {}): Promise<Snapshot> {
  const library = await openSkills({
    cwd: base,
    homeFolder: join(base, 'home'),
    roots: [join(base, 'skills')],
    variables: {},
    ...options,
  });
  return library.load();
}
const configure = (value: string): void => write('home/.techne/config.json', `{"loading": "${value}"}`);
const said = ({ diagnostics }: Snapshot): string[] =>
  diagnostics.map(({ severity, code, path, message }) => {
    const place = path.replace(`${base}/skills/`, '');
    return `${severity} ${code} ${place} ${message.replace('not loaded, since loading is strict: ', '')}`;
  });

describe('loading: strict', () => {
  const long = 'x'.repeat(65);
  it.each([
    [
      'a name that is not the folder',
      'x/SKILL.md',
      skillText('y'),
      'the name "y" differs from the folder name "x" (STRICT_NAME)',
    ],
    [
      'upper case in a name',
      'Up/SKILL.md',
      skillText('Up'),
      'the name "Up" must be lower-case (STRICT_NAME)',
    ],
    [
      'a hyphen at the end',
      'x-/SKILL.md',
      skillText('x-'),
      'the name "x-" must not start or end with a hyphen (STRICT_NAME)',
    ],
    [
      'two hyphens in a row',
      'a--b/SKILL.md',
      skillText('a--b'),
      'the name "a--b" must not hold two hyphens in a row (STRICT_NAME)',
    ],
    [
      'a name over 64 characters',
      `${long}/SKILL.md`,
      skillText(long),
      'the name has 65 characters, over 64 (STRICT_NAME)',
    ],
    [
      'no name',
      'x/SKILL.md',
      '---\ndescription: Reads the tides.\n---\n\nBody.\n',
      'name is missing (STRICT_NAME)',
    ],
    [
      'no description',
      'x/SKILL.md',
      '---\nname: x\n---\n\nBody.\n',
      'description is missing (STRICT_DESCRIPTION)',
    ],
    [
      'a blank description',
      'x/SKILL.md',
      '---\nname: x\ndescription: "  "\n---\n\nBody.\n',
      'the description is blank (STRICT_DESCRIPTION)',
    ],
    [
      'a description over 1024 characters',
      'x/SKILL.md',
      `---\nname: x\ndescription: a ${'b'.repeat(1023)}\n---\n\nBody.\n`,
      'the description has 1025 characters, over 1024 (STRICT_DESCRIPTION)',
    ],
    [
      'compatibility over 500 characters',
      'x/SKILL.md',
      skillText('x', `compatibility: a ${'b'.repeat(499)}\n`),
      'compatibility has 501 characters, over 500 (STRICT_COMPATIBILITY)',
    ],
    [
      'metadata that is no mapping',
      'x/SKILL.md',
      skillText('x', 'metadata: text\n'),
      'metadata must be a mapping, not "text" (STRICT_METADATA)',
    ],
    [
      'nested metadata',
      'x/SKILL.md',
      skillText('x', 'metadata:\n  tags:\n    - a\n'),
      'metadata.tags must be text, not a list (STRICT_METADATA)',
    ],
    [
      'a list of tools',
      'x/SKILL.md',
      skillText('x', 'allowed-tools:\n  - Read\n'),
      'allowed-tools must be text, not a list (STRICT_TYPE)',
    ],
    [
      'no opening delimiter',
      'x/SKILL.md',
      'name: x\ndescription: Reads the tides.\n---\n\nBody.\n',
      'the "---" before the fields is missing; they were read all the same (FRONTMATTER_MISSING) (STRICT_FRONTMATTER)',
    ],
    [
      'skill.md in lower case',
      'x/skill.md',
      skillText('x'),
      'the file must be named SKILL.md, not skill.md (STRICT_FILE)',
    ],
    [
      'bytes that are not UTF-8',
      'x/SKILL.md',
      Buffer.from(skillText('x').replace('need', 'n\xe9ed'), 'latin1'),
      'the file is not valid UTF-8 (STRICT_FILE)',
    ],
  ])(
    'refuses %s, which loads with a diagnostic when loading is lenient',
    async (_, path, content, expected) => {
      write(`skills/${path}`, content);
      write('skills/good/SKILL.md', skillText('good', 'metadata:\n  version: 1.0\n'));
      expect(namesOf(await load())).toEqual([dirname(path), 'good'].sort());
      configure('strict');
      const strict = await load();
      expect(namesOf(strict)).toEqual(['good']);
      expect(said(strict)).toEqual([`warning SKILL_REFUSED ${path} ${expected}`]);
      expect(strict.refused.map(({ file }) => file)).toEqual([join(base, 'skills', path)]);
    },
  );

  it('accepts fields that the standard does not name, inline lists, and numbers in metadata, as S2 does', async () => {
    configure('strict');
    write(
      'skills/x/SKILL.md',
      skillText('x', 'triggers: [tell the tides]\nmood: calm\nmetadata: {version: 1.0}\n'),
    );
    const snapshot = await load();
    expect([namesOf(snapshot), said(snapshot)]).toEqual([['x'], []]);
  });

  it('needs nothing of its own in the index cache: each load applies the setting that holds', async () => {
    const files = createMemoryFiles();
    files.write('/user/x/SKILL.md', skillText('y'));
    files.write('/user/odd/SKILL.md', '---\nname: [\n---\nBody.\n');
    files.write('/user/good/SKILL.md', skillText('good'));
    files.advance(60_000_000_000n);
    const kept = new Map<string, IndexSection>();
    const index: HeadIndex = {
      load: () => kept,
      save: async (sections) => {
        for (const [path, section] of sections) kept.set(path, section);
      },
    };
    const seen = [];
    for (const loading of ['lenient', 'strict', 'strict', 'lenient', 'strict'] as const)
      seen.push(namesOf(await loadFrom(files, { index, config: { loading } })));
    expect([...kept.keys()]).toEqual(['/user']);
    expect(seen).toEqual([['good', 'odd', 'x'], ['good'], ['good'], ['good', 'odd', 'x'], ['good']]);
  });

  it('holds for a skill in memory as well', async () => {
    const snapshot = await load({ loading: 'strict' });
    const files = new Map([['SKILL.md', new TextEncoder().encode(skillText('other'))]]);
    const proposed = await snapshot.with({ name: 'x', files, origin: { kind: 'local', from: null } });
    expect([namesOf(proposed), codesOf(proposed.diagnostics)]).toEqual([[], ['SKILL_REFUSED']]);
  });

  it('loads every skill that ships with techne', async () => {
    const shipped = fileURLToPath(new URL('../../skills', import.meta.url));
    const snapshot = await load({ roots: [shipped], loading: 'strict' });
    expect(said(snapshot)).toEqual([]);
    expect(namesOf(snapshot)).toEqual(readdirSync(shipped).sort());
  });
});

describe.each(['lenient', 'strict'] as const)('a %s load tells', (loading) => {
  it('of a body over 5,000 tokens, by its size and without reading it', async () => {
    write('skills/fits/SKILL.md', skillText('fits', '', 'a'.repeat(19_990)));
    write('skills/long/SKILL.md', skillText('long', '', 'a'.repeat(20_008)));
    write('skills/odd/SKILL.md', skillText('odd', 'metaskill: SKILL.star\n', 'a'.repeat(20_008)));
    const snapshot = await load({ loading });
    expect(snapshot.skills.map(({ name, diagnostics }) => [name, codesOf(diagnostics)])).toEqual([
      ['fits', []],
      ['long', ['BODY_LONG']],
      ['odd', ['BODY_LONG', 'PROGRAM_MISSING']],
    ]);
    expect(snapshot.get('long').diagnostics[0]).toMatchObject({
      severity: 'warning',
      message: 'the body has about 5002 tokens, over 5000',
    });
  });
});

describe('a lenient load tells', () => {
  it('of nested metadata, which counts for nothing', async () => {
    write(
      'skills/x/SKILL.md',
      skillText('x', 'metadata:\n  author: me\n  tags:\n    - a\n  links: {a: b}\n'),
    );
    const { head, diagnostics } = (await load()).get('x');
    expect(head.metadata).toEqual({ author: 'me' });
    expect(diagnostics.map(({ severity, code, message }) => `${severity} ${code} ${message}`)).toEqual([
      'info METADATA_NESTED metadata.tags is a list, not text; it is ignored',
      'info METADATA_NESTED metadata.links is a mapping, not text; it is ignored',
    ]);
  });
});
