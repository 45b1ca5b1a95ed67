// Hostile repositories against a real git: none of them makes anything run, and none leaves a file behind.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TechneError } from '../../src/base/error.ts';
import { parseSource } from '../../src/hub/source/parse-source.ts';
import { nodeLook } from '../../src/hub/source/look-at.ts';
import type { Fetched, Source } from '../../src/hub/source/source.ts';
import type { CraftedEntry } from '../support/hub/craft.ts';
import { commitCrafted, noGit, skillText } from '../support/hub/craft.ts';
import type { Bench } from '../support/hub/options.ts';
import { failure, fetchWith, openBench } from '../support/hub/options.ts';

const good: CraftedEntry = { name: 'skills/good/SKILL.md', bytes: skillText('good') };
type GitSource = Extract<Source, { kind: 'git' }>;

describe.skipIf(noGit)('a hostile repository', () => {
  let bench: Bench;
  let repository: string;
  let canary: string;
  beforeEach(() => {
    bench = openBench();
    repository = join(bench.folder, 'repository');
    canary = join(bench.folder, 'canary');
  });
  afterEach(() => {
    const left = [...bench.leftovers(), ...(existsSync(canary) ? ['the canary'] : [])];
    bench.close();
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
  });

  const source = (change: Partial<GitSource> = {}): GitSource => ({
    kind: 'git',
    url: `file://${repository}`,
    ref: null,
    path: null,
    treePath: null,
    skills: [],
    ...change,
  });
  const fetchIt = (change: Partial<GitSource> = {}): Promise<Fetched> => fetchWith(bench, source(change));
  const program = (path: string): void => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `#!/bin/sh\ntouch ${canary}\n`);
    chmodSync(path, 0o755);
  };
  const configure = (text: string): void =>
    writeFileSync(
      join(repository, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${text}`,
    );
  /** The names of what was taken, or the code of the refusal. */
  const outcome = async (work: Promise<Fetched>): Promise<string> => {
    try {
      return (await work).packages
        .map(({ name, files }) => `${name}: ${[...files.keys()].join(' ')}`)
        .join('\n');
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      return error.code;
    }
  };

  it('runs no hooks of the remote', async () => {
    commitCrafted(repository, [good]);
    for (const hook of [
      'post-checkout',
      'post-merge',
      'reference-transaction',
      'pre-receive',
      'post-index-change',
    ])
      program(join(repository, 'hooks', hook));
    expect(await outcome(fetchIt())).toBe('good: SKILL.md');
  });

  it('runs no command of the configuration of the remote', async () => {
    commitCrafted(repository, [good]);
    program(join(bench.folder, 'evil.sh'));
    const evil = join(bench.folder, 'evil.sh');
    configure(
      `\tfsmonitor = ${evil}\n\tsshCommand = ${evil}\n\tpager = ${evil}\n\teditor = ${evil}\n\talternateRefsCommand = ${evil}\n` +
        `[uploadpack]\n\tpackObjectsHook = ${evil}\n[credential]\n\thelper = !${evil}\n[gc]\n\tauto = 1\n`,
    );
    expect(await outcome(fetchIt())).toBe('good: SKILL.md');
  });

  it('uses no hooks, configuration or variables of the person', async () => {
    commitCrafted(repository, [good]);
    program(join(bench.folder, 'template/hooks/reference-transaction'));
    program(join(bench.folder, 'askpass'));
    const evil = join(bench.folder, 'askpass');
    writeFileSync(
      join(bench.folder, '.gitconfig'),
      `[init]\n\ttemplateDir = ${bench.folder}/template\n[core]\n\thooksPath = ${bench.folder}/template/hooks\n\tfsmonitor = ${evil}\n`,
    );
    const variables = {
      ...bench.options.variables,
      HOME: bench.folder,
      GIT_CONFIG_GLOBAL: join(bench.folder, '.gitconfig'),
      GIT_TEMPLATE_DIR: join(bench.folder, 'template'),
      GIT_EXEC_PATH: bench.folder,
      GIT_ASKPASS: evil,
      GIT_SSH_COMMAND: evil,
      GIT_PROXY_COMMAND: evil,
      GIT_EXTERNAL_DIFF: evil,
      GIT_TRACE: join(bench.folder, 'canary'),
      GIT_DIR: '/nowhere',
    };
    const other: Bench = { ...bench, options: { ...bench.options, variables } };
    expect(await outcome(fetchWith(other, source()))).toBe('good: SKILL.md');
  });

  it('fetches no submodule, whatever its name and address', async () => {
    const modules = (name: string, url: string, path: string): string =>
      `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${url}\n`;
    for (const [name, url, path] of [
      ['x', `ext::sh -c "touch ${canary}"`, 'skills/good/x'],
      ['x\r', `file://${bench.folder}/elsewhere`, 'skills/good/x\r'],
      ['../../hooks', `file://${bench.folder}/elsewhere`, 'skills/good/x'],
      ['y', '-u./evil.sh', 'skills/good/y'],
      ['z', `--upload-pack=touch ${canary}`, '-z'],
    ] as const) {
      repository = join(bench.folder, `sub-${name.length}-${path.length}`);
      commitCrafted(repository, [
        good,
        { name: '.gitmodules', bytes: modules(name, url, path) },
        { name: 'skills/good/x', kind: 'submodule' },
      ]);
      expect(await outcome(fetchIt())).toMatch(/^(?:good: SKILL\.md|SOURCE_DAMAGED)$/);
    }
  });

  it('refuses a .gitmodules that is a link', async () => {
    commitCrafted(repository, [good, { name: '.gitmodules', kind: 'link', target: '/etc/passwd' }]);
    expect(await outcome(fetchIt())).toBe('SOURCE_DAMAGED');
  });

  it('runs no filter, and replaces nothing in files', async () => {
    commitCrafted(repository, [
      good,
      {
        name: '.gitattributes',
        bytes: '* filter=evil diff=evil export-subst text eol=crlf ident working-tree-encoding=UTF-16\n',
      },
      { name: 'skills/good/x.txt', bytes: '$Format:%H$ $Id$\n' },
    ]);
    program(join(bench.folder, 'evil.sh'));
    configure(
      `[filter "evil"]\n\tsmudge = ${bench.folder}/evil.sh\n\tclean = ${bench.folder}/evil.sh\n\tprocess = ${bench.folder}/evil.sh\n\trequired = true\n`,
    );
    const fetched = await fetchIt();
    expect(Buffer.from(fetched.packages[0]?.files.get('x.txt')?.bytes ?? []).toString()).toBe(
      '$Format:%H$ $Id$\n',
    );
  });

  it('does not take the pointers of Git LFS for files', async () => {
    commitCrafted(repository, [
      good,
      { name: '.lfsconfig', bytes: '[lfs]\n\turl = http://127.0.0.1:1/\n' },
      {
        name: 'skills/good/big.bin',
        bytes: `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`,
      },
    ]);
    const [skill] = (await fetchIt()).packages;
    expect([...(skill?.files.keys() ?? [])]).toEqual(['SKILL.md']);
    expect(skill?.refused).toEqual([
      { path: 'skills/good/big.bin', reason: 'its content lies in Git LFS, which is not fetched' },
    ]);
  });

  it.each([
    '.git/config',
    '.git/hooks/post-checkout',
    '.GIT/config',
    'git~1/config',
    '..',
    '.',
    '.git\u200c/config',
  ])('takes no entry %j of a tree', async (name) => {
    commitCrafted(repository, [good, { name: `skills/good/${name}`, bytes: 'x' }]);
    expect(await outcome(fetchIt())).toMatch(/^(?:good: SKILL\.md|SOURCE_DAMAGED)$/);
  });

  it('takes no links, also not to a SKILL.md', async () => {
    commitCrafted(repository, [
      good,
      { name: 'skills/good/passwd', kind: 'link', target: '/etc/passwd' },
      { name: 'skills/linked', kind: 'link', target: '/etc' },
    ]);
    const fetched = await fetchIt();
    expect(fetched.packages.map(({ name, refused }) => ({ name, refused }))).toEqual([
      { name: 'good', refused: [{ path: 'skills/good/passwd', reason: 'links are not taken' }] },
    ]);
    expect(fetched.refused).toEqual([{ path: 'skills/linked', reason: 'links are not taken' }]);
  });

  it('refuses names that collide', async () => {
    commitCrafted(repository, [
      good,
      { name: 'skills/good/a.md', bytes: '1' },
      { name: 'skills/good/A.md', bytes: '2' },
    ]);
    expect(await outcome(fetchIt())).toBe('good: SKILL.md');
  });

  it.each([
    'ext::sh -c touch% CANARY',
    'fd::17',
    'ext::sh',
    '--upload-pack=touch CANARY',
    '-cfoo=bar',
    'http-evil://x/y',
  ])('does not even read the source %j', (text) => {
    const given = text.replace('CANARY', canary);
    expect(() => parseSource(given, bench.folder, nodeLook(bench.folder))).toThrow(TechneError);
  });

  it.each(['ext::sh -c touch% CANARY', 'fd::17', 'ftp://127.0.0.1/x'])(
    'gives git no transport %j, also not from a lock',
    async (url) => {
      expect((await failure(fetchIt({ url: url.replace('CANARY', canary) }))).code).toMatch(
        /^SOURCE_REFUSED$/,
      );
    },
  );

  it('takes a ref that looks like an option for a ref that is not there', async () => {
    commitCrafted(repository, [good]);
    for (const ref of ['--upload-pack=touch', '-x', '--exec=touch'])
      expect(await outcome(fetchIt({ ref }))).toBe('SOURCE_UNREACHABLE');
  });

  it('takes a folder that looks like an option for a folder that is not there', async () => {
    commitCrafted(repository, [good]);
    expect(await outcome(fetchIt({ path: '--upload-pack=x' }))).toBe('SOURCE_EMPTY');
    expect(await outcome(fetchIt({ path: ':(top)skills' }))).toBe('SOURCE_EMPTY');
  });

  it('says that a tag of the name of a branch is ambiguous', async () => {
    commitCrafted(repository, [good]);
    const other = commitCrafted(repository, [good, { name: 'x', bytes: 'y' }], 'refs/tags/main');
    const error = await failure(fetchIt({ ref: 'main' }));
    expect([error.code, error.hint]).toEqual([
      'SOURCE_AMBIGUOUS',
      expect.stringMatching(/^write "#refs\/heads\/main", or the full id/),
    ]);
    const fetched = await fetchIt({ ref: other });
    expect(fetched.packages[0]?.resolved).toMatchObject({ commit: other, ref: other });
  });

  it('stops at a tree of too many names', async () => {
    const many = Array.from({ length: 3000 }, (_, at): CraftedEntry => ({ name: `f${at}`, bytes: 'same' }));
    commitCrafted(repository, [good, ...many]);
    const small = openBench({}, { limits: { listed: 1000 } });
    expect((await failure(fetchWith(small, source()))).code).toBe('SOURCE_LIMIT');
    expect(small.leftovers()).toEqual([]);
    small.close();
  });

  it('does not use objects of elsewhere', async () => {
    commitCrafted(repository, [good]);
    mkdirSync(join(repository, 'objects/info'), { recursive: true });
    writeFileSync(join(repository, 'objects/info/alternates'), '/etc\n../../../../root\n');
    expect(await outcome(fetchIt())).toMatch(/^(?:good: SKILL\.md|SOURCE_\w+)$/);
  });

  it('says what a repository without a commit is', async () => {
    mkdirSync(repository);
    commitCrafted(repository, [good], 'refs/heads/other');
    writeFileSync(join(repository, 'HEAD'), 'ref: refs/heads/gone\n');
    expect((await failure(fetchIt())).message).toMatch(/has no default branch$/);
  });
});
