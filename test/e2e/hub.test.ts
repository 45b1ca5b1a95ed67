// The built command as a publisher and a reader use it: publish, serve on the loopback interface, search, and what a changed
// hub does to its readers.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SkillIndex } from '../../src/hub/source/index-format.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld, skillText } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const indexFile = 'site/.well-known/agent-skills/index.json';

let world: World;
let server: ChildProcess | null = null;

beforeEach(() => {
  world = createWorld({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      hub: { allowHosts: ['127.0.0.1'] },
    }),
    'work/skills/tides/SKILL.md': skillText(
      'tides',
      'Looks up tide tables. Use when a port is named.',
      'metadata:\n  version: "1.0.0"\n',
    ),
    'work/skills/moon/SKILL.md': skillText('moon', 'Says the phase of the moon. Use when asked for it.'),
  });
});
afterEach(async () => {
  if (server !== null && server.exitCode === null) {
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  }
  server = null;
  world.remove();
});

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: world.home, USERPROFILE: world.home };
}

function techne(...argv: readonly string[]): {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
    cwd: world.workspace,
    env: environment(),
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, out: stdout, err: stderr };
}

/** The address, once it listens. */
function serve(): Promise<string> {
  const child = spawn(process.execPath, [bin, 'hub', 'serve', 'site', '--port', '0', '--quiet'], {
    cwd: world.workspace,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.includes('\n')) resolve(text.trim());
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
}

interface Found {
  readonly results: readonly {
    readonly name: string;
    readonly hub: string;
    readonly add: string;
    readonly publisher: unknown;
  }[];
  readonly failures: readonly { readonly code: string; readonly message: string }[];
}

function search(hub: string, ...words: readonly string[]): Found & { readonly code: number | null } {
  const { code, out } = techne('hub', 'search', ...words, '--hub', hub, '--json');
  return { ...(JSON.parse(out) as Found), code };
}

describe('a hub', () => {
  it('is published, served, read and searched', async () => {
    expect(techne('publish', 'skills', '--out', 'site').code).toBe(0);
    const url = await serve();
    const index = (await (
      await fetch(new URL('.well-known/agent-skills/index.json', url))
    ).json()) as SkillIndex;
    expect(index.skills.map(({ name }) => name)).toEqual(['moon', 'tides']);
    for (const { url: artifact, page } of index.skills) {
      const at = new URL('.well-known/agent-skills/', url);
      const packed = await fetch(new URL(artifact, at));
      expect([packed.status, packed.headers.get('content-type')]).toEqual([200, 'application/gzip']);
      expect((await fetch(new URL(page as string, at))).headers.get('content-type')).toContain('text/html');
    }
    const found = search(url, 'tide');
    expect(found).toMatchObject({ code: 0, failures: [] });
    expect(found.results).toMatchObject([
      { name: 'tides', hub: url, add: `techne add ${url} --skill tides`, publisher: null },
    ]);
    server?.kill('SIGTERM');
    expect(await new Promise((resolve) => server?.once('exit', resolve))).toBe(143);
  });

  it('on this machine is refused unless it is allowed', async () => {
    techne('publish', 'skills', '--out', 'site');
    const url = await serve();
    world.write({ 'home/.techne/config.json': '{"roots": {"builtin": false}}' });
    const refused = search(url, 'tide');
    expect(refused.code).not.toBe(0);
    expect(refused.failures).toMatchObject([{ code: 'SOURCE_REFUSED' }]);
  });

  it('that is signed is held to its signature', async () => {
    expect(techne('hub', 'keys', 'new', 'work').code).toBe(0);
    expect(techne('publish', 'skills', '--out', 'site', '--sign', 'work').code).toBe(0);
    const url = await serve();
    expect(search(url, 'moon')).toMatchObject({ code: 0, results: [{ publisher: { trustedAs: null } }] });
    const path = join(world.workspace, indexFile);
    const index = JSON.parse(readFileSync(path, 'utf8')) as SkillIndex;
    const { signature: _, ...unsigned } = index;
    for (const changed of [unsigned, { ...index, title: 'Evil' }, { ...index, skills: [] }]) {
      writeFileSync(path, JSON.stringify(changed));
      expect(search(url, 'moon')).toMatchObject({
        code: 4,
        results: [],
        failures: [{ code: 'HUB_SIGNATURE' }],
      });
    }
  });
});

describe('a skill of a hub', () => {
  const treeOf = (name: string): string =>
    (JSON.parse(readFileSync(join(world.workspace, indexFile), 'utf8')) as SkillIndex).skills.find(
      (skill) => skill.name === name,
    )?.tree ?? '';

  it('is added from it by its digest, file by file as it was published', async () => {
    techne('hub', 'keys', 'new', 'work');
    techne('publish', 'skills', '--out', 'site', '--sign', 'work');
    const url = await serve();
    const added = techne('add', url, '--skill', 'tides', '--yes', '--expect', treeOf('tides'));
    expect(added).toMatchObject({ code: 0 });
    const installed = join(world.workspace, '.techne/skills/tides/SKILL.md');
    expect(readFileSync(installed, 'utf8')).toBe(
      readFileSync(join(world.workspace, 'skills/tides/SKILL.md'), 'utf8'),
    );
  });

  it('is not added when the hub was signed and is no longer, also not by an index of version 0.1', async () => {
    techne('hub', 'keys', 'new', 'work');
    techne('publish', 'skills', '--out', 'site', '--sign', 'work');
    const url = await serve();
    expect(search(url, 'tides').code).toBe(0);
    const pinned = treeOf('tides');
    rmSync(join(world.workspace, indexFile));
    world.write({
      'work/site/.well-known/skills/index.json':
        '{"skills":[{"name":"tides","description":"Tides.","files":["SKILL.md"]}]}',
      'work/site/.well-known/skills/tides/SKILL.md': skillText('tides', 'Evil. Use always.'),
    });
    const refused = techne('add', url, '--skill', 'tides', '--yes', '--expect', pinned);
    expect(refused.code).toBe(4);
    expect(refused.err).toContain('and now it has no signature');
    expect(existsSync(join(world.workspace, '.techne/skills/tides'))).toBe(false);
  });
});

describe('a publication that is killed', () => {
  it('leaves no index or a whole one, and the next one completes it', async () => {
    const path = join(world.workspace, indexFile);
    const counts: number[] = [];
    for (const waitMs of [0, 60, 120, 180, 240, 300]) {
      const child = spawn(process.execPath, [bin, 'publish', 'skills', '--out', 'site'], {
        cwd: world.workspace,
        env: environment(),
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      setTimeout(() => child.kill('SIGKILL'), waitMs);
      await ended;
      if (existsSync(path)) counts.push((JSON.parse(readFileSync(path, 'utf8')) as SkillIndex).skills.length);
    }
    expect(counts.filter((count) => count !== 2)).toEqual([]);
    expect(techne('publish', 'skills', '--out', 'site').code).toBe(0);
    expect(search(join(world.workspace, 'site'), 'moon').results).toHaveLength(1);
  });
});
