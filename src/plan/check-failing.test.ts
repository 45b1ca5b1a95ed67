import { describe, expect, it } from 'vitest';
import { composition, skillWith } from '../../test/support/plan-texts.ts';
import { planHost } from '../../test/support/plan-host.ts';
import { nodeParseFull } from '../node/yaml.ts';
import { headOfFrontmatter } from '../skill/parse-head.ts';
import { parseWholeFrontmatter } from '../skill/frontmatter/read-frontmatter.ts';
import { compilePlan } from './compile-plan.ts';
import { applyFixes } from '../base/fix.ts';
import { emptyWorld } from './world.ts';

function compiled(text: string) {
  const told: string[] = [];
  const frontmatter = parseWholeFrontmatter(text, nodeParseFull);
  const head = headOfFrontmatter(
    frontmatter,
    { folderName: 'sample', entries: [], fileBytes: text.length },
    () => undefined,
  );
  const result = compilePlan({ head, frontmatter, world: emptyWorld }, (code, _, message) => {
    if (code.startsWith('PLAN_STEP_')) told.push(`${code} ${message}`);
  });
  return { ...result, told };
}
const line = (command: string, more = ''): string =>
  composition(`- {id: a, kind: tool_call, tool: exec_command, tool_args: {command: ${command}}${more}}\n`);
const read = (template: string, more = ''): string =>
  composition(
    `- {id: a, kind: llm_chat, with: {task: x}${more}}\n- {id: b, kind: llm_chat, depends_on: [a], with: {task: '${template}'}}\n`,
  );

describe('a step that is certain to fail', () => {
  it.each([
    [
      '"git diff | head"',
      'the command needs a shell ("|"), and there is none; write a program and its arguments',
    ],
    [
      '"cd x && make"',
      'the command needs a shell ("&"), and there is none; write a program and its arguments',
    ],
    [
      '"git show {{ inputs.user_message | slugify }} > out"',
      'the command needs a shell (">"), and there is none; write a program and its arguments',
    ],
    ['"git \'log"', 'a quote in the command is never closed'],
  ])('is a command line %s', (command, why) => {
    const { told, plan, failing } = compiled(line(command));
    expect(told).toEqual([`PLAN_STEP_FAILS step "a": ${why}`]);
    // The plan can be looked at; a run is refused.
    expect([plan === null, failing]).toEqual([false, [`step "a": ${why}`]]);
  });

  it('is not a plain line, nor a list', () => {
    expect(compiled(line('"git show {{ inputs.user_message | slugify }}"')).told).toEqual([]);
    expect(compiled(line('[sh, -c, "git diff | head"]')).told).toEqual([]);
  });

  it.each([
    ['{{ outputs.a.key | truncate(5) }}', 'outputs.a.key', '.key'],
    ['{{ outputs.a["key"] | truncate(5) }}', 'outputs.a["key"]', '.key'],
    ['{{ outputs.a.get("key") | truncate(5) }}', 'outputs.a.get("key")', '.get'],
  ])('reads a member of a text: %s', (template, what, member) => {
    expect(compiled(read(template)).told).toEqual([
      `PLAN_STEP_FAILS step "b": with.task: "${what}" is read, but the value before "${member}" is a text`,
    ]);
  });

  it.each([
    '{{ outputs.a.key | default("") | truncate(5) }}',
    '{{ outputs.a.upper() | truncate(5) }}',
    '{{ outputs.a[0] | truncate(5) }}',
    '{% if outputs.a.key is defined %}x{% endif %}',
  ])('does not do so with %s', (template) => {
    expect(compiled(read(template)).told).toEqual([]);
  });

  it('may read a member where the output has a schema', () => {
    const schema = ', output_schema: {type: object, properties: {key: {type: string, maxLength: 9}}}';
    expect(compiled(read('{{ outputs.a.key }}', schema)).told).toEqual([]);
  });

  it('reads the error of a step that stops the run, or may succeed', () => {
    expect(compiled(read('{{ errors.a | truncate(5) }}')).told).toEqual([
      'PLAN_STEP_FAILS step "b": errors.a is never there: nothing continues when "a" fails',
    ]);
    expect(compiled(read('{{ errors.a | truncate(5) }}', ', continue_on_error: true')).told).toEqual([
      'PLAN_STEP_MAY_FAIL step "b": errors.a is there only if "a" failed; otherwise this step fails',
    ]);
    expect(
      compiled(read('{{ errors.get("a", "") | truncate(5) }}', ', continue_on_error: true')).told,
    ).toEqual([]);
    expect(
      compiled(
        read(
          '{% if errors.a is defined %}{{ errors.a | truncate(5) }}{% endif %}',
          ', continue_on_error: true',
        ),
      ).told,
    ).toEqual([]);
  });

  it.each([', when: "inputs.user_message"', ', continue_on_error: true', ', for_each: [1]'])(
    'is a warning with %s',
    (more) => {
      const { told, failing } = compiled(line('"a | b"', more));
      expect([told.map((one) => one.split(' ')[0]), failing]).toEqual([['PLAN_STEP_MAY_FAIL'], []]);
    },
  );

  it('is refused before anything is spent', async () => {
    const host = planHost({ sample: read('{{ outputs.a.key | truncate(5) }}') }, {});
    const { status, error } = await host.runner.start({ skill: 'sample', input: { user_message: 'x' } });
    expect([status, error?.code, error?.message]).toEqual([
      'refused',
      'PREFLIGHT',
      expect.stringContaining('the value before ".key" is a text'),
    ]);
  });
});

describe('the correction of a command line', () => {
  it.each([
    ['"git diff | head"', '[sh, -c, "git diff | head"]'],
    ["'git diff | head'", "[sh, -c, 'git diff | head']"],
  ])('writes %s as a list for a shell', (command, fixed) => {
    const text = line(command);
    const made = applyFixes(text, compiled(text).fixes);
    expect(made).toBe(text.replace(command, fixed));
    expect(compiled(made)).toMatchObject({ told: [], fixes: [] });
  });

  it('quotes a plain line', () => {
    const text = skillWith(
      'steps:\n  - id: a\n    tool: exec_command\n    params:\n      command: git diff | head -n 3\n',
    );
    expect(applyFixes(text, compiled(text).fixes)).toContain("command: [sh, -c, 'git diff | head -n 3']\n");
  });

  it('leaves lines with values in them alone', () => {
    expect(compiled(line('"cat {{ inputs.user_message | slugify }} | head"')).fixes).toEqual([]);
  });
});
