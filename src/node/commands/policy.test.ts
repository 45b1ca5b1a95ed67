import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../config/merge-config.ts';
import type { Config } from '../../config/types.ts';
import { commandEnvironment } from './environment.ts';
import { allows, denies, parseCommandPattern } from './pattern.ts';
import { placesForFiles, placesToReach, placeToRun } from './places.ts';

describe('allows', () => {
  it.each<[string, string[], boolean]>([
    ['git status', ['git', 'status'], true],
    ['git status', ['git', 'status', '-s'], false],
    ['git status', ['git'], false],
    ['git diff ...', ['git', 'diff'], true],
    ['git diff ...', ['git', 'diff', '--', 'a b', ''], true],
    ['git diff **', ['git', 'diff', '-x'], true],
    ['git diff ...', ['git', 'difftool'], false],
    ['git diff ...', ['git'], false],
    ['ls *', ['ls', 'anything at all'], true],
    ['ls *', ['ls'], false],
    ['ls *', ['ls', 'a', 'b'], false],
    ['ls *', ['ls', ''], true],
    ['npm run test:*', ['npm', 'run', 'test:unit'], true],
    ['npm run test:*', ['npm', 'run', 'build'], false],
    ['cat src/*.ts', ['cat', 'src/a/b.ts'], true],
    ['cat src/*.ts', ['cat', 'src/a.ts.sh'], false],
    ['cat a*b*c', ['cat', 'abc'], true],
    ['cat a*b*c', ['cat', 'acb'], false],
    ['cat a*a', ['cat', 'a'], false],
    ['cat **x', ['cat', 'yx'], true],
    ['...', ['anything', 'goes'], true],
    ['**', ['anything'], true],
    ['*', ['anything'], true],
    ['*', ['any', 'thing'], false],
    ['git ... push', ['git', '...', 'push'], true],
    ['git ... push', ['git', 'x', 'push'], false],
    ['  git   status ', ['git', 'status'], true],
    // What is allowed by name is not allowed by another path.
    ['git ...', ['./git', 'status'], false],
    ['git ...', ['/tmp/git'], false],
    ['/usr/bin/git ...', ['/usr/bin/git', 'x'], true],
    ['git', ['GIT'], false],
    ['a.c', ['abc'], false],
    ['echo $(id)', ['echo', '$(id)'], true],
    ['echo ?', ['echo', 'x'], false],
  ])('%s / %j -> %s', (pattern, argv, expected) => {
    expect(allows(parseCommandPattern(pattern), argv)).toBe(expected);
  });

  it('does not take long, whatever the pattern', () => {
    const pattern = parseCommandPattern(`x ${'a*'.repeat(2000)}b`);
    const startedMs = performance.now();
    expect(allows(pattern, ['x', 'a'.repeat(100_000)])).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });
});

describe('denies', () => {
  it.each<[string, string[], boolean]>([
    ['rm ...', ['rm', '-rf', 'x'], true],
    ['rm ...', ['/bin/rm', '-rf', 'x'], true],
    ['rm ...', ['./rm'], true],
    ['rm ...', ['C:\\tools\\rm.exe', 'x'], true],
    ['rm ...', ['farm'], false],
    ['git push ...', ['/usr/bin/git', 'push'], true],
    ['git push ...', ['git', 'pull'], false],
    // A pattern that is written with a path or an ending denies what it names.
    ['/bin/rm ...', ['/bin/rm', 'x'], true],
    ['/bin/rm ...', ['rm', 'x'], false],
    ['rm.exe ...', ['C:\\tools\\rm.exe', 'x'], true],
    ['rm.exe ...', ['/tools/rm.exe'], true],
    ['rm ...', ['rm.EXE', 'x'], true],
    ['rm ...', ['rm.cmd'], true],
    ['rm ...', ['rm.exec'], false],
    // Not a boundary, and said to be none.
    ['rm ...', ['env', 'rm'], false],
  ])('%s / %j -> %s', (pattern, argv, expected) => {
    expect(denies(parseCommandPattern(pattern), argv)).toBe(expected);
  });
});

describe('commandEnvironment', () => {
  it('passes on what is listed, and nothing else', () => {
    const variables = {
      PATH: '/usr/bin:.::bin:/bin',
      HOME: '/home/a',
      LANG: 'C',
      LC_ALL: 'C',
      TZ: 'UTC',
      GITHUB_TOKEN: 's',
      AWS_SECRET_ACCESS_KEY: 's',
      SSH_AUTH_SOCK: '/run/s',
      LD_PRELOAD: '/x.so',
      NODE_OPTIONS: '-r x',
      CI: '1',
      BASH_ENV: 'x',
    };
    expect(commandEnvironment(variables, ['CI', 'LD_PRELOAD', 'MISSING'])).toEqual({
      PATH: '/usr/bin:/bin',
      HOME: '/home/a',
      LANG: 'C',
      LC_ALL: 'C',
      TZ: 'UTC',
      CI: '1',
    });
    expect(commandEnvironment({}, [])).toEqual({ PATH: '/usr/local/bin:/usr/bin:/bin' });
    expect(commandEnvironment({ PATH: '.', __proto__: 'x' as never }, [])).toEqual({
      PATH: '/usr/local/bin:/usr/bin:/bin',
    });
  });
});

describe('the places of a command', () => {
  let top: string;
  let workspace: string;
  let home: string;

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-places-')));
    [workspace, home] = [join(top, 'work'), join(top, 'home')];
    for (const folder of [
      workspace,
      home,
      join(workspace, 'sub'),
      join(workspace, 'out'),
      join(top, 'elsewhere'),
      join(home, '.techne'),
    ])
      mkdirSync(folder);
  });
  afterEach(() => rmSync(top, { recursive: true }));

  const options = (
    sandbox: Partial<Config['sandbox']> = {},
    where = workspace,
  ): Parameters<typeof placeToRun>[0] => ({
    workspace: where,
    homeFolder: home,
    sandbox: { ...defaultConfig().sandbox, ...sandbox },
  });

  it('are inside the workspace, by real path', () => {
    expect(placeToRun(options(), null)).toEqual({ ok: true, value: workspace });
    expect(placeToRun(options(), 'sub')).toEqual({ ok: true, value: join(workspace, 'sub') });
    expect(placeToRun(options(), 'sub/..')).toEqual({ ok: true, value: workspace });
    expect(placeToRun(options(), join(workspace, 'sub'))).toEqual({
      ok: true,
      value: join(workspace, 'sub'),
    });
    symlinkSync(workspace, join(top, 'link'));
    expect(placeToRun(options({}, join(top, 'link')), 'sub')).toEqual({
      ok: true,
      value: join(workspace, 'sub'),
    });
  });

  it.each([['..'], ['../elsewhere'], ['/'], ['sub/../../elsewhere'], ['out-link'], ['../work-too']])(
    'are not %s',
    (cwd) => {
      mkdirSync(join(top, 'work-too'));
      symlinkSync(join(top, 'elsewhere'), join(workspace, 'out-link'));
      expect(placeToRun(options(), cwd)).toEqual({
        ok: false,
        reason: `the folder "${cwd}" is outside the workspace "${workspace}" and every write root`,
      });
    },
  );

  it('are refused when they are not there', () => {
    expect(placeToRun(options(), 'no')).toEqual({ ok: false, reason: 'the folder "no" does not exist' });
    expect(placeToRun(options({}, '/no/such'), null)).toEqual({
      ok: false,
      reason: 'the working folder "/no/such" does not exist',
    });
    expect(placeToRun(options(), 'a\0b')).toEqual({
      ok: false,
      reason: 'the working folder holds a NUL character',
    });
  });

  it('may be a write root outside', () => {
    expect(placeToRun(options({ writeRoots: [join(top, 'elsewhere')] }), '../elsewhere')).toEqual({
      ok: true,
      value: join(top, 'elsewhere'),
    });
  });

  it('can be written to only where a root says so', () => {
    const limits = { processes: 4096, memoryBytes: 8192 * 1024 * 1024 };
    const skill = join(workspace, 'sub');
    expect(placesToReach(options(), skill)).toEqual({
      ok: true,
      value: { readRoots: [workspace], writeRoots: [workspace], protect: [skill], network: false, limits },
    });
    expect(placesToReach(options({ writeRoots: [] }), skill)).toEqual({
      ok: true,
      value: { readRoots: [workspace], writeRoots: [], protect: [skill], network: false, limits },
    });
    expect(placesToReach(options({ writeRoots: ['out', 'missing', 'out'] }), null)).toEqual({
      ok: true,
      value: {
        readRoots: [workspace],
        writeRoots: [join(workspace, 'out')],
        protect: [],
        network: false,
        limits,
      },
    });
    expect(placesToReach(options({ writeRoots: ['out', '.'] }), null)).toMatchObject({
      value: { writeRoots: [workspace] },
    });
    mkdirSync(join(home, 'tools'));
    expect(placesToReach(options({ readRoots: ['~/tools', '/no/such'] }), null)).toMatchObject({
      value: { readRoots: [workspace, join(home, 'tools')] },
    });
  });

  it('leave skills as they are, and the top of a workspace that lies in a write root', () => {
    expect(placesToReach({ ...options(), skillPlaces: ['/a/skills'] }, null)).toMatchObject({
      value: { hold: ['/a/skills'] },
    });
    expect(placesToReach(options({ writeRoots: [top] }, workspace), null)).toMatchObject({ ok: false });
    mkdirSync(join(top, 'around', 'inner'), { recursive: true });
    expect(
      placesToReach(options({ writeRoots: [join(top, 'around')] }, join(top, 'around', 'inner')), null),
    ).toMatchObject({
      value: { hold: expect.arrayContaining([join(top, 'around', 'inner', '.claude')]) as string[] },
    });
  });

  it('are for files what they are for commands', () => {
    expect(placesForFiles(options())).toEqual({ read: [workspace], write: [workspace] });
    expect(placesForFiles(options({ writeRoots: [] }))).toEqual({ read: [workspace], write: [] });
    expect(placesForFiles(options({ writeRoots: ['out', 'missing'] }))).toEqual({
      read: [workspace],
      write: [join(workspace, 'out')],
    });
    mkdirSync(join(home, 'notes'));
    expect(placesForFiles(options({ writeRoots: ['~/notes', join(top, 'elsewhere')] }))).toEqual({
      read: [workspace, join(home, 'notes'), join(top, 'elsewhere')],
      write: [join(home, 'notes'), join(top, 'elsewhere')],
    });
    symlinkSync(workspace, join(top, 'link'));
    expect(placesForFiles(options({}, join(top, 'link')))).toEqual({ read: [workspace], write: [workspace] });
  });

  it('are none for files where a command would see too much', () => {
    for (const where of [home, top])
      expect(placesForFiles(options({}, where))).toEqual({
        read: [where],
        write: [],
        refusal: `"${where}" holds your whole home folder, which a sandboxed command must not see; work in the folder of a project`,
      });
    expect(placesForFiles(options({ writeRoots: ['~'] }))).toMatchObject({
      write: [],
      refusal: expect.stringContaining('your whole home folder') as string,
    });
    expect(placesForFiles(options({ writeRoots: ['~/.techne'] }))).toMatchObject({
      write: [],
      refusal: expect.stringContaining('what you have trusted') as string,
    });
    expect(placesForFiles(options({}, '/etc'))).toMatchObject({
      write: [],
      refusal: '"/etc" is part of the system, which a sandboxed command must not see',
    });
    expect(placesForFiles(options({}, join(top, 'none')))).toMatchObject({
      write: [],
      refusal: `the working folder "${join(top, 'none')}" does not exist`,
    });
  });

  it('never show what a sandbox is there to hide', () => {
    const holdsHome = (root: string): string =>
      `"${root}" holds your whole home folder, which a sandboxed command must not see; work in the folder of a project`;
    expect(placesToReach(options({}, home), null)).toEqual({ ok: false, reason: holdsHome(home) });
    expect(placesToReach(options({}, top), null)).toEqual({ ok: false, reason: holdsHome(top) });
    expect(placesToReach(options({ readRoots: ['/'] }), null)).toEqual({ ok: false, reason: holdsHome('/') });
    expect(placesToReach(options({ readRoots: ['~/'] }), null)).toEqual({
      ok: false,
      reason: holdsHome(home),
    });
    for (const root of ['/proc', '/run', '/sys', '/dev', '/etc'])
      expect(placesToReach(options({ readRoots: [root] }), null)).toEqual({
        ok: false,
        reason: `"${root}" is part of the system, which a sandboxed command must not see`,
      });
  });

  it('never let git or techne be written to', () => {
    mkdirSync(join(workspace, '.git'));
    expect(placesToReach(options({ writeRoots: ['.git'] }), null)).toEqual({
      ok: false,
      reason: `"${join(workspace, '.git')}" cannot be a write root: what lies in it makes git run programs`,
    });
    expect(placesToReach(options({ writeRoots: ['~/.techne'] }), null)).toEqual({
      ok: false,
      reason: `"${join(home, '.techne')}" cannot be a write root: it holds what you have trusted and approved`,
    });
    symlinkSync(join(top, 'elsewhere'), join(workspace, 'away'));
    expect(placesToReach(options({ writeRoots: ['away'] }), null)).toEqual({
      ok: false,
      reason: `the write root "away" leads out of the workspace, to "${join(top, 'elsewhere')}"`,
    });
    writeFileSync(join(top, 'elsewhere', 'real.json'), '{}');
    symlinkSync('real.json', join(top, 'elsewhere', 'techne.json'));
    expect(placesToReach(options({ writeRoots: [join(top, 'elsewhere')] }), null)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('is a link') as string,
    });
  });

  it('have the network wholly or not at all', () => {
    expect(placesToReach(options({ network: ['*'] }), null)).toMatchObject({
      ok: true,
      value: { network: true },
    });
    expect(placesToReach(options({ network: ['example.org'] }), null)).toEqual({
      ok: false,
      reason:
        'sandbox.network names domains (example.org), and this sandbox cannot tell one domain from another; "*" opens the whole network, [] closes it',
    });
  });
});
