// Trees with entries that must not be taken: each has one good skill, and bytes "EVIL" wherever something is wrong.
import type { CraftedEntry } from './craft.ts';
import { skillText } from './craft.ts';

export interface HostileTree {
  readonly title: string;
  readonly entries: readonly CraftedEntry[];
}

const evil = 'EVIL';

/** Below the folder of a skill; each is a path that some machine would take for another place. */
const names: readonly (string | Buffer)[] = [
  '../escape',
  '../../escape',
  '../../../../../../etc/escape',
  'a/../../escape',
  'a/../../../escape',
  './../escape',
  '..',
  'a/..',
  'a/./b',
  'a//b',
  '..\\escape',
  'a\\..\\..\\escape',
  'scripts\\run.sh',
  'C:\\escape',
  'C:escape',
  'c:/escape',
  '\\\\server\\share\\escape',
  '\\escape',
  '~/escape:',
  'nul',
  'NUL',
  'NUL.txt',
  'con',
  'CON.md',
  'aux.c',
  'prn',
  'com1',
  'COM9.log',
  'lpt1.txt',
  'COM¹',
  'conin$',
  'scripts/nul',
  'nul/x.txt',
  'aux .txt',
  'trailing.',
  'trailing ',
  'folder./x',
  'folder /x',
  '... ',
  ' leading',
  'stream.txt:hidden',
  'SKILL.md::$DATA',
  'star*.md',
  'what?.md',
  'pipe|.md',
  'quote".md',
  'less<.md',
  'new\nline',
  'tab\tname',
  'carriage\rreturn',
  'esc\u001b[31mred',
  'del\u007fete',
  'bell\u0007',
  'c1\u0085control',
  'rtl\u202egpj.exe',
  'zero\u200bwidth',
  'bom\ufeffname',
  'line\u2028separator',
  'soft\u00adhyphen',
  'tag\u{e0041}name',
  '.git/config',
  '.git/hooks/post-checkout',
  '.GIT/config',
  '.Git/hooks/x',
  'git~1/config',
  'a/.git/config',
  'node_modules/x/index.js',
  Buffer.from([0x62, 0x61, 0x64, 0xff, 0xfe]),
  Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x78]),
  Buffer.from([0xed, 0xa0, 0x80]),
  'x'.repeat(256),
  `${'deep/'.repeat(40)}file`,
  `${'long-segment-name/'.repeat(25)}${'y'.repeat(200)}/${'z'.repeat(200)}/${'w'.repeat(200)}/end`,
];

/** Pairs that are one place on some machine; both are refused. */
const pairs: readonly (readonly [string, string])[] = [
  ['readme.md', 'README.md'],
  ['Docs/a.md', 'docs/b.md'],
  ['straße.md', 'STRASSE.md'],
  ['stra\u00dfe.md', 'strasse.md'],
  ['caf\u00e9.md', 'cafe\u0301.md'],
  ['\u212bngstrom.md', '\u00c5ngstrom.md'],
  ['\u212aelvin.md', 'kelvin.md'],
  ['\u017fong.md', 'song.md'],
  ['\ufb01le.md', 'file.md'],
  ['\u01c5.md', '\u01c6.md'],
  ['\u0130x.md', 'i\u0307x.md'],
  ['\u03a3.md', '\u03c2.md'],
  ['a', 'a/b'],
  ['A/b', 'a'],
  ['same.md', 'same.md'],
  ['e\u0301/x', '\u00e9/y'],
];

const kinds: readonly (readonly [string, readonly CraftedEntry[]])[] = [
  ['a link out of the tree', [{ name: 'skills/good/out', kind: 'link', target: '../../../../etc' }]],
  ['an absolute link', [{ name: 'skills/good/passwd', kind: 'link', target: '/etc/passwd' }]],
  ['a link inside the tree', [{ name: 'skills/good/alias.md', kind: 'link', target: 'SKILL.md' }]],
  [
    'a link, then a file through it',
    [
      { name: 'skills/good/dir', kind: 'link', target: '/tmp' },
      { name: 'skills/good/dir/escape', bytes: evil },
    ],
  ],
  [
    'a file and a link of one name',
    [
      { name: 'skills/good/x', kind: 'link', target: '/tmp/x' },
      { name: 'skills/good/x', bytes: evil },
    ],
  ],
  ['a link for the folder of the skill', [{ name: 'skills/other', kind: 'link', target: 'good' }]],
  ['a link for a SKILL.md', [{ name: 'skills/linked/SKILL.md', kind: 'link', target: '../good/SKILL.md' }]],
  ['a hard link', [{ name: 'skills/good/hard', kind: 'hard-link', target: '/etc/passwd' }]],
  [
    'a hard link, then a file of its name',
    [
      { name: 'skills/good/h', kind: 'hard-link', target: 'skills/good/SKILL.md' },
      { name: 'skills/good/h', bytes: evil },
    ],
  ],
  ['a device', [{ name: 'skills/good/null', kind: 'device' }]],
  ['a pipe', [{ name: 'skills/good/pipe', kind: 'fifo' }]],
  ['a submodule', [{ name: 'skills/good/module', kind: 'submodule' }]],
  ['a loop of links', [{ name: 'skills/good/loop', kind: 'link', target: 'loop' }]],
  ['a long target', [{ name: 'skills/good/far', kind: 'link', target: '../'.repeat(30) }]],
];

const good: CraftedEntry = { name: 'skills/good/SKILL.md', bytes: skillText('good') };

/** The names stand in the folder of the skill and, a second time, at the root. */
export const hostileTrees: readonly HostileTree[] = [
  ...names.flatMap((name): readonly HostileTree[] => {
    const title = typeof name === 'string' ? JSON.stringify(name.slice(0, 60)) : name.toString('hex');
    return [
      {
        title: `${title} in a skill`,
        entries: [
          good,
          { name: Buffer.concat([Buffer.from('skills/good/'), Buffer.from(name)]), bytes: evil },
        ],
      },
      { title: `${title} at the root`, entries: [good, { name, bytes: evil }] },
    ];
  }),
  { title: 'an absolute path', entries: [good, { name: '/tmp/techne-escape', bytes: evil }] },
  {
    title: 'an absolute path with two slashes',
    entries: [good, { name: '//tmp/techne-escape', bytes: evil }],
  },
  ...pairs.map(([a, b]): HostileTree => ({
    title: `${JSON.stringify(a)} and ${JSON.stringify(b)}`,
    entries: [good, { name: `skills/good/${a}`, bytes: evil }, { name: `skills/good/${b}`, bytes: evil }],
  })),
  ...kinds.map(([title, entries]): HostileTree => ({ title, entries: [good, ...entries] })),
];
