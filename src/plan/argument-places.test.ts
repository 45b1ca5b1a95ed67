import { describe, expect, it } from 'vitest';
import { placesOfWords } from './argument-places.ts';

const x = '{{ x }}';
const last = (...words: readonly string[]): string => {
  const place = placesOfWords(words).at(-1);
  return `${place?.as}${place?.guarded === true ? ', guarded' : ''}`;
};

describe('placesOfWords', () => {
  it('reads the first word as the program, and the others as arguments', () => {
    expect(placesOfWords(['git', 'log', x])).toEqual([
      { as: 'program', guarded: false },
      { as: 'argument', guarded: false },
      { as: 'argument', guarded: false },
    ]);
    expect(placesOfWords([x], ['git'])).toEqual([{ as: 'argument', guarded: false }]);
  });

  it.each([
    ['--', ['rg', '--', x]],
    ['a word behind --', ['rg', '--', 'a', x]],
    ['an option that can take it', ['rg', '--path', x]],
    ['a short option', ['rg', '-e', x]],
  ])('is guarded by %s', (_what, words) => {
    expect(last(...words)).toBe('argument, guarded');
  });

  it.each([
    ['an option that has its value', ['rg', '--depth=1', x]],
    ['an option that may be anything', ['rg', `--${x}`, x]],
    ['a number', ['head', '-5', x]],
  ])('is not guarded by %s', (_what, words) => {
    expect(last(...words)).toBe('argument');
  });

  it.each([
    [['sh', '-c', x]],
    [['/bin/bash', '-lc', `ls ${x}`]],
    [['bash', '-o', 'pipefail', '-c', x]],
    [['env', 'A=1', 'sh', '-c', x]],
    [['docker', 'exec', 'box', 'sh', '-c', x]],
    [['python3.11', '-c', x]],
    [['python', '-W', 'ignore', '-c', x]],
    [['node', '-e', x]],
    [['node', `--eval=${x}`]],
    [['perl', '-ne', x]],
    [['sh', `-c${x}`]],
    [['ssh', 'host', 'ls', x]],
    [['ssh', 'host', '--', x]],
    [['cmd.exe', '/c', x]],
    [['pwsh', '-Command', x]],
  ])('is code in %j', (words) => {
    expect(last(...words)).toContain('code');
  });

  it.each([
    [['bash', 'build.sh', '-c', x]],
    [['python', 'x.py', '-e', x]],
    [['git', '-c', x]],
    [['sh', '-c', 'echo "$1"', 'sh', x]],
  ])('is an argument in %j', (words) => {
    expect(last(...words)).toContain('argument');
  });
});
