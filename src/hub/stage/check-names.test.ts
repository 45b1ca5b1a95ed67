import fc from 'fast-check';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSkillName } from '../lock/lock.ts';
import { foldName, refuseNames } from './check-names.ts';

describe('refuseNames', () => {
  it('takes ordinary trees', () => {
    expect(
      refuseNames(['SKILL.md', 'scripts/run.sh', 'scripts/a/b.py', '.env.example', 'références/é.md']),
    ).toBe(null);
  });

  it.each([
    ['../x', 'is not a path inside the skill'],
    ['/x', 'is not a path inside the skill'],
    ['C:/x', 'is not a path inside the skill'],
    ['a//b', 'is not a path inside the skill'],
    ['a\\b', 'is not a path inside the skill'],
    ['e\u0301.md', 'is not in the composed form of Unicode (NFC)'],
    ['a\uD800', 'is not valid Unicode'],
    ['nul', 'has the name of a device'],
    ['docs/COM1.txt', 'has the name of a device'],
    ['lpt¹', 'has the name of a device'],
    ['a.', 'has a name that begins or ends with a space, or ends with a dot'],
    ['a /b', 'has a name that begins or ends with a space, or ends with a dot'],
    ['a?b', 'has a character that names cannot have on some systems'],
    ['a:b', 'is not a path inside the skill'],
    ['．．', 'has a name that is a path on some systems'],
    ['a\u202Eb', 'has a character that cannot be seen'],
    ['.GIT/config', 'has a name that git reserves'],
    ['git~1', 'has a name that git reserves'],
    ['x'.repeat(300), 'has a name longer than 255 bytes'],
    [`${'x/'.repeat(20)}y`, 'is deeper than 16 folders'],
  ])('refuses %j: it %s', (path, why) => {
    expect(refuseNames(['SKILL.md', path])).toBe(`${JSON.stringify(path)} ${why}`);
  });

  it.each([
    ['a.md', 'A.md'],
    ['straße', 'strasse'],
    ['ﬁle', 'file'],
    ['straẞe', 'strasse'],
    ['Scripts/a', 'scripts/b'],
    ['a', 'a/b'],
    ['A', 'a/b'],
  ])('refuses %j beside %j, which are one name on some systems', (one, other) => {
    expect(refuseNames([one, other])).toContain('would be one file on some systems');
    expect(refuseNames([other, one])).toContain('would be one file on some systems');
  });

  it('takes no name that leaves the folder, of many generated ones', () => {
    const runs = process.env['TECHNE_SOAK'] === '1' ? 1_000_000 : 20_000;
    const part = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '',
        '~',
        'a',
        'A',
        'nul',
        'con.txt',
        ' ',
        'x.',
        '\\',
        '/',
        'C:',
        '\u0000',
        '%2e%2e',
        '．．',
        '…',
      ),
      fc.string({ maxLength: 4, unit: 'binary' }),
    );
    const path = fc
      .tuple(fc.array(part, { maxLength: 5 }), fc.constantFrom('/', '\\', ''))
      .map(([parts, by]) => parts.join(by));
    fc.assert(
      fc.property(path, (name) => {
        if (refuseNames([name]) !== null) return;
        const folder = '/skills/a';
        expect(resolve(folder, name).startsWith(`${folder}/`)).toBe(true);
        expect(join(folder, name)).toBe(`${folder}/${name}`);
        expect(foldName(name)).not.toMatch(/(?:^|\/)(?:\.\.?|nul|\.git)(?:\/|$)/);
      }),
      { numRuns: runs },
    );
  }, 600_000);
});

describe('isSkillName', () => {
  it('takes names of the standard, and no path or device', () => {
    const all = [
      'pdf',
      'a1',
      'release-notes',
      '1',
      '../x',
      'A',
      'a_b',
      '-a',
      'a-',
      'a--b',
      '',
      'nul',
      'com1',
      'a'.repeat(65),
      '__proto__',
      'a/b',
    ];
    expect(all.filter(isSkillName)).toEqual(['pdf', 'a1', 'release-notes', '1']);
  });
});
