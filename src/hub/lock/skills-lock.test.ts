import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryOf, treeOf, writeTo } from '../../../test/support/hub-scene.ts';
import { oddSkill } from '../../../test/support/odd-skill.ts';
import { computedHash, gitTreeId } from './foreign-hash.ts';
import { foreignEntry, mergeForeign, parseForeignLock } from './skills-lock.ts';

const odd = treeOf(oddSkill);

describe('computedHash', () => {
  it('is what skills 1.7.4 wrote for the same folder', () => {
    expect(computedHash(odd)).toBe('a35f00fc2604e3d5ed32a2797e4edfebe69a1fae6e4c4f9121c392c49716a7ce');
  });

  it('leaves out .git and node_modules, and nothing else', () => {
    const more = new Map([...odd, ...treeOf({ '.git/HEAD': 'x', 'lib/node_modules/y.js': 'y' })]);
    expect(computedHash(more)).toBe(computedHash(odd));
    expect(computedHash(new Map([...odd, ...treeOf({ node_modules: 'a file' })]))).not.toBe(
      computedHash(odd),
    );
  });
});

describe('gitTreeId', () => {
  it('is what git gives the folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'techne-tree-'));
    try {
      const texts = { ...oddSkill, 'a/b.md': 'x', 'a.b/c.md': 'y', 'a-b/d.sh!': 'z' };
      writeTo(folder, texts);
      const git = (...args: readonly string[]): string =>
        execFileSync('git', ['-c', 'core.autocrlf=false', ...args], { cwd: folder, encoding: 'utf8' }).trim();
      git('init', '-q');
      git('add', '-A', '-f');
      expect(gitTreeId(treeOf(texts))).toBe(git('write-tree'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const hash = 'ab'.repeat(32);
const lock = (skills: object, version = 1): string => JSON.stringify({ version, skills }, null, 2);

describe('parseForeignLock', () => {
  it('reads every kind of source as techne writes it', () => {
    const text = lock({
      a: { source: 'acme/skills', sourceType: 'github', skillPath: 'skills/a/SKILL.md', computedHash: hash },
      b: { source: 'acme/skills', sourceType: 'github', ref: 'feature/x', computedHash: hash },
      c: {
        source: 'x',
        sourceType: 'git',
        sourceUrl: 'https://git.example/x.git',
        ref: 'v1',
        computedHash: hash,
      },
      d: { source: './mine', sourceType: 'local', computedHash: hash },
      e: { source: 'skills.example', sourceType: 'well-known', computedHash: hash },
      f: { source: '@acme/kit', sourceType: 'node_modules', version: '1.2.3', computedHash: hash },
    });
    expect(parseForeignLock(text, 'x').entries.map(({ name, source }) => `${name} ${source}`)).toEqual([
      'a acme/skills',
      'b acme/skills#feature/x',
      'c https://git.example/x.git#v1',
      'd ./mine',
      'e https://skills.example',
      'f npm:@acme/kit@1.2.3',
    ]);
  });

  it('tells a tree of git from a hash of files in version 3', () => {
    const text = lock(
      {
        a: { source: 'acme/skills', sourceType: 'github', sourceUrl: 'u', skillFolderHash: 'c'.repeat(40) },
        b: { source: './x', sourceType: 'local', sourceUrl: './x', skillFolderHash: hash },
        c: { source: 'h', sourceType: 'well-known', sourceUrl: 'https://h', skillFolderHash: '' },
      },
      3,
    );
    const { format, entries } = parseForeignLock(text, 'x');
    expect([format, entries.map((entry) => entry.hash?.kind ?? null)]).toEqual([
      'skill-lock',
      ['tree', 'computed', null],
    ]);
  });

  it.each([
    ['{', 'line 1: it is not JSON'],
    ['{\n"version": 1,\n<<<<<<< ours\n', 'line 3: it has the marks of a merge'],
    [lock({}, 2), 'line 1: its version is neither 1'],
    ['{"version": 1, "skills": []}', 'line 1: "skills" is not an object'],
    [lock({ a: { source: 'x' } }), 'line 4: the skill "a" has no "source" or no "sourceType"'],
    [
      lock({ a: { source: 'x', sourceType: 'ftp', computedHash: hash } }),
      'line 4: the skill "a" comes from a "ftp"',
    ],
    [
      lock({ a: { source: 'x', sourceType: 'local', computedHash: 'zz' } }),
      'line 4: the skill "a" has a hash that is none',
    ],
  ])('does not take %j for an empty lock', (text, why) => {
    expect(() => parseForeignLock(text, 'skills-lock.json')).toThrow(
      `"skills-lock.json" cannot be used: ${why}`,
    );
  });
});

describe('mergeForeign', () => {
  const git = {
    kind: 'git',
    url: 'https://github.com/acme/skills.git',
    ref: 'v1',
    commit: 'a'.repeat(40),
    path: null,
    committedAt: null,
  } as const;
  const entry = { ...entryOf('odd', odd), resolved: git, path: 'skills/odd' };

  it('writes version 1 as its owner does, and keeps the entries of others', () => {
    const made = foreignEntry(entry, odd, 'skills-lock', '');
    expect(made).toEqual({
      source: 'acme/skills',
      sourceType: 'github',
      ref: 'v1',
      skillPath: 'skills/odd/SKILL.md',
      computedHash: computedHash(odd),
    });
    const theirs = { source: './z', sourceType: 'local', computedHash: hash, own: true };
    const text = mergeForeign(
      `${lock({ zebra: theirs })}\n`,
      'x',
      'skills-lock',
      new Map([['odd', made as object as never]]),
    );
    expect(JSON.parse(text)).toEqual({ version: 1, skills: { odd: made, zebra: theirs } });
    expect(text.endsWith('}\n')).toBe(true);
    expect(parseForeignLock(text, 'x').entries[0]).toEqual({
      name: 'odd',
      source: 'acme/skills#v1',
      hash: { kind: 'computed', value: computedHash(odd) },
    });
  });

  it('writes version 3 with the tree of git, and keeps when a skill was installed first', () => {
    const made = foreignEntry(entry, odd, 'skill-lock', '2026-01-02T00:00:00.000Z') as object as never;
    const before = JSON.stringify({
      version: 3,
      skills: { odd: { source: 's', sourceType: 'local', installedAt: '2025-01-01T00:00:00.000Z' } },
      dismissed: {},
    });
    const value = JSON.parse(mergeForeign(before, 'x', 'skill-lock', new Map([['odd', made]]))) as unknown;
    expect(value).toEqual({
      version: 3,
      skills: {
        odd: {
          source: 'acme/skills',
          sourceType: 'github',
          sourceUrl: 'https://github.com/acme/skills.git',
          ref: 'v1',
          skillPath: 'skills/odd/SKILL.md',
          skillFolderHash: gitTreeId(odd),
          installedAt: '2025-01-01T00:00:00.000Z',
          updatedAt: '2026-01-02T00:00:00.000Z',
        },
      },
      dismissed: {},
    });
  });

  it('has no word for archives', () => {
    const resolved = { kind: 'archive', location: './x.zip', digest: `sha256:${hash}` } as const;
    expect(foreignEntry({ ...entry, resolved }, odd, 'skills-lock', '')).toBe(null);
  });
});
