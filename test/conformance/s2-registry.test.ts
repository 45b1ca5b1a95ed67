// Seed S2's testing list, rows "loader", "merge" and "properties", over real files; and discovery as other hosts test it.
// Where techne is lenient on purpose (a skill that breaks a rule loads under its folder's name), the row says so.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countListed } from '../../src/prompt/index-layout.ts';
import { createNodeFiles } from '../../src/node/files/files.ts';
import { nodeClock, nodeSha256 } from '../../src/node/environment.ts';
import { nodeParseFull } from '../../src/node/yaml.ts';
import { loadSnapshot } from '../../src/registry/snapshot.ts';
import type { Snapshot } from '../../src/registry/snapshot.ts';
import type { Root } from '../../src/registry/types.ts';
import {
  bareEnvironment,
  codesOf,
  configWith,
  namesOf,
  rootAt,
  saidBy,
  skillText,
  viewOf,
} from '../support/library.ts';

describe('S2', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'techne-s2-'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), content);
  }
  const skill = (folder: string, fields = '', body = 'Body.'): void =>
    write(`${folder}/SKILL.md`, skillText(folder.slice(folder.lastIndexOf('/') + 1), fields, body));
  const load = (
    roots: readonly Root[] = [rootAt(join(base, 'global')), rootAt(join(base, 'ws'), 'workspace')],
  ): Promise<Snapshot> =>
    loadSnapshot({
      roots,
      files: createNodeFiles(),
      environment: bareEnvironment,
      clock: nodeClock,
      sha256: nodeSha256,
      parseFull: nodeParseFull,
      countListed,
      config: configWith({}),
    });
  const said = (snapshot: Snapshot): string[] => saidBy(snapshot).map((line) => line.replace(`${base}/`, ''));

  describe('loader', () => {
    it('treats missing roots as empty', async () => {
      const snapshot = await load();
      expect([snapshot.skills, snapshot.diagnostics]).toEqual([[], []]);
    });

    it('treats an empty root as empty', async () => {
      mkdirSync(join(base, 'global'));
      expect((await load()).skills).toEqual([]);
    });

    it('skips entries that are no folders, and folders without SKILL.md, which are named for --all', async () => {
      write('global/README.md', 'x');
      write('global/notes/todo.txt', 'x');
      skill('global/pdf');
      const snapshot = await load();
      expect(namesOf(snapshot)).toEqual(['pdf']);
      expect(said(snapshot)).toEqual(['FOLDER_SKIPPED global/notes']);
      expect(snapshot.diagnostics[0]?.severity).toBe('info');
    });

    it('loads skill.md with a warning, as the reference validator does (S2 skips it)', async () => {
      write('global/pdf/skill.md', skillText('pdf'));
      const snapshot = await load();
      expect(namesOf(snapshot)).toEqual(['pdf']);
      expect(codesOf(snapshot.get('pdf').diagnostics)).toEqual(['FILE_NAME_CASE']);
    });

    it('goes on after a bad skill, which stays with the reason (S2 skips it)', async () => {
      write('global/bad/SKILL.md', '---\nname: [\n---\n');
      write('global/latin/SKILL.md', Buffer.from(skillText('latin').replace('need', 'n\xe9ed'), 'latin1'));
      skill('global/pdf');
      const snapshot = await load();
      expect(namesOf(snapshot)).toEqual(['bad', 'latin', 'pdf']);
      expect(snapshot.facts(snapshot.get('bad')).ready.ok).toBe(false);
      expect(codesOf(snapshot.get('latin').diagnostics)).toEqual(['ENCODING_INVALID']);
    });

    it('loads in the order of names', async () => {
      for (const name of ['zebra', 'alpha', 'mid']) skill(`global/${name}`);
      expect(namesOf(await load())).toEqual(['alpha', 'mid', 'zebra']);
    });

    it('takes the folder for the name when they differ', async () => {
      write('global/pdf/SKILL.md', skillText('other'));
      const snapshot = await load();
      expect(namesOf(snapshot)).toEqual(['pdf']);
      expect(codesOf(snapshot.get('pdf').diagnostics)).toEqual(['NAME_NOT_FOLDER']);
    });
  });

  describe('merge', () => {
    it('lets the workspace win, keeps the source and says so', async () => {
      skill('global/review', '', 'Global.');
      skill('global/pdf');
      skill('ws/review', '', 'Workspace.');
      skill('ws/local');
      const snapshot = await load();
      expect(snapshot.skills.map(({ name, source }) => `${name} ${source}`)).toEqual([
        'local workspace',
        'pdf user',
        'review workspace',
      ]);
      expect((await snapshot.readBody('review')).text).toBe('Workspace.\n');
      expect(said(snapshot)).toEqual(['SKILL_SHADOWED global/review/SKILL.md']);
      expect(snapshot.diagnostics[0]?.severity).toBe('info');
    });

    it('works with one root or the other alone', async () => {
      skill('global/pdf');
      skill('ws/local');
      expect(namesOf(await load([rootAt(join(base, 'global'))]))).toEqual(['pdf']);
      expect(namesOf(await load([rootAt(join(base, 'ws'), 'workspace')]))).toEqual(['local']);
      expect(namesOf(await load([]))).toEqual([]);
    });
  });

  describe('properties', () => {
    it('loads equal snapshots twice', async () => {
      skill('global/pdf');
      skill('ws/pdf');
      write('ws/x/skill.md', 'x');
      const [one, two] = [await load(), await load()];
      expect(viewOf(two)).toEqual(viewOf(one));
      expect(await two.version('pdf')).toBe(await one.version('pdf'));
    });
  });

  describe('discovery', () => {
    it('finds a plugins/x/skills/y layout', async () => {
      skill('global/plugins/x/skills/y');
      expect(namesOf(await load())).toEqual(['y']);
    });

    it('loads links into a root once, at the real place, and says which lead out or nowhere', async () => {
      skill('global/pdf');
      skill('outside/secret');
      mkdirSync(join(base, 'ws'));
      symlinkSync('../global/pdf', join(base, 'ws/pdf'));
      symlinkSync('../outside/secret', join(base, 'ws/secret'));
      symlinkSync('gone', join(base, 'ws/gone'));
      symlinkSync('loop', join(base, 'ws/loop'));
      symlinkSync('..', join(base, 'ws/up'));
      const snapshot = await load();
      expect(snapshot.skills.map(({ name, source }) => `${name} ${source}`)).toEqual(['pdf user']);
      expect(said(snapshot)).toEqual([
        'LINK_BROKEN ws/gone',
        'LINK_BROKEN ws/loop',
        'SKILL_LINKED ws/pdf',
        'LINK_LEAVES_ROOTS ws/secret',
        'LINK_LEAVES_ROOTS ws/up',
      ]);
    });

    it('is not held up by a pipe or a folder called SKILL.md', async () => {
      skill('global/pdf');
      mkdirSync(join(base, 'global/folder/SKILL.md'), { recursive: true });
      mkdirSync(join(base, 'global/pipe'));
      execFileSync('mkfifo', [join(base, 'global/pipe/SKILL.md')]);
      const snapshot = await load();
      expect(namesOf(snapshot)).toEqual(['pdf']);
      expect(said(snapshot)).toEqual([
        'FILE_NOT_A_FILE global/folder/SKILL.md',
        'FILE_NOT_A_FILE global/pipe/SKILL.md',
      ]);
    });
  });
});
