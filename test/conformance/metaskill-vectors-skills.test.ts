// T43 to T102, and those of T103 to T176 that concern what techne has: the cases that the first implementation of S0 tests
// frontmatter, names, discovery, files and comments with, in our own words. It refuses what it cannot read; techne loads it
// under the name of its folder and says what is wrong, and the strict check refuses it. The rows show both.
import { describe, expect, it } from 'vitest';
import { TechneError } from '../../src/base/error.ts';
import { defaultRoots } from '../../src/registry/discover/roots.ts';
import type { Snapshot } from '../../src/registry/snapshot.ts';
import { withoutComments } from '../../src/skill/parse-head.ts';
import { parseBody } from '../../src/skill/body/parse-body.ts';
import {
  bareEnvironment,
  configWith,
  libraryOf,
  loadFrom,
  namesOf,
  rootAt,
  skillText,
} from '../support/library.ts';
import type { MemoryLibrary } from '../support/library.ts';
import { readHead, strictFaults } from '../support/skill-texts.ts';

const file = (fields: string, body = 'Body.\n'): string => `---\n${fields}\n---\n${body}`;
const codes = (text: string): readonly string[] => [
  ...new Set(strictFaults(text).map((fault) => fault.split(' ')[0] as string)),
];

describe('frontmatter', () => {
  it.each([
    ['T43 plain scalars', 'name: tides\ndescription: Tells tides', 'Tells tides'],
    [
      'T44 double quotes with an address',
      'name: tides\ndescription: "See https://example.org: it tells"',
      'See https://example.org: it tells',
    ],
    [
      'T45 single quotes, with a quote as YAML doubles it',
      "name: tides\ndescription: 'it''s the sea'",
      "it's the sea",
    ],
    [
      'T48 an indented line goes on with a blank',
      'name: tides\ndescription: Tells\n  the tides',
      'Tells the tides',
    ],
    ['T49 a | block keeps its line ends', 'name: tides\ndescription: |\n  Tells\n  tides', 'Tells\ntides'],
    [
      'T56 unknown fields and what is below them are passed over',
      'name: tides\nother:\n  name: ebb\n  list: [1]\ndescription: Tells tides',
      'Tells tides',
    ],
    [
      'T57 a colon in a quoted value is kept',
      'name: tides\ndescription: "Use when: always"',
      'Use when: always',
    ],
  ])('%s', (_, fields, description) => {
    expect([readHead(file(fields)).head.name, readHead(file(fields)).head.description]).toEqual([
      'tides',
      description,
    ]);
  });

  it.each([
    ['T46 a quote that is never closed', 'name: tides\ndescription: "Tells', ['STRICT_FRONTMATTER']],
    ['T47 text after a quote', 'name: tides\ndescription: "Tells" tides', ['STRICT_FRONTMATTER']],
    ['T52 no name', 'description: d', ['STRICT_NAME']],
    ['T53 no description', 'name: tides', ['STRICT_DESCRIPTION']],
    ['T54 an empty name', 'name: ""\ndescription: d', ['STRICT_NAME']],
    ['T55 an empty description', 'name: tides\ndescription: ""', ['STRICT_DESCRIPTION']],
  ])('%s is an error of the strict check, and said when loading', (_, fields, expected) => {
    expect(codes(file(fields))).toEqual(expect.arrayContaining(expected));
    const { head, diagnostics } = readHead(file(fields));
    expect([head.name, diagnostics.length > 0]).toEqual(['tides', true]);
  });

  it.each([
    ['T50 no opening fence', 'name: tides\ndescription: d\n---\nBody.\n'],
    ['T51 no closing fence', '---\nname: tides\ndescription: d\n'],
  ])('%s is an error of the strict check, and said when loading', (_, text) => {
    expect(codes(text)).toContain('STRICT_FRONTMATTER');
    expect(readHead(text).diagnostics.map(({ code }) => code)).toContainEqual(
      expect.stringMatching(/^FRONTMATTER_(?:MISSING|UNCLOSED|FENCE)$/),
    );
  });

  it('T58 an empty body is empty text', () => {
    expect(parseBody(file('name: tides\ndescription: d', '')).text).toBe('');
  });
});

describe('names', () => {
  it.each([
    ['T59', 'pdf', true],
    ['T60', 'code-review', true],
    ['T61', 'a', true],
    ['T62', 'a'.repeat(64), true],
    ['T63', 'PDF', false],
    ['T64', '-pdf', false],
    ['T65', 'pdf-', false],
    ['T66', 'pdf--review', false],
    ['T67', 'a'.repeat(65), false],
    ['T68', 'pdf_review', false],
    ['T69', 'pdf.review', false],
  ])('%s the name %s', (_, name, fine) => {
    const faults = strictFaults(`---\nname: "${name}"\ndescription: d\n---\n`, { folderName: name });
    expect(faults).toEqual(fine ? [] : ['STRICT_NAME 2:7']);
  });

  it('T70 an empty name', () => {
    expect(strictFaults('---\nname: ""\ndescription: d\n---\n')).toEqual(['STRICT_NAME 2:7']);
  });

  it('T71 a name that is not that of the folder', () => {
    expect(strictFaults('---\nname: ebb\ndescription: d\n---\n')).toEqual(['STRICT_NAME 2:7']);
  });
});

/** `name source` of what is found, and codes of what is said. */
const seen = (snapshot: Snapshot): readonly string[] =>
  snapshot.skills.map(({ name, source }) => `${name} ${source}`);
const said = (snapshot: Snapshot): readonly string[] => snapshot.diagnostics.map(({ code }) => code);

describe('discovery', () => {
  const extra = rootAt('/extra', 'user');
  const project = rootAt('/project/skills', 'workspace');
  const load = (
    folders: readonly string[],
    roots = [project, extra],
    prepare: (files: MemoryLibrary) => void = () => {},
  ): Promise<Snapshot> => {
    const files = libraryOf(folders);
    prepare(files);
    files.advance(60_000_000_000n);
    return loadFrom(files, { roots });
  };

  it('T72 no folder: nothing', async () => {
    expect(namesOf(await load([]))).toEqual([]);
  });

  it('T73 an empty folder: nothing', async () => {
    expect(namesOf(await load([], [project], (files) => files.folder('/project/skills')))).toEqual([]);
  });

  it('T74 two skills: both', async () => {
    expect(seen(await load(['/project/skills/a', '/project/skills/b']))).toEqual([
      'a workspace',
      'b workspace',
    ]);
  });

  it('T75 another name than the folder: loaded as the folder, with a warning (differs: it is skipped there)', async () => {
    const snapshot = await load([], [project], (files) =>
      files.write('/project/skills/a/SKILL.md', skillText('b')),
    );
    expect([namesOf(snapshot), snapshot.get('a').diagnostics.map(({ code }) => code)]).toEqual([
      ['a'],
      ['NAME_NOT_FOLDER'],
    ]);
  });

  it("T76 a folder of the user's own outside the project: found, and of another source", async () => {
    expect(seen(await load(['/extra/x']))).toEqual(['x user']);
  });

  it('T77 the project goes before the extra folder, and says so', async () => {
    const snapshot = await load(['/project/skills/a', '/extra/a']);
    expect([seen(snapshot), said(snapshot)]).toEqual([['a workspace'], ['SKILL_SHADOWED']]);
  });

  it('T78 of two extra folders the first wins', async () => {
    const snapshot = await load(['/extra/a', '/more/a'], [extra, rootAt('/more', 'user')]);
    expect(snapshot.get('a').folder).toBe('/extra/a');
  });

  it('T79 an extra folder that is missing: nothing (a root that is named on the command line must exist)', async () => {
    expect(namesOf(await load([], [rootAt('/gone', 'user')]))).toEqual([]);
  });

  it('T80 an extra folder that is a file: a warning', async () => {
    expect(said(await load([], [extra], (files) => files.write('/extra', 'x')))).toEqual(['ROOT_INVALID']);
  });

  it('T81 SKILL.md that is not UTF-8: a warning (differs: it is skipped there)', async () => {
    const snapshot = await load([], [extra], (files) =>
      files.write(
        '/extra/a/SKILL.md',
        Uint8Array.of(
          ...new TextEncoder().encode('---\nname: a\ndescription: d '),
          0xe9,
          ...new TextEncoder().encode('\n---\nB.\n'),
        ),
      ),
    );
    expect(snapshot.get('a').diagnostics.map(({ code }) => code)).toContain('ENCODING_INVALID');
  });

  it('T82 an extra folder that is a skill itself', async () => {
    expect(namesOf(await load(['/extra'], [extra]))).toEqual(['extra']);
  });

  it('T83 folders that are skills and folders that hold skills', async () => {
    expect(namesOf(await load(['/one', '/many/a', '/many/b'], [rootAt('/one'), rootAt('/many')]))).toEqual([
      'a',
      'b',
      'one',
    ]);
  });

  it('T84 plugins/x/skills/y', async () => {
    expect(namesOf(await load(['/extra/plugins/x/skills/y'], [extra]))).toEqual(['y']);
  });

  it('T85 folders below a skill that are its resources are not searched', async () => {
    expect(namesOf(await load(['/extra', '/extra/references/inner'], [extra]))).toEqual(['extra']);
  });
});

describe('the usual folders', () => {
  const load = (
    folders: readonly string[],
    changes: Parameters<typeof configWith>[0] = {},
    prepare: (files: MemoryLibrary) => void = () => {},
  ): Promise<Snapshot> => {
    const files = libraryOf(folders);
    prepare(files);
    files.advance(60_000_000_000n);
    return loadFrom(files, {
      roots: defaultRoots({
        homeFolder: bareEnvironment.homeFolder,
        workspace: '/work',
        packageSkills: null,
        config: configWith(changes),
      }),
      config: changes,
    });
  };
  const winner = async (
    folders: readonly string[],
    changes: Parameters<typeof configWith>[0] = {},
  ): Promise<string> => (await load(folders, changes)).get('a').folder;
  const extra = { roots: { ...configWith({}).roots, user: ['/extra'] } };

  it('T86 .agents/skills of the project is found', async () => {
    expect(namesOf(await load(['/work/.agents/skills/a']))).toEqual(['a']);
  });

  it('T87 and counts as local', async () => {
    const { source, origin } = (await load(['/work/.agents/skills/a'])).get('a');
    expect([source, origin.kind]).toEqual(['workspace', 'local']);
  });

  it('T88 a link there that leads out of the project is not followed, and said (differs: it is external there)', async () => {
    const snapshot = await load(['/elsewhere/a'], {}, (files) =>
      files.link('/work/.agents/skills/a', '/elsewhere/a'),
    );
    expect([namesOf(snapshot), said(snapshot)]).toEqual([[], ['LINK_LEAVES_ROOTS']]);
  });

  it('T89 the own folder goes before .agents', async () => {
    expect(await winner(['/work/.techne/skills/a', '/work/.agents/skills/a'])).toBe('/work/.techne/skills/a');
  });

  it('T90 both together', async () => {
    expect(namesOf(await load(['/work/.techne/skills/a', '/work/.agents/skills/b']))).toEqual(['a', 'b']);
  });

  it('T91 a folder that is missing is fine', async () => {
    const snapshot = await load(['/work/.techne/skills/a']);
    expect([namesOf(snapshot), said(snapshot)]).toEqual([['a'], []]);
  });

  it('T92 .agents of the project goes before an extra folder', async () => {
    expect(await winner(['/work/.agents/skills/a', '/extra/a'], extra)).toBe('/work/.agents/skills/a');
  });

  it('T93 the same folder given twice is searched once, without a word', async () => {
    const snapshot = await load(['/work/.agents/skills/a'], {
      roots: { ...configWith({}).roots, workspace: ['.agents/skills'] },
    });
    expect([namesOf(snapshot), said(snapshot)]).toEqual([['a'], []]);
  });

  it('T94 the folder of the user is found', async () => {
    expect(seen(await load(['/home/me/.techne/skills/a']))).toEqual(['a user']);
  });

  it('T95 the project goes before it', async () => {
    expect(await winner(['/home/me/.techne/skills/a', '/work/.techne/skills/a'])).toBe(
      '/work/.techne/skills/a',
    );
  });

  it('T96 .agents of the project goes before it', async () => {
    expect(await winner(['/home/me/.techne/skills/a', '/work/.agents/skills/a'])).toBe(
      '/work/.agents/skills/a',
    );
  });

  it('T97 it goes before an extra folder of the user (differs: the documented order of roots decides)', async () => {
    expect(await winner(['/home/me/.techne/skills/a', '/extra/a'], extra)).toBe('/home/me/.techne/skills/a');
  });

  it('T98 it may be missing', async () => {
    expect(said(await load([]))).toEqual([]);
  });

  it('T99 it is searched once when it is given as an extra folder, too', async () => {
    const snapshot = await load(['/home/me/.techne/skills/a'], {
      roots: { ...configWith({}).roots, user: ['~/.techne/skills'] },
    });
    expect([namesOf(snapshot), said(snapshot)]).toEqual([['a'], []]);
  });

  it('T100 ~/.agents/skills is found', async () => {
    expect(namesOf(await load(['/home/me/.agents/skills/a']))).toEqual(['a']);
  });

  it('T101 the own folder of the user goes before ~/.agents', async () => {
    expect(await winner(['/home/me/.techne/skills/a', '/home/me/.agents/skills/a'])).toBe(
      '/home/me/.techne/skills/a',
    );
  });

  it('T102 ~/.agents goes before an extra folder of the user (differs, as T97)', async () => {
    expect(await winner(['/home/me/.agents/skills/a', '/extra/a'], extra)).toBe('/home/me/.agents/skills/a');
  });
});

describe('reading a skill', () => {
  const load = async (): Promise<Snapshot> => {
    const files = libraryOf(['/user/a']);
    files.write('/user/a/references/more.md', 'more');
    files.write('/user/secret', 'secret');
    files.link('/user/a/out', '/user/secret');
    files.advance(60_000_000_000n);
    return loadFrom(files);
  };
  const codeOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'read',
      (error: unknown) => (error instanceof TechneError ? error.code : 'threw'),
    );

  it('T104 an unknown name is an error with the name', async () => {
    await expect((await load()).readBody('ghost')).rejects.toMatchObject({
      code: 'SKILL_UNKNOWN',
      message: 'there is no skill "ghost"',
    });
  });

  it('T109 the supporting files are listed', async () => {
    expect((await (await load()).listFiles('a')).map(({ path }) => path)).toContain('references/more.md');
  });

  it('T111 a file below the skill can be read', async () => {
    expect(new TextDecoder().decode(await (await load()).readFile('a', 'references/more.md'))).toBe('more');
  });

  it('T112 .. cannot', async () => {
    expect(await codeOf((await load()).readFile('a', '../secret'))).toBe('PATH_UNSAFE');
  });

  it('T113 a link that leads out cannot', async () => {
    expect(await codeOf((await load()).readFile('a', 'out'))).toBe('PATH_UNSAFE');
  });

  it('T123 the catalog is sorted by name', async () => {
    expect(namesOf(await loadFrom(libraryOf(['/user/z', '/user/a', '/user/m'])))).toEqual(['a', 'm', 'z']);
  });
});

describe('comments', () => {
  it.each([
    ['T167 one', 'a <!-- b --> c', 'a  c'],
    ['T168 over several lines', 'a <!-- b\nc --> d', 'a  d'],
    ['T169 an empty one', 'a<!---->b', 'ab'],
    ['T170 none', 'a - b', 'a - b'],
    ['T171 several', '<!-- a -->b<!-- c -->d', 'bd'],
    ['T172 in a code fence, too', '```\n<!-- a -->\n```', '```\n\n```'],
    ['T173 one that is never closed is kept', 'a <!-- b', 'a <!-- b'],
  ])('%s', (_, text, without) => {
    expect(withoutComments(text)).toBe(without);
  });

  it('T174 the body is read as it is written, comments included (differs: they are taken out there)', () => {
    expect(parseBody(file('name: tides\ndescription: d', 'a <!-- b -->\n')).text).toBe('a <!-- b -->\n');
  });

  it('T175 the description is without them', () => {
    expect(readHead(file('name: tides\ndescription: "Tells <!-- x -->tides"')).head.description).toBe(
      'Tells tides',
    );
  });

  it('T176 a description of comments only is none: not usable, and said', () => {
    expect(readHead(file('name: tides\ndescription: "<!-- x -->"', '')).faults).toContainEqual(
      expect.stringMatching(/^DESCRIPTION_NONE/),
    );
  });
});
