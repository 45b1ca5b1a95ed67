import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTechne } from '../../techne/create-techne.ts';
import type { RunResult } from '../result/result.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';

const program = 'def run(input):\n    return str([ask("a")["answer"] for _ in range(8)])\n';
let world: World;
beforeEach(() => {
  world = createWorld();
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
});
afterEach(() => world.remove());

const put = (fields: string): void =>
  world.write({
    'work/.techne/skills/many/SKILL.md': skillText('many', 'Asks a lot. Use to ask.', fields),
    'work/.techne/skills/many/SKILL.star': program,
  });
async function run(limits: { readonly asks?: number } = {}): Promise<RunResult> {
  const techne = await createTechne({
    cwd: world.workspace,
    homeFolder: world.home,
    variables: {},
    answerer: () => 'x',
  });
  try {
    return await techne.run('many', { a: 1 }, { limits });
  } finally {
    await techne.close();
  }
}

describe('the limits that a skill declares', () => {
  it.each(['metadata: {techne: {limits: {asks: 8}}}\n', 'metadata: {techne.limits.asks: "8"}\n'])(
    'hold instead of the defaults: %j',
    async (fields) => {
      put('');
      expect((await run()).error?.code).toBe('ASK_BUDGET');
      put(fields);
      expect((await run()).status).toBe('completed');
      // The caller's word counts first.
      expect((await run({ asks: 2 })).error?.code).toBe('ASK_BUDGET');
    },
  );

  it('are capped by the host, and the result says so', async () => {
    put('metadata: {techne: {limits: {asks: 5000, commands: 3, time: 10m}}}\n');
    expect((await run()).usage.clamped).toEqual(['asks']);
  });

  it('are shown before the skill is trusted, and by show', async () => {
    put('metadata: {techne: {limits: {asks: 60, commands: 3, time: 10m}}}\n');
    world.write({ 'home/.techne/config.json': '{"roots": {"builtin": false}}' });
    const words = '60 asks (this host allows 50 asks), 3 commands, 600 s';
    const { err } = await world.run(['trust', 'many'], { typed: 'n\n' });
    expect(err).toContain(`A run of it may use ${words}, as it declares.`);
    expect((await world.run(['show', 'many', '--no-color'])).out).toMatch(
      new RegExp(`^limits +${words.replace(/[()]/g, '\\$&')}$`, 'm'),
    );
  });

  it('are reported where they are wrong, and left out', async () => {
    put('metadata: {techne: {limits: {asks: lots, commands: -1, time: soon, tokens: 9}}}\n');
    const { out } = await world.run(['check', '.techne/skills/many', '--no-color']);
    expect(out.match(/FIELD_VALUE: .*/g)).toEqual([
      'FIELD_VALUE: metadata.techne.limits.asks must be a number of calls, not "lots"',
      'FIELD_VALUE: metadata.techne.limits.commands must be a number of calls, not the number -1',
      'FIELD_VALUE: metadata.techne.limits.time must be seconds, or a text such as 90s, 10m or 1h, not "soon"',
      'FIELD_VALUE: metadata.techne.limits.tokens is not a limit that a skill can declare',
    ]);
    expect((await run()).error?.code).toBe('ASK_BUDGET');
  });
});
