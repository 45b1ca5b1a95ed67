import { describe, expect, it } from 'vitest';
import { isSafeRelativePath, resourceKind } from './resources.ts';

describe('resourceKind', () => {
  it.each([
    ['scripts/a.py', 'scripts'],
    ['references/x/y.md', 'references'],
    ['assets/a', 'assets'],
    ['templates/t', 'templates'],
    ['scripts', 'other'],
    ['LICENSE', 'other'],
    ['evals/e.json', 'other'],
  ])('%s -> %s', (path, kind) => {
    expect(resourceKind(path)).toBe(kind);
  });
});

describe('isSafeRelativePath', () => {
  it.each(['a', 'a/b.md', '.hidden', 'a..b', 'ünï/x'])('accepts %j', (path) => {
    expect(isSafeRelativePath(path)).toBe(true);
  });
  it.each(['', '/a', 'a//b', 'a/', './a', '../a', 'a/../b', 'a\\b', 'a\0', 'C:x', '~/a', '..'])(
    'refuses %j',
    (path) => {
      expect(isSafeRelativePath(path)).toBe(false);
    },
  );
});
