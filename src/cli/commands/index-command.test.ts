import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

let world: World;
afterEach(() => world.remove());

const skill = (name: string, description: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${fields}---\n\nThe body of ${name}.\n`;
const start = (): World => {
  world = createWorld({
    'work/techne.json': '{"roots": {"builtin": false}}',
    'work/.techne/skills/tides/SKILL.md': skill(
      'tides',
      'Says when the water is high. Use when someone asks about the sea.',
    ),
    // Of the person, so that it is preloaded.
    'home/.techne/skills/notes/SKILL.md': skill('notes', 'Writes notes.', 'always: true\n'),
    'work/.techne/skills/deploy/SKILL.md': skill('deploy', 'Ships it.', 'disable-model-invocation: true\n'),
  });
  return world;
};

describe('techne index', () => {
  it('does not preload an untrusted skill of a workspace that asks for it', async () => {
    start().write({ 'work/.techne/skills/evil/SKILL.md': skill('evil', 'Wants in.', 'always: true\n') });
    const { out, err } = await world.run(['index']);
    expect([out.includes('The body of evil.'), out.includes('- evil: Wants in.'), err]).toEqual([
      false,
      true,
      expect.stringContaining(
        'warning: the skill "evil" is not preloaded: it is untrusted; run "techne trust evil", or name it in prompt.preload\n',
      ),
    ]);
  });

  it('prints what a model sees, and what each tier costs', async () => {
    const { code, out, err } = await start().run(['index']);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        '## Available skills',
        'Use `skill_search(query)` to filter and `skill_load(name)` to read a body.',
        '- notes [preloaded]: Writes notes.',
        '- tides: Says when the water is high. Use when someone asks about the sea.',
        '',
        '<skill_text skill="notes">',
        '### Skill: notes',
        '',
        'The body of notes.',
        '</skill_text>',
        '',
      ].join('\n'),
    );
    expect(err).toBe(
      [
        '',
        'tier full: 2 skills listed; 204 characters, about 51 of 4000 tokens',
        '  full       51 tokens  full descriptions',
        '  shortened  51 tokens  at most 80 characters of each',
        '  names      29 tokens  names only',
        '  omitted    38 tokens  a note that there are skills',
        '',
      ].join('\n'),
    );
  });

  it('keeps to a budget in tokens or characters', async () => {
    start();
    expect((await world.run(['index', '--budget', '51', '-q'])).out).toContain(
      '- notes [preloaded]: Writes notes.\n',
    );
    expect((await world.run(['index', '--characters', '203', '-q'])).out).toContain(
      '\nnotes [preloaded]\ntides\n',
    );
    expect(JSON.parse((await world.run(['index', '--budget', '48', '--json'])).out)).toMatchObject({
      budget: { characters: 192, tokens: 48 },
      tier: 'names',
      listed: 2,
      omitted: 0,
    });
    expect(JSON.parse((await world.run(['index', '--budget', '0', '--json'])).out)).toMatchObject({
      tier: 'omitted',
      omitted: 2,
      characters: 0,
    });
    expect((await world.run(['index', '--budget', 'many'])).code).toBe(2);
  });

  it('shows what is for the index and what for a turn, so that the table explains the tier', async () => {
    const { err } = await start().run(['index', '--budget', '48']);
    expect(err).toBe(
      [
        '',
        // The note would take more.
        'tier names: 2 skills listed; 118 characters, about 29 of 29 tokens',
        'the budget of 48 tokens is too small for all descriptions: the index gets 29 of them, the block of a turn 18',
        '  full       51 tokens  full descriptions; over 48',
        '  shortened  40 tokens  at most 24 characters of each; over 29',
        '  names      29 tokens  names only',
        '  omitted    38 tokens  a note that there are skills',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await world.run(['index', '--budget', '48', '--json'])).out)).toMatchObject({
      budget: { tokens: 48, index: { characters: 118, tokens: 29 }, turn: { characters: 74, tokens: 18 } },
    });
  });

  it.each([60, 100, 230, 300, 330])(
    'says the same in the headline, the table and as data, with a budget of %i tokens',
    async (budget) => {
      start();
      for (let n = 1; n <= 12; n += 1)
        world.write({
          [`work/.techne/skills/skill-number-${n}/SKILL.md`]: skill(
            `skill-number-${n}`,
            'Says when the water is high, over the sea and far away, extraordinarily often. Use when someone asks.',
          ),
        });
      const { err } = await world.run(['index', '--budget', `${budget}`]);
      const [, tier, took, of] = /^tier (\w+): .* about (\d+) of (\d+) tokens$/m.exec(err) ?? [];
      const [, index, turn] = /: the index gets (\d+) of them, the block of a turn (\d+)$/m.exec(err) ?? [];
      const [, row, note] = new RegExp(`^  ${tier} +(\\d+) tokens  (.*)$`, 'm').exec(err) ?? [];
      expect([
        row,
        of,
        note?.includes('over'),
        Number(took) <= Number(of),
        Number(index) + Number(turn) <= budget,
      ]).toEqual([took, index, false, true, true]);
      expect(JSON.parse((await world.run(['index', '--budget', `${budget}`, '--json'])).out)).toMatchObject({
        tokens: Number(took),
        budget: { tokens: budget, index: { tokens: Number(index) }, turn: { tokens: Number(turn) } },
      });
    },
  );

  it('prints everything as data', async () => {
    const { out } = await start().run(['index', '--json', '--message', 'hello']);
    expect(JSON.parse(out)).toMatchObject({
      tier: 'full',
      listed: 2,
      omitted: 0,
      descriptionLimit: null,
      preloaded: ['notes'],
      turn: { message: 'hello', block: '', told: [] },
    });
  });

  it('says so when there is nothing to see', async () => {
    world = createWorld({ 'work/techne.json': '{"roots": {"builtin": false}}' });
    expect(await world.run(['index'])).toEqual({
      code: 0,
      out: '',
      err: 'No skill is visible to the model, so the prompt has no index.\n',
    });
  });
});
