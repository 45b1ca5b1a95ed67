import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isExcluded, manifestOf } from './resources.ts';
import { bodyVersion } from './body/parse-body.ts';

const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');
const file = (path: string, content = path, executable = false) => ({
  path,
  size: content.length,
  executable,
  sha256: sha256(content),
});

describe('manifestOf', () => {
  it('hashes the documented text', () => {
    const manifest = manifestOf([file('b'), file('a', 'x', true)], sha256);
    expect(manifest.files.map((one) => one.path)).toEqual(['a', 'b']);
    expect(manifest.digest).toBe(
      `sha256:${sha256(`techne-manifest 1\n${sha256('x')} 1 x a\0${sha256('b')} 1 - b\0`)}`,
    );
  });

  it('does not depend on the order of listing, and sorts by code unit', () => {
    const files = ['a/b', 'a-b', 'B', 'é', 'a'].map((path) => file(path));
    expect(manifestOf(files, sha256).files.map((one) => one.path)).toEqual(['B', 'a', 'a-b', 'a/b', 'é']);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(files, { minLength: files.length }),
        (shuffled) => manifestOf(shuffled, sha256).digest === manifestOf(files, sha256).digest,
      ),
    );
  });

  it.each([
    ['content', [file('a', 'y')]],
    ['executable bit', [file('a', 'x', true)]],
    ['path', [file('b', 'x')]],
    ['another file', [file('a', 'x'), file('b')]],
    ['no file', []],
  ])('changes with the %s', (_, files) => {
    expect(manifestOf(files, sha256).digest).not.toBe(manifestOf([file('a', 'x')], sha256).digest);
  });
});

describe('isExcluded', () => {
  it.each([
    '.git',
    '.git/config',
    'scripts/__pycache__/a.txt',
    'a.pyc',
    '.DS_Store',
    'x/.DS_Store',
    'node_modules/a/b.js',
    '.SKILL.md.swp',
    'SKILL.md~',
    '.#SKILL.md',
    '#SKILL.md#',
  ])('leaves out %s', (path) => {
    expect(isExcluded(path)).toBe(true);
  });
  it.each(['SKILL.md', '.gitignore', 'gitx', 'scripts/a.py', 'a.pyc.txt', 'notes#1.md', '.env'])(
    'keeps %s',
    (path) => {
      expect(isExcluded(path)).toBe(false);
    },
  );
});

describe('bodyVersion', () => {
  it('is the start of the digest of the body', () => {
    expect(bodyVersion('abc', sha256)).toBe('ba7816bf8f01cfea');
  });
});
