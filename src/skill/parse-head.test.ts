import { describe, expect, it } from 'vitest';
import { entriesOf, readFields, readHead } from '../../test/support/skill-texts.ts';
import { collectInto } from '../base/diagnostic.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { parseHead } from './parse-head.ts';

/** Plain heads are read without the YAML library. */
const notNeeded = (): never => {
  throw new Error('the YAML library was asked');
};

describe('parseHead', () => {
  it('reads a plain skill without a word', () => {
    const { head, faults } = readFields('license: MIT');
    expect(faults).toEqual([]);
    expect(head).toEqual({
      name: 'tides',
      declaredName: 'tides',
      description: 'Tells tides. Use when asked.',
      descriptionFrom: 'frontmatter',
      whenToUse: null,
      form: 'instructions',
      program: null,
      bar: null,
      license: 'MIT',
      compatibility: null,
      declaredVersion: null,
      metadata: {},
      triggers: [],
      inputs: null,
      output: null,
      allowedTools: null,
      disallowedTools: null,
      tools: null,
      requires: null,
      invocation: { user: true, model: true, always: false, because: [] },
      priority: 0,
      finalTextMode: null,
      risk: null,
      capabilities: null,
      limits: null,
      nodeType: null,
      suggestedEdges: [],
      note: null,
      argumentHint: null,
      argumentNames: [],
      model: null,
      fork: false,
      dialects: [],
      frontmatter: { name: 'tides', description: 'Tells tides. Use when asked.', license: 'MIT' },
    });
  });

  it('is plain JSON data', () => {
    const { head } = readFields(
      'metadata:\n  version: 1.0\n  openclaw:\n    requires:\n      bins: [git]\ntriggers: tell {place}',
    );
    expect(JSON.parse(JSON.stringify(head))).toEqual(head);
  });

  it.each([
    ['---\ndescription: d\n---\nb', 'tides', ['NAME_MISSING 1:1'], null],
    ['---\nname:\ndescription: d\n---\nb', 'tides', ['NAME_MISSING 2:6'], null],
    ['---\nname: Tides\ndescription: d\n---\nb', 'tides', ['NAME_INVALID 2:7'], 'Tides'],
    ['---\nname: a--b\ndescription: d\n---\nb', 'a--b', ['NAME_INVALID 2:7'], 'a--b'],
    [`---\nname: ${'a'.repeat(65)}\ndescription: d\n---\nb`, 'tides', ['NAME_TOO_LONG 2:7'], 'a'.repeat(65)],
    ['---\nname: ebb\ndescription: d\n---\nb', 'tides', ['NAME_NOT_FOLDER 2:7'], 'ebb'],
    ['---\nname: 12\ndescription: d\n---\nb', '12', ['FIELD_COERCED 2:7'], '12'],
    ['---\nname: [a]\ndescription: d\n---\nb', 'tides', ['FIELD_TYPE 2:7', 'NAME_MISSING 2:7'], null],
  ])('takes the folder as the identity: %j', (text, folderName, faults, declared) => {
    const reading = readHead(text, { folderName });
    expect(reading.faults).toEqual(faults);
    expect([reading.head.name, reading.head.declaredName]).toEqual([folderName, declared]);
  });

  it.each(['a\u200Bb', 'a/b', '..', 'a\u0007', 'a\\b', '\u202Ecod'])(
    'calls the folder name %j unsafe',
    (folderName) => {
      const { faults } = readHead('---\nname: x\ndescription: d\n---\nb', { folderName });
      expect(faults).toContain('NAME_UNSAFE');
    },
  );

  it.each([
    ['description: Is <!-- hidden --> here', 'Is  here', 'frontmatter', []],
    ['description: 3.10', '3.10', 'frontmatter', ['FIELD_COERCED 3:14']],
    ['description: "<!-- nothing -->"', 'First one.', 'body', ['DESCRIPTION_MISSING 3:14']],
    ['description:', 'First one.', 'body', ['DESCRIPTION_MISSING 3:13']],
    ['description:\n  - a', 'First one.', 'body', ['FIELD_TYPE 4:3', 'DESCRIPTION_MISSING 4:3']],
    ['license: MIT', 'First one.', 'body', ['DESCRIPTION_MISSING 1:1']],
  ])('takes the description from %j', (line, description, from, faults) => {
    const reading = readHead(`---\nname: tides\n${line}\n---\n# Title\n\nFirst\none.\n\nSecond.\n`);
    expect(reading.faults).toEqual(faults);
    expect([reading.head.description, reading.head.descriptionFrom]).toEqual([description, from]);
  });

  it('keeps a description that is too long whole, counting code points', () => {
    const long = '🌊'.repeat(1025);
    expect(readHead(`---\nname: tides\ndescription: ${'🌊'.repeat(1024)}\n---\nb`).faults).toEqual([]);
    const { head, faults } = readHead(`---\nname: tides\ndescription: ${long}\n---\nb`);
    expect(faults).toEqual(['DESCRIPTION_TOO_LONG 3:14']);
    expect(head.description).toBe(long);
  });

  it('says when there is nothing to describe it by', () => {
    const { head, faults } = readHead('---\nname: tides\n---\n');
    expect(faults).toEqual(['DESCRIPTION_NONE 1:1']);
    expect([head.description, head.descriptionFrom]).toEqual(['', 'none']);
  });

  it('gives an empty file one fault', () => {
    expect(readHead(' \n\n').faults).toEqual(['FILE_EMPTY']);
  });

  it('gives a file without frontmatter a head', () => {
    const { head, faults } = readHead('# Tides\n\nTells the tides.\n');
    expect(faults).toEqual(['FRONTMATTER_MISSING 1:1', 'NAME_MISSING 1:1', 'DESCRIPTION_MISSING 1:1']);
    expect([head.name, head.description, head.frontmatter]).toEqual(['tides', 'Tells the tides.', {}]);
  });

  it('warns of a large file', () => {
    expect(readFields('license: MIT', { fileBytes: 256 * 1024 + 1 }).faults).toEqual([
      'FILE_LARGE',
      'BODY_LONG',
    ]);
  });

  it('asks for more text without reporting', () => {
    const faults: Diagnostic[] = [];
    const base = {
      folderName: 'tides',
      entries: entriesOf('SKILL.md'),
      fileBytes: 9000,
      parseFull: notNeeded,
    };
    const report = collectInto(faults, 'SKILL.md');
    expect(parseHead('---\nname: tides\ndescr', { ...base, complete: false }, report)).toBe('more');
    expect(
      parseHead('---\nname: other\n---\n# Title\n\nHalf a para', { ...base, complete: false }, report),
    ).toBe('more');
    expect(parseHead('# Title\n\nHalf a para', { ...base, complete: false }, report)).toBe('more');
    expect(faults).toEqual([]);
  });

  it('reads a head whose description is in it although the file goes on', () => {
    const text = '---\nname: tides\ndescription: Tells tides.\n---\nHalf a para';
    expect(readHead(text, { complete: false, parseFull: notNeeded }).head.description).toBe('Tells tides.');
  });
});

describe('parseHead on files that other hosts lose', () => {
  const given = ['tides', 'Tells tides.'];
  it.each([
    [
      'an empty description before the real one',
      '---\nname: tides\ndescription:\ndescription: Tells tides.\n---\n',
      ['YAML_DUPLICATE_KEY 4:1'],
    ],
    [
      'a no-break space behind the colon',
      '---\nname:\u00a0tides\ndescription: Tells tides.\n---\n',
      ['YAML_REPAIRED 2:6'],
    ],
    [
      'a zero-width space before a key',
      '---\nname: tides\n\u200bdescription: Tells tides.\n---\n',
      ['YAML_REPAIRED 3:1'],
    ],
    [
      'a byte order mark before a key',
      '---\n\ufeffname: tides\ndescription: Tells tides.\n---\n',
      ['YAML_REPAIRED 2:1'],
    ],
    ['a directive', '---\n%YAML 1.2\nname: tides\ndescription: Tells tides.\n---\n', ['YAML_REPAIRED 2:1']],
    ['a document marker', '---\nname: tides\n...\ndescription: Tells tides.\n---\n', ['YAML_REPAIRED 3:1']],
    [
      'four dashes',
      '----\nname: tides\ndescription: Tells tides.\n----\nBody\n',
      ['FRONTMATTER_FENCE 1:1', 'FRONTMATTER_FENCE 4:1'],
    ],
    [
      'indented fences',
      ' ---\n name: tides\n description: Tells tides.\n ---\nBody\n',
      ['FRONTMATTER_FENCE 1:1', 'FRONTMATTER_FENCE 4:1'],
    ],
    ['a list of pairs', '---\n- name: tides\n- description: Tells tides.\n---\n', ['YAML_REPAIRED 2:1']],
    [
      'lines that end in CR',
      '---\rname: tides\rdescription: Tells tides.\r---\rBody\r',
      ['LINE_ENDINGS_CR 1:4'],
    ],
  ])('reads %s', (_what, text, said) => {
    const { head, faults } = readHead(text);
    expect([head.declaredName, head.description]).toEqual(given);
    expect(faults).toEqual(said);
  });

  it('keeps what looks like an anchor or tag in a text', () => {
    expect(readFields('license: !MIT and more').head.license).toBe('!MIT and more');
    expect(readHead('---\nname: tides\ndescription: &HUMAN text\n---\n').head.description).toBe(
      '&HUMAN text',
    );
  });
});

describe('parseHead on keys', () => {
  it('reports unknown keys, guesses at slips and leaves extensions alone', () => {
    const { faults, diagnostics, head } = readFields(
      'frobnicate: 1\ndesciption_zh: x\nx_mine: 1\nx-other: 2\nx_techne_other: 3',
    );
    expect(faults).toEqual(['FIELD_UNKNOWN 4:1', 'FIELD_MISSPELT 5:1']);
    expect(diagnostics[1]?.hint).toBe('did you mean "description_zh"?');
    expect(head.dialects).toEqual(['techne']);
    expect(head.frontmatter).toMatchObject({ frobnicate: 1, desciption_zh: 'x', x_mine: 1 });
  });

  it.each([
    ['user_invocable: no', 'user-invocable'],
    ['user-invokable: false', 'user-invocable'],
    ['User-Invocable: off', 'user-invocable'],
    ['userInvocable: 0', 'user-invocable'],
  ])('reads the spelling %j and says so', (line, field) => {
    const { head, faults, diagnostics } = readFields(line);
    expect(faults).toEqual(['FIELD_MISSPELT 4:1']);
    expect(diagnostics[0]?.hint).toBe(`write ${field}`);
    expect(head.invocation).toEqual({ user: false, model: true, always: false, because: [field] });
  });

  it('lets the right spelling win over another one', () => {
    const { head, faults } = readFields('user_invocable: false\nuser-invocable: true');
    expect(faults).toEqual(['FIELD_CONFLICT 4:1']);
    expect(head.invocation.user).toBe(true);
  });

  it('reads Name and Description in another case', () => {
    const { head, faults } = readHead('---\nName: tides\nDescription: Tells tides.\n---\nb');
    expect(faults).toEqual(['FIELD_MISSPELT 2:1', 'FIELD_MISSPELT 3:1']);
    expect([head.declaredName, head.description]).toEqual(['tides', 'Tells tides.']);
  });

  it.each([
    ['argument-hint: "[file]"', 'claude'],
    ['homepage: https://example.org', 'openclaw'],
    ['required_environment_variables: []', 'hermes'],
    ['provenance: {}', 'opensquilla'],
    ['metaskill_language: starlark\nmetaskill: SKILL.star', 'metaskill'],
    ['node_type: concept', 'metaglass'],
    ['tags: [a]', 'letta'],
    ['applyTo: "**"', 'copilot'],
    ['modeSlugs: [code]', 'roo'],
    ['module: a.js', 'deepagents'],
    ['scripts: [a]', 'voltagent'],
    ['metadata:\n  clawdbot: {}', 'openclaw'],
    ['metadata:\n  hermes: {}', 'hermes'],
  ])('sees the dialect of %j', (lines, dialect) => {
    expect(
      readFields(lines, {
        entries: entriesOf('SKILL.md', ...(dialect === 'metaskill' ? ['SKILL.star'] : [])),
      }).head.dialects,
    ).toEqual([dialect]);
  });
});

describe('parseHead on values', () => {
  it.each([
    ['compatibility: Python', { compatibility: 'Python' }, []],
    [`compatibility: ${'a'.repeat(501)}`, { compatibility: 'a'.repeat(501) }, ['FIELD_TOO_LONG 4:16']],
    ['license:\n  a: b', { license: null }, ['FIELD_TYPE 5:3']],
    ['version: 1.10', { declaredVersion: '1.10' }, []],
    [
      'metadata:\n  version: "2"\n  stage: 3',
      { declaredVersion: '2', metadata: { version: '2', stage: '3' } },
      ['FIELD_COERCED 6:10'],
    ],
    ['metadata:\n  tags: [a]\n  empty:', { metadata: { empty: '' } }, ['METADATA_NESTED 5:9']],
    ['metadata: nothing', { metadata: {} }, ['FIELD_TYPE 4:11']],
    [
      `metadata: '{"openclaw":{"os":["darwin"]},"a":"b"}'`,
      { metadata: { a: 'b' }, dialects: ['openclaw'] },
      [],
    ],
    ['output: assets/template.md', { output: 'assets/template.md' }, []],
    ['allowed-tools: Read, Grep', { allowedTools: ['Read', 'Grep'] }, []],
    ['allowed-tools: ""', { allowedTools: [] }, []],
    ['allowed-tools:', { allowedTools: null }, []],
    ['disallowed-tools: Bash', { disallowedTools: ['Bash'] }, []],
    ['tools: []', { tools: [] }, []],
    ['always: YES', { invocation: { user: true, model: true, always: true, because: [] } }, []],
    [
      'metadata:\n  openclaw:\n    always: true',
      { invocation: { user: true, model: true, always: true, because: [] } },
      [],
    ],
    [
      'disable-model-invocation: "on"',
      { invocation: { user: true, model: false, always: false, because: ['disable-model-invocation'] } },
      [],
    ],
    [
      'agent_ready: false',
      { invocation: { user: true, model: false, always: false, because: ['agent_ready'] } },
      [],
    ],
    ['agent_ready: true', { invocation: { user: true, model: true, always: false, because: [] } }, []],
    [
      'user-invocable: maybe',
      { invocation: { user: true, model: true, always: false, because: [] } },
      ['FIELD_TYPE 4:17'],
    ],
    [
      'always: true\nagent_ready: no',
      { invocation: { user: true, model: false, always: true, because: ['agent_ready'] } },
      ['FIELD_CONFLICT 4:9'],
    ],
    ['meta_priority: 50', { priority: 50 }, []],
    ['meta_priority: high', { priority: 0 }, ['FIELD_TYPE 4:16']],
    ['final_text_mode: "step:a"', { finalTextMode: 'step:a' }, []],
    ['final_text_mode: loud', { finalTextMode: null }, ['FIELD_VALUE 4:18']],
    ['when_to_use: At sea.', { whenToUse: 'At sea.' }, []],
    ['when_to_use:\n  - at sea\n  - on a beach', { whenToUse: 'at sea; on a beach' }, []],
    ['argument-hint: [place]', { argumentHint: '[place]' }, ['FIELD_COERCED 4:16']],
    ['arguments: place day', { argumentNames: ['place', 'day'] }, []],
    ['arguments: [place, day]', { argumentNames: ['place', 'day'] }, []],
    ['model: opus', { model: 'opus' }, []],
    ['context: fork', { fork: true }, []],
    ['context: spoon', { fork: false }, ['FIELD_VALUE 4:10']],
    ['node_type: concept', { nodeType: 'concept' }, []],
    [
      'metadata:\n  opensquilla:\n    risk: Medium\n    capabilities: [network-read]',
      { risk: 'medium', capabilities: ['network-read'] },
      [],
    ],
    ['metadata:\n  techne: {riskLevel: low}\n  opensquilla: {risk_level: high}', { risk: 'high' }, []],
    ['metadata:\n  techne:\n    risk: extreme', { risk: null }, ['FIELD_VALUE 6:11']],
    [
      'metadata:\n  techne.risk: high\n  techne.capabilities: shell, network-read',
      {
        risk: 'high',
        capabilities: ['shell', 'network-read'],
        metadata: { 'techne.risk': 'high', 'techne.capabilities': 'shell, network-read' },
      },
      [],
    ],
    ['metadata:\n  techne.risk: low\n  techne.capabilities: ""', { risk: 'low', capabilities: [] }, []],
    ['metadata:\n  techne.risk: extreme', { risk: null }, ['FIELD_VALUE 5:16']],
    ['metadata:\n  acme.risk: high', { risk: null, metadata: { 'acme.risk': 'high' } }, []],
  ])('reads %j', (lines, expected, faults) => {
    const reading = readFields(lines);
    expect(reading.faults).toEqual(faults);
    expect(reading.head).toMatchObject(expected);
  });
});
