import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryOf, skillTree, treeOf } from '../../../test/support/hub-scene.ts';
import type { Resolved } from '../source/source.ts';
import type { LockEntry } from './lock.ts';
import { isSkillName, withEntries } from './lock.ts';
import { normalResolved, parseLock, renderLock } from './lock-text.ts';

const file = '/work/techne-lock.json';
const two = {
  version: 1,
  skills: [entryOf('a', skillTree('a', 'one')), entryOf('b', skillTree('b', 'one'))],
} as const;
const text = renderLock(two);

const faultOf = (given: string): string => {
  try {
    parseLock(given, file);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('renderLock', () => {
  it('writes one field and one file a line', () => {
    const tree = treeOf({ 'SKILL.md': 'x', 'run.sh!': 'y' });
    const lines = renderLock({ version: 1, skills: [entryOf('a', tree)] }).split('\n');
    expect(lines.slice(0, 8)).toEqual([
      '{',
      '  "version": 1,',
      '  "skills": {',
      '    "a": {',
      '      "source": "./source#a",',
      '      "resolved": {',
      '        "kind": "folder",',
      '        "path": "./source"',
    ]);
    expect(lines).toContain(
      '        "./SKILL.md": "644 1 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",',
    );
    expect(lines).toContain(
      '        "./run.sh": "755 1 a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa"',
    );
  });
});

describe('parseLock', () => {
  it('reads what renderLock wrote, whatever the resolved source, also with the line ends of Windows', () => {
    const texts = fc.string();
    const orNull = fc.option(texts);
    const resolved = fc.oneof(
      fc.record({ kind: fc.constant('folder' as const), path: texts }),
      fc.record({
        kind: fc.constant('git' as const),
        url: texts,
        ref: orNull,
        commit: texts,
        path: orNull,
        committedAt: orNull,
      }),
      fc.record({ kind: fc.constant('archive' as const), location: texts, digest: texts }),
      fc.record({
        kind: fc.constant('npm' as const),
        name: texts,
        version: texts,
        integrity: texts,
        tarball: texts,
        publishedAt: orNull,
      }),
      fc.record({
        kind: fc.constant('well-known' as const),
        index: texts,
        url: texts,
        digest: texts,
        version: orNull,
        publishedAt: orNull,
        publisher: fc.option(fc.record({ keyId: texts, trustedAs: orNull })),
      }),
      fc.record({ kind: fc.constant('mcp' as const), server: texts, uri: texts, digest: texts }),
    );
    const entry = fc
      .record({
        name: fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8})?$/).filter(isSkillName),
        source: texts,
        resolved: resolved as fc.Arbitrary<Resolved>,
        pinned: fc.boolean(),
        adopted: fc.boolean(),
        trusted: fc.boolean(),
        verdict: fc.constantFrom('clean' as const, 'caution' as const, 'incomplete' as const),
        rulesVersion: texts,
        files: fc.dictionary(fc.stringMatching(/^[a-z0-9_]{1,9}$/), texts),
      })
      .map(({ files, ...rest }): LockEntry => ({
        ...entryOf(rest.name, treeOf({ ...files, 'SKILL.md': '' })),
        ...rest,
        resolved: normalResolved(rest.resolved),
      }));
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 4 }), (entries) => {
        const lock = withEntries({ version: 1, skills: [] }, new Map(entries.map((one) => [one.name, one])));
        const written = renderLock(lock);
        const sorted = (one: { readonly skills: readonly LockEntry[] }): unknown =>
          one.skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
        expect(JSON.stringify(sorted(parseLock(written, file)))).toBe(JSON.stringify(sorted(lock)));
        expect(renderLock(parseLock(written.replaceAll('\n', '\r\n'), file))).toBe(written);
      }),
      { numRuns: 200 },
    );
  });

  it('names the line of what is wrong', () => {
    const sum = /"sum": "sha256:.*"/;
    const cases: readonly (readonly [string, string])[] = [
      [
        text.replace('  "skills": {\n', '<<<<<<< ours\n  "skills": {\n'),
        'line 3: it has the marks of a merge that is not resolved',
      ],
      [text.replace('"version": 1', '"version": 2'), 'line 2: its version is 2, and this techne knows 1'],
      [text.replace('"pinned": false', '"pinned": true'), 'the entry "a" was changed by hand or by a merge'],
      [text.replace('"./source#a"', '"./elsewhere#a"'), 'the entry "a" was changed by hand or by a merge'],
      [text.replace(sum, '"sum": "sha256:0"'), 'the entry "a" was changed by hand or by a merge'],
      [text.replace('"a": {', '"../a": {'), 'line 4: the entry "../a" is not the name of a skill'],
      [text.replace('"a": {', '"__proto__": {'), 'line 4: the entry "__proto__" is not the name of a skill'],
      [
        text.replace('"pinned": false', '"pinned": "no"'),
        'line 4: the entry "a" has no "pinned" that is true or false',
      ],
      [
        text.replace('"./SKILL.md"', '"./../SKILL.md"'),
        'line 4: the entry "a" has a file "./../SKILL.md" that is not inside it',
      ],
      [
        text.replace('"./SKILL.md": "644', '"./SKILL.md": "755'),
        'line 4: the entry "a" has files that do not give its "digest"',
      ],
      [
        text.replace('      "pinned": false,\n', '      "pinned": false,\n      "pinned": false,\n'),
        'line 12: it is not as techne writes it',
      ],
      [
        text.replace('"verdict": "clean"', '"verdict": "fine"'),
        'line 4: the entry "a" has an unknown "verdict"',
      ],
      [
        text.replace('"kind": "folder"', '"kind": "constructor"'),
        'line 4: the entry "a" has a "resolved" of an unknown kind',
      ],
      [text.replace('"pinned": false,', '"pinned": false'), 'line 12: a "," or "}" was expected here'],
      [`${text}\n`, 'it is not as techne writes it'],
      ['[]', 'line 1: it is not an object'],
      ['', 'line 1: '],
    ];
    for (const [given, wanted] of cases) {
      expect(given).not.toBe(text);
      expect(faultOf(given)).toContain(`the lock "${file}" cannot be used: line `);
      expect(faultOf(given)).toContain(wanted);
    }
  });

  it('takes no text in which a letter was changed, left out or added', () => {
    const taken: string[] = [];
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('x', '0', '"', '', '\n', ' ', '\u0000'),
        fc.boolean(),
        (at, letter, isInsert) => {
          const edited = text.slice(0, at) + letter + text.slice(isInsert ? at : at + 1);
          if (edited !== text && !faultOf(edited).includes('cannot be used')) taken.push(edited);
        },
      ),
      { numRuns: 500 },
    );
    expect(taken).toEqual([]);
  });

  it('notices an entry that a merge mixed from two versions', () => {
    const other = { ...(two.skills[0] as LockEntry), source: './theirs', pinned: true };
    const theirs = renderLock({ version: 1, skills: [other, two.skills[1] as LockEntry] }).split('\n');
    const mixed = text
      .split('\n')
      .map((line, at) => (line.includes('"pinned"') && at < 20 ? (theirs[at] as string) : line));
    expect(faultOf(mixed.join('\n'))).toContain('the entry "a" was changed by hand or by a merge');
  });

  it('merges entries of two branches that are beside each other', () => {
    const left = renderLock(withEntries(two, new Map([['c', entryOf('c', skillTree('c', 'one'))]])));
    expect(parseLock(left, file).skills.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });
});
