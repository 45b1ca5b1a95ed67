import { describe, expect, it } from 'vitest';
import { entriesOf, readFields } from '../../test/support/skill-texts.ts';

const step = 'composition:\n  steps:\n    - id: a\n      skill: b';

describe('decideForm', () => {
  it.each([
    ['license: MIT', ['SKILL.md'], 'instructions', null, null, []],
    ['license: MIT', ['SKILL.md', 'SKILL.star'], 'program', 'SKILL.star', null, []],
    ['license: MIT', ['SKILL.md', 'SKILL.star/'], 'instructions', null, null, []],
    ['metaskill: ./run.star', ['SKILL.md', 'run.star'], 'program', 'run.star', null, []],
    ['metaskill: lib/run.star', ['SKILL.md', 'lib/'], 'program', 'lib/run.star', null, []],
    ['metaskill:', ['SKILL.md'], 'instructions', null, null, []],
    ['metaskill: ""', ['SKILL.md', 'SKILL.star'], 'program', 'SKILL.star', null, []],
    ['metaskill_language: starlark', ['SKILL.md', 'SKILL.star'], 'program', 'SKILL.star', null, []],
    [
      'metaskill_language: starlark',
      ['SKILL.md'],
      'program',
      'SKILL.star',
      'PROGRAM_MISSING',
      ['PROGRAM_MISSING 4:21'],
    ],
    [
      'metaskill: run.star',
      ['SKILL.md', 'SKILL.star'],
      'program',
      'run.star',
      'PROGRAM_MISSING',
      ['PROGRAM_MISSING 4:12'],
    ],
    [
      'metaskill: run.star',
      ['SKILL.md', 'run.star/'],
      'program',
      'run.star',
      'PROGRAM_MISSING',
      ['PROGRAM_MISSING 4:12'],
    ],
    [
      'metaskill: lib/run.star',
      ['SKILL.md'],
      'program',
      'lib/run.star',
      'PROGRAM_MISSING',
      ['PROGRAM_MISSING 4:12'],
    ],
    [
      'metaskill: SKILL.star\nmetaskill_language: Starlark',
      ['SKILL.md', 'SKILL.star'],
      'program',
      'SKILL.star',
      'LANGUAGE_UNSUPPORTED',
      ['LANGUAGE_UNSUPPORTED 5:21'],
    ],
    [
      'metaskill: SKILL.star\nmetaskill_language: [starlark]',
      ['SKILL.md', 'SKILL.star'],
      'program',
      'SKILL.star',
      'LANGUAGE_UNSUPPORTED',
      ['LANGUAGE_UNSUPPORTED 5:21'],
    ],
    ['metaskill: sub/../SKILL.star', ['SKILL.md', 'SKILL.star'], 'program', 'SKILL.star', null, []],
    ['metaskill: ./a/./b.star', ['SKILL.md', 'a/'], 'program', 'a/b.star', null, []],
    ['metaskill: /etc/x.star', ['SKILL.md'], 'program', null, 'PROGRAM_PATH', ['PROGRAM_PATH 4:12']],
    ['metaskill: ../x.star', ['SKILL.md'], 'program', null, 'PROGRAM_PATH', ['PROGRAM_PATH 4:12']],
    ['metaskill: a/../../x.star', ['SKILL.md', 'a/'], 'program', null, 'PROGRAM_PATH', ['PROGRAM_PATH 4:12']],
    ['metaskill: a\\x.star', ['SKILL.md'], 'program', null, 'PROGRAM_PATH', ['PROGRAM_PATH 4:12']],
    ['metaskill: "C:/x.star"', ['SKILL.md'], 'program', null, 'PROGRAM_PATH', ['PROGRAM_PATH 4:12']],
    ['metaskill: SKILL.md', ['SKILL.md'], 'program', null, 'PROGRAM_PATH', ['PROGRAM_PATH 4:12']],
    [`kind: meta\n${step}`, ['SKILL.md'], 'composition', null, null, []],
    ['kind: meta', ['SKILL.md'], 'composition', null, 'FORM_INCOMPLETE', ['FORM_INCOMPLETE 4:7']],
    [
      'kind: meta\ncomposition:\n  steps: []',
      ['SKILL.md'],
      'composition',
      null,
      'FORM_INCOMPLETE',
      ['FORM_INCOMPLETE 6:10'],
    ],
    [
      'kind: meta\ncomposition: [a]',
      ['SKILL.md'],
      'composition',
      null,
      'FORM_INCOMPLETE',
      ['FORM_INCOMPLETE 5:14'],
    ],
    ['kind: meta_sop', ['SKILL.md'], 'composition', null, 'FORM_INCOMPLETE', ['FORM_INCOMPLETE 4:7']],
    [step, ['SKILL.md'], 'composition', null, 'FORM_INCOMPLETE', ['FORM_INCOMPLETE 4:1']],
    ['kind: skill', ['SKILL.md'], 'instructions', null, null, []],
    ['kind: Meta', ['SKILL.md'], 'instructions', null, null, ['FIELD_VALUE 4:7']],
    ['steps:\n  - id: a\n    tool: t', ['SKILL.md'], 'workflow', null, null, []],
    ['steps: []', ['SKILL.md'], 'workflow', null, 'FORM_INCOMPLETE', ['FORM_INCOMPLETE 4:8']],
    ['steps: 5', ['SKILL.md'], 'instructions', null, null, ['FIELD_TYPE 4:8']],
    ['steps:\n  - just words', ['SKILL.md'], 'workflow', null, 'FORM_INCOMPLETE', ['FORM_INCOMPLETE 5:5']],
    ['chain:\n  - ebb\n  - skill: flow', ['SKILL.md'], 'chain', null, null, []],
    ['chain:\n  steps:\n    - skill: flow', ['SKILL.md'], 'chain', null, null, []],
    ['chain: [ebb, tides]', ['SKILL.md'], 'chain', null, 'FORM_INCOMPLETE', ['FORM_INCOMPLETE 4:14']],
    [
      'chain:\n  - id: a\n    skill: tides',
      ['SKILL.md'],
      'chain',
      null,
      'FORM_INCOMPLETE',
      ['FORM_INCOMPLETE 6:12'],
    ],
    ['chain: ebb', ['SKILL.md'], 'instructions', null, null, ['FIELD_TYPE 4:8']],
  ])('reads %j with %j', (lines, names, form, program, bar, faults) => {
    const reading = readFields(lines, { entries: entriesOf(...names) });
    expect([reading.head.form, reading.head.program, reading.head.bar?.code ?? null]).toEqual([
      form,
      program,
      bar,
    ]);
    expect(reading.faults).toEqual(faults);
  });

  it.each([
    [
      `kind: meta\n${step}\nsteps:\n  - id: a\n    tool: t\nchain: [a]`,
      ['SKILL.md', 'SKILL.star'],
      'program',
    ],
    [`kind: meta\n${step}\nsteps:\n  - id: a\n    tool: t\nchain: [a]`, ['SKILL.md'], 'composition'],
    ['chain: [a]\nsteps:\n  - id: a\n    tool: t', ['SKILL.md'], 'workflow'],
  ])('lets the first form win: %#', (lines, names, form) => {
    const reading = readFields(lines, { entries: entriesOf(...names) });
    expect([reading.head.form, reading.diagnostics.map((fault) => fault.code)]).toEqual([
      form,
      ['FORM_AMBIGUOUS'],
    ]);
  });
});
