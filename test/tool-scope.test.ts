// allowed-tools, tools and disallowed-tools are a boundary for everything that a skill executes.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTechne } from '../src/techne/create-techne.ts';
import type { RunResult } from '../src/run/result/result.ts';
import type { Json } from '../src/base/json.ts';
import { createWorld, skillText } from './support/run-cli.ts';
import type { World } from './support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      commands: { allow: ['echo *', 'node *'] },
      tools: { allow: ['write_file'] },
      sandbox: { mode: 'off' },
    }),
    'work/notes.txt': 'the moon',
  });
});
afterEach(() => world.remove());

const put = (name: string, fields: string, program?: string): void =>
  world.write({
    [`work/.techne/skills/${name}/SKILL.md`]: skillText(name, `Use to ${name}.`, fields),
    ...(program === undefined ? {} : { [`work/.techne/skills/${name}/SKILL.star`]: program }),
  });
const written = (path: string): string | null => {
  const file = join(world.workspace, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};
async function run(skill: string, input: Json = {}): Promise<RunResult> {
  const techne = await createTechne({
    cwd: world.workspace,
    homeFolder: world.home,
    variables: { PATH: process.env['PATH'] },
  });
  try {
    return await techne.run(skill, input);
  } finally {
    await techne.close();
  }
}
const writing = 'steps:\n  - {id: a, tool: write_file, params: {path: "{{ inputs.path }}", content: x}}\n';
const inputs = 'inputs:\n  path: {type: string, maxLength: 100, required: true}\n';

describe('the tools of a skill', () => {
  it('refuse a step before the run, and check says so', async () => {
    put('outside', `allowed-tools: [Read]\n${inputs}${writing}`);
    const { code, out } = await world.run(['check', '.techne/skills/outside', '--strict', '--no-color']);
    expect([code, /PLAN_SCOPE: (.*)/.exec(out)?.[1]]).toEqual([
      1,
      'step "a": "write_file" is not among the tools that the skill allows (Read)',
    ]);
    const { status, error } = await run('outside', { path: 'a.txt' });
    expect([status, error?.code, written('a.txt')]).toEqual(['failed', 'PLAN_INVALID', null]);
  });

  it.each([
    ['allowed-tools: [Read, "Write(out/**)"]\n', 'out/a.txt', 'in.txt'],
    ['tools: [write_file(out/**)]\n', 'out/a.txt', 'in.txt'],
    ['disallowed-tools: ["Write(in.txt)"]\n', 'out/a.txt', 'in.txt'],
  ])('hold a step to the limit in %j', async (fields, good, bad) => {
    put('limited', `${fields}${inputs}${writing}`);
    expect([(await run('limited', { path: good })).status, written(good)]).toEqual(['completed', 'x']);
    expect([(await run('limited', { path: bad })).status, written(bad)]).toEqual(['failed', null]);
    expect([(await run('limited', { path: `out/../${bad}` })).status, written(bad)]).toEqual([
      'failed',
      null,
    ]);
  });

  it('hold in the runs that it starts', async () => {
    put('inner', `${inputs}${writing}`);
    put(
      'outer',
      'disallowed-tools: [Write]\nsteps:\n  - {id: a, tool: skill, params: {skill: inner, path: a.txt}}\n',
    );
    const { status, text } = await run('outer');
    expect([status, written('a.txt')]).toEqual(['failed', null]);
    expect(text).toContain('"write_file" is one of the tools that the skill disallows');
    expect([(await run('inner', { path: 'a.txt' })).status, written('a.txt')]).toEqual(['completed', 'x']);
  });

  it('deny commands of programs', async () => {
    const program = (argv: string): string =>
      `def run(input):\n    done = command(${argv})\n    return {"answer": done["result"], "denied": done["denied"]}\n`;
    put('echo', 'allowed-tools: ["Bash(echo:*)"]\n', program('["echo"] + ["hi"]'));
    put('other', 'allowed-tools: ["Bash(echo:*)"]\n', program('["node", "-v"]'));
    put('none', 'tools: [Read]\n', program('["echo", "hi"]'));
    expect((await run('echo', { x: 1 })).envelope).toMatchObject({ answer: 'hi\n', denied: false });
    expect((await run('other', { x: 1 })).envelope).toMatchObject({
      answer: 'error: "command(node -v)" is not among the tools that the skill allows (Bash(echo:*))',
      denied: true,
    });
    expect((await run('none', { x: 1 })).envelope).toMatchObject({ denied: true });
    const { out } = await world.run(['check', '.techne/skills', '--no-color']);
    expect(out.match(/PROGRAM_SCOPE: .*/g)).toEqual([
      'PROGRAM_SCOPE: the command is denied: "command(echo hi)" is not among the tools that the skill allows (Read)',
      'PROGRAM_SCOPE: the command is denied: "command(node -v)" is not among the tools that the skill allows (Bash(echo:*))',
    ]);
  });

  it('deny entry points: by the skill that runs them, and by their own', async () => {
    const entry = 'entrypoint: {command: echo hello}\n';
    const plan = (skill: string, fields: string): string =>
      `kind: meta\n${fields}final_text_mode: raw\ncomposition:\n  steps:\n    - {id: a, kind: skill_exec, skill: ${skill}}\n`;
    put('free', entry);
    put('held', `allowed-tools: [Read]\n${entry}`);
    put('runs-free', plan('free', ''));
    put('runs-held', plan('held', ''));
    put('echoes', plan('free', 'allowed-tools: ["Bash(echo:*)"]\n'));
    put('nodes', plan('free', 'allowed-tools: ["Bash(node:*)"]\n'));
    const said = async (name: string): Promise<string> => (await run(name, 'go')).text;
    expect(await said('runs-free')).toContain('hello');
    expect(await said('echoes')).toContain('hello');
    expect(await said('runs-held')).toContain('is not among the tools that the skill allows (Read)');
    expect(await said('nodes')).toContain('is not among the tools that the skill allows (Bash(node:*))');
    const { out } = await world.run(['check', '.techne/skills/held', '--no-color']);
    expect(out).toContain('ENTRYPOINT_SCOPE');
  });

  const makes = (into: string): string =>
    `entrypoint: {command: cat ${into}, assemble: [{into: first.txt, from_template: a}, {into: ${into}, from_template: hello}]}\n`;
  const runs = (skill: string, fields = ''): string =>
    `kind: meta\n${fields}final_text_mode: raw\ncomposition:\n  steps:\n    - {id: a, kind: skill_exec, skill: ${skill}}\n`;

  it.each([
    ['disallowed-tools: [Write, Edit]\n', 'is one of the tools that the skill disallows'],
    ['disallowed-tools: ["Write(out/**)"]\n', 'is one of the tools that the skill disallows'],
    ['allowed-tools: [Bash]\n', 'is not among the tools that the skill allows (Bash)'],
    ['tools: [Bash, "Write(first.txt)"]\n', 'is not among the tools that the skill allows'],
  ])('deny the files that an entry point writes: %j', async (fields, why) => {
    put('free', makes('out/a.txt'));
    put('held', `${fields}${makes('out/a.txt')}`);
    put('runs-held', runs('held'));
    put('holds', runs('free', fields));
    for (const name of ['runs-held', 'holds']) {
      const { status, text } = await run(name, 'go');
      expect([status, text]).toEqual(['failed', expect.stringContaining(why)]);
    }
    expect([written('out/a.txt'), written('first.txt')]).toEqual([null, null]);
    const { out } = await world.run(['check', '.techne/skills', '--no-color']);
    expect(out.match(/(?:ENTRYPOINT|PLAN)_SCOPE: .*/g)).toEqual([
      expect.stringContaining('ENTRYPOINT_SCOPE: the entry point writes'),
      expect.stringContaining('PLAN_SCOPE: step "a": '),
    ]);
  });

  it('deny a file of an entry point that a link leads elsewhere, and write none of the others', async () => {
    put('linked', `tools: [Bash, "Write(first.txt, out/**)"]\n${makes('out/link/a.txt')}`);
    put('runs-linked', runs('linked'));
    world.write({ 'work/src/b.txt': 'b' });
    mkdirSync(join(world.workspace, 'out'));
    symlinkSync('../src', join(world.workspace, 'out/link'));
    expect((await world.run(['run', 'runs-linked', 'user_message=go', '-q'])).code).toBe(5);
    const { code, err } = await world.run(['answer', 'last', '--approve', 'once', '-q'], { talk: [] });
    expect([code, err]).toEqual([1, expect.stringContaining('is not among the paths')]);
    expect([written('src/a.txt'), written('first.txt')]).toEqual([null, null]);
  });
});
