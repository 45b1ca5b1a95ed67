import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.ts';
import type { CandidateTree, ChangeRequest } from './change-tree.ts';
import { candidateLimits, changeTree } from './change-tree.ts';

const skillText = '---\nname: tides\ndescription: Gives the tides.\n---\n\nLook up the tide. Then say it.\n';
const base: CandidateTree = new Map([
  ['SKILL.md', { bytes: encodeUtf8(skillText), executable: false }],
  ['scripts/look.sh', { bytes: encodeUtf8('echo 1\n'), executable: true }],
  ['assets/x.bin', { bytes: new Uint8Array([0xff, 0xfe, 0]), executable: false }],
]);
const edit = (change: Partial<Extract<ChangeRequest, { kind: 'edit' }>>): ChangeRequest => ({
  kind: 'edit',
  skill: 'tides',
  patches: [],
  files: [],
  ...change,
});
const create = (files: readonly { path: string; text: string | null }[], skill = 'moon'): ChangeRequest => ({
  kind: 'create',
  skill,
  files,
});
const textOf = (tree: CandidateTree | null, path: string): string =>
  decodeUtf8(tree?.get(path)?.bytes ?? new Uint8Array()).text;

describe('changeTree', () => {
  it('patches exactly what is quoted, and keeps everything else', () => {
    const made = changeTree(
      base,
      edit({ patches: [{ path: 'SKILL.md', old: 'Then say', new: 'Then show' }] }),
    );
    expect(textOf(made, 'SKILL.md')).toBe(skillText.replace('Then say', 'Then show'));
    expect([made?.size, made?.get('scripts/look.sh')]).toEqual([3, base.get('scripts/look.sh')]);
  });

  it('takes whole files: new ones are not executable, others stay as they were, null removes one', () => {
    const made = changeTree(
      base,
      edit({
        files: [
          { path: 'scripts/look.sh', text: 'echo 2\n' },
          { path: 'scripts/new.sh', text: 'echo 3\n' },
          { path: 'assets/x.bin', text: null },
        ],
      }),
    );
    expect([...(made ?? [])].map(([path, { executable }]) => [path, executable])).toEqual([
      ['SKILL.md', false],
      ['scripts/look.sh', true],
      ['scripts/new.sh', false],
    ]);
  });

  it('renames by the name in the frontmatter', () => {
    const made = changeTree(base, { kind: 'rename', skill: 'tides', newName: 'sea-tides' });
    expect(textOf(made, 'SKILL.md')).toBe(skillText.replace('name: tides', 'name: sea-tides'));
  });

  it('gives nothing for a deletion', () => {
    expect(changeTree(base, { kind: 'delete', skill: 'tides' })).toBeNull();
  });

  it.each<[string, CandidateTree | null, ChangeRequest, string]>([
    [
      'an old text that is not there',
      base,
      edit({ patches: [{ path: 'SKILL.md', old: 'sun', new: '' }] }),
      'the old text is not in "SKILL.md"',
    ],
    [
      'an old text that is there twice',
      base,
      edit({ patches: [{ path: 'SKILL.md', old: 'ide', new: '' }] }),
      'the old text stands more than once in "SKILL.md"',
    ],
    [
      'overlapping places',
      new Map([...base, ['a', { bytes: encodeUtf8('aaa'), executable: false }]]),
      edit({ patches: [{ path: 'a', old: 'aa', new: '' }] }),
      'the old text stands more than once in "a"',
    ],
    [
      'an empty old text',
      base,
      edit({ patches: [{ path: 'SKILL.md', old: '', new: 'x' }] }),
      'the old text of a patch of "SKILL.md" is empty',
    ],
    [
      'a patch of nothing',
      base,
      edit({ patches: [{ path: 'no.md', old: 'a', new: 'b' }] }),
      'there is no file "no.md" to patch',
    ],
    [
      'a patch of bytes',
      base,
      edit({ patches: [{ path: 'assets/x.bin', old: 'a', new: 'b' }] }),
      '"assets/x.bin" is not UTF-8 text, so it cannot be patched',
    ],
    [
      'an edit that changes nothing',
      base,
      edit({ files: [{ path: 'scripts/look.sh', text: 'echo 1\n' }] }),
      'the edit changes nothing',
    ],
    [
      'an edit that removes SKILL.md',
      base,
      edit({ files: [{ path: 'SKILL.md', text: null }] }),
      'a skill needs a SKILL.md',
    ],
    [
      'an edit of no skill',
      null,
      edit({ files: [{ path: 'SKILL.md', text: 'x' }] }),
      'there is no skill "tides"',
    ],
    [
      'a new skill that exists',
      base,
      create([{ path: 'SKILL.md', text: 'x' }], 'tides'),
      'the skill "tides" exists',
    ],
    [
      'a new skill without SKILL.md',
      null,
      create([{ path: 'README.md', text: 'x' }]),
      'a skill needs a SKILL.md',
    ],
    [
      'a path out of the folder',
      null,
      create([
        { path: 'SKILL.md', text: 'x' },
        { path: '../evil/SKILL.md', text: 'x' },
      ]),
      '"../evil/SKILL.md" is not a path inside the skill',
    ],
    [
      'an absolute path',
      null,
      create([
        { path: 'SKILL.md', text: 'x' },
        { path: '/etc/passwd', text: 'x' },
      ]),
      '"/etc/passwd" is not a path inside the skill',
    ],
    [
      'a home path',
      null,
      create([
        { path: 'SKILL.md', text: 'x' },
        { path: '~/.bashrc', text: 'x' },
      ]),
      '"~/.bashrc" is not a path inside the skill',
    ],
    [
      'a file that manifests leave out',
      null,
      create([
        { path: 'SKILL.md', text: 'x' },
        { path: '.git/config', text: 'x' },
      ]),
      '".git/config" is a file that skills do not have',
    ],
    [
      'a file twice',
      null,
      create([
        { path: 'SKILL.md', text: 'x' },
        { path: 'SKILL.md', text: 'y' },
      ]),
      '"SKILL.md" is given twice',
    ],
    [
      'a name with a path in it',
      null,
      create([{ path: 'SKILL.md', text: 'x' }], '../tides'),
      '"../tides" cannot be the name of a skill',
    ],
    [
      'a name in capitals',
      null,
      create([{ path: 'SKILL.md', text: 'x' }], 'Tides'),
      '"Tides" cannot be the name of a skill',
    ],
    [
      'a rename to a path',
      base,
      { kind: 'rename', skill: 'tides', newName: '..' },
      '".." cannot be the name of a skill',
    ],
    [
      'too many bytes',
      null,
      create([{ path: 'SKILL.md', text: 'x'.repeat(candidateLimits.bytes + 1) }]),
      `a proposal may have at most ${candidateLimits.bytes} bytes`,
    ],
  ])('refuses %s', (_, from, request, message) => {
    expect(() => changeTree(from, request)).toThrow(
      expect.objectContaining({ code: 'PROPOSAL_REFUSED', message }),
    );
  });
});
