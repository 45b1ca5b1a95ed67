// Installing through the real program: two processes at once, one that is killed, and one that nobody watches.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HubScene } from '../support/hub-scene.ts';
import { hubScene, leftovers, writeTo } from '../support/hub-scene.ts';

const program = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const names = ['moon', 'tides', 'winds', 'stars'];

let scene: HubScene;
let commit: string;
let repo: string;
beforeEach(() => {
  scene = hubScene();
  repo = join(scene.workspace, '../repo');
  for (const name of names)
    writeTo(repo, {
      [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Tells the ${name}.\n---\n\nLook.\n`,
    });
  git('init', '-q', '-b', 'main');
  commit = commitAll();
  git('tag', 'v1');
});
afterEach(() => scene.remove());

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: repo, encoding: 'utf8' }).trim();
}

function commitAll(): string {
  git('add', '-A');
  git('commit', '-q', '-m', 'a change');
  return git('rev-parse', 'HEAD');
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function techne(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: scene.workspace,
    env: { PATH: process.env['PATH'] ?? '', HOME: scene.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const add = (name: string): Promise<Ended> =>
  techne('add', `file://${repo}#${commit}`, '--skill', name, '--yes', '--json');
const lockNames = (): readonly string[] =>
  Object.keys((JSON.parse(readFileSync(scene.place.lockFile, 'utf8')) as { skills: object }).skills);

describe('the program', () => {
  it('adds from several processes at once, and loses nothing', async () => {
    const ended = await Promise.all(names.map(add));
    expect(ended.map(({ code, err }) => [code, /techne:/.test(err)])).toEqual(names.map(() => [0, false]));
    expect([lockNames(), readdirSync(scene.place.skills).sort()]).toEqual([
      [...names].sort(),
      [...names].sort(),
    ]);
    expect(leftovers(scene.place)).toEqual([]);
    expect((await techne('restore', '--frozen')).code).toBe(0);
  }, 60_000);

  it('heals what a killed process began, whatever the next command is', async () => {
    await add('moon');
    // As a process leaves it that was killed between its two renames.
    const child = await import('../../src/hub/install/intent.ts');
    const { openStage } = await import('../../src/hub/stage/stage.ts');
    const { skillTree, entryOf, limits } = await import('../support/hub-scene.ts');
    const { promises } = await import('node:fs');
    const { readLock } = await import('../../src/hub/install/transaction.ts');
    const stage = await openStage(scene.place, limits, promises);
    const tree = skillTree('moon', 'two');
    await stage.add({ name: 'moon', files: tree });
    const before = (await readLock(scene.place, promises)).skills[0] ?? null;
    mkdirSync(scene.place.state, { recursive: true });
    writeFileSync(
      scene.place.intentFile,
      child.renderIntent({
        stage: stage.id,
        changes: [{ name: 'moon', act: 'put', before, after: entryOf('moon', tree) }],
      }),
    );
    await promises.rename(join(scene.place.skills, 'moon'), join(stage.folder, 'old/moon'));
    const listed = await techne('list');
    expect([listed.code, listed.out]).toMatchObject([0, expect.stringContaining('The skill moon, two.')]);
    expect([existsSync(scene.place.intentFile), (await techne('restore', '--frozen')).code]).toEqual([
      false,
      0,
    ]);
  }, 60_000);

  it('restores the commit that was locked, when the tag was moved', async () => {
    await techne('add', `file://${repo}#v1`, '--skill', 'winds', '--yes');
    await add('winds');
    const text = readFileSync(join(scene.place.skills, 'winds/SKILL.md'), 'utf8');
    writeTo(repo, { 'winds/SKILL.md': '---\nname: winds\ndescription: EVIL.\n---\n' });
    commitAll();
    git('tag', '-f', 'v1');
    rmSync(join(scene.place.skills, 'winds'), { recursive: true });
    expect((await techne('restore')).code).toBe(0);
    expect(readFileSync(join(scene.place.skills, 'winds/SKILL.md'), 'utf8')).toBe(text);
  }, 60_000);

  it('prints one JSON value for every command', async () => {
    await add('moon');
    const lines: readonly (readonly string[])[] = [
      ['hub', 'list'],
      ['outdated'],
      ['update', '--dry-run'],
      ['update'],
      ['pin', 'moon'],
      ['unpin', 'moon'],
      ['restore'],
      ['restore', '--frozen'],
      ['adopt', 'moon'],
      ['remove', 'moon'],
      ['add', './nowhere'],
      ['hub', 'export'],
    ];
    for (const line of lines) {
      const { out } = await techne(...line, '--json');
      expect([line, typeof JSON.parse(out)]).toEqual([line, 'object']);
    }
  }, 120_000);
});
