// Real repositories, with what a hostile one would have git start.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseBase } from './choose-base.ts';
import type { Git } from './git.ts';
import { openGit } from './git.ts';

let folder: string;
let repository: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-git-')));
  repository = join(folder, 'repository');
  mkdirSync(join(folder, 'started'));
  create(repository);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always'];
function git(cwd: string, ...argv: readonly string[]): string {
  const done = spawnSync('git', [...settings, ...argv], { cwd, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout.trim();
}

function create(path: string): void {
  mkdirSync(path, { recursive: true });
  git(path, 'init', '-q', '-b', 'main');
  writeFileSync(join(path, 'SKILL.md'), 'first\n');
  git(path, 'add', '-A');
  git(path, 'commit', '-q', '-m', 'first');
}

/** A command that would leave a file of this name. */
const leaves = (name: string): string => `touch ${join(folder, 'started', name)}; cat`;
const started = (): readonly string[] => readdirSync(join(folder, 'started'));
const variables = { PATH: process.env['PATH'] };

async function open(path = repository, more: { readonly [name: string]: string } = {}): Promise<Git> {
  const opened = await openGit(path, { ...variables, ...more });
  if ('fault' in opened) throw new Error(opened.fault);
  return opened;
}

describe('openGit', () => {
  it('starts no program that the repository names', async () => {
    appendFileSync(
      join(repository, '.git/config'),
      `[core]\n\tfsmonitor = "${leaves('fsmonitor')}"\n[diff]\n\texternal = "${leaves('external')}"\n` +
        `[diff "x"]\n\ttextconv = "${leaves('textconv')}"\n\tcommand = "${leaves('command')}"\n` +
        `[filter "x=y.z"]\n\tclean = "${leaves('clean')}"\n\trequired = true\n` +
        `[filter "p"]\n\tprocess = "${leaves('process')}"\n\trequired = true\n`,
    );
    writeFileSync(join(repository, '.gitattributes'), '*.md diff=x filter=p\n*.txt diff=x filter=x=y.z\n');
    writeFileSync(join(repository, 'SKILL.md'), 'other\n');
    const opened = await open();
    expect(await opened.changedSince('HEAD')).toEqual(
      ['SKILL.md', '.gitattributes'].map((name) => join(repository, name)),
    );
    expect([await opened.fileAt('HEAD', 'SKILL.md'), started()]).toEqual(['first\n', []]);
  });

  it('starts no program that a submodule names, and gives what is not committed in it', async () => {
    const inner = join(folder, 'inner');
    create(inner);
    writeFileSync(join(inner, '.gitattributes'), '*.md filter=evil\n');
    git(inner, 'add', '-A');
    git(inner, 'commit', '-q', '-m', 'attributes');
    git(repository, 'submodule', '--quiet', 'add', inner, 'inner');
    git(repository, 'commit', '-q', '-m', 'second');
    const file = join(repository, 'inner', 'SKILL.md');
    git(join(repository, 'inner'), 'config', 'filter.evil.clean', leaves('clean'));
    // Of the same size, so that only the content tells.
    writeFileSync(file, 'FIRST\n');
    const opened = await open();
    expect(await opened.changedSince('HEAD')).toEqual([file]);
    expect(await chooseBase(opened, null, {})).toEqual({
      everything: expect.stringContaining('nothing is uncommitted') as string,
    });
    expect(started()).toEqual([]);
  });

  it('keeps the settings of the environment', async () => {
    git(repository, 'config', 'filter.x.clean', leaves('clean'));
    const opened = await open(repository, {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'techne.test',
      GIT_CONFIG_VALUE_0: 'kept',
    });
    expect(await opened.ask(['config', 'techne.test'])).toEqual({ text: 'kept\n' });
    expect(await opened.ask(['config', 'filter.x.clean'])).toEqual({ text: '\n' });
  });

  it('fetches nothing where objects are missing', async () => {
    git(repository, 'config', 'uploadpack.allowFilter', 'true');
    const partial = join(folder, 'partial');
    git(folder, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${repository}`, partial);
    git(partial, 'config', 'remote.origin.uploadpack', leaves('uploadpack'));
    const opened = await open(partial);
    expect(await opened.fileAt('HEAD', 'SKILL.md')).toBe(null);
    expect(started()).toEqual([]);
  });

  it('takes a folder with the files of a repository for none', async () => {
    const bare = join(repository, 'skills');
    git(repository, 'init', '-q', '--bare', bare);
    git(bare, 'config', 'core.bare', 'false');
    git(bare, 'config', 'core.worktree', folder);
    expect(await openGit(bare, variables)).toEqual({ fault: expect.stringContaining('bare') as string });
  });

  it('gives a submodule with another commit, also where the repository says to ignore it', async () => {
    const inner = join(folder, 'inner');
    create(inner);
    git(repository, 'submodule', '--quiet', 'add', inner, 'inner');
    git(repository, 'config', '-f', '.gitmodules', 'submodule.inner.ignore', 'all');
    git(repository, 'add', '-A');
    git(repository, 'commit', '-q', '-m', 'second');
    git(join(repository, 'inner'), 'commit', '-q', '--allow-empty', '-m', 'third');
    expect(await (await open()).changedSince('HEAD')).toEqual([join(repository, 'inner')]);
  });
});
