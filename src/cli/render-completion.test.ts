import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipUnless } from '../../test/support/skip-unless.ts';
import { renderBash, renderFish, renderZsh } from './render-completion.ts';

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-'));
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'bash'), renderBash());
  writeFileSync(join(folder, 'zsh'), renderZsh());
  writeFileSync(join(folder, 'fish'), renderFish());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash would offer for a line of words; `techne __complete` is stood in for. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `techne() { [ "$1 $2" = "__complete skill" ] && printf 'alpha\\nbeta\\n'; [ "$1 $2" = "__complete run" ] && printf '01A\\n01B\\n'; [ "$1 $2" = "__complete executable" ] && printf 'alpha\\n'; [ "$1 $2 $3" = "__complete input alpha" ] && printf 'task=\\nn:=\\n'; [ "$1 $2" = "__complete waiting" ] && printf '01B\\n'; shift 2; printf '%s\\n' "$@" > sub/asked; }
source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _techne; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const done = spawnSync('bash', ['-c', script, 'bash', join(folder, 'bash'), 'techne', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (done.stderr !== '') throw new Error(done.stderr);
  return done.stdout.split('\n').filter((word) => word !== '');
}

/** The arguments that the line hands on to `techne __complete skill`. */
function asked(...words: readonly string[]): readonly string[] {
  offered(...words);
  return readFileSync(join(folder, 'sub/asked'), 'utf8').trimEnd().split('\n');
}

describe.skipIf(skipUnless(has('bash'), 'bash is not installed'))('renderBash', () => {
  it('offers commands', () => {
    expect(offered('s')).toEqual([
      'schema',
      'star',
      'show',
      'search',
      'scan',
      'skills',
      'studio',
      'serve',
      'schedule',
      'store',
    ]);
    expect(offered('ru')).toEqual(['run', 'runs']);
  });

  it('offers the commands of a group, and what each of them takes', () => {
    expect(offered('runs', 'r')).toEqual(['resume', 'replay', 'resolve']);
    expect(offered('--json', 'runs', 'sh')).toEqual(['show']);
    expect(offered('runs', 'show', '01')).toEqual(['01A', '01B']);
    expect(offered('runs', 'prune', '--o')).toEqual(['--older-than']);
    expect(offered('run', 'x', '--events', 'zs')).toEqual(['zsh']);
    expect([offered('runs', 'resolve', 'x', '--as', 'r'), offered('answer', 'x', '--as', '')]).toEqual([
      ['retry'],
      ['caller', 'person', 'operator'],
    ]);
    expect(offered('runs', '--status', 'ne')).toEqual(['needs_decision']);
    expect(offered('list', '--so')).toEqual(['--source']);
    expect(offered('help', 'run')).toEqual(['run', 'runs']);
  });

  it('offers what can be run, its inputs, who can answer, and runs that wait', () => {
    expect([offered('run', ''), offered('run', 'alpha', ''), offered('run', 'alpha', 't')]).toEqual([
      ['alpha'],
      ['task=', 'n:='],
      ['task='],
    ]);
    expect([
      offered('run', 'alpha', '--answer', 'm'),
      offered('answer', ''),
      offered('answer', '01B', '--ap'),
    ]).toEqual([['model'], ['01B'], ['--approve']]);
  });

  it('offers the names of skills', () => {
    expect(offered('show', 'a')).toEqual(['alpha']);
    expect(offered('--root', 'x', 'doctor', '')).toEqual(['alpha', 'beta']);
  });

  it('asks for the skills of the roots and the workspace on the line', () => {
    expect(asked('--root', 'x', 'show', 'a')).toEqual(['--root', 'x']);
    expect(asked('show', '--root', '=', 'x', '--workspace=w', 'a')).toEqual(['--root', 'x', '--workspace=w']);
    expect(asked('show', '--root', '$(touch x)', '--root', '~/y', 'a')).toEqual([
      '--root',
      '$(touch x)',
      '--root',
      `${process.env['HOME']}/y`,
    ]);
    expect(asked('trust', '--workspace', 'w', '')).toEqual(['--workspace', 'w']);
  });

  it('offers values behind "="', () => {
    expect(offered('check', '--format', '=', 's')).toEqual(['sarif']);
    expect(offered('check', '--format', '=')).toEqual(['text', 'json', 'sarif']);
    expect(offered('list', '--source', 'b')).toEqual(['builtin']);
  });

  it('offers skills and folders to trust', () => {
    expect([...offered('trust', '')].sort()).toEqual(['alpha', 'beta', 'sub']);
  });

  it('offers options of the command, and the values of an option', () => {
    expect(offered('check', '--fo')).toEqual(['--format']);
    expect(offered('check', '--format', 's')).toEqual(['sarif']);
    expect(offered('new', '--form', 'c')).toEqual(['composition', 'chain']);
    expect(offered('help', 'do')).toEqual(['doctor']);
  });

  it('offers files where a path is meant', () => {
    expect([...offered('check', '')].sort()).toEqual(['bash', 'fish', 'sub', 'zsh']);
  });
});

describe('renderZsh', () => {
  it('is kept as it is', async () => {
    await expect(renderZsh()).toMatchFileSnapshot('../../test/golden/completion/techne.zsh');
  });

  it.skipIf(skipUnless(has('zsh'), 'zsh is not installed'))('is valid zsh', () => {
    expect(spawnSync('zsh', ['-n', join(folder, 'zsh')], { encoding: 'utf8' }).stderr).toBe('');
  });
});

describe('renderFish', () => {
  it('is kept as it is', async () => {
    await expect(renderFish()).toMatchFileSnapshot('../../test/golden/completion/techne.fish');
  });

  it.skipIf(skipUnless(has('fish'), 'fish is not installed'))('is valid fish', () => {
    expect(spawnSync('fish', ['-n', join(folder, 'fish')], { encoding: 'utf8' }).stderr).toBe('');
  });
});
