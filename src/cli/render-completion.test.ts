import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderBash, renderFish, renderZsh } from './render-completion.ts';

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-'));
  writeFileSync(join(folder, 'bash'), renderBash());
  writeFileSync(join(folder, 'zsh'), renderZsh());
  writeFileSync(join(folder, 'fish'), renderFish());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash would offer for a line of words; `techne __complete` is stood in for. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `techne() { [ "$1 $2" = "__complete skill" ] && printf 'alpha\\nbeta\\n'; }
source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _techne; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const done = spawnSync('bash', ['-c', script, 'bash', join(folder, 'bash'), 'techne', ...words], { cwd: folder, encoding: 'utf8' });
  if (done.stderr !== '') throw new Error(done.stderr);
  return done.stdout.split('\n').filter((word) => word !== '');
}

describe.skipIf(!has('bash'))('renderBash', () => {
  it('offers commands', () => {
    expect(offered('s')).toEqual(['show', 'search', 'schema']);
  });

  it('offers the names of skills', () => {
    expect(offered('show', 'a')).toEqual(['alpha']);
    expect(offered('--root', 'x', 'doctor', '')).toEqual(['alpha', 'beta']);
  });

  it('offers options of the command, and the values of an option', () => {
    expect(offered('check', '--f')).toEqual(['--format']);
    expect(offered('check', '--format', 's')).toEqual(['sarif']);
    expect(offered('new', '--form', 'c')).toEqual(['composition', 'chain']);
    expect(offered('help', 'do')).toEqual(['doctor']);
  });

  it('offers files where a path is meant', () => {
    expect([...offered('check', '')].sort()).toEqual(['bash', 'fish', 'zsh']);
  });
});

describe('renderZsh', () => {
  it('is kept as it is', async () => {
    await expect(renderZsh()).toMatchFileSnapshot('../../test/golden/completion/techne.zsh');
  });

  it.skipIf(!has('zsh'))('is valid zsh', () => {
    expect(spawnSync('zsh', ['-n', join(folder, 'zsh')], { encoding: 'utf8' }).stderr).toBe('');
  });
});

describe('renderFish', () => {
  it('is kept as it is', async () => {
    await expect(renderFish()).toMatchFileSnapshot('../../test/golden/completion/techne.fish');
  });

  it.skipIf(!has('fish'))('is valid fish', () => {
    expect(spawnSync('fish', ['-n', join(folder, 'fish')], { encoding: 'utf8' }).stderr).toBe('');
  });
});
