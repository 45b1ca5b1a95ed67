import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, nameFault } from '../stage/check-names.ts';
import { judgeEntries } from './judge-entries.ts';
import type { ListedEntry } from './listing.ts';

const limits = { depth: 32, fileBytes: 1000 };
const file = (path: string, change: Partial<ListedEntry> = {}): ListedEntry => ({
  path,
  kind: 'file',
  size: 1,
  executable: false,
  fault: null,
  ...change,
});

describe('judgeEntries', () => {
  it('takes plain files, keeps what tools leave behind apart, and says why it refuses the others', () => {
    const { taken, leftOut, refused } = judgeEntries(
      [
        file('SKILL.md'),
        file('__pycache__/x.pyc'),
        file('a/node_modules/x/y.js'),
        file('a/node_modules/z.js'),
        file('big', { size: 1001 }),
        file('link', { kind: 'link' }),
        file('link/below'),
        file('socket', { kind: 'other' }),
        file('bad', { fault: 'its name is not UTF-8' }),
      ],
      limits,
    );
    expect([...taken.keys()]).toEqual(['SKILL.md']);
    expect([...leftOut.keys()]).toEqual(['__pycache__/x.pyc']);
    expect(refused).toEqual([
      { path: 'a/node_modules/', reason: 'the folder is never part of a skill' },
      { path: 'big', reason: 'it has 1001 bytes; the limit for a file is 1000' },
      { path: 'link', reason: 'links are not taken' },
      { path: 'socket', reason: 'it is neither a file nor a folder' },
      { path: 'bad', reason: 'its name is not UTF-8' },
      { path: 'link/below', reason: 'an entry that is not taken has the same name' },
    ]);
  });

  it('decides the same in every order', () => {
    const entries = [
      file('a'),
      file('A'),
      file('a/b'),
      file('x/Y/z'),
      file('X/y/z'),
      file('SKILL.md'),
      file('ß'),
      file('SS'),
    ];
    const keys = (given: readonly ListedEntry[]): readonly string[] =>
      [...judgeEntries(given, limits).taken.keys()].sort();
    expect(keys(entries)).toEqual(['SKILL.md']);
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (shuffled) => {
        expect(keys(shuffled)).toEqual(['SKILL.md']);
      }),
      { numRuns: 50 },
    );
  });
});

describe('nameFault', () => {
  it('accepts the names that skills have', () => {
    const names = [
      'SKILL.md',
      'scripts/run.sh',
      '.env.example',
      'référence/日本語.md',
      'a-b_c (1).txt',
      'x/.gitignore',
      '.gitattributes',
      'console.md',
      'com10',
    ];
    expect(names.map((name) => nameFault(name, 32))).toEqual(names.map(() => null));
  });

  it('refuses letters that are not composed, and devices with spaces', () => {
    expect(['e\u0301.md', 'con .txt', 'CLOCK$'].map((name) => nameFault(name, 32))).toEqual([
      'is not in the composed form of Unicode (NFC)',
      'has the name of a device',
      'has the name of a device',
    ]);
  });

  // scripts/fuzz-names.mjs runs the same with a million names.
  it('accepts no name that leaves a folder, on any machine', () => {
    fc.assert(
      fc.property(hostileName, (name) => {
        const isInside =
          posix.relative('/t', posix.resolve('/t', name)) === name &&
          win32.relative('C:\\t', win32.resolve('C:\\t', name)) === name.replaceAll('/', '\\');
        expect(nameFault(name, 32) !== null || isInside).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('foldName', () => {
  it('is the same for names that some file system takes for one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (name) => {
        const key = foldName(name);
        for (const other of [
          name.normalize('NFC'),
          name.normalize('NFD'),
          name.toUpperCase(),
          name.normalize('NFD').toLowerCase(),
        ])
          expect(foldName(other)).toBe(key);
      }),
      { numRuns: 5_000 },
    );
  });
});

const hostileName = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        ':',
        '~',
        'C:',
        'nul',
        'CON',
        ' ',
        '.git',
        '\0',
        '\u202e',
        '\uff0e',
        '\u2024',
        '%2e',
        'a',
        '\u0301',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
