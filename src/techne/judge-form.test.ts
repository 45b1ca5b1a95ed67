import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../test/support/run-cli.ts';
import type { World } from '../../test/support/run-cli.ts';
import { createTechne } from './create-techne.ts';

const good = 'def run(input):\n    return "yes"\n';
const programs: { readonly [name: string]: string } = {
  'a-good': good,
  'b-syntax': 'def run(input)\n    return 1\n',
  'c-no-run': 'def main(input):\n    return 1\n',
  'd-no-input': 'def run():\n    return 1\n',
  'e-name': 'def run(input):\n    return nothing_here\n',
  'f-head': `---\nname: x\n---\n${good}`,
  'g-large': `${good}${'# more\n'.repeat(10_000)}`,
  'h-early': `found = ask("now")\n${good}`,
};
const plan = (name: string, steps: string): string =>
  skillText(name, 'Does it. Use when it is needed.', `kind: meta\ncomposition:\n  steps:\n${steps}`);
const chat = (id: string, more: string): string =>
  `    - {id: ${id}, kind: llm_chat, with: {task: hello}${more}}\n`;

let world: World;
const put = (name: string, source: string): void =>
  world.write({
    [`work/.techne/skills/${name}/SKILL.md`]: skillText(name, `Use to ${name}.`),
    [`work/.techne/skills/${name}/SKILL.star`]: source,
  });
beforeEach(() => {
  world = createWorld();
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      trust: { folders: [world.workspace] },
    }),
  });
  for (const [name, source] of Object.entries(programs)) put(name, source);
  world.write({ 'work/.techne/skills/i-link/SKILL.md': skillText('i-link', 'Use to link.') });
  const linked = join(world.workspace, '.techne/skills/i-link/SKILL.star');
  writeFileSync(join(world.workspace, 'elsewhere.star'), good);
  symlinkSync(join(world.workspace, 'elsewhere.star'), linked);
  put('j-latin', '');
  writeFileSync(
    join(world.workspace, '.techne/skills/j-latin/SKILL.star'),
    Buffer.from(`${good}# caf\xe9\n`, 'latin1'),
  );
  world.write({
    'work/.techne/skills/k-plan/SKILL.md': plan('k-plan', chat('a', '')),
    'work/.techne/skills/l-circle/SKILL.md': plan(
      'l-circle',
      chat('a', ', depends_on: [b]') + chat('b', ', depends_on: [a]'),
    ),
    'work/.techne/skills/m-template/SKILL.md': skillText(
      'm-template',
      'Use to fill it in.',
      'output: assets/page.md\nsteps:\n  - {id: a, tool: chat, params: {prompt: hello}}\n',
    ),
    'work/.techne/skills/m-template/assets/page.md': '{{ a \n',
  });
});
afterEach(() => world.remove());

const open = (): ReturnType<typeof createTechne> =>
  createTechne({ cwd: world.workspace, homeFolder: world.home, variables: {} });

interface Seen {
  readonly offered: readonly string[];
  readonly marked: readonly string[];
}

async function seen(): Promise<Seen> {
  const techne = await open();
  const session = await techne.session();
  const tool = session.tools.find(({ name }) => name === 'run_metaskill');
  const names = tool?.parameters['properties'] as { readonly name: { readonly enum: readonly string[] } };
  const marked = session.prompt
    .split('\n')
    .filter((line) => /\((?:metaskill: starlark|composition|workflow)\)$/.test(line))
    .map((line) => line.replace(/^- ([^:]+):.*$/, '$1'));
  await techne.close();
  return { offered: names.name.enum, marked };
}

describe('the verdict about a program or plan', () => {
  it('keeps what cannot be executed from the enum and from the marks of the index', async () => {
    expect(await seen()).toEqual({ offered: ['a-good', 'k-plan'], marked: ['a-good', 'k-plan'] });
  });

  it('counts trust: what is not trusted to be executed is offered as instructions', async () => {
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        trust: { folders: [join(world.workspace, '.techne/skills/k-plan')] },
      }),
      'home/.techne/skills/n-mine/SKILL.md': skillText('n-mine', 'Use to do mine.'),
      'home/.techne/skills/n-mine/SKILL.star': good,
    });
    expect(await seen()).toEqual({ offered: ['k-plan'], marked: ['k-plan'] });
  });

  it('is what list and doctor show, with the reason', async () => {
    const rows = JSON.parse((await world.run(['list', '--json', '--all'])).out) as readonly {
      readonly name: string;
      readonly executable: boolean;
      readonly reasons: readonly { readonly code: string; readonly message: string }[];
    }[];
    expect(rows.map(({ name, executable }) => `${name} ${executable}`)).toEqual([
      'a-good true',
      'b-syntax false',
      'c-no-run false',
      'd-no-input false',
      'e-name false',
      'f-head false',
      'g-large false',
      'h-early false',
      'i-link false',
      'j-latin false',
      'k-plan true',
      'l-circle false',
      'm-template false',
    ]);
    expect(rows.flatMap(({ reasons }) => reasons.map(({ code, message }) => `${code} ${message}`))).toEqual([
      "PROGRAM_INVALID the program has errors: SKILL.star:1:15: got newline, want ':' (end the line with ':')",
      'PROGRAM_INVALID the program has errors: SKILL.star: the program defines no function run (write: def run(input):)',
      'PROGRAM_INVALID the program has errors: SKILL.star:1:5: run must take one argument, the input of the skill (write: def run(input):)',
      'PROGRAM_INVALID the program has errors: SKILL.star:2:12: undefined: nothing_here',
      'NOT_EXECUTABLE the program starts with frontmatter; only SKILL.md holds metadata',
      'NOT_EXECUTABLE the program has 70033 bytes, over 65536',
      'PROGRAM_INVALID the program has errors: SKILL.star:1:9: ask is called outside any function, where the host cannot answer (call it in run, or in a function that run calls)',
      'NOT_EXECUTABLE the program "SKILL.star" is a link that leaves the skill folder',
      'NOT_EXECUTABLE the program "SKILL.star" is not a text in UTF-8',
      'PLAN_INVALID the plan has errors: SKILL.md:8:65: steps wait for each other: "a" needs "b" needs "a" (remove one of these dependencies)',
      'PLAN_INVALID the plan has errors: assets/page.md:1:1: the output template: assets/page.md: the tag that begins here is never closed with "}}" (or one of its brackets or quotes is not closed)',
    ]);
    const { out } = await world.run(['doctor', '--no-color']);
    expect(out).toContain('  l-circle\n      PLAN_INVALID the plan has errors: ');
    const one = await world.run(['doctor', 'b-syntax', '--no-color']);
    expect(one.out).toContain(
      '  no   runnable\n         PROGRAM_INVALID the program has errors: SKILL.star:1:15',
    );
    expect(one.code).toBe(1);
    expect((await world.run(['list', '--no-color'])).out).toMatch(
      /^l-circle +workspace +composition +cannot run/m,
    );
  });

  it('is the reason of a run that cannot start', async () => {
    const techne = await open();
    const failed = await techne.run('b-syntax', {});
    expect([failed.status, failed.error?.code]).toEqual(['failed', 'PROGRAM_INVALID']);
    expect(failed.text).toContain("the program has errors: SKILL.star:1:15: got newline, want ':'");
    const circle = await techne.run('l-circle', { user_message: 'x' });
    expect([circle.status, circle.error?.code]).toEqual(['failed', 'PLAN_INVALID']);
    await techne.close();
  });
});
