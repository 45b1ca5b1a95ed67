import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  codesOf,
  libraryOf,
  loadFrom,
  namesOf,
  rootAt,
  saidBy,
  skillText,
  viewOf,
} from '../../../test/support/library.ts';
import type { MemoryLibrary } from '../../../test/support/library.ts';
import type { HeadIndex } from '../cache/head-index.ts';
import type { Root } from '../types.ts';

const emptyIndex: HeadIndex = { load: () => new Map(), save: async () => undefined };
const within = (path: string): Root => ({ ...rootAt(path, 'workspace'), within: '/project' });
const placesIn = (snapshot: Awaited<ReturnType<typeof loadFrom>>): unknown[] =>
  snapshot.skills.map(({ name, folder, source, origin }) => [name, folder, source, origin.kind]);
const describedBy = (length: number): string =>
  `---\nname: long\ndescription: ${'a'.repeat(length)}\n---\nbody\n`;

describe('discover', () => {
  it('takes a folder with SKILL.md for a skill, at any depth up to the limit', async () => {
    const files = libraryOf(['/user/tides', '/user/sea/maps', '/user/a/b/c/deep']);
    const snapshot = await loadFrom(files);
    expect(namesOf(snapshot)).toEqual(['deep', 'maps', 'tides']);
    expect(snapshot.get('maps')).toMatchObject({
      folder: '/user/sea/maps',
      file: '/user/sea/maps/SKILL.md',
      source: 'user',
      description: 'Use when you need maps.',
    });
    expect(saidBy(snapshot)).toEqual([]);
  });

  it('takes a root that is itself a skill, and the skills inside it', async () => {
    const files = libraryOf(['/user/tides', '/user/tides/more/moon']);
    expect(namesOf(await loadFrom(files, { roots: [rootAt('/user/tides')] }))).toEqual(['moon', 'tides']);
  });

  it('does not look for skills in the folders that hold the parts of one', async () => {
    const files = libraryOf([
      '/user/tides',
      '/user/tides/assets/sample',
      '/user/tides/templates/x',
      '/user/tides/evals/y',
      '/user/tides/.git/z',
      '/user/tides/docs/inner',
    ]);
    const snapshot = await loadFrom(files);
    expect(namesOf(snapshot)).toEqual(['inner', 'tides']);
    expect(saidBy(snapshot)).toEqual([]);
  });

  it('lets a category or a skill have the name of a part folder', async () => {
    expect(namesOf(await loadFrom(libraryOf(['/user/templates/a', '/user/scripts'])))).toEqual([
      'a',
      'scripts',
    ]);
  });

  it('says which folders were too deep', async () => {
    const files = libraryOf(['/user/a/b/c', '/user/a/x']);
    const snapshot = await loadFrom(files, { config: { limits: { depth: 2 } } });
    expect(namesOf(snapshot)).toEqual(['x']);
    expect(snapshot.diagnostics).toEqual([
      {
        code: 'FOLDER_TOO_DEEP',
        severity: 'warning',
        path: '/user/a/b',
        span: null,
        message: '"c" was not searched: the limit is 2 folders below the root',
        hint: 'move the skills up, add the folder as a root, or raise limits.depth',
      },
    ]);
  });

  it('names the topmost folder without skills, and dot folders', async () => {
    const files = libraryOf(['/user/tides', '/user/.hidden/x', '/user/node_modules/y']);
    files.folder('/user/empty/below');
    files.write('/user/README.md', 'hello');
    expect(saidBy(await loadFrom(files))).toEqual([
      'FOLDER_SKIPPED /user/.hidden',
      'FOLDER_SKIPPED /user/empty',
      'FOLDER_SKIPPED /user/node_modules',
    ]);
  });

  it('treats a missing root as empty and says when a root is no folder', async () => {
    const files = libraryOf([]);
    files.write('/file', 'x');
    files.link('/gone', '/nowhere');
    const snapshot = await loadFrom(files, { roots: [rootAt('/missing'), rootAt('/file'), rootAt('/gone')] });
    expect(snapshot.skills).toEqual([]);
    expect(saidBy(snapshot)).toEqual(['ROOT_INVALID /file', 'LINK_BROKEN /gone']);
  });

  it('scans a root given twice, or reached by two names, once', async () => {
    const files = libraryOf(['/user/tides']);
    files.link('/same', '/user');
    const snapshot = await loadFrom(files, {
      roots: [rootAt('/user'), rootAt('/user'), rootAt('/same'), rootAt('/user/tides')],
    });
    expect(namesOf(snapshot)).toEqual(['tides']);
    expect([snapshot.shadowed, snapshot.diagnostics]).toEqual([[], []]);
  });

  it('loads a skill.md in another case, and says so', async () => {
    const files = libraryOf(['/user/tides']);
    files.write('/user/moon/skill.md', skillText('moon'));
    const snapshot = await loadFrom(files);
    expect(namesOf(snapshot)).toEqual(['moon', 'tides']);
    const said = snapshot.get('moon').diagnostics.map(({ code, path }) => `${code} ${path}`);
    expect([saidBy(snapshot), said]).toEqual([[], ['FILE_NAME_CASE /user/moon/skill.md']]);
    expect(snapshot.get('moon').file).toBe('/user/moon/skill.md');
    expect(new TextDecoder().decode(await snapshot.readFile('moon', 'SKILL.md'))).toBe(skillText('moon'));
  });

  describe('with one bad file', () => {
    const cases: readonly [string, string, (files: MemoryLibrary) => void][] = [
      [
        'a folder called SKILL.md',
        'FILE_NOT_A_FILE /user/bad/SKILL.md',
        (files) => files.folder('/user/bad/SKILL.md'),
      ],
      [
        'a special file called SKILL.md',
        'FILE_NOT_A_FILE /user/bad/SKILL.md',
        (files) => files.special('/user/bad/SKILL.md'),
      ],
      [
        'a denied SKILL.md',
        'FILE_UNREADABLE /user/bad/SKILL.md',
        (files) => {
          files.write('/user/bad/SKILL.md', skillText('bad'));
          files.deny('/user/bad/SKILL.md');
        },
      ],
      [
        'a denied folder',
        'FILE_UNREADABLE /user/bad',
        (files) => {
          files.folder('/user/bad');
          files.deny('/user/bad');
        },
      ],
      [
        'a SKILL.md over 4 MB',
        'FILE_TOO_LARGE /user/bad/SKILL.md',
        (files) => files.write('/user/bad/SKILL.md', new Uint8Array(5 * 1024 * 1024)),
      ],
      ['a link that leads nowhere', 'LINK_BROKEN /user/bad', (files) => files.link('/user/bad', 'nowhere')],
      ['a link to itself', 'LINK_BROKEN /user/bad', (files) => files.link('/user/bad', 'bad')],
      [
        'a link out of the roots',
        'LINK_LEAVES_ROOTS /user/bad',
        (files) => {
          files.write('/else/bad/SKILL.md', skillText('bad'));
          files.link('/user/bad', '/else/bad');
        },
      ],
      [
        'a SKILL.md that is a link out of the roots',
        'LINK_LEAVES_ROOTS /user/bad/SKILL.md',
        (files) => {
          files.write('/else/secret', 'x');
          files.link('/user/bad/SKILL.md', '/else/secret');
        },
      ],
      [
        'a SKILL.md that is a broken link',
        'LINK_BROKEN /user/bad/SKILL.md',
        (files) => files.link('/user/bad/SKILL.md', 'gone'),
      ],
      [
        'a SKILL.md that is a link to a folder',
        'FILE_NOT_A_FILE /user/bad/SKILL.md',
        (files) => files.link('/user/bad/SKILL.md', '../tides'),
      ],
    ];
    it.each(cases)('gives one diagnostic for %s and loads the rest', async (_, said, spoil) => {
      const files = libraryOf(['/user/tides', '/user/zebra']);
      spoil(files);
      const snapshot = await loadFrom(files);
      expect(namesOf(snapshot)).toEqual(['tides', 'zebra']);
      expect(saidBy(snapshot)).toEqual([said]);
      expect(snapshot.skills.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    });

    it('keeps an empty file as an invalid skill with one diagnostic', async () => {
      const files = libraryOf(['/user/tides']);
      files.write('/user/bad/SKILL.md', '');
      const snapshot = await loadFrom(files);
      expect(codesOf(snapshot.get('bad').diagnostics)).toEqual(['FILE_EMPTY']);
      expect(snapshot.facts(snapshot.get('bad')).ready.ok).toBe(false);
    });

    it('loads a file over 256 KB with a warning', async () => {
      const files = libraryOf([]);
      files.write('/user/long/SKILL.md', skillText('long', '', 'x'.repeat(300_000)));
      expect(codesOf((await loadFrom(files)).get('long').diagnostics)).toEqual(['FILE_LARGE', 'BODY_LONG']);
    });

    it('says that a folder is listed and cannot be found, as when its name is not valid UTF-8', async () => {
      for (const index of [null, emptyIndex]) {
        const files = libraryOf(['/user/tides']);
        const list = files.list.bind(files);
        files.list = (path) =>
          path === '/user'
            ? [...(list(path) ?? []), { name: 'caf\uFFFD', kind: 'folder' as const }]
            : list(path);
        const snapshot = await loadFrom(files, { index });
        expect([namesOf(snapshot), saidBy(snapshot)]).toEqual([
          ['tides'],
          ['FILE_UNREADABLE /user/caf\uFFFD'],
        ]);
      }
    });

    it('survives a fault at every single call of the file system', async () => {
      const folders = ['/user/tides', '/user/sea/maps', '/user/zebra'];
      const counted = libraryOf(folders);
      await loadFrom(counted);
      for (let call = 1; call <= counted.calls; call += 1) {
        const files = libraryOf(folders);
        files.failAt(call, call % 2 === 0 ? 'denied' : 'io');
        const snapshot = await loadFrom(files);
        const said = snapshot.diagnostics.filter(({ code }) => code === 'FILE_UNREADABLE').length;
        expect([snapshot.skills.length === 3, said], `call ${call}`).toEqual([
          said === 0,
          said === 0 ? 0 : 1,
        ]);
      }
    });
  });

  describe('with links', () => {
    const both = [rootAt('/user'), rootAt('/ws', 'workspace')];

    it('loads a skill that is linked from another root once, at its real place', async () => {
      const files = libraryOf(['/user/tides', '/user/maps']);
      files.link('/ws/tides', '/user/tides');
      files.link('/ws/renamed', '/user/maps');
      const snapshot = await loadFrom(files, { roots: both });
      expect(placesIn(snapshot)).toEqual([
        ['maps', '/user/maps', 'user', 'local'],
        ['tides', '/user/tides', 'user', 'local'],
      ]);
      expect(snapshot.shadowed).toEqual([]);
      expect(saidBy(snapshot)).toEqual(['SKILL_LINKED /ws/renamed', 'SKILL_LINKED /ws/tides']);
    });

    it('takes source and origin from the root that really contains what a link leads to', async () => {
      const files = libraryOf(['/plugin/.parked/tides']);
      files.link('/ws/mine', '/plugin/.parked/tides');
      const plugin: Root = {
        path: '/plugin',
        source: 'plugin',
        host: 'config',
        origin: { kind: 'plugin', from: '/plugin' },
      };
      const snapshot = await loadFrom(files, { roots: [plugin, rootAt('/ws', 'workspace')] });
      expect(placesIn(snapshot)).toEqual([['tides', '/plugin/.parked/tides', 'plugin', 'plugin']]);
    });

    it('does not lose what lies below a folder that a link reached first, cut off by the depth', async () => {
      const files = libraryOf(['/user/cat/sea/tides']);
      files.link('/ws/a/b/cat', '/user/cat');
      const snapshot = await loadFrom(files, { roots: both, config: { limits: { depth: 3 } } });
      expect(placesIn(snapshot)).toEqual([['tides', '/user/cat/sea/tides', 'user', 'local']]);
    });

    it('walks a root inside another under its own source, whichever comes first', async () => {
      const files = libraryOf(['/user/deep/tides', '/user/maps']);
      const inner: Root = {
        path: '/user/deep',
        source: 'plugin',
        host: 'config',
        origin: { kind: 'plugin', from: '/user/deep' },
      };
      for (const roots of [
        [inner, rootAt('/user')],
        [rootAt('/user'), inner],
      ]) {
        expect(placesIn(await loadFrom(files, { roots }))).toEqual([
          ['maps', '/user/maps', 'user', 'local'],
          ['tides', '/user/deep/tides', 'plugin', 'plugin'],
        ]);
      }
    });

    it('takes a folder that two roots lead to for the one that is no link', async () => {
      const files = libraryOf(['/user/tides']);
      files.link('/ws', '/user');
      expect(placesIn(await loadFrom(files, { roots: both }))).toEqual([
        ['tides', '/user/tides', 'user', 'local'],
      ]);
    });

    it('does not enter a root that leads out of the workspace it belongs to', async () => {
      const files = libraryOf(['/secret/tides', '/project/real/maps']);
      files.link('/project/.techne', '/secret');
      files.write('/secret/skills/moon/SKILL.md', skillText('moon'));
      files.link('/project/in', 'real');
      files.link('/project/all', '/');
      const snapshot = await loadFrom(files, {
        roots: [
          within('/project/.techne/skills'),
          within('/project/in'),
          within('/project/all'),
          within('/project/missing'),
        ],
      });
      expect(placesIn(snapshot)).toEqual([['maps', '/project/in/maps', 'workspace', 'local']]);
      expect(saidBy(snapshot)).toEqual([
        'LINK_LEAVES_ROOTS /project/.techne/skills',
        'LINK_LEAVES_ROOTS /project/all',
      ]);
    });

    it('enters a root outside when it is named as such, and a workspace that is itself a link', async () => {
      const files = libraryOf(['/else/tides', '/disk/project/skills/maps']);
      files.link('/mine', '/else');
      files.link('/project', '/disk/project');
      const snapshot = await loadFrom(files, {
        roots: [
          rootAt('/mine', 'workspace'),
          { ...rootAt('/project/skills', 'workspace'), within: '/project' },
        ],
      });
      expect([namesOf(snapshot), saidBy(snapshot)]).toEqual([['maps', 'tides'], []]);
    });

    it.each(['/', '/home', '/home/me', '/home/me/src'])(
      'does not follow links just because the root %s holds what they lead to',
      async (wide) => {
        const files = libraryOf(['/home/me/src/ws/tides']);
        files.write('/home/me/src/private/secret', 'secret');
        files.write('/home/me/src/private/.parked/moon/SKILL.md', skillText('moon'));
        files.link('/home/me/src/ws/bad/SKILL.md', '/home/me/src/private/secret');
        files.link('/home/me/src/ws/moon', '/home/me/src/private/.parked/moon');
        const snapshot = await loadFrom(files, {
          roots: [rootAt(wide), rootAt('/home/me/src/ws', 'workspace')],
        });
        expect([snapshot.has('bad'), snapshot.has('moon'), snapshot.get('tides').source]).toEqual([
          false,
          false,
          'workspace',
        ]);
        expect(saidBy(snapshot).filter((said) => said.startsWith('LINK'))).toEqual([
          'LINK_LEAVES_ROOTS /home/me/src/ws/bad/SKILL.md',
          'LINK_LEAVES_ROOTS /home/me/src/ws/moon',
        ]);
      },
    );

    it('prefers the real place to a link within one root', async () => {
      const files = libraryOf(['/user/tides']);
      files.link('/user/a-link', 'tides');
      expect(namesOf(await loadFrom(files))).toEqual(['tides']);
    });

    it('ends in a circle of links', async () => {
      const files = libraryOf(['/user/tides', '/user/sea/maps']);
      files.link('/user/sea/up', '..');
      files.link('/user/tides/self', '.');
      const snapshot = await loadFrom(files);
      expect(namesOf(snapshot)).toEqual(['maps', 'tides']);
      expect(saidBy(snapshot)).toEqual([]);
    });

    it('follows a SKILL.md that is a link to a file inside the roots', async () => {
      const files = libraryOf([]);
      files.write('/user/shared/text.md', skillText('tides'));
      files.link('/user/tides/SKILL.md', '../shared/text.md');
      const snapshot = await loadFrom(files);
      expect(namesOf(snapshot)).toEqual(['tides']);
      expect((await snapshot.readBody('tides')).text).toBe('Look at the moon.\n');
    });

    it('does not mind links to files', async () => {
      const files = libraryOf(['/user/tides']);
      files.write('/else/LICENSE', 'x');
      files.link('/user/LICENSE', '/else/LICENSE');
      expect(saidBy(await loadFrom(files))).toEqual([]);
    });
  });

  describe('reading heads', () => {
    it('reads on when the fence is further down', async () => {
      for (const length of [4000, 4060, 4066, 4067, 5000, 40_000, 255_000]) {
        const files = libraryOf([]);
        files.write('/user/long/SKILL.md', describedBy(length));
        expect((await loadFrom(files)).get('long').description.length, `${length}`).toBe(length);
      }
    });

    it('does not take a cut through a character for a fault', async () => {
      for (let pad = 0; pad < 8; pad += 1) {
        const files = libraryOf([]);
        files.write(
          '/user/long/SKILL.md',
          `---\nname: long\ndescription: ${'a'.repeat(pad)}${'€😀'.repeat(900)}\n---\n`,
        );
        const { diagnostics, description } = (await loadFrom(files)).get('long');
        expect(codesOf(diagnostics), `${pad}`).toEqual(['DESCRIPTION_TOO_LONG']);
        expect(description).toBe('a'.repeat(pad) + '€😀'.repeat(900));
      }
    });

    it('loads the YAML library only for files that need it', async () => {
      const files = libraryOf(['/user/tides']);
      files.write(
        '/user/odd/SKILL.md',
        '---\nname: odd\ndescription: >-\n  folded\n  text\nmetadata: {a: {b: [1, "x"]}}\n---\nbody\n',
      );
      const snapshot = await loadFrom(files);
      expect(snapshot.get('odd').head).toMatchObject({
        description: 'folded text',
        frontmatter: { metadata: { a: { b: [1, 'x'] } } },
      });
    });
  });

  it('does not depend on the order in which folders are listed', async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}(-[a-z]{1,2})?$/), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(names, names, async (first, second) => {
        const folders = [...first.map((name) => `/user/${name}`), ...second.map((name) => `/ws/cat/${name}`)];
        const roots = [rootAt('/user'), rootAt('/ws', 'workspace')];
        const one = await loadFrom(libraryOf(folders), { roots });
        const two = await loadFrom(libraryOf(folders.toReversed()), { roots });
        expect(placesOf(two)).toEqual(placesOf(one));
        expect(two.digest()).toBe(one.digest());
      }),
      { numRuns: 50 },
    );
  });

  it('gives the same twice', async () => {
    const files = libraryOf(['/user/tides', '/user/a/maps', '/user/b/maps']);
    expect(viewOf(await loadFrom(files))).toEqual(viewOf(await loadFrom(files)));
  });

  it('finds 10,000 skills in memory', async () => {
    const files = libraryOf(Array.from({ length: 10_000 }, (_, at) => `/user/s${at}`));
    const calls = files.calls;
    const snapshot = await loadFrom(files);
    expect(snapshot.skills.length).toBe(10_000);
    // Two calls for each skill and a handful for the root: nothing else is asked of the disk.
    expect(files.calls - calls).toBeLessThan(20_010);
  });
});

const placesOf = (snapshot: Awaited<ReturnType<typeof loadFrom>>): unknown => [
  snapshot.skills.map(({ file }) => file),
  snapshot.shadowed.map(({ skill, reason }) => [skill.file, reason]),
  snapshot.diagnostics,
];
