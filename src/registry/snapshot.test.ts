import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../base/utf8.ts';
import { codesOf, libraryOf, loadFrom, namesOf, rootAt, skillText } from '../../test/support/library.ts';
import type { ErrorCode } from '../base/error.ts';
import { TechneError } from '../base/error.ts';
import { nodeSha256 } from '../node/environment.ts';
import { createMemoryBlobs } from '../ports/memory-blobs.ts';
import type { HeadIndex, IndexSection } from './cache/head-index.ts';
import type { ContentGate, SkillTree } from './types.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function codeOf(work: Promise<unknown>): Promise<ErrorCode | 'none'> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TechneError) return error.code;
    throw error;
  }
  return 'none';
}

function tides() {
  const files = libraryOf(['/user/tides']);
  files.write('/user/tides/scripts/run.py', 'print(1)');
  files.chmod('/user/tides/scripts/run.py', 0o755);
  files.write('/user/tides/references/guide.md', 'guide');
  files.write('/user/tides/notes.txt', 'notes');
  files.advance(10_000_000_000n);
  return files;
}

const digestOf = async (content: string, folder = '/user'): Promise<string> => {
  const files = libraryOf([]);
  files.write(`${folder}/tides/SKILL.md`, content);
  return (await loadFrom(files, { roots: [rootAt(folder)] })).digest();
};

const versionOf = async (content: string): Promise<string> => {
  const files = libraryOf([]);
  files.write('/user/tides/SKILL.md', content);
  return (await loadFrom(files)).version('tides');
};

const digestAfter = async (change: (files: ReturnType<typeof tides>) => void): Promise<string> => {
  const files = tides();
  files.link('/user/tides/link', 'notes.txt');
  change(files);
  return (await (await loadFrom(files)).manifest('tides')).digest;
};

const mutablePartsOf = (value: unknown, at = 'value'): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [
    ...(Object.isFrozen(value) ? [] : [at]),
    ...Object.entries(value).flatMap(([key, inner]) => mutablePartsOf(inner, `${at}.${key}`)),
  ];
};

const createMemoryIndex = (): HeadIndex => {
  const held = new Map<string, IndexSection>();
  return {
    load: (paths) =>
      new Map(paths.flatMap((path) => (held.has(path) ? [[path, held.get(path) as IndexSection]] : []))),
    save: async (sections) => {
      for (const [path, section] of sections) held.set(path, section);
    },
  };
};

const treeOf = (name: string, contents: Record<string, string>): SkillTree => ({
  name,
  files: new Map(Object.entries(contents).map(([path, content]) => [path, encodeUtf8(content)])),
  origin: { kind: 'remote', from: 'proposal' },
});

describe('Snapshot', () => {
  it('cannot be changed, nor can its skills', async () => {
    const snapshot = await loadFrom(tides());
    expect([snapshot, snapshot.skills, snapshot.shadowed, snapshot.diagnostics].map(Object.isFrozen)).toEqual(
      [true, true, true, true],
    );
    const skill = snapshot.get('tides') as unknown as Record<string, unknown>;
    for (const key of [
      'name',
      'description',
      'source',
      'root',
      'origin',
      'folder',
      'realFolder',
      'foundIn',
      'file',
      'files',
      'card',
      'head',
      'diagnostics',
      'signature',
      'anything',
    ]) {
      expect(() => (skill[key] = null)).toThrow(TypeError);
      expect(() => Object.defineProperty(skill, key, { value: null })).toThrow(TypeError);
    }
  });

  it('hands out nothing that can be changed', async () => {
    const files = tides();
    files.write(
      '/user/odd/SKILL.md',
      skillText(
        'odd',
        'metadata: {a: [1, {b: 2}]}\nversion: 7\nrequires:\n  bins: [nowhere]\ndisable-model-invocation: true\nname: twice\n',
      ),
    );
    files.write('/ws/tides/SKILL.md', skillText('tides'));
    files.link('/user/bad', 'nowhere');
    const given = {
      ...rootAt('/user'),
      origin: { kind: 'local', from: null } as { kind: 'local' | 'builtin'; from: null },
    };
    for (const index of [null, createMemoryIndex()]) {
      const load = () => loadFrom(files, { roots: [given, rootAt('/ws', 'workspace')], index });
      if (index !== null) await load();
      const snapshot = await load();
      given.origin.kind = 'builtin';
      const odd = snapshot.get('odd');
      expect([odd.origin, odd.root.origin]).toEqual([
        { kind: 'local', from: null },
        { kind: 'local', from: null },
      ]);
      given.origin.kind = 'local';
      expect(odd.diagnostics.length).toBeGreaterThan(0);
      for (const value of [
        odd.root,
        odd.card,
        odd.head,
        odd.diagnostics,
        odd.signature,
        snapshot.facts(odd),
        snapshot.diagnostics,
      ])
        expect(mutablePartsOf(value)).toEqual([]);
      expect(snapshot.shadowed.map(Object.isFrozen)).toEqual([true]);
    }
  });

  it('has one fingerprint while nothing changes, and none of what is not on record', async () => {
    const files = libraryOf(['/user/tides', '/user/winds']);
    files.advance(10_000_000_000n);
    const index = createMemoryIndex();
    const fingerprint = async () => (await loadFrom(files, { index })).fingerprint();
    expect((await loadFrom(files)).fingerprint()).toBeNull();
    expect(await fingerprint()).toBeNull();
    const first = await fingerprint();
    expect(first).not.toBeNull();
    expect(await fingerprint()).toBe(first);
    const changes = [
      () => files.write('/user/tides/SKILL.md', skillText('tides', '', 'Look at other tables.')),
      () => files.write('/user/waves/SKILL.md', skillText('waves')),
      () => files.write('/user/tides/SKILL.star', 'def main(): pass'),
    ];
    const seen = [first];
    for (const change of changes) {
      change();
      expect(await fingerprint()).toBeNull();
      files.advance(10_000_000_000n);
      await fingerprint();
      const next = await fingerprint();
      expect(seen).not.toContain(next);
      seen.push(next);
    }
    const snapshot = await loadFrom(files, { index });
    const more = await snapshot.with(treeOf('rains', { 'SKILL.md': skillText('rains') }));
    expect([snapshot.fingerprint(), more.fingerprint()]).toEqual([seen.at(-1), null]);
  });

  it('may start what its facts show to people or a model', async () => {
    const files = libraryOf(['/user/tides']);
    files.write('/user/winds/SKILL.md', skillText('winds', 'requires:\n  bins: [nowhere]\n'));
    files.advance(10_000_000_000n);
    const index = createMemoryIndex();
    for (let load = 0; load < 2; load += 1) {
      const snapshot = await loadFrom(files, { index });
      for (const one of snapshot.skills) {
        const { visibleToUser, visibleToModel } = snapshot.facts(one);
        expect(snapshot.mayStart(one)).toBe(visibleToUser.ok || visibleToModel.ok);
      }
      expect(snapshot.skills.map((one) => snapshot.mayStart(one))).toEqual([true, false]);
    }
  });

  it('says which name was meant', async () => {
    const snapshot = await loadFrom(tides());
    expect(() => snapshot.get('tidse')).toThrow(
      expect.objectContaining({
        code: 'SKILL_UNKNOWN',
        message: 'there is no skill "tidse"',
        hint: 'did you mean "tides"?',
      }),
    );
    expect(await codeOf(snapshot.readFile('nothing-like-it', 'x'))).toBe('SKILL_UNKNOWN');
  });

  it('has a digest that changes with a head and not with a body or a place', async () => {
    const digest = await digestOf(skillText('tides'));
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await digestOf(skillText('tides', '', 'Another body.'))).toBe(digest);
    expect(await digestOf(skillText('tides'), '/elsewhere')).toBe(digest);
    expect(await digestOf(skillText('tides', 'license: MIT\n'))).not.toBe(digest);
  });

  it('versions the body alone', async () => {
    const version = await versionOf(skillText('tides'));
    expect(version).toBe(nodeSha256('Look at the moon.\n').slice(0, 16));
    expect(await versionOf(skillText('tides', 'license: MIT\n'))).toBe(version);
    expect(await versionOf(skillText('tides', '', 'Other.'))).not.toBe(version);
  });

  describe('reading', () => {
    it('gives text, body and files', async () => {
      const snapshot = await loadFrom(tides());
      expect(await snapshot.readText('tides')).toEqual({ text: skillText('tides'), diagnostics: [] });
      expect((await snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
      expect(text(await snapshot.readFile('tides', 'references/guide.md'))).toBe('guide');
    });

    it('says what is wrong with the encoding of the whole file', async () => {
      const files = libraryOf([]);
      files.write('/user/tides/SKILL.md', new Uint8Array([...encodeUtf8(skillText('tides')), 0xff, 0x0a]));
      const { diagnostics } = await (await loadFrom(files)).readText('tides');
      expect(codesOf(diagnostics)).toEqual(['ENCODING_INVALID']);
    });

    it('refuses a SKILL.md that changed after the load, in any way', async () => {
      for (const change of ['write', 'touch', 'erase', 'replace'] as const) {
        const files = tides();
        const snapshot = await loadFrom(files);
        if (change === 'write')
          files.write('/user/tides/SKILL.md', skillText('tides').replace('need', 'want'));
        if (change === 'touch') files.touch('/user/tides/SKILL.md', 1n);
        if (change === 'erase') files.erase('/user/tides/SKILL.md');
        if (change === 'replace')
          await files.writeAtomic('/user/tides/SKILL.md', encodeUtf8(skillText('tides')), 0o644);
        expect([change, await codeOf(snapshot.readBody('tides'))]).toEqual([change, 'STALE']);
      }
    });

    it('refuses another file that changed after the load', async () => {
      const files = tides();
      const snapshot = await loadFrom(files);
      files.advance(5_000_000n);
      files.write('/user/tides/notes.txt', 'new');
      expect(await codeOf(snapshot.readFile('tides', 'notes.txt'))).toBe('STALE');
    });

    it.each([
      ['memory', false],
      ['blobs', true],
    ])('gives the same bytes again whatever happens to the disk, pinned in %s', async (_, withBlobs) => {
      const files = tides();
      const snapshot = await loadFrom(files, withBlobs ? { blobs: createMemoryBlobs(nodeSha256) } : {});
      const first = await snapshot.readFile('tides', 'notes.txt');
      await snapshot.readBody('tides');
      first.fill(0); // the bytes are the caller's: spoiling them must not spoil the pin
      files.advance(5_000_000n);
      files.write('/user/tides/notes.txt', 'new');
      files.erase('/user/tides/SKILL.md');
      expect(text(await snapshot.readFile('tides', 'notes.txt'))).toBe('notes');
      expect((await snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
    });

    it('holds what a manifest saw, also when only its digest was kept', async () => {
      const files = tides();
      files.tickNs = 0n; // so that the time of a change does not give it away
      const snapshot = await loadFrom(files);
      await snapshot.manifest('tides');
      files.write('/user/tides/notes.txt', 'other');
      expect(await codeOf(snapshot.readFile('tides', 'notes.txt'))).toBe('STALE');
      files.write('/user/tides/notes.txt', 'notes');
      expect(text(await snapshot.readFile('tides', 'notes.txt'))).toBe('notes');
    });

    it.each([
      ['memory', false],
      ['blobs', true],
    ])(
      'keeps all of a skill that is held, also when it is edited and deleted, in %s',
      async (_, withBlobs) => {
        const files = tides();
        const snapshot = await loadFrom(files, withBlobs ? { blobs: createMemoryBlobs(nodeSha256) } : {});
        const before = [await snapshot.listFiles('tides'), (await snapshot.manifest('tides')).digest];
        expect(await snapshot.hold()).toEqual([]);
        files.advance(5_000_000n);
        files.write('/user/tides/notes.txt', 'new');
        files.write('/user/tides/more.txt', 'more');
        files.erase('/user/tides/references/guide.md');
        files.erase('/user/tides/SKILL.md');
        expect(await snapshot.hold()).toEqual([]);
        expect((await snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
        expect(text(await snapshot.readFile('tides', 'notes.txt'))).toBe('notes');
        expect(text(await snapshot.readFile('tides', 'references/guide.md'))).toBe('guide');
        expect([await snapshot.listFiles('tides'), (await snapshot.manifest('tides')).digest]).toEqual(
          before,
        );
        expect(await codeOf(snapshot.readFile('tides', 'more.txt'))).toBe('STALE');
      },
    );

    it('holds only what is as it was found, and says what is not', async () => {
      const files = tides();
      const snapshot = await loadFrom(files);
      files.advance(5_000_000n);
      files.write('/user/tides/notes.txt', 'new');
      expect(await snapshot.hold()).toEqual(['tides']);
      files.erase('/user/tides/SKILL.md');
      expect((await snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
      expect(await codeOf(snapshot.readFile('tides', 'notes.txt'))).toBe('STALE');
    });

    it('has the gate judge what is held when it is handed out', async () => {
      const files = tides();
      const judged: string[] = [];
      const gate: ContentGate = {
        judge: async ({ path }) => {
          judged.push(path);
          return path === 'notes.txt' ? 'no notes' : null;
        },
      };
      const snapshot = await loadFrom(files, { gate });
      await snapshot.hold();
      expect(judged).toEqual([]);
      expect(await codeOf(snapshot.readFile('tides', 'notes.txt'))).toBe('CONTENT_REFUSED');
      await snapshot.readBody('tides');
      expect(judged).toEqual(['notes.txt', 'SKILL.md']);
    });

    it('shares one read between readers at the same time', async () => {
      const files = tides();
      let judged = 0;
      const gate: ContentGate = { judge: async () => ((judged += 1), null) };
      const snapshot = await loadFrom(files, { gate });
      const all = await Promise.all([1, 2, 3, 4].map(() => snapshot.readFile('tides', 'notes.txt')));
      expect(all.map(text)).toEqual(['notes', 'notes', 'notes', 'notes']);
      expect(new Set(all).size).toBe(4);
      await snapshot.readFile('tides', 'notes.txt');
      expect(judged).toBe(1);
    });

    it('lets the gate refuse', async () => {
      const gate: ContentGate = {
        judge: async ({ path }) => (path.endsWith('.py') ? 'no scripts here' : null),
      };
      const snapshot = await loadFrom(tides(), { gate });
      await expect(snapshot.readFile('tides', 'scripts/run.py')).rejects.toMatchObject({
        code: 'CONTENT_REFUSED',
        message: '"scripts/run.py" of the skill "tides" was refused: no scripts here',
      });
      expect(await codeOf(snapshot.readFile('tides', 'notes.txt'))).toBe('none');
      // The digest of a folder does not hand anything out.
      expect((await snapshot.manifest('tides')).files.length).toBe(4);
      expect(await codeOf(snapshot.readFile('tides', 'scripts/run.py'))).toBe('CONTENT_REFUSED');
    });

    it.each([
      '',
      '/etc/passwd',
      '../moon/SKILL.md',
      'a/../../x',
      'a//b',
      './notes.txt',
      'a\\b',
      'a\0b',
      'C:/x',
      '~/x',
    ])('refuses the path %j', async (path) => {
      expect(await codeOf((await loadFrom(tides())).readFile('tides', path))).toBe('PATH_UNSAFE');
    });

    it('refuses links that leave the folder, folders, special files, missing and denied ones', async () => {
      const files = tides();
      files.write('/else/secret', 'secret');
      files.link('/user/tides/out', '/else/secret');
      files.link('/user/tides/away', '/else');
      files.link('/user/tides/in', 'notes.txt');
      files.link('/user/tides/gone', 'nowhere');
      files.special('/user/tides/pipe');
      files.deny('/user/tides/references/guide.md');
      files.advance(10_000_000_000n);
      const snapshot = await loadFrom(files);
      const codes: Record<string, string> = {};
      for (const path of [
        'out',
        'away/secret',
        'in',
        'gone',
        'pipe',
        'scripts',
        'none',
        'references/guide.md',
      ])
        codes[path] = await codeOf(snapshot.readFile('tides', path));
      expect(codes).toEqual({
        out: 'PATH_UNSAFE',
        'away/secret': 'PATH_UNSAFE',
        in: 'none',
        gone: 'FILE_MISSING',
        pipe: 'FILE_DENIED',
        scripts: 'FILE_DENIED',
        none: 'FILE_MISSING',
        'references/guide.md': 'FILE_DENIED',
      });
    });

    it.each<[string, string, (files: ReturnType<typeof tides>) => void]>([
      [
        'a folder put in the place of another',
        'references/guide.md',
        (files) => {
          files.rename('/user/tides/references', '/user/tides/.old');
          files.rename('/user/tides/.other', '/user/tides/references');
        },
      ],
      [
        'a link turned elsewhere',
        'current/file',
        (files) => {
          files.erase('/user/tides/current');
          files.link('/user/tides/current', 'v2');
        },
      ],
      [
        'a link behind a link turned elsewhere',
        'latest/file',
        (files) => {
          files.erase('/user/tides/current');
          files.link('/user/tides/current', 'v2');
        },
      ],
      [
        'a skill folder put in the place of another',
        'notes.txt',
        (files) => {
          files.rename('/user/tides', '/user/.old');
          files.rename('/user/.other', '/user/tides');
        },
      ],
    ])('takes %s for a change', async (_, path, change) => {
      const files = tides();
      files.write('/user/tides/.other/guide.md', 'other');
      files.write('/user/tides/v1/file', 'one');
      files.write('/user/tides/v2/file', 'two');
      files.link('/user/tides/current', 'v1');
      files.link('/user/tides/latest', 'current');
      files.write('/user/.other/SKILL.md', skillText('tides'));
      files.write('/user/.other/notes.txt', 'other');
      files.advance(10_000_000_000n);
      const unchanged = await loadFrom(files);
      expect(await codeOf(unchanged.readFile('tides', path))).toBe('none');
      const snapshot = await loadFrom(files);
      files.advance(10_000_000_000n);
      change(files);
      expect(await codeOf(snapshot.readFile('tides', path))).toBe('STALE');
    });

    it('still reads what was there when something is added beside it', async () => {
      const files = tides();
      const snapshot = await loadFrom(files);
      files.advance(10_000_000_000n);
      files.write('/user/tides/output.txt', 'new');
      expect([
        await codeOf(snapshot.readFile('tides', 'notes.txt')),
        await codeOf(snapshot.readFile('tides', 'output.txt')),
      ]).toEqual(['none', 'STALE']);
    });

    it('refuses a file over the limit', async () => {
      const snapshot = await loadFrom(tides(), { config: { limits: { bytes: 6 } } });
      expect(await codeOf(snapshot.readFile('tides', 'scripts/run.py'))).toBe('FILE_LIMIT');
    });

    it('is not stuck after a fault', async () => {
      const files = tides();
      const snapshot = await loadFrom(files);
      files.failAt(1, 'io');
      expect(await codeOf(snapshot.readFile('tides', 'notes.txt'))).toBe('FILE_DENIED');
      expect(await codeOf(snapshot.readFile('tides', 'notes.txt'))).toBe('none');
    });
  });

  describe('listFiles', () => {
    it('names the files by path with their kind, and links without following them', async () => {
      const files = tides();
      files.link('/user/tides/assets/link', '/else');
      files.write('/user/tides/.git/config', 'x');
      expect(await (await loadFrom(files)).listFiles('tides')).toEqual([
        { path: 'assets/link', kind: 'assets', entry: 'link', size: 0 },
        { path: 'notes.txt', kind: 'other', entry: 'file', size: 5 },
        { path: 'references/guide.md', kind: 'references', entry: 'file', size: 5 },
        { path: 'scripts/run.py', kind: 'scripts', entry: 'file', size: 8 },
      ]);
    });

    it('ends with an entry that says so at the limit', async () => {
      const snapshot = await loadFrom(tides(), { config: { limits: { files: 2 } } });
      expect((await snapshot.listFiles('tides')).map(({ entry }) => entry)).toEqual(['file', 'file', 'cut']);
    });
  });

  describe('manifest', () => {
    it('has every file with size, mode and digest', async () => {
      const { files, digest } = await (await loadFrom(tides())).manifest('tides');
      expect(files.map(({ path, size, executable }) => [path, size, executable])).toEqual([
        ['SKILL.md', skillText('tides').length, false],
        ['notes.txt', 5, false],
        ['references/guide.md', 5, false],
        ['scripts/run.py', 8, true],
      ]);
      expect(files[1]?.sha256).toBe(nodeSha256('notes'));
      expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    });

    it('names links and what is left out, and says which links lead to what it does not cover', async () => {
      const files = tides();
      files.link('/user/tides/in', 'notes.txt');
      files.link('/user/tides/gone', 'nowhere');
      files.link('/user/tides/out', '/else');
      files.link('/user/tides/hidden', 'node_modules/x.js');
      files.write('/else/x', 'x');
      files.write('/user/tides/node_modules/x.js', 'x');
      files.write('/user/tides/notes.txt~', 'x');
      const { links, excluded } = await (await loadFrom(files)).manifest('tides');
      expect(links).toEqual([
        { path: 'gone', target: null, uncovered: false },
        { path: 'hidden', target: 'node_modules/x.js', uncovered: true },
        { path: 'in', target: 'notes.txt', uncovered: false },
        { path: 'out', target: null, uncovered: true },
      ]);
      expect(excluded).toEqual(['node_modules/', 'notes.txt~']);
    });

    it('is refused when a folder is listed and cannot be found', async () => {
      const files = tides();
      const list = files.list.bind(files);
      files.list = (path) =>
        path === '/user/tides/'
          ? [...(list(path) ?? []), { name: 'caf\uFFFD', kind: 'folder' as const }]
          : list(path);
      expect(await codeOf((await loadFrom(files)).manifest('tides'))).toBe('FILE_DENIED');
    });

    it('changes when a script, a mode or the target of a link does', async () => {
      const digests = await Promise.all([
        digestAfter(() => undefined),
        digestAfter((files) => files.write('/user/tides/scripts/run.py', 'print(2)')),
        digestAfter((files) => files.chmod('/user/tides/notes.txt', 0o755)),
        digestAfter((files) => {
          files.erase('/user/tides/link');
          files.link('/user/tides/link', 'references/guide.md');
        }),
      ]);
      expect(new Set(digests).size).toBe(4);
      expect(await digestAfter((files) => files.write('/user/tides/__pycache__/x.pyc', 'x'))).toBe(
        digests[0],
      );
    });

    it('is refused over the limits and for special files', async () => {
      expect(
        await codeOf((await loadFrom(tides(), { config: { limits: { files: 3 } } })).manifest('tides')),
      ).toBe('DIGEST_LIMIT');
      expect(
        await codeOf((await loadFrom(tides(), { config: { limits: { bytes: 70 } } })).manifest('tides')),
      ).toBe('DIGEST_LIMIT');
      const files = tides();
      files.special('/user/tides/pipe');
      expect(await codeOf((await loadFrom(files)).manifest('tides'))).toBe('FILE_DENIED');
    });
  });

  describe('with', () => {
    it('adds a skill from memory that is read, listed and digested as any other', async () => {
      const base = await loadFrom(tides());
      const snapshot = await base.with(
        treeOf('moon', { 'SKILL.md': skillText('moon'), 'scripts/run.py': 'x' }),
      );
      expect(namesOf(snapshot)).toEqual(['moon', 'tides']);
      expect(namesOf(base)).toEqual(['tides']);
      expect(snapshot.get('moon')).toMatchObject({
        source: 'workspace',
        origin: { kind: 'remote', from: 'proposal' },
      });
      expect((await snapshot.readBody('moon')).text).toBe('Look at the moon.\n');
      expect(text(await snapshot.readFile('moon', 'scripts/run.py'))).toBe('x');
      expect((await snapshot.listFiles('moon')).map(({ path }) => path)).toEqual(['scripts/run.py']);
      expect((await snapshot.manifest('moon')).files.length).toBe(2);
      expect((await snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
    });

    it('takes the place of the skill of its name, unless it is unusable', async () => {
      const base = await loadFrom(tides());
      const better = await base.with(treeOf('tides', { 'SKILL.md': skillText('tides', '', 'Better.') }));
      expect((await better.readBody('tides')).text).toBe('Better.\n');
      expect(better.shadowed.map(({ skill, reason }) => [skill.folder, reason])).toEqual([
        ['/user/tides', 'workspace comes before user'],
      ]);
      const worse = await base.with(treeOf('tides', { 'SKILL.md': '' }));
      expect(worse.get('tides').folder).toBe('/user/tides');
      expect(codesOf(worse.diagnostics)).toEqual(['SKILL_WINNER_UNUSABLE']);
    });

    it('has the digest that the same files on disk have', async () => {
      const onDisk = await loadFrom(tides());
      const tree = treeOf('tides', {
        'SKILL.md': skillText('tides'),
        'references/guide.md': 'guide',
        'notes.txt': 'notes',
      });
      const files = libraryOf(['/user/tides']);
      files.write('/user/tides/references/guide.md', 'guide');
      files.write('/user/tides/notes.txt', 'notes');
      expect((await (await onDisk.with(tree)).manifest('tides')).digest).toBe(
        (await (await loadFrom(files)).manifest('tides')).digest,
      );
    });

    it('takes the one skill of the tree, and says which it leaves out', async () => {
      const base = await loadFrom(tides());
      const snapshot = await base.with(
        treeOf('moon', { 'SKILL.md': skillText('moon'), 'tides/SKILL.md': skillText('tides') }),
      );
      expect(namesOf(snapshot)).toEqual(['moon', 'tides']);
      expect(snapshot.get('tides').folder).toBe('/user/tides');
      expect(codesOf(snapshot.diagnostics)).toEqual(['SKILL_NESTED']);
    });

    it.each<[string, Record<string, string>, string[]]>([
      ['an empty tree', {}, ['FOLDER_SKIPPED']],
      ['a tree without SKILL.md', { 'notes.txt': 'x' }, ['FOLDER_SKIPPED']],
      [
        'a tree with a skill further down only',
        { 'inner/SKILL.md': skillText('inner') },
        ['FOLDER_SKIPPED', 'SKILL_NESTED'],
      ],
    ])('says that nothing came of %s', async (_, contents, codes) => {
      const snapshot = await (await loadFrom(tides())).with(treeOf('moon', contents));
      expect([namesOf(snapshot), codesOf(snapshot.diagnostics)]).toEqual([['tides'], codes]);
    });

    it('refuses paths that exclude each other, and a tree that claims to be part of techne', async () => {
      const base = await loadFrom(tides());
      expect(
        await codeOf(base.with(treeOf('moon', { 'SKILL.md': skillText('moon'), a: 'x', 'a/b/c': 'y' }))),
      ).toBe('PATH_UNSAFE');
      expect(
        await codeOf(
          base.with({
            ...treeOf('moon', { 'SKILL.md': skillText('moon') }),
            origin: { kind: 'builtin', from: null },
          }),
        ),
      ).toBe('ORIGIN_REFUSED');
    });

    it('refuses names and paths that lead out', async () => {
      const base = await loadFrom(tides());
      expect(await codeOf(base.with(treeOf('../x', { 'SKILL.md': 'x' })))).toBe('PATH_UNSAFE');
      expect(await codeOf(base.with(treeOf('a/b', { 'SKILL.md': 'x' })))).toBe('PATH_UNSAFE');
      expect(await codeOf(base.with(treeOf('x', { '../y': 'x' })))).toBe('PATH_UNSAFE');
    });
  });
});
