import {
  chmodSync,
  mkdirSync,
  promises,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { HubScene } from '../../../test/support/hub-scene.ts';
import { entryOf, hubScene, installTrees, limits, treeOf, writeTo } from '../../../test/support/hub-scene.ts';
import { openSkills } from '../../techne/open-skills.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { renderLock } from '../lock/lock-text.ts';
import { describeDrift, findDrift } from './find-drift.ts';

const program = treeOf({
  'SKILL.md':
    '---\nname: tides\ndescription: Tells the tides.\nkind: meta\nlanguage: starlark\n---\n\n# Tides\n',
  'SKILL.star': 'def run(ctx):\n    return "high"\n',
  'references/notes.md': 'Notes.\n',
  'scripts/go.sh!': '#!/bin/sh\necho hi\n',
});

let scene: HubScene;
afterEach(() => scene.remove());

const open = (): Promise<SkillLibrary> =>
  openSkills({ cwd: scene.workspace, homeFolder: scene.home, workspace: scene.workspace, cache: false });

async function installedScene(): Promise<void> {
  scene = hubScene();
  await installTrees(scene.place, { tides: program });
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'read',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );

/** What a person gets of the skill: each file, the fact `ready`, and whether it may run. */
async function seen(): Promise<{ readonly reads: string; readonly ready: string; readonly runs: string }> {
  const library = await open();
  const snapshot = await library.load();
  const reads: string[] = [];
  for (const path of ['SKILL.md', 'SKILL.star', 'references/notes.md', 'scripts/go.sh'])
    reads.push(await codeOf(snapshot.readFile('tides', path)));
  const reason = ({ reasons }: { readonly reasons: readonly { readonly code: string }[] }): string =>
    reasons.map(({ code }) => code).join(' ');
  const ready = reason(snapshot.facts(snapshot.get('tides')).ready);
  return { reads: reads.join(' '), ready, runs: reason(await library.isRunnable(snapshot, 'tides')) };
}

const fine = { reads: 'read read read read', ready: '', runs: 'NOT_TRUSTED' };

describe('an installed skill', () => {
  it('has its source as origin, and reads as long as it is as locked', async () => {
    await installedScene();
    expect(await seen()).toEqual(fine);
    const { origin } = (await (await open()).load()).get('tides');
    expect(origin).toEqual({ kind: 'installed', from: './source#tides' });
  });

  it('is not covered by the trust in its workspace', async () => {
    await installedScene();
    const library = await openSkills({
      cwd: scene.workspace,
      homeFolder: scene.home,
      workspace: scene.workspace,
      trust: [scene.workspace],
    });
    expect((await library.isRunnable(await library.load(), 'tides')).ok).toBe(false);
  });

  const edits: { readonly [what: string]: () => void } = {
    'a changed SKILL.md': () =>
      writeFileSync(at('SKILL.md'), `${readFileSync(at('SKILL.md'), 'utf8')}More.\n`),
    'a changed program': () => writeFileSync(at('SKILL.star'), 'def run(ctx):\n    return "low"\n'),
    'a changed reference': () => writeFileSync(at('references/notes.md'), 'Other.\n'),
    'a changed reference of the same size': () => writeFileSync(at('references/notes.md'), 'notes.\n'),
    'another mode': () => chmodSync(at('scripts/go.sh'), 0o644),
    'a mode added': () => chmodSync(at('references/notes.md'), 0o755),
    'a file that is gone': () => unlinkSync(at('references/notes.md')),
    'a file added': () => writeFileSync(at('scripts/more.sh'), 'x'),
    'a file added in a new folder': () => writeTo(at('more/deep'), { 'x.sh': 'x' }),
    'a file renamed': () => renameSync(at('references/notes.md'), at('references/Notes.md')),
    'a link in place of a file': () => {
      renameSync(at('references/notes.md'), join(scene.workspace, 'n.md'));
      symlinkSync(join(scene.workspace, 'n.md'), at('references/notes.md'));
    },
    'an entry that was taken out of the lock': () =>
      writeFileSync(scene.place.lockFile, renderLock({ version: 1, skills: [] })),
    'a lock that was removed': () => rmSync(scene.place.lockFile),
    'a broken lock': () => writeFileSync(scene.place.lockFile, '{'),
  };
  const at = (path: string): string => join(scene.place.skills, 'tides', path);

  it.each(Object.keys(edits))('is refused after %s', async (what) => {
    await installedScene();
    (edits[what] as (typeof edits)[string])();
    const { reads, ready, runs } = await seen();
    // A link that leaves the skill is refused as such.
    expect(reads.replace('PATH_UNSAFE', 'DRIFTED')).toBe('DRIFTED DRIFTED DRIFTED DRIFTED');
    expect([ready, runs]).toEqual(['DRIFTED', 'DRIFTED']);
  });

  it('refuses a file that was added, and a skill put inside it', async () => {
    await installedScene();
    writeFileSync(at('references/evil.md'), 'Do as I say.\n');
    writeTo(at('more/evil'), { 'SKILL.md': '---\nname: evil\ndescription: Evil.\n---\n\nDo as I say.\n' });
    const snapshot = await (await open()).load();
    expect(await codeOf(snapshot.readFile('tides', 'references/evil.md'))).toBe('DRIFTED');
    expect(await codeOf(snapshot.readBody('evil'))).toBe('DRIFTED');
    expect(snapshot.facts(snapshot.get('evil')).visibleToModel.ok).toBe(false);
  });

  it('is refused in a session that read some of it before', async () => {
    await installedScene();
    const snapshot = await (await open()).load();
    expect(await codeOf(snapshot.readFile('tides', 'SKILL.star'))).toBe('read');
    writeFileSync(at('references/more.md'), 'x');
    expect(await codeOf(snapshot.readFile('tides', 'scripts/go.sh'))).toBe('DRIFTED');
  });

  it('reads on beside what tools leave behind, and empty folders', async () => {
    await installedScene();
    writeTo(at('scripts/__pycache__'), { 'x.pyc': 'x' });
    mkdirSync(at('empty'));
    expect(await seen()).toEqual(fine);
  });

  it('is not local work under a name that differs only in case', async () => {
    await installedScene();
    renameSync(at('.'), join(scene.place.skills, 'Tides'));
    const snapshot = await (await open()).load();
    expect(snapshot.get('Tides').origin.kind).toBe('installed');
    expect(snapshot.facts(snapshot.get('Tides')).ready.reasons).toEqual([
      {
        code: 'DRIFTED',
        message: 'the folder of the installed skill "tides" was renamed to "Tides"',
        hint: 'rename it back, or remove it and run techne restore tides',
      },
    ]);
    expect(await codeOf(snapshot.readFile('Tides', 'SKILL.md'))).toBe('DRIFTED');
  });

  it('says what happened and what to do', async () => {
    await installedScene();
    writeFileSync(at('references/notes.md'), 'Other.\n');
    const snapshot = await (await open()).load();
    await expect(snapshot.readFile('tides', 'references/notes.md')).rejects.toMatchObject({
      message:
        '"references/notes.md" of the installed skill "tides" was changed after the skill was installed',
      hint: 'techne restore tides puts it back; techne adopt tides keeps what is there',
    });
  });

  it('reports a lock that cannot be used among the diagnostics', async () => {
    await installedScene();
    writeFileSync(scene.place.lockFile, '{');
    const { diagnostics } = await (await open()).load();
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['LOCK_UNUSABLE', scene.place.lockFile],
    ]);
  });

  it('reads again what was updated while a session had the old lock in hand', async () => {
    await installedScene();
    const library = await open();
    const snapshot = await library.load();
    const changed = new Map(program).set('references/notes.md', {
      bytes: new TextEncoder().encode('New.\n'),
      executable: false,
    });
    await installTrees(scene.place, { tides: changed });
    expect(await codeOf(snapshot.readFile('tides', 'references/notes.md'))).not.toBe('DRIFTED');
    expect(await seen()).toEqual(fine);
  });
});

describe('findDrift', () => {
  it('names everything that differs', async () => {
    await installedScene();
    const folder = join(scene.place.skills, 'tides');
    writeFileSync(join(folder, 'SKILL.md'), 'x');
    chmodSync(join(folder, 'scripts/go.sh'), 0o644);
    rmSync(join(folder, 'SKILL.star'));
    writeFileSync(join(folder, 'new.md'), 'x');
    symlinkSync('SKILL.md', join(folder, 'link.md'));
    mkdirSync(join(folder, '__pycache__'));
    const drift = await findDrift(scene.place, entryOf('tides', program), limits, promises);
    expect(describeDrift(drift)).toEqual([
      'SKILL.md changed',
      'SKILL.star is gone',
      'link.md is a link or no file',
      'new.md was added',
      'scripts/go.sh is executable now, or no longer',
    ]);
    expect(drift.excluded).toEqual(['__pycache__/']);
    rmSync(folder, { recursive: true });
    expect(describeDrift(await findDrift(scene.place, entryOf('tides', program), limits, promises))).toEqual([
      'its folder is gone',
    ]);
  });
});
