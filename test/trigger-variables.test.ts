// The values that a trigger takes from a message reach the model with the turn, and the run as its defaults.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTechne } from '../src/techne/create-techne.ts';
import type { Techne } from '../src/techne/create-techne.ts';
import type { World } from './support/run-cli.ts';
import { createWorld } from './support/run-cli.ts';

const skills = {
  'work/techne.json': '{}',
  'work/.techne/skills/explain/SKILL.md':
    '---\nname: explain\ndescription: Explains a concept. Use to explain one.\ntriggers: ["explain the concept {concept}", "explain {concept} in {count} words"]\nmetaskill: SKILL.star\ninputs:\n  concept: {type: string, required: true}\n  count: {type: integer, default: 3}\n---\n\nExplain it.\n',
  'work/.techne/skills/explain/SKILL.star':
    'def run(input):\n    return {"answer": "%s in %d" % (input["concept"], input["count"])}\n',
  'work/.techne/skills/note/SKILL.md':
    '---\nname: note\ndescription: Writes a note. Use to note.\ntriggers: ["note down {thing}"]\nmetaskill: SKILL.star\ninputs:\n  text: {type: string, required: true}\n---\n\nNote it.\n',
  'work/.techne/skills/note/SKILL.star': 'def run(input):\n    return {"answer": input["text"]}\n',
};

let world: World;
let techne: Techne;
beforeEach(async () => {
  world = createWorld(skills);
  world.write({ 'home/.techne/config.json': JSON.stringify({ roots: { builtin: false } }) });
  techne = await createTechne({
    cwd: world.workspace,
    homeFolder: world.home,
    variables: {},
    trust: [world.workspace],
  });
});
afterEach(async () => {
  await techne.close();
  world.remove();
});

const answerIn = (text: string): string => /"answer":\s*"([^"]*)"/.exec(text)?.[1] ?? text;

describe('the values of a trigger', () => {
  it('are in the block of the turn, and defaults of a run in that turn', async () => {
    const session = await techne.session();
    const { block } = await session.enrich({ message: 'please explain the concept spring tide' });
    expect(block).toContain('From the message, for `explain`: concept = "spring tide"');
    const run = async (input: object | null): Promise<string> =>
      answerIn(
        (
          await session.call('run_metaskill', {
            name: 'explain',
            ...(input === null ? {} : { input: { ...input } }),
          })
        ).text,
      );
    expect([
      await run(null),
      await run({}),
      await run({ count: 5 }),
      await run({ concept: 'neap tide' }),
    ]).toEqual(['spring tide in 3', 'spring tide in 3', 'spring tide in 5', 'neap tide in 3']);
    await session.enrich({ message: 'thank you' });
    expect(await run({})).toMatch(/^error: input is required/);
  });

  it('have the types of the inputs', async () => {
    const session = await techne.session();
    await session.enrich({ message: 'explain gravity in 7 words' });
    expect(answerIn((await session.call('run_metaskill', { name: 'explain', input: {} })).text)).toBe(
      'gravity in 7',
    );
    await session.enrich({ message: 'explain gravity in many words' });
    expect(answerIn((await session.call('run_metaskill', { name: 'explain', input: {} })).text)).toBe(
      'gravity in 3',
    );
  });

  it('are no inputs where the skill has no key of that name', async () => {
    const session = await techne.session();
    const { block } = await session.enrich({ message: 'note down the milk' });
    expect(block).toContain('thing = "the milk"');
    const { text } = await session.call('run_metaskill', { name: 'note', input: { text: 'bread' } });
    expect(answerIn(text)).toBe('bread');
  });

  it('are told by the chat, and reach the run that its model starts', async () => {
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        trust: { folders: [world.workspace] },
        tools: { allow: ['run_metaskill'] },
      }),
      'work/talk.yaml': 'chat:\n- calls: [{tool: run_metaskill, args: {name: explain}}]\n- Fine.\n',
    });
    const { out } = await world.run([
      'chat',
      '--answer',
      'script:talk.yaml',
      '--json',
      '-p',
      'please explain the concept spring tide',
    ]);
    expect(JSON.parse(out)).toMatchObject({
      calls: [{ tool: 'run_metaskill', ok: true }],
      runs: [{ skill: 'explain', status: 'completed' }],
    });
  });
});
