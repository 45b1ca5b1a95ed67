import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { encodeUtf8 } from '../../base/utf8.ts';
import { childProgram } from '../../../test/support/child-program.ts';
import type { TechneError } from '../../base/error.ts';
import { nodeClock } from '../../node/environment.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { SkillOrigin } from '../../skill/types.ts';
import type { MemoryControls } from '../../ports/memory-files.ts';
import { createMemoryFiles } from '../../ports/memory-files.ts';
import { parseTrust, renderTrust } from './trust-records.ts';
import type { TrustStore } from './trust-store.ts';
import { createTrustStore } from './trust-store.ts';

const file = '/home/me/.techne/trust.json';
const one = `sha256:${'1'.repeat(64)}`;
const two = `sha256:${'2'.repeat(64)}`;
const local: SkillOrigin = { kind: 'local', from: null };

function open(): { store: TrustStore; files: Files & MemoryControls } {
  const files = createMemoryFiles({
    '/home/me/project/tides/SKILL.md': '',
    '/home/me/other/SKILL.md': '',
    '/home/me/projects/SKILL.md': '',
  });
  return { files, store: storeOver(files) };
}

function storeOver(files: Files & MemoryControls): TrustStore {
  return createTrustStore({
    file,
    files,
    environment: { homeFolder: '/home/me', platform: 'linux' },
    clock: files.clock,
  });
}

const never = (): Promise<string> => Promise.reject(new Error('the digest was asked for'));

describe('createTrustStore', () => {
  it('trusts nothing without a file, and makes none by looking', async () => {
    const { store, files } = open();
    expect(await store.list()).toEqual({ folders: [], digests: [] });
    expect(
      await store.decide(
        { realFolder: '/home/me/project/tides', origin: local, source: 'workspace' as const },
        never,
        [],
      ),
    ).toEqual({ kind: 'none', around: null });
    expect(files.stat(file)).toBeNull();
  });

  it('keeps what was granted in a file only the user can read', async () => {
    const { store, files } = open();
    await store.trustFolder('/home/me/project');
    await store.trustDigest({ digest: one, name: 'other', folder: '/home/me/other' });
    const again = await storeOver(files).list();
    expect(again).toEqual({
      folders: [{ path: '/home/me/project', grantedAt: '2023-11-14T22:13:20.003Z' }],
      digests: [
        { digest: one, name: 'other', path: '/home/me/other', grantedAt: '2023-11-14T22:13:20.004Z' },
      ],
    });
    expect(Number(files.stat(file)?.mode ?? 0n) & 0o777).toBe(0o600);
  });

  it('grants the same thing once', async () => {
    const { store } = open();
    const first = await store.trustFolder('/home/me/project');
    expect(await store.trustFolder('/home/me/project/')).toEqual(first);
    const grant = { digest: one, name: 'tides', folder: '/home/me/project/tides' };
    expect(await store.trustDigest(grant)).toEqual(await store.trustDigest(grant));
    expect((await store.list()).digests.length).toBe(1);
  });

  it('keys on the real path', async () => {
    const { store, files } = open();
    files.link('/home/me/link', 'project');
    expect((await store.trustFolder('/home/me/link')).path).toBe('/home/me/project');
    // The link now leads elsewhere, and lends nothing.
    files.erase('/home/me/link');
    files.link('/home/me/link', 'other');
    expect(
      (
        await store.decide(
          { realFolder: '/home/me/other', origin: local, source: 'workspace' as const },
          async () => one,
          [],
        )
      ).kind,
    ).toBe('none');
    files.link('/home/me/project/link', '../other');
    await expect(
      store.decide(
        { realFolder: '/home/me/project/link', origin: local, source: 'workspace' as const },
        never,
        [],
      ),
    ).rejects.toMatchObject({ code: 'STALE' });
    expect(
      (
        await store.decide(
          { realFolder: '/home/me/project/tides', origin: local, source: 'workspace' as const },
          never,
          [],
        )
      ).kind,
    ).toBe('folder');
  });

  it.each(['/', '/home', '/home/me', '/home/me/', '/home/me/project/..'])(
    'refuses to trust %s',
    async (path) => {
      const { store, files } = open();
      await expect(store.trustFolder(path)).rejects.toMatchObject({ code: 'TRUST_TOO_WIDE' });
      expect(files.stat(file)).toBeNull();
    },
  );

  it('refuses what is not a folder', async () => {
    const { store } = open();
    await expect(store.trustFolder('/home/me/nothing')).rejects.toMatchObject({ code: 'FILE_MISSING' });
    await expect(store.trustFolder('/home/me/other/SKILL.md')).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
  });

  it('revokes by path, name or digest, and says what it revoked', async () => {
    const { store, files } = open();
    await store.trustFolder('/home/me/project');
    for (const target of ['other', one, '/home/me/other']) {
      await store.trustDigest({ digest: one, name: 'other', folder: '/home/me/other' });
      expect((await store.untrust(target)).digests.map((each) => each.name)).toEqual(['other']);
    }
    expect(await store.untrust('nothing')).toEqual({ folders: [], digests: [] });
    // A folder that is gone can still be revoked.
    files.erase('/home/me/project');
    expect((await store.untrust('/home/me/project')).folders.length).toBe(1);
    expect(await store.list()).toEqual({ folders: [], digests: [] });
  });

  describe('decide', () => {
    it('lets a folder speak for local work below it, by whole segments', async () => {
      const { store } = open();
      await store.trustFolder('/home/me/project');
      const decide = (folder: string) =>
        store.decide(
          { realFolder: folder, origin: local, source: 'workspace' as const },
          async () => one,
          [],
        );
      expect(await decide('/home/me/project/tides')).toEqual({ kind: 'folder', folder: '/home/me/project' });
      expect(await decide('/home/me/project')).toEqual({ kind: 'folder', folder: '/home/me/project' });
      expect((await decide('/home/me/projects')).kind).toBe('none');
    });

    it('lets it speak for no workspace further down, nor for what that one configures', async () => {
      const { store } = open();
      const decide = (realFolder: string, within: string) =>
        store.decide(
          { realFolder, origin: local, source: 'workspace' as const, root: { path: within, within } },
          async () => one,
          ['/home/me/project'],
        );
      expect((await decide('/home/me/project/tides', '/home/me/project')).kind).toBe('folder');
      expect(await decide('/home/me/project/tides', '/home/me/project/tides')).toEqual({
        kind: 'none',
        around: '/home/me/project',
      });
      expect(await store.isTrustedWorkspace('/home/me/project', ['/home/me/project'])).toBe(true);
      expect(await store.isTrustedWorkspace('/home/me/project/tides', ['/home/me/project'])).toBe(false);
    });

    it('lets it speak for a root that is configured for its workspace', async () => {
      const { store, files } = open();
      const root = '/home/me/project/packages/a/.claude/skills';
      files.write(`${root}/pa/SKILL.md`, '');
      const decide = (configuredFor: string, folders: readonly string[]) =>
        store.decide(
          {
            realFolder: `${root}/pa`,
            origin: local,
            source: 'workspace' as const,
            root: { path: root, within: '/home/me/project', configuredFor },
          },
          never,
          folders,
        );
      expect(await decide('/home/me/project', ['/home/me/project'])).toEqual({
        kind: 'folder',
        folder: '/home/me/project',
      });
      files.link('/home/me/link', 'project');
      expect(await decide('/home/me/link', ['/home/me/link'])).toEqual({
        kind: 'folder',
        folder: '/home/me/project',
      });
      expect(await decide('/home/me/project', ['/home/me/project/packages'])).toEqual({
        kind: 'none',
        around: '/home/me/project/packages',
      });
      expect(
        await store.trustAt(`${root}/pa`, ['/home/me/project'], {
          path: root,
          configuredFor: '/home/me/project',
        }),
      ).toEqual({ folder: true, version: false });
      expect(await store.trustAt(`${root}/pa`, ['/home/me/project'], null)).toEqual({
        folder: false,
        version: false,
      });
    });

    it.each(['installed', 'remote', 'plugin'] as const)(
      'never lets a folder speak for an %s skill',
      async (kind) => {
        const { store } = open();
        await store.trustFolder('/home/me/project');
        const skill = {
          realFolder: '/home/me/project/tides',
          origin: { kind, from: null },
          source: 'workspace' as const,
        };
        expect((await store.decide(skill, async () => one, ['/home/me/project'])).kind).toBe('none');
        await store.trustDigest({ digest: one, name: 'tides', folder: skill.realFolder });
        expect((await store.decide(skill, async () => one, [])).kind).toBe('digest');
      },
    );

    it.each(['user', 'plugin', 'builtin'] as const)(
      'never lets a folder speak for a skill of the %s roots',
      async (source) => {
        const { store } = open();
        await store.trustFolder('/home/me/project');
        const skill = { realFolder: '/home/me/project/tides', origin: local, source };
        expect((await store.decide(skill, async () => one, ['/home/me/project'])).kind).toBe('none');
        await store.trustDigest({ digest: one, name: 'tides', folder: skill.realFolder });
        expect((await store.decide(skill, async () => one, ['/home/me/project'])).kind).toBe('digest');
      },
    );

    it('takes configured folders, but none that is too wide', async () => {
      const { store } = open();
      const decide = (folders: string[]) =>
        store.decide(
          { realFolder: '/home/me/project/tides', origin: local, source: 'workspace' as const },
          async () => one,
          folders,
        );
      expect(await decide(['~/project'])).toEqual({ kind: 'folder', folder: '/home/me/project' });
      expect((await decide(['/home/me/nothing', '/home/me/project'])).kind).toBe('folder');
      for (const wide of ['/', '~', '~/', '/home/me', '/home'])
        expect((await decide([wide])).kind).toBe('none');
    });

    it('notices a change, also back to what was trusted before', async () => {
      const { store } = open();
      const skill = { realFolder: '/home/me/other', origin: local, source: 'workspace' as const };
      await store.trustDigest({ digest: one, name: 'other', folder: skill.realFolder });
      expect(await store.decide(skill, async () => two, [])).toMatchObject({
        kind: 'changed',
        digest: two,
        trusted: { digest: one },
      });
      await store.trustDigest({ digest: two, name: 'other', folder: skill.realFolder });
      expect((await store.decide(skill, async () => two, [])).kind).toBe('digest');
      expect((await store.decide(skill, async () => one, [])).kind).toBe('changed');
    });

    it('trusts content at its place only', async () => {
      const { store } = open();
      await store.trustDigest({ digest: one, name: 'other', folder: '/home/me/other' });
      expect(
        (
          await store.decide(
            { realFolder: '/home/me/projects', origin: local, source: 'workspace' as const },
            async () => one,
            [],
          )
        ).kind,
      ).toBe('none');
    });
  });

  it('speaks for a place by whose it is', async () => {
    const { store } = open();
    const asked = async (workspace: string | null) => [
      await store.trustingFolder('/home/me/project/tides', ['/home/me/project'], workspace),
      (
        await store.trustAt(
          '/home/me/project/tides',
          ['/home/me/project'],
          workspace === null ? null : { path: workspace, within: workspace },
        )
      ).folder,
    ];
    expect([
      await asked(null),
      await asked('/home/me/project'),
      await asked('/home/me/project/tides'),
    ]).toEqual([
      ['/home/me/project', true],
      ['/home/me/project', true],
      [null, false],
    ]);
    expect([
      await store.folderAround('/home/me/project/tides', ['/home/me/project']),
      await store.folderAround('/home/me/other', ['/home/me/project']),
    ]).toEqual(['/home/me/project', null]);
  });

  describe('view', () => {
    it('looks at no record twice, and at no folder that no record is about', async () => {
      const { store, files } = open();
      await store.trustFolder('/home/me/project');
      const view = store.view(['~/projects']);
      const decide = (realFolder: string) =>
        view.decide({ realFolder, origin: local, source: 'workspace' as const, root }, never);
      const root = { path: '/home/me', within: '/home/me' };
      expect((await decide('/home/me/other')).kind).toBe('none');
      const before = files.calls;
      for (let n = 0; n < 10; n += 1) expect((await decide(`/home/me/other/${n}`)).kind).toBe('none');
      expect(files.calls).toBe(before);
    });

    it('goes by the nearest of many folders', async () => {
      const { store } = open();
      const view = store.view([
        '/home/me/projects',
        '/home/me/project',
        '/home/me/project/tides',
        '/home/me/other',
      ]);
      expect(
        await view.decide(
          { realFolder: '/home/me/project/tides', origin: local, source: 'workspace' },
          never,
        ),
      ).toEqual({ kind: 'folder', folder: '/home/me/project/tides' });
    });
  });

  it('has another state when the file changes, or where a folder leads', async () => {
    const { store, files } = open();
    files.link('/home/me/link', 'project');
    const first = store.state(['/home/me/link']);
    expect(store.state(['/home/me/link'])).toBe(first);
    await store.trustFolder('/home/me/project');
    const second = store.state(['/home/me/link']);
    files.erase('/home/me/link');
    files.link('/home/me/link', 'other');
    const third = store.state(['/home/me/link']);
    await store.untrust('/home/me/project');
    expect(new Set([first, second, third, store.state(['/home/me/link'])]).size).toBe(4);
  });

  it('trusts nothing and overwrites nothing when the file is broken', async () => {
    const grant = { path: '/w', grantedAt: '2026-01-01T00:00:00.000Z' };
    const broken = [
      '',
      '{',
      'true',
      '[]',
      '{}',
      '{"version":1}',
      JSON.stringify({ version: 2, folders: [], digests: [] }),
      JSON.stringify({ version: 0, folders: [], digests: [] }),
      JSON.stringify({ version: 1, folders: '*', digests: [] }),
      JSON.stringify({ version: 1, folders: ['/'], digests: [] }),
      JSON.stringify({ version: 1, folders: [{ ...grant, path: 'relative' }], digests: [] }),
      JSON.stringify({ version: 1, folders: [{ path: '/w' }], digests: [] }),
      JSON.stringify({ version: 1, folders: [{ ...grant, grantedAt: 5 }], digests: [] }),
      JSON.stringify({ version: 1, folders: [], digests: [{ ...grant, name: 'a', digest: 'sha256:1' }] }),
      JSON.stringify({ version: 1, folders: [], digests: [], all: true }),
      '{"version":1,"folders":[],"digests":[],"__proto__":{"x":1}}',
    ];
    for (const text of broken) {
      const { store, files } = open();
      await files.writeAtomic(file, encodeUtf8(text), 0o600);
      const attempts: (() => Promise<unknown>)[] = [
        () => store.list(),
        () => store.trustFolder('/home/me/project'),
        () => store.trustDigest({ digest: one, name: 'other', folder: '/home/me/other' }),
        () => store.untrust('other'),
        () =>
          store.decide(
            { realFolder: '/home/me/project/tides', origin: local, source: 'workspace' as const },
            async () => one,
            ['/home/me/project'],
          ),
      ];
      for (const attempt of attempts) {
        const error = (await attempt().catch((thrown: unknown) => thrown)) as TechneError;
        expect(error.code).toBe('TRUST_STORE');
        expect(error.message).toContain(file);
        expect(error.hint).not.toBeNull();
      }
      expect(Buffer.from((await files.read(file, 10_000))?.bytes ?? []).toString()).toBe(text);
    }
  });

  it('trusts no file that others can write, nor one it cannot read', async () => {
    const { store, files } = open();
    await store.trustFolder('/home/me/project');
    files.chmod(file, 0o620);
    await expect(store.list()).rejects.toMatchObject({ code: 'TRUST_STORE' });
    files.chmod(file, 0o600);
    files.deny(file);
    await expect(store.list()).rejects.toMatchObject({ code: 'TRUST_STORE' });
  });

  it('is whole after any single fault', async () => {
    for (let n = 1; ; n += 1) {
      const { store, files } = open();
      await store.trustFolder('/home/me/project');
      files.failAt(n, 'busy');
      const before = files.calls;
      const outcome: unknown = await store
        .trustDigest({ digest: one, name: 'other', folder: '/home/me/other' })
        .catch((error: unknown) => error);
      const reached = files.calls - before >= n;
      files.failAt(1_000_000);
      const { folders, digests } = await store.list();
      expect(folders.length).toBe(1);
      expect(digests.length).toBe(reached ? 0 : 1);
      if (!reached) break;
      expect(outcome).toBeInstanceOf(Error);
    }
  });

  it('loses nothing when several processes grant at once', async () => {
    const root = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'techne-trust-'));
    const child = await childProgram('grant-trust');
    try {
      const processes = ['a', 'b', 'c', 'd'];
      for (const name of processes)
        for (let n = 0; n < 15; n += 1)
          fs.mkdirSync(join(root, 'skills', `${name}${n}`), { recursive: true });
      await Promise.all(processes.map((name) => child.run(root, name, '15')));
      const path = join(root, '.techne', 'trust.json');
      const store = createTrustStore({
        file: path,
        files: createNodeFiles(),
        environment: { homeFolder: root, platform: 'linux' },
        clock: nodeClock,
      });
      const { folders, digests } = await store.list();
      expect(digests.length).toBe(60);
      expect(folders.length).toBe(60);
      expect(fs.statSync(path).mode & 0o777).toBe(0o600);
      expect(fs.readdirSync(join(root, '.techne'))).toEqual(['trust.json']);
    } finally {
      child.close();
      fs.rmSync(root, { recursive: true, force: true });
    }
  });
});

describe('parseTrust', () => {
  it('reads back whatever was written', () => {
    const text = fc.string({ minLength: 1 });
    const grantedAt = fc
      .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const path = text.map((rest) => `/${rest}`);
    const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
    const records = fc.record({
      folders: fc.array(fc.record({ path, grantedAt })),
      digests: fc.array(
        fc.record({ digest: hex.map((each) => `sha256:${each}`), name: text, path, grantedAt }),
      ),
    });
    fc.assert(
      fc.property(records, (value) => {
        expect(JSON.parse(JSON.stringify(parseTrust(renderTrust(value), file)))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});

describe('the state of a trust file', () => {
  it('changes with the file, is none where it cannot be looked at, and hides no bug', async () => {
    const { store, files } = open();
    const before = store.state([]);
    expect(store.state([])).toBe(before);
    await store.trustFolder('/home/me/project');
    expect(store.state([])).not.toBe(before);
    const failing = (error: Error): TrustStore =>
      storeOver({
        ...files,
        stat: () => {
          throw error;
        },
      });
    expect(failing(new FileFault('io', file, 'broken')).state([])).toBeNull();
    expect(() => failing(new TypeError('a bug')).state([])).toThrow('a bug');
  });
});
