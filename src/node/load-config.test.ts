import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryFiles } from '../ports/memory-files.ts';
import { findWorkspace, loadConfig } from './load-config.ts';
import { createNodeFiles } from './files/files.ts';

function load(
  tree: { readonly [path: string]: string },
  options: {
    cwd?: string;
    trusted?: readonly string[];
    workspace?: string;
    prepare?: (files: ReturnType<typeof createMemoryFiles>) => void;
  } = {},
) {
  const files = createMemoryFiles(tree);
  options.prepare?.(files);
  const asked: (readonly [string, readonly string[]])[] = [];
  const loading = loadConfig({
    files,
    homeFolder: '/home/me',
    cwd: options.cwd ?? '/project/app',
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
    isTrusted: async (folder, folders) => {
      asked.push([folder, folders]);
      return (options.trusted ?? []).includes(folder);
    },
  });
  return loading.then((loaded) => ({
    ...loaded,
    asked,
    codes: loaded.diagnostics.map(({ code, path }) => `${code} ${path}`),
  }));
}

describe('findWorkspace', () => {
  const files = createMemoryFiles({
    '/home/me/.techne/config.json': '{}',
    '/home/me/plain/deep/x': '',
    '/home/me/repo/.git/HEAD': '',
    '/home/me/repo/sub/techne.json': '{}',
    '/home/me/repo/sub/deep/x': '',
    '/home/me/repo/other/.techne/skills/x': '',
  });
  it('is the nearest folder with techne.json, .techne or .git, and else the folder itself; the home folder is none by its .techne', () => {
    const found = [
      '/home/me/plain/deep',
      '/home/me',
      '/home/me/repo',
      '/home/me/repo/sub/deep',
      '/home/me/repo/other',
      '/nowhere',
    ].map((cwd) => findWorkspace(files, cwd, '/home/me'));
    expect(found).toEqual([
      '/home/me/plain/deep',
      '/home/me',
      '/home/me/repo',
      '/home/me/repo/sub',
      '/home/me/repo/other',
      '/nowhere',
    ]);
  });
});

describe('loadConfig', () => {
  it('has only defaults, and checks no trust, when there is no file', async () => {
    const loaded = await load({ '/project/app/.git/HEAD': '' });
    expect([loaded.workspace, loaded.trusted, loaded.asked, loaded.codes, loaded.files]).toEqual([
      '/project/app',
      null,
      [],
      [],
      [],
    ]);
  });

  it('lays the workspace over the user and knows where each value came from', async () => {
    const loaded = await load({
      '/home/me/.techne/config.json': '{\n"index": {"budgetTokens": 100},\n"watch": {"pollMs": 500}}',
      '/project/app/techne.json': '{"index": {\n"budgetTokens": 50}}',
    });
    expect([loaded.config.index.budgetTokens, loaded.origins.get('index.budgetTokens')]).toEqual([
      50,
      { layer: 'workspace', path: '/project/app/techne.json', line: 2 },
    ]);
    expect([loaded.config.watch.pollMs, loaded.origins.get('watch.pollMs')]).toEqual([
      500,
      { layer: 'user', path: '/home/me/.techne/config.json', line: 3 },
    ]);
    expect([loaded.config.limits.depth, loaded.origins.get('limits.depth')]).toEqual([
      6,
      { layer: 'default', path: null, line: null },
    ]);
  });

  it('lets an untrusted workspace only narrow, and asks with the folders of the user', async () => {
    const tree = {
      '/home/me/.techne/config.json': '{"trust": {"folders": ["/mine"]}}',
      '/project/app/.techne/config.json': '{"sandbox": {"mode": "off"}, "trust": {"folders": ["/"]}}',
    };
    const untrusted = await load(tree);
    expect([
      untrusted.config.sandbox.mode,
      untrusted.config.trust.folders,
      untrusted.asked,
      untrusted.codes,
    ]).toEqual([
      'auto',
      [],
      [['/project/app', ['/mine']]],
      [
        'CONFIG_NARROWED /project/app/.techne/config.json',
        'CONFIG_NARROWED /project/app/.techne/config.json',
      ],
    ]);
    const trusted = await load(tree, { trusted: ['/project/app'] });
    expect([trusted.config.sandbox.mode, trusted.config.trust.folders, trusted.codes]).toEqual([
      'off',
      [],
      ['CONFIG_NARROWED /project/app/.techne/config.json'],
    ]);
  });

  it('asks no other model where an untrusted workspace takes one away', async () => {
    const entry = '{"provider": "openai-compatible", "model": "m", "baseUrl": "http://127.0.0.1:1/v1"}';
    const tree = {
      '/home/me/.techne/config.json': `{"models": {"default": ${entry}, "other": ${entry}}, "match": {"embeddings": {"near": ${entry}}}}`,
      '/project/app/techne.json': '{"models": {"default": null}, "match": {"embeddings": {"near": null}}}',
    };
    const untrusted = await load(tree);
    const fault = (name: string): unknown => ({
      fault: `"${name}" is null in "/project/app/techne.json", a workspace that is not trusted; nothing is asked in its place`,
      hint: 'trust the workspace with "techne trust", or name who answers',
    });
    expect(untrusted.config.models).toEqual({
      default: fault('models.default'),
      other: expect.objectContaining({ model: 'm' }) as unknown,
    });
    expect(untrusted.config.match.embeddings).toEqual({ near: fault('match.embeddings.near') });
    expect(untrusted.diagnostics.map(({ code, message }) => [code, message])).toEqual(
      ['models.default', 'match.embeddings.near'].map((name) => [
        'CONFIG_NARROWED',
        (fault(name) as { fault: string }).fault,
      ]),
    );
    const trusted = await load(tree, { trusted: ['/project/app'] });
    expect([Object.keys(trusted.config.models), trusted.codes]).toEqual([['other'], []]);
  });

  it.each([
    ['the file', '/project/app/techne.json', '/outside/techne.json'],
    ['its folder', '/project/app/.techne', '/outside'],
  ])('does not follow %s of a workspace out of it', async (_, path, target) => {
    const loaded = await load(
      { '/project/app/.git/HEAD': '', '/outside/techne.json': 'secret', '/outside/config.json': 'secret' },
      { prepare: (files) => files.link(path, target), trusted: ['/project/app'] },
    );
    const file = path.endsWith('.json') ? path : `${path}/config.json`;
    expect([loaded.files, loaded.config.execution.policy, loaded.diagnostics]).toEqual([
      [],
      'off',
      [
        expect.objectContaining({
          code: 'CONFIG_LINK',
          path: file,
          message: `"${file}" leads out of the workspace, so it is not read`,
        }),
      ],
    ]);
  });

  it('follows a link within the workspace, and a workspace that is reached through one', async () => {
    const loaded = await load(
      { '/real/app/conf/t.json': '{"watch": {"pollMs": 9000}}' },
      {
        prepare(files) {
          files.link('/real/app/techne.json', 'conf/t.json');
          files.link('/project', '/real');
        },
      },
    );
    expect([loaded.config.watch.pollMs, loaded.codes]).toEqual([9000, []]);
  });

  it.each([
    ['/dots/config.json', 0o664],
    ['/dots/config.json', 0o646],
    ['/home/me/.techne', 0o775],
    ['/dots', 0o777],
    ['/home/me', 0o770],
    ['/home', 0o777],
    ['/', 0o775],
  ])('takes nothing but limits from a user file when others can write %s (%o)', async (path, mode) => {
    const loaded = await load(
      {
        '/dots/config.json': `{"trust": {"folders": ["/mine"]}, "commands": {"allow": ["rm ..."], "deny": ["ls"]},
"models": {"default": {"provider": "anthropic", "model": "m"}}}`,
        '/home/me/.techne/x': '',
        '/project/app/techne.json': '{}',
      },
      {
        prepare(files) {
          files.link('/home/me/.techne/config.json', '/dots/config.json');
          files.chmod(path, mode);
        },
      },
    );
    expect([loaded.config.trust.folders, loaded.config.commands, loaded.asked]).toEqual([
      [],
      { allow: [], deny: ['ls'], environment: [] },
      [['/project/app', []]],
    ]);
    expect(loaded.config.models).toEqual({
      default: {
        fault: `other users can write "${path}", so "models.default" is not asked, nor is another in its place`,
        hint: `look at what it holds, then: chmod go-w "${path}"`,
      },
    });
    expect(loaded.codes).toEqual([
      'CONFIG_WRITABLE /home/me/.techne/config.json',
      ...Array.from({ length: 3 }, () => 'CONFIG_NARROWED /home/me/.techne/config.json'),
    ]);
    expect(loaded.diagnostics[0]).toMatchObject({
      severity: 'warning',
      message: `other users can write "${path}", so this file can only narrow what is allowed`,
      hint: `look at what it holds, then: chmod go-w "${path}"`,
    });
  });

  it.each(['/dots/config.json', '/dots', '/home/me/.techne', '/home'])(
    'takes nothing but limits from a user file when another user owns %s',
    async (path) => {
      const loaded = await load(
        {
          '/dots/config.json': '{"trust": {"folders": ["/mine"]}, "commands": {"deny": ["ls"]}}',
          '/home/me/.techne/x': '',
        },
        {
          prepare(files) {
            files.link('/home/me/.techne/config.json', '/dots/config.json');
            files.chown('/home/me', 1000n);
            files.chown(path, 1001n);
          },
        },
      );
      expect([loaded.config.trust.folders, loaded.config.commands.deny]).toEqual([[], ['ls']]);
      expect(loaded.diagnostics[0]).toMatchObject({
        code: 'CONFIG_WRITABLE',
        message: `another user owns "${path}", so this file can only narrow what is allowed`,
        hint: `look at what it holds, then: sudo chown "$(id -un)" "${path}"`,
      });
    },
  );

  it('takes the owner of the root folder for root, whatever its number', async () => {
    const loaded = await load(
      { '/home/me/.techne/config.json': '{"trust": {"folders": ["/mine"]}}' },
      {
        prepare(files) {
          for (const path of ['/', '/home']) files.chown(path, 65534n);
          for (const path of ['/home/me', '/home/me/.techne']) files.chown(path, 1000n);
        },
      },
    );
    expect([loaded.config.trust.folders, loaded.codes]).toEqual([['/mine'], []]);
  });

  it('takes a folder for safe in which others can only make files of their own', async () => {
    const loaded = await load(
      { '/home/me/.techne/config.json': '{"trust": {"folders": ["/mine"]}}' },
      { prepare: (files) => files.chmod('/home/me/.techne', 0o1777) },
    );
    expect([loaded.config.trust.folders, loaded.codes]).toEqual([['/mine'], []]);
  });

  it('reads techne.json where there are two files, and says so', async () => {
    const loaded = await load({
      '/project/app/techne.json': '{"watch": {"pollMs": 9000}}',
      '/project/app/.techne/config.json': '{"watch": {"pollMs": 8000}}',
    });
    expect([loaded.config.watch.pollMs, loaded.codes]).toEqual([
      9000,
      ['CONFIG_TWO_FILES /project/app/.techne/config.json'],
    ]);
  });

  it("never takes the user's file for a workspace's", async () => {
    const loaded = await load(
      { '/home/me/.techne/config.json': '{"sandbox": {"mode": "off"}}' },
      { cwd: '/home/me' },
    );
    expect([loaded.config.sandbox.mode, loaded.asked, loaded.files.map(({ layer }) => layer)]).toEqual([
      'off',
      [],
      ['user'],
    ]);
  });

  it('takes the workspace it is given', async () => {
    expect(
      (await load({ '/project/app/.git/HEAD': '', '/project/app/sub/x': '' }, { workspace: 'sub' }))
        .workspace,
    ).toBe('/project/app/sub');
  });

  it('switches execution off while a file has errors, and says which error did it', async () => {
    const loaded = await load({ '/project/app/techne.json': '{"index": {},\n"indx": {}}' });
    expect([loaded.config.execution.policy, loaded.origins.get('execution.policy'), loaded.broken]).toEqual([
      'off',
      { layer: 'workspace', path: '/project/app/techne.json', line: 2 },
      expect.objectContaining({ code: 'CONFIG_UNKNOWN_KEY', path: '/project/app/techne.json' }),
    ]);
    const unread = await load({ '/home/me/.techne/config.json/x': '' });
    expect([unread.origins.get('execution.policy'), unread.broken?.code]).toEqual([
      { layer: 'user', path: '/home/me/.techne/config.json', line: null },
      'FILE_UNREADABLE',
    ]);
    expect((await load({ '/project/app/techne.json': '{}' })).broken).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('reports a pipe that is in the place of a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'techne-config-'));
    execFileSync('mkfifo', [join(folder, 'techne.json')]);
    const loaded = await loadConfig({
      files: createNodeFiles(),
      homeFolder: join(folder, 'home'),
      cwd: folder,
      isTrusted: async () => false,
    });
    expect(loaded.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['FILE_UNREADABLE', `"${folder}/techne.json" is a special file, not a file`],
    ]);
    rmSync(folder, { recursive: true });
  });

  it('takes an empty folder for a file that is not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'techne-config-'));
    mkdirSync(join(folder, 'techne.json'));
    const loaded = await loadConfig({
      files: createNodeFiles(),
      homeFolder: join(folder, 'home'),
      cwd: folder,
      isTrusted: async () => false,
    });
    expect([loaded.diagnostics, loaded.files, loaded.config.execution.policy]).toEqual([[], [], 'trusted']);
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['a folder', { '/home/me/.techne/config.json/x': '' }],
    ['too large', { '/home/me/.techne/config.json': ' '.repeat(1024 * 1024 + 1) }],
  ])('takes no other model while the file that may name one is %s', async (_, written) => {
    const { config } = await load(written);
    expect([Object.keys(config.models), Object.keys(config.match.embeddings)]).toEqual([[''], ['']]);
  });

  it('continues without a file that is a folder, too large or not UTF-8', async () => {
    expect((await load({ '/project/app/techne.json/x': '' })).codes).toEqual([
      'FILE_UNREADABLE /project/app/techne.json',
    ]);
    expect((await load({ '/project/app/techne.json': ' '.repeat(1024 * 1024 + 1) })).codes).toEqual([
      'CONFIG_SYNTAX /project/app/techne.json',
    ]);
  });
});
