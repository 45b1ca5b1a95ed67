import { describe, expect, it } from 'vitest';
import { judgeMessage } from '../guard/judge-message.ts';
import { findExplicit, spellingKey } from './find-explicit.ts';

const known = ['release-notes', 'fam-42', 'pdf', '5', 'home', 'usr', 'deploy', 'x', 'AI短剧', 'quiet'];
const names = {
  has: (name: string) => known.includes(name),
  hasCommand: (name: string) => known.includes(name) && name !== 'quiet',
  spelled: (key: string) => known.find((name) => spellingKey(name) === key),
};
const found = (message: string): readonly string[] =>
  findExplicit(judgeMessage(message), names).map(({ skill }) => skill);

describe('findExplicit', () => {
  it.each<readonly [string, readonly string[]]>([
    ['/release-notes for 2.4', ['release-notes']],
    ["/pdf don't include images", ['pdf']],
    ['please /pdf this', ['pdf']],
    ['$deploy', ['deploy']],
    ['use ($deploy), then $pdf.', ['deploy', 'pdf']],
    ['$pdf and $deploy and $pdf', ['pdf', 'deploy']],
    ['$x', ['x']],
    ['Use the release-notes skill for 2.4.', ['release-notes']],
    ['use the Release Notes skill', ['release-notes']],
    ['use the "release notes" skill please', ['release-notes']],
    ['please use the skill `release-notes`', ['release-notes']],
    ['run release-notes', ['release-notes']],
    ['verwende den release-notes Skill', ['release-notes']],
    ['用 release-notes 技能', ['release-notes']],
    ['使用AI短剧技能', ['AI短剧']],
    ['use the pdf skill and the deploy skill', ['pdf', 'deploy']],
    [
      'use the pdf skill, the release notes skill and then the deploy skill',
      ['pdf', 'release-notes', 'deploy'],
    ],
    ['use the pdf and deploy skills', ['pdf', 'deploy']],
    ['run the pdf, "release notes" and deploy skills now', ['pdf', 'release-notes', 'deploy']],
    ['$quiet please', ['quiet']],
    ['run fam-42', ['fam-42']],
    ['use fam 42 for this', ['fam-42']],
    ['use the fam 42 skill', ['fam-42']],
    ['use the quiet skill', ['quiet']],
  ])('finds the name in %j', (message, skills) => {
    expect(found(message)).toEqual(skills);
  });

  it.each([
    'see /usr/bin',
    '/usr/bin/env x',
    'http://host/pdf',
    'and/or /pdf/x',
    '/unknown',
    'foo/pdf',
    'it costs $5',
    'foo$deploy',
    '$deploys',
    '$Deploy',
    '${deploy}',
    '$deploy=3',
    '\\$deploy',
    '$$deploy',
    'echo $home',
    'cd $home',
    '$deploy_x',
    '$deploy-',
    '"$deploy"',
    '`$deploy`',
    '```\n/pdf\n```',
    '> /pdf this',
    'Anna: $pdf\nBen: ok',
    "don't use the release-notes skill",
    'what does /pdf do?',
    'What does the release-notes skill do?',
    'He said "use the pdf skill"',
    'run pdf',
    'use fam 41',
    'use fam 421 for this',
    'it took fam 42 minutes',
    'use the unknown skill',
    '/quiet',
    'please /quiet this',
    "don't use the pdf and deploy skills",
    'use the pdf and unknown skills',
  ])('finds none in %j', (message) => {
    expect(found(message)).toEqual([]);
  });

  it('gives what follows a leading command, and the reason', () => {
    expect(findExplicit(judgeMessage(' /pdf  a.pdf --all '), names)).toEqual([
      {
        skill: 'pdf',
        mode: 'explicit',
        confidence: 1,
        variables: {},
        reason: 'called by name: /pdf',
        start: 1,
        end: 5,
        rest: 'a.pdf --all',
      },
    ]);
  });
});
