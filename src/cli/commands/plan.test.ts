import { readFileSync } from 'node:fs';
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
const weak = good.replace(' | xml_escape | truncate(900)', '').replace('outputs.draft | truncate(900)', 'outputs.draft');
const broken = good.replace('depends_on: [draft]', 'depends_on: [drat]');

function worldWith(text: string): World {
  world = createWorld({ 'work/.techne/skills/writer/SKILL.md': skillText('writer', undefined, text), 'work/.techne/skills/helper/SKILL.md': skillText('helper') });
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
    const { code, out } = await worldWith(good).run(['plan', '.techne/skills/writer/SKILL.md', '--format', 'mermaid']);
    expect(code).toBe(0);
    expect(out).toContain('flowchart TD');
  });

  it('draws a picture', async () => {
    const { out } = await worldWith(good).run(['plan', 'writer', '--format', 'svg']);
    expect(out).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
  });

  it('prints the plan as data', async () => {
    const { out } = await worldWith(good).run(['plan', 'writer', '--json']);
    const { plan, diagnostics } = JSON.parse(out) as { plan: { steps: readonly { id: string }[]; needs: unknown }; diagnostics: readonly unknown[] };
    expect(plan.steps.map(({ id }) => id)).toEqual(['draft', 'check']);
    expect(plan.needs).toEqual({ skills: ['helper'], tools: [], models: [] });
    expect(diagnostics).toEqual([]);
  });

  it('says what keeps a skill from running, and exits with 1', async () => {
    const { code, out, err } = await worldWith(broken).run(['plan', 'writer']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('error PLAN_STEP_UNKNOWN: step "check" depends on "drat", which does not exist');
    expect(JSON.parse((await world.run(['plan', 'writer', '--format', 'json'])).out)).toMatchObject({ plan: null, diagnostics: [{ code: 'PLAN_STEP_UNKNOWN', line: 10 }, { code: 'PLAN_REFERENCE_ORDER' }] });
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
    expect(out).toContain('+    - {id: draft, kind: llm_chat, with: {task: "{{ inputs.user_message | xml_escape | truncate(2000) }}"}}\n');
    expect(out).toContain('1 file would be corrected, in 2 places');
    expect(file()).toBe(skillText('writer', undefined, weak));
  });

  it('puts right what it can, once', async () => {
    const first = await worldWith(weak).run(['check', '--fix', '.techne/skills/writer']);
    expect(first.out).toContain('1 file corrected, in 2 places');
    expect(first.out).not.toContain('TAINT');
    const after = file();
    expect(after).toBe(skillText('writer', undefined, weak.replace('inputs.user_message', 'inputs.user_message | xml_escape | truncate(2000)').replace('outputs.draft }}', 'outputs.draft | truncate(4000) }}')));
    const second = JSON.parse((await world.run(['check', '--fix', '--json', '.techne/skills/writer'])).out) as { fixed: unknown; left: unknown };
    expect(second).toMatchObject({ fixed: [], left: [], warnings: 0 });
    expect(file()).toBe(after);
  });

  it('leaves a file alone that is not UTF-8', async () => {
    worldWith(good);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(world.workspace, '.techne/skills/writer/SKILL.md'), Buffer.concat([Buffer.from(skillText('writer', undefined, weak)), Buffer.from([0xff, 0xfe])]));
    const { out, err } = await world.run(['check', '--fix', '.techne/skills/writer']);
    expect(out).toContain('0 files corrected');
    expect(err).toContain('was left as it is');
  });

  it('wants --fix for --dry-run', async () => {
    expect((await worldWith(good).run(['check', '--dry-run'])).code).toBe(2);
  });

  it('tells of triggers that two skills have in common', async () => {
    worldWith(good);
    world.write({ 'work/.techne/skills/other/SKILL.md': skillText('other', undefined, 'triggers: [please write it now, other words]\n') });
    const { out } = await world.run(['check']);
    expect(out).toContain('warning TRIGGER_COLLISION: the trigger "please write it now" holds "write it", a trigger of the skill "writer"');
  });

  it('checks the entry point of any skill', async () => {
    worldWith(good);
    world.write({ 'work/.techne/skills/tool/SKILL.md': skillText('tool', undefined, 'entrypoint: {command: "python {{ with.script }}"}\n') });
    const { out } = await world.run(['check', '.techne/skills/tool']);
    expect(out).toContain('warning TAINT_COMMAND: entrypoint: entrypoint.command: with.script, which whoever calls the skill gives, becomes part of the command itself');
  });
});
