// The rules of the agentskills reference validator, in our own words and cases.
//
// Where we are stricter on purpose, the row says so: names are ASCII as the specification's text says, the
// file is SKILL.md in this case only, allowed-tools is one text, and every fault is reported, not the first.
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto } from '../../src/base/diagnostic.ts';
import { validateStrict } from '../../src/skill/check/validate-strict.ts';
import { contextOf, entriesOf, readHead, strictFaults } from '../support/skill-texts.ts';

const skill = (name: string, rest = 'description: Tells tides.') =>
  `---\nname: ${name}\n${rest}\n---\n# Body\n`;
const fields = (rest: string) => skill('tides', `description: Tells tides.\n${rest}`);

describe('agentskills: the file', () => {
  it.each([
    ['a minimal skill', skill('tides'), []],
    ['no frontmatter', '# Tides\n', ['STRICT_FRONTMATTER 1:1']],
    [
      'a fence that is not on the first line',
      '\n---\nname: tides\ndescription: d\n---\n',
      ['STRICT_FRONTMATTER 1:1'],
    ],
    ['a fence that is never closed', '---\nname: tides\ndescription: d\n', ['STRICT_FRONTMATTER 1:1']],
    [
      'a list instead of a mapping',
      '---\n- a\n- b\n---\n',
      ['STRICT_FRONTMATTER 2:1', 'STRICT_NAME 1:1', 'STRICT_DESCRIPTION 1:1'],
    ],
    [
      'nothing between the fences',
      '---\n---\nBody\n',
      ['STRICT_FRONTMATTER 2:1', 'STRICT_NAME 1:1', 'STRICT_DESCRIPTION 1:1'],
    ],
    ['an unquoted colon', skill('tides', 'description: Use when: always'), ['STRICT_FRONTMATTER 3:14']],
    ['a byte order mark', `\uFEFF${skill('tides')}`, ['STRICT_FILE 1:1']],
    ['a key given twice', skill('tides', 'description: a\ndescription: b'), ['STRICT_FRONTMATTER 4:1']],
    ['three hyphens in a value', skill('tides', 'description: ebb --- flow'), ['STRICT_FRONTMATTER 3:18']],
    ['a rule in the body', `${skill('tides')}\n---\nmore\n`, []],
  ])('%s', (_, text, faults) => {
    expect(strictFaults(text)).toEqual(faults);
  });

  it('refuses broken YAML and anchors', () => {
    expect(strictFaults('---\nname: [tides\ndescription: d\n---\n').length).toBeGreaterThan(0);
    expect(strictFaults(fields('metadata:\n  a: &x b\n  c: *x'))).toContain('STRICT_FRONTMATTER 6:6');
  });

  it('asks for the name SKILL.md (the reference also takes skill.md)', () => {
    expect(strictFaults(skill('tides'), { entries: entriesOf('skill.md') })).toEqual(['STRICT_FILE']);
    expect(strictFaults(skill('tides'), { entries: entriesOf('SKILL.md', 'skill.md') })).toEqual([]);
  });

  it('asks for UTF-8 and at most 256 KB', () => {
    expect(strictFaults(skill('tides'), { validUtf8: false })).toEqual(['STRICT_FILE']);
    expect(strictFaults(skill('tides'), { fileBytes: 262_145 })).toEqual(['STRICT_FILE']);
    expect(strictFaults(skill('tides'), { fileBytes: 262_144 })).toEqual([]);
  });
});

describe('agentskills: name', () => {
  it.each([
    ['tides', 'tides', []],
    ['a1-b2', 'a1-b2', []],
    ['7', '"7"', []],
    ['a'.repeat(64), 'a'.repeat(64), []],
    ['a'.repeat(65), 'a'.repeat(65), ['STRICT_NAME 2:7']],
    ['Tides', 'Tides', ['STRICT_NAME 2:7']],
    ['-tides', '-tides', ['STRICT_NAME 2:7']],
    ['tides-', 'tides-', ['STRICT_NAME 2:7']],
    ['ti--des', 'ti--des', ['STRICT_NAME 2:7']],
    ['ti_des', 'ti_des', ['STRICT_NAME 2:7']],
    ['ti des', 'ti des', ['STRICT_NAME 2:7']],
    ['ebb', 'tides', ['STRICT_NAME 2:7']],
    ['tides', '', ['STRICT_NAME 2:6']],
    ['tides', '"  "', ['STRICT_NAME 2:7']],
    ['tides', '12', ['STRICT_NAME 2:7']],
    ['tides', '\n  a: b', ['STRICT_NAME 3:3']],
    // NFKC: the same letter written in two ways is one name; full-width letters are ASCII.
    ['ｔｉｄｅｓ', 'tides', []],
    // Wider in the reference: other letters. Reported as the one difference.
    ['技能', '技能', ['STRICT_NAME 2:7']],
    ['мой-навык', 'мой-навык', ['STRICT_NAME 2:7']],
    ['café', 'cafe\u0301', ['STRICT_NAME 2:7']],
    ['НАВЫК', 'НАВЫК', ['STRICT_NAME 2:7', 'STRICT_NAME 2:7']],
    // Every fault at once.
    [
      'x',
      '-Ebb--flow_',
      ['STRICT_NAME 2:7', 'STRICT_NAME 2:7', 'STRICT_NAME 2:7', 'STRICT_NAME 2:7', 'STRICT_NAME 2:7'],
    ],
  ])('folder %j, name %j', (folderName, name, faults) => {
    expect(strictFaults(skill(name), { folderName })).toEqual(faults);
  });

  it('is required', () => {
    expect(strictFaults('---\ndescription: d\n---\n')).toEqual(['STRICT_NAME 1:1']);
  });

  it('says where the reference validator differs', () => {
    const text = skill('技能');
    const found: Diagnostic[] = [];
    const context = contextOf(text, { folderName: '技能' });
    const { head, frontmatter } = readHead(text, context);
    validateStrict(head, frontmatter, context, collectInto(found, 'SKILL.md'));
    expect(found[0]?.message).toBe(
      'the name "技能" holds "技", which is not a-z, 0-9 or a hyphen; the reference validator accepts other letters, the specification does not',
    );
  });
});

describe('agentskills: the other fields', () => {
  it.each([
    [skill('tides', 'license: MIT'), ['STRICT_DESCRIPTION 1:1']],
    [skill('tides', 'description:'), ['STRICT_DESCRIPTION 3:13']],
    [skill('tides', 'description: "   "'), ['STRICT_DESCRIPTION 3:14']],
    [skill('tides', 'description: "<!-- a -->"'), ['STRICT_DESCRIPTION 3:14']],
    [skill('tides', 'description: 7'), ['STRICT_DESCRIPTION 3:14']],
    [skill('tides', 'description:\n  - a'), ['STRICT_DESCRIPTION 4:3']],
    [skill('tides', `description: ${'x'.repeat(1024)}`), []],
    [skill('tides', `description: ${'x'.repeat(1025)}`), ['STRICT_DESCRIPTION 3:14']],
    [skill('tides', `description: ${'🌊'.repeat(1024)}`), []],
    // Counted unstripped: blanks count.
    [skill('tides', `description: "${'x'.repeat(1020)}     "`), ['STRICT_DESCRIPTION 3:14']],
    [
      fields(
        'license: MIT\ncompatibility: Python\nallowed-tools: Bash(jq:*) Bash(git:*)\nmetadata:\n  author: Ada',
      ),
      [],
    ],
    [fields('license: 2'), ['STRICT_TYPE 4:10']],
    [fields('license:\n  name: MIT'), ['STRICT_TYPE 5:3']],
    [fields(`compatibility: ${'x'.repeat(500)}`), []],
    [fields(`compatibility: ${'x'.repeat(501)}`), ['STRICT_COMPATIBILITY 4:16']],
    [fields('compatibility: true'), ['STRICT_COMPATIBILITY 4:16']],
    [fields('allowed-tools: 123'), ['STRICT_TYPE 4:16']],
    [fields('allowed-tools:\n  - Read'), ['STRICT_TYPE 5:3']],
    [fields('metadata:\n  version: 1.0\n  draft: true\n  empty:'), []],
    [fields('metadata: text'), ['STRICT_METADATA 4:11']],
    [fields('metadata:\n  - a'), ['STRICT_METADATA 5:3']],
    [
      fields('metadata:\n  tags:\n    - a\n  openclaw:\n    os: linux'),
      ['STRICT_METADATA 6:5', 'STRICT_METADATA 8:5'],
    ],
    [fields('metadata: {author: Ada}'), ['YAML_FLOW_STYLE 4:11']],
    [fields('version: 1.0\ntags: [a]'), ['STRICT_FIELD 4:1', 'STRICT_FIELD 5:1', 'YAML_FLOW_STYLE 5:7']],
    [fields('x_mine: 1'), ['STRICT_FIELD 4:1']],
  ])('%j', (text, faults) => {
    expect(strictFaults(text)).toEqual(faults);
  });

  it('reads metadata as text by text', () => {
    expect(readHead(fields('metadata:\n  author: Ada\n  version: 1.0')).head.metadata).toEqual({
      author: 'Ada',
      version: '1.0',
    });
  });
});

describe('strict rules for executable forms', () => {
  const chain = (rest: string) => fields(`chain:\n  - ebb\n${rest}`);
  it.each([
    [chain('version: 1.0\ninputs: ["a|required"]\nx_mine: 1\nx-other: 2'), []],
    [chain('allowed-tools: [Read]\nmetadata:\n  techne:\n    risk: low'), []],
    [chain('metadata:\n  tags: [a]'), ['STRICT_METADATA 7:9']],
    [chain('frobnicate: 1'), ['STRICT_FIELD 6:1']],
    [chain('user_invocable: false'), ['STRICT_FIELD 6:1']],
    [fields('chain: []'), ['STRICT_FORM']],
    [fields('kind: meta'), ['STRICT_FORM']],
    [fields('metaskill: ../x.star'), ['STRICT_FORM']],
  ])('%j', (text, faults) => {
    expect(strictFaults(text)).toEqual(faults);
  });
});
