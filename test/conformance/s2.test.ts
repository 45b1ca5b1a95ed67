// S2's testing list: validation, search and properties of a skill. Loader and merge rows are the registry's.
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { discoveryIndex, searchSkills } from '../../src/match/search.ts';
import { parseBody, bodyVersion } from '../../src/skill/body/parse-body.ts';
import { readHead, strictFaults } from '../support/skill-texts.ts';

const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');
const versionOf = (text: string): string => bodyVersion(parseBody(text).text, sha256);
const skill = (description: string, body: string) =>
  `---\nname: tides\ndescription: ${description}\n---\n\n${body}`;
const codes = (frontmatter: string): readonly string[] => [
  ...new Set(strictFaults(`---\n${frontmatter}\n---\nb\n`).map((fault) => fault.split(' ')[0] as string)),
];

describe('S2 frontmatter validation', () => {
  it.each([
    [
      'all six fields',
      'name: tides\ndescription: d\nlicense: MIT\ncompatibility: c\nmetadata:\n  a: b\nallowed-tools: Read Grep',
      [],
    ],
    ['a name that is not the folder', 'name: ebb\ndescription: d', ['STRICT_NAME']],
    ['an upper-case name', 'name: Tides\ndescription: d', ['STRICT_NAME']],
    ['a leading hyphen', 'name: -tides\ndescription: d', ['STRICT_NAME']],
    ['a trailing hyphen', 'name: tides-\ndescription: d', ['STRICT_NAME']],
    ['two hyphens', 'name: ti--des\ndescription: d', ['STRICT_NAME']],
    ['a name over 64', `name: ${'a'.repeat(65)}\ndescription: d`, ['STRICT_NAME']],
    ['no description', 'name: tides', ['STRICT_DESCRIPTION']],
    ['an empty description', 'name: tides\ndescription: ""', ['STRICT_DESCRIPTION']],
    ['a description over 1024', `name: tides\ndescription: ${'d'.repeat(1025)}`, ['STRICT_DESCRIPTION']],
    [
      'compatibility over 500',
      `name: tides\ndescription: d\ncompatibility: ${'c'.repeat(501)}`,
      ['STRICT_COMPATIBILITY'],
    ],
    ['metadata that is no mapping', 'name: tides\ndescription: d\nmetadata: x', ['STRICT_METADATA']],
    [
      'metadata with a nested value',
      'name: tides\ndescription: d\nmetadata:\n  a:\n    b: c',
      ['STRICT_METADATA'],
    ],
    [
      'metadata with coerced scalars',
      'name: tides\ndescription: d\nmetadata:\n  a: 1\n  b: true\n  c: 1.50',
      [],
    ],
  ])('%s', (_, frontmatter, expected) => {
    expect(codes(frontmatter)).toEqual(expected);
  });

  it('splits allowed-tools at spaces and gives metadata as text', () => {
    const { head } = readHead(
      '---\nname: tides\ndescription: d\nallowed-tools: Read Grep Bash(git *)\nmetadata:\n  a: 1\n  c: 1.50\n---\n',
    );
    expect([head.allowedTools, head.metadata]).toEqual([
      ['Read', 'Grep', 'Bash(git *)'],
      { a: '1', c: '1.50' },
    ]);
  });

  it('needs both delimiters', () => {
    expect(strictFaults('name: tides\ndescription: d\n')).toEqual(['STRICT_FRONTMATTER 1:1']);
    expect(strictFaults('---\nname: tides\ndescription: d\n')).toEqual(['STRICT_FRONTMATTER 1:1']);
  });
});

describe('S2 search and index', () => {
  const skills = [
    { name: 'tides', description: 'Tells when the sea ebbs.' },
    { name: 'sea-chart', description: 'Draws maps.' },
    { name: 'weather', description: 'Sea and sky.' },
  ];
  it('matches substrings of name and description, names first', () => {
    expect(searchSkills(skills, 'SEA').map((one) => one.name)).toEqual(['sea-chart', 'tides', 'weather']);
  });
  it('lists everything by name for an empty query, up to the limit', () => {
    expect(searchSkills(skills, '').map((one) => one.name)).toEqual(['sea-chart', 'tides', 'weather']);
    expect(searchSkills(skills, '', 1).map((one) => one.name)).toEqual(['sea-chart']);
  });
  it('gives pairs of name and description', () => {
    expect(discoveryIndex(skills)).toEqual([
      ['sea-chart', 'Draws maps.'],
      ['tides', 'Tells when the sea ebbs.'],
      ['weather', 'Sea and sky.'],
    ]);
  });
});

describe('S2 properties of a skill', () => {
  it('keeps the version while the body is the same', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z ]{1,40}$/),
        fc.stringMatching(/^[A-Z][a-z \n]{0,80}$/),
        (description, body) => {
          expect(versionOf(skill(`x${description}`, body))).toBe(versionOf(skill('other', body)));
        },
      ),
    );
  });
  it('changes the version with the body', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z][a-z \n]{0,80}$/), (body) => {
        expect(versionOf(skill('d', body))).not.toBe(versionOf(skill('d', `${body}!`)));
      }),
    );
  });
  it('is sixteen hex digits', () => {
    expect(versionOf(skill('d', 'Hello.'))).toMatch(/^[0-9a-f]{16}$/);
  });
  it('reads the same text to equal skills', () => {
    const text = skill('Tells tides.', '# T\n');
    expect([readHead(text).head, parseBody(text)]).toEqual([readHead(text).head, parseBody(text)]);
  });
  it.each([
    [20_003, []],
    [20_004, ['BODY_LONG']],
  ])('warns above 5,000 estimated tokens: %i characters', (length, expected) => {
    const { faults } = readHead(skill('Tells tides when asked.', 'a'.repeat(length)));
    expect(faults).toEqual(expected);
  });
  it('estimates at least one token', () => {
    expect(parseBody(skill('d', '')).estimatedTokens).toBe(1);
  });
});
