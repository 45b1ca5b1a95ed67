import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld({
    'home/.techne/skills/moon/SKILL.md': skillText('moon'),
    'home/.techne/skills/mine/SKILL.md': skillText('mine', undefined, 'disable-model-invocation: true\n'),
    'home/.techne/skills/quiet/SKILL.md': skillText('quiet', undefined, 'user-invocable: false\n'),
    'work/.techne/skills/tides/SKILL.md': skillText('tides'),
  });
});
afterEach(() => world.remove());

const path = (): { readonly PATH: string } => ({ PATH: `${join(world.folder, 'bin')}:/usr/bin:/bin` });
/** A program of a host that notes its arguments, and fails where they hold `fails`. */
function fakeHost(program: string, fails = 'never'): void {
  world.write({
    [`bin/${program}`]: `#!/bin/sh\necho "${program} $*" >> "${world.folder}/called"\ncase "$*" in *${fails}*) echo "no such plugin" >&2; exit 3;; esac\n`,
  });
  chmodSync(join(world.folder, 'bin', program), 0o755);
}
const called = (): readonly string[] => {
  const file = join(world.folder, 'called');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};

describe('techne mcp package', () => {
  it('makes a package with the trusted skills, and says which have no command', async () => {
    const ran = await world.run(['mcp', 'package', 'out', '--json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({
      folder: join(world.workspace, 'out'),
      change: 'added',
      commands: [{ skill: 'moon', command: '/techne:moon' }],
      left: [
        { skill: 'mine', reason: expect.stringContaining('a model may not start it') as string },
        { skill: 'tides', reason: expect.stringContaining('untrusted') as string },
      ],
      install: {
        codex: [
          ['codex', 'plugin', 'marketplace', 'add', join(world.workspace, 'out')],
          ['codex', 'plugin', 'add', 'techne@techne'],
        ],
      },
    });
    expect(readdirSync(join(world.workspace, 'out/plugins/claude-code/commands'))).toEqual(['moon.md']);
    await world.run(['trust', 'tides'], { typed: 'y\n' });
    expect(JSON.parse((await world.run(['mcp', 'package', 'out', '--json'])).out)).toMatchObject({
      change: 'replaced',
      commands: [{ skill: 'moon' }, { skill: 'tides' }],
    });
  });

  it('says what was made and how it is installed, and then that nothing changed', async () => {
    const first = await world.run(['mcp', 'package', 'a b'], { env: path() });
    expect(first.out).toMatch(/^Made a b: \d+ files, 1 slash command\.\n\nInstall it:\n/);
    expect(first.out).toContain(`claude plugin marketplace add '${world.workspace}/a b'\n`);
    expect(first.err).toContain('techne: no slash command for "mine": ');
    expect(first.err).toContain('the program "techne" is not on the PATH');
    expect((await world.run(['mcp', 'package', 'a b', '--quiet'])).out).toBe('a b is up to date.\n');
  });

  it('puts named folders into the arguments of the server, as full paths', async () => {
    await world.run(['mcp', 'package', 'out', '--workspace', '.']);
    expect(readFileSync(join(world.workspace, 'out/plugins/codex/.mcp.json'), 'utf8')).toContain(
      `"--workspace",\n        ${JSON.stringify(world.workspace)}`,
    );
  });

  it('does not replace a folder of somebody', async () => {
    world.write({ 'work/out/notes.md': 'mine' });
    expect(await world.run(['mcp', 'package', 'out'])).toMatchObject({
      out: '',
      err: expect.stringContaining('holds "notes.md", which is not as techne mcp package wrote it') as string,
    });
    expect(readdirSync(join(world.workspace, 'out'))).toEqual(['notes.md']);
  });

  it('needs a folder', async () => {
    expect((await world.run(['mcp', 'package'])).code).toBe(2);
  });
});

describe('techne mcp install --plugin', () => {
  const folder = (): string => join(world.home, '.techne/host-plugins');

  it.each([
    [
      'claude-code',
      'claude',
      (at: string) => [`claude plugin marketplace add ${at}`, 'claude plugin install techne@techne'],
    ],
    [
      'codex',
      'codex',
      (at: string) => [`codex plugin marketplace add ${at}`, 'codex plugin add techne@techne'],
    ],
    ['gemini', 'gemini', (at: string) => [`gemini extensions link ${at}/plugins/gemini --consent`]],
  ])(
    'makes a package without the skills of the workspace and lets %s install it',
    async (host, program, lines) => {
      fakeHost(program);
      const ran = await world.run(['mcp', 'install', host, '--plugin', '--write'], { env: path() });
      expect([ran.code, ran.err]).toEqual([0, '']);
      expect(called()).toEqual(lines(folder()));
      for (const line of lines(folder())) expect(ran.out).toContain(`  ${line}\n`);
      expect(readdirSync(join(folder(), 'plugins/claude-code/commands'))).toEqual(['moon.md']);
    },
  );

  it('does nothing without consent', async () => {
    fakeHost('codex');
    for (const [argv, options] of [
      [[], {}],
      [['--dry-run'], { typed: 'y\n' }],
      [['--json'], {}],
      [[], { typed: 'n\n' }],
    ] as const)
      expect(
        await world.run(['mcp', 'install', 'codex', '--plugin', ...argv], { ...options, env: path() }),
      ).toMatchObject({ code: 0 });
    expect([called(), existsSync(folder())]).toEqual([[], false]);
    await world.run(['mcp', 'install', 'codex', '--plugin'], { typed: 'y\n', env: path() });
    expect(called()).toHaveLength(2);
  });

  it('reports what the program of the host says, and stops there', async () => {
    fakeHost('codex', 'marketplace');
    const ran = await world.run(['mcp', 'install', 'codex', '--plugin', '--write', '--json'], {
      env: path(),
    });
    expect([ran.code, JSON.parse(ran.out)]).toMatchObject([
      1,
      {
        host: 'codex',
        done: false,
        message: `codex plugin marketplace add ${folder()} failed: no such plugin`,
      },
    ]);
    expect(called()).toHaveLength(1);
  });

  it('removes the plugin with the program of the host', async () => {
    fakeHost('claude');
    expect(
      await world.run(['mcp', 'uninstall', 'claude-code', '--plugin', '--write'], { env: path() }),
    ).toMatchObject({ code: 0, out: expect.stringMatching(/Removed\.\n$/) as string });
    expect(called()).toEqual([
      'claude plugin uninstall techne@techne',
      'claude plugin marketplace remove techne',
    ]);
  });

  it('says that the program of the host is missing, or that a host has no plugins', async () => {
    mkdirSync(join(world.folder, 'bin'), { recursive: true });
    writeFileSync(join(world.folder, 'bin/codex'), 'not executable');
    expect(
      await world.run(['mcp', 'install', 'codex', '--plugin', '--write'], {
        env: { PATH: join(world.folder, 'bin') },
      }),
    ).toMatchObject({
      err: expect.stringContaining('the program "codex" of Codex is not on the PATH') as string,
    });
    for (const argv of [
      ['zed', '--plugin'],
      ['codex', '--plugin', '--scope', 'user'],
      ['codex', '--plugin', '--name', 'other'],
      ['vscode', '--plugin', '--link'],
    ])
      expect((await world.run(['mcp', 'install', ...argv], { env: path() })).code).toBe(2);
  });
});

describe('techne mcp install --link', () => {
  it('prints links that hold the entry, however it is named', async () => {
    const named = join(world.folder, 'a b+c', 'ü"$(x)&y');
    mkdirSync(named, { recursive: true });
    const entry = { command: 'techne', args: ['mcp', '--workspace', named] };
    const run = async (host: string): Promise<readonly string[]> =>
      (await world.run(['mcp', 'install', host, '--link', '--name', 'my-server', '--workspace', named])).out
        .trimEnd()
        .split('\n');
    const [vscode, vscodeWeb] = (await run('vscode')).map((line) => new URL(line));
    expect(vscode?.href).toMatch(/^vscode:mcp\/install\?/);
    expect(JSON.parse(decodeURIComponent((vscode as URL).search.slice(1)))).toEqual({
      name: 'my-server',
      type: 'stdio',
      ...entry,
    });
    expect(vscodeWeb?.origin + (vscodeWeb as URL).pathname).toBe('https://vscode.dev/redirect/mcp/install');
    expect([
      vscodeWeb?.searchParams.get('name'),
      JSON.parse(vscodeWeb?.searchParams.get('config') as string),
    ]).toEqual(['my-server', { type: 'stdio', ...entry }]);
    for (const url of (await run('cursor')).map((line) => new URL(line)))
      expect([
        url.searchParams.get('name'),
        JSON.parse(Buffer.from(url.searchParams.get('config') as string, 'base64').toString()),
      ]).toEqual(['my-server', entry]);
  });

  it('gives these links', async () => {
    const linked = async (host: string): Promise<unknown> =>
      JSON.parse((await world.run(['mcp', 'install', host, '--link', '--json'])).out);
    expect([await linked('vscode'), await linked('cursor')]).toMatchInlineSnapshot(`
      [
        {
          "host": "vscode",
          "link": "vscode:mcp/install?%7B%22name%22%3A%22techne%22%2C%22type%22%3A%22stdio%22%2C%22command%22%3A%22techne%22%2C%22args%22%3A%5B%22mcp%22%5D%7D",
          "name": "techne",
          "web": "https://vscode.dev/redirect/mcp/install?name=techne&config=%7B%22type%22%3A%22stdio%22%2C%22command%22%3A%22techne%22%2C%22args%22%3A%5B%22mcp%22%5D%7D",
        },
        {
          "host": "cursor",
          "link": "cursor://anysphere.cursor-deeplink/mcp/install?name=techne&config=eyJjb21tYW5kIjoidGVjaG5lIiwiYXJncyI6WyJtY3AiXX0%3D",
          "name": "techne",
          "web": "https://cursor.com/en/install-mcp?name=techne&config=eyJjb21tYW5kIjoidGVjaG5lIiwiYXJncyI6WyJtY3AiXX0%3D",
        },
      ]
    `);
  });

  it('writes nothing, and is for two hosts', async () => {
    await world.run(['mcp', 'install', 'cursor', '--link']);
    expect(existsSync(join(world.workspace, '.cursor'))).toBe(false);
    for (const argv of [
      ['codex', '--link'],
      ['cursor', '--link', '--write'],
    ])
      expect((await world.run(['mcp', 'install', ...argv])).code).toBe(2);
  });
});
