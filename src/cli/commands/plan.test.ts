import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';

let world: World;
afterEach(() => world.remove());

const good = `kind: meta
triggers: [draft it, write it]
metadata: {techne: {risk: high}}
composition:
  steps:
    - {id: draft, kind: llm_chat, with: {task: "{{ inputs.user_message | xml_escape | truncate(900) }}"}}
    - {id: check, skill: helper, depends_on: [draft], with: {text: "{{ outputs.draft | truncate(900) }}"}}
`;
const weak = good
  .replace(' | xml_escape | truncate(900)', '')
  .replace('outputs.draft | truncate(900)', 'outputs.draft');
const broken = good.replace('depends_on: [draft]', 'depends_on: [drat]');

function worldWith(text: string): World {
  world = createWorld({
    'work/.techne/skills/writer/SKILL.md': skillText('writer', undefined, text),
    'work/.techne/skills/helper/SKILL.md': skillText('helper'),
  });
  return world;
}

describe('techne plan', () => {
  it('shows the steps by when they can start', async () => {
    const { code, out, err } = await worldWith(good).run(['plan', 'writer']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('writer: composition of 2 steps');
    expect(out).toMatch(/\n1\n {3}draft {2}chat\n\n2\n {3}check {2}agent helper\n {12}after draft\n$/);
  });

  it('takes a path', async () => {
    const { code, out } = await worldWith(good).run([
      'plan',
      '.techne/skills/writer/SKILL.md',
      '--format',
      'mermaid',
    ]);
    expect(code).toBe(0);
    expect(out).toContain('flowchart TD');
  });

  it('draws a picture', async () => {
    const { out } = await worldWith(good).run(['plan', 'writer', '--format', 'svg']);
    expect(out).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
  });

  it('prints the plan as data', async () => {
    const { out } = await worldWith(good).run(['plan', 'writer', '--json']);
    const { plan, diagnostics } = JSON.parse(out) as {
      plan: { steps: readonly { id: string }[]; needs: unknown };
      diagnostics: readonly unknown[];
    };
    expect(plan.steps.map(({ id }) => id)).toEqual(['draft', 'check']);
    expect(plan.needs).toEqual({ skills: ['helper'], tools: [], models: [] });
    expect(diagnostics).toEqual([]);
  });

  it('says what keeps a skill from running, and exits with 1', async () => {
    const { code, out, err } = await worldWith(broken).run(['plan', 'writer']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('error PLAN_STEP_UNKNOWN: step "check" depends on "drat", which does not exist');
    expect(JSON.parse((await world.run(['plan', 'writer', '--format', 'json'])).out)).toMatchObject({
      plan: null,
      diagnostics: [{ code: 'PLAN_STEP_UNKNOWN', line: 10 }, { code: 'PLAN_REFERENCE_ORDER' }],
    });
  });

  it('says which skills have no plan', async () => {
    const { code, err } = await worldWith(good).run(['plan', 'helper']);
    expect(code).toBe(2);
    expect(err).toContain('"helper" has no plan: it is a skill of instructions');
    expect((await world.run(['plan', 'nobody'])).code).toBe(2);
    expect((await world.run(['plan', './nowhere'])).code).toBe(2);
  });

  it('says why a form that is not complete has none', async () => {
    const { code, err } = await worldWith('kind: meta\n').run(['plan', 'writer']);
    expect(code).toBe(1);
    expect(err).toContain('FORM_INCOMPLETE');
  });
});

describe('techne check, for plans', () => {
  const file = (): string => readFileSync(join(world.workspace, '.techne/skills/writer/SKILL.md'), 'utf8');

  it('shows what is wrong with a plan, and finds skills beside it', async () => {
    const { code, out } = await worldWith(weak).run(['check', '.techne/skills/writer']);
    expect(code).toBe(0);
    expect(out.match(/(?:warning|error) [A-Z_]+/g)).toEqual(['warning TAINT_PROMPT', 'warning TAINT_PROMPT']);
  });

  it('makes errors of them when strict', async () => {
    const { code, out } = await worldWith(weak).run(['check', '--strict', '.techne/skills/writer']);
    expect(code).toBe(1);
    expect(out.match(/error STRICT_TAINT/g)).toHaveLength(2);
    expect(out).not.toContain('TAINT_PROMPT');
  });

  it('shows what --fix would change, and changes nothing', async () => {
    const { code, out } = await worldWith(weak).run(['check', '--fix', '--dry-run', '.techne/skills/writer']);
    expect(code).toBe(0);
    expect(out).toContain('-    - {id: draft, kind: llm_chat, with: {task: "{{ inputs.user_message }}"}}\n');
    expect(out).toContain(
      '+    - {id: draft, kind: llm_chat, with: {task: "{{ inputs.user_message | xml_escape | truncate(2000) }}"}}\n',
    );
    expect(out).toContain('1 file would be corrected, in 2 places');
    expect(file()).toBe(skillText('writer', undefined, weak));
  });

  it('puts right what it can, once', async () => {
    const first = await worldWith(weak).run(['check', '--fix', '.techne/skills/writer']);
    expect(first.out).toContain('1 file corrected, in 2 places');
    expect(first.out).not.toContain('TAINT');
    const after = file();
    expect(after).toBe(
      skillText(
        'writer',
        undefined,
        weak
          .replace('inputs.user_message', 'inputs.user_message | xml_escape | truncate(2000)')
          .replace('outputs.draft }}', 'outputs.draft | truncate(4000) }}'),
      ),
    );
    const second = JSON.parse(
      (await world.run(['check', '--fix', '--json', '.techne/skills/writer'])).out,
    ) as { fixed: unknown; left: unknown };
    expect(second).toMatchObject({ fixed: [], left: [], warnings: 0 });
    expect(file()).toBe(after);
  });

  it('leaves a file alone that is not UTF-8', async () => {
    worldWith(good);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      join(world.workspace, '.techne/skills/writer/SKILL.md'),
      Buffer.concat([Buffer.from(skillText('writer', undefined, weak)), Buffer.from([0xff, 0xfe])]),
    );
    const { out, err } = await world.run(['check', '--fix', '.techne/skills/writer']);
    expect(out).toContain('0 files corrected');
    expect(err).toContain('was not changed');
  });

  it('wants --fix for --dry-run', async () => {
    expect((await worldWith(good).run(['check', '--dry-run'])).code).toBe(2);
  });

  it('tells of triggers that two skills have in common', async () => {
    worldWith(good);
    world.write({
      'work/.techne/skills/other/SKILL.md': skillText(
        'other',
        undefined,
        'triggers: [please write it now, other words]\n',
      ),
    });
    const { out } = await world.run(['check']);
    expect(out).toContain(
      'warning TRIGGER_COLLISION: the trigger "please write it now" holds "write it", a trigger of the skill "writer"',
    );
  });

  it('checks the entry point of any skill', async () => {
    worldWith(good);
    world.write({
      'work/.techne/skills/tool/SKILL.md': skillText(
        'tool',
        undefined,
        'entrypoint: {command: "python {{ with.script }}"}\n',
      ),
    });
    const { out } = await world.run(['check', '.techne/skills/tool']);
    expect(out).toContain(
      'warning TAINT_COMMAND: entrypoint: entrypoint.command: with.script, which the caller of the skill gives, becomes part of the command itself',
    );
  });
});

describe('techne check, for output templates', () => {
  const flow = `inputs: ["path|required"]
output: assets/template.md
refine: true
metadata: {techne: {risk: low}}
steps:
  - {id: source, tool: read_file, params: {path: "{{ inputs.path | truncate(200) }}"}}
`;
  const files = {
    'work/.techne/skills/noter/SKILL.md': skillText('noter', undefined, flow),
    'work/.techne/skills/noter/assets/template.md': '# {{ inputs.path }}\r\n\r\n{{ source }}\r\n',
    'work/.techne/skills/noter/assets/template-short.md': '{{ source | truncate(90) }}\n',
  };
  const read = (name: string): string =>
    readFileSync(join(world.workspace, '.techne/skills/noter/assets', name), 'utf8');

  it('makes errors of unguarded text with --strict', async () => {
    world = createWorld(files);
    const { code, out } = await world.run(['check', '--strict', '.techne/skills/noter']);
    expect(code).toBe(1);
    expect(out.match(/assets\/template\.md:\d+:\d+: error STRICT_TAINT: the output template: .*/g)).toEqual([
      'assets/template.md:1:3: error STRICT_TAINT: the output template: inputs.path, which a person wrote, reaches a prompt unescaped and without a bound',
      'assets/template.md:3:1: error STRICT_TAINT: the output template: source, the output of a step, reaches a prompt without a bound',
    ]);
  });

  it('corrects them with --fix, and nothing else', async () => {
    world = createWorld(files);
    const dry = await world.run(['check', '--fix', '--dry-run', '.techne/skills/noter']);
    expect(dry.out).toContain('1 file would be corrected, in 2 places');
    const { code, out } = await world.run(['check', '--fix', '.techne/skills/noter']);
    expect([code, out.trimEnd().split('\n').slice(-2)]).toEqual([
      0,
      ['1 file corrected, in 2 places', expect.stringContaining('0 errors, 0 warnings')],
    ]);
    expect([read('template.md'), read('template-short.md')]).toEqual([
      '# {{ inputs.path | xml_escape | truncate(2000) }}\r\n\r\n{{ source | truncate(4000) }}\r\n',
      '{{ source | truncate(90) }}\n',
    ]);
  });

  it('leaves a template alone that is a link', async () => {
    world = createWorld({ ...files, 'work/.techne/skills/noter/assets/real.md': '{{ source }}\n' });
    rmSync(join(world.workspace, '.techne/skills/noter/assets/template.md'));
    symlinkSync('real.md', join(world.workspace, '.techne/skills/noter/assets/template.md'));
    const { err } = await world.run(['check', '--fix', '.techne/skills/noter']);
    expect(err).toContain('was not changed');
    expect(read('real.md')).toBe('{{ source }}\n');
  });

  it('neither reads nor corrects what a link out of the folder leads to', async () => {
    world = createWorld({ ...files, 'work/elsewhere.md': 'SECRET {{ source\n' });
    rmSync(join(world.workspace, '.techne/skills/noter/assets/template.md'));
    symlinkSync(
      join(world.workspace, 'elsewhere.md'),
      join(world.workspace, '.techne/skills/noter/assets/template.md'),
    );
    const { out, err } = await world.run(['check', '--fix', '.techne/skills/noter']);
    expect(`${out}${err}`).not.toContain('SECRET');
    expect(readFileSync(join(world.workspace, 'elsewhere.md'), 'utf8')).toBe('SECRET {{ source\n');
  });

  it('shows a fault of a template at its place in techne plan', async () => {
    world = createWorld({
      ...files,
      'work/.techne/skills/noter/assets/template.md': 'One\n{{ source | truncat(9) }}\n',
    });
    const { err } = await world.run(['plan', 'noter']);
    expect(err).toMatch(
      /assets\/template\.md:2:13: error .*there is no filter "truncat"[\s\S]*\{\{ source \| truncat\(9\) \}\}\n +\^+/,
    );
  });
});

describe('techne check, for what is known before a run', () => {
  const told = async (text: string): Promise<readonly string[]> => {
    return codesOf((await worldWith(text).run(['check', '--json', '.techne/skills/writer'])).out);
  };
  const codesOf = (out: string): readonly string[] =>
    (JSON.parse(out) as { diagnostics: readonly { code: string }[] }).diagnostics
      .map(({ code }) => code)
      .filter((code) => code !== 'LINT_TEST_PROMPTS');
  const meta = (steps: string, more = ''): string =>
    `kind: meta\ntriggers: [draft it, write it]\nmetadata: {techne: {risk: high}}\n${more}composition:\n  steps:\n    - ${steps}\n`;

  it('knows the built-in tools and what they take', async () => {
    expect(await told(meta('{id: a, kind: tool_call, tool: read_file, tool_args: {pth: a}}'))).toEqual([
      'PLAN_STEP_FAILS',
      'PLAN_STEP_FAILS',
    ]);
    expect(await told(meta('{id: a, kind: tool_call, tool: read_fil, tool_args: {path: a}}'))).toEqual([
      'PLAN_TOOL_MISSING',
    ]);
    expect(
      await told(
        meta(
          '{id: a, kind: tool_call, tool: exec_command, tool_args: {command: [ls], workdir: x, timeout: 3}}',
        ),
      ),
    ).toEqual([]);
  });

  it('tells everything about a chain that runs itself, as an error', async () => {
    const { code, out } = await worldWith(
      'chain: [{skill: writer, condtion: "1 > 0"}, gone]\nmetadata: {techne: {risk: high}}\n',
    ).run(['check', '--json', '.techne/skills/writer']);
    expect([code, codesOf(out)]).toEqual([1, ['PLAN_NESTED', 'PLAN_KEY_MISSPELT', 'PLAN_SKILL_MISSING']]);
  });

  it('says each thing once', async () => {
    expect(await told(meta('{id: a, kind: llm_chat, with: {task: x}}', 'final_text_mode: loud\n'))).toEqual([
      'PLAN_VALUE',
    ]);
    expect(
      await told(
        'steps:\n  - {id: a, tool: command, params: {argv: [ls]}}\nmetadata: {techne: {risk: lowish}}\n',
      ),
    ).toEqual(['FIELD_VALUE']);
    expect(
      await told('output: assets/gone.md\nsteps:\n  - {id: a, tool: chat, params: {prompt: x}}\n'),
    ).toEqual(['PLAN_OUTPUT_MISSING']);
  });
});
