// What a question can be called by, and what a plain reply to a confirmation does, on the command line.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chat, composition, skillWith } from '../../../test/support/plan-texts.ts';
import type { Ran, World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

const confirmed = composition(
  chat('end'),
  'final_text_mode: raw\nrequest_template: {mode: confirm, fields: [{name: week, label: Which week?, default: this one}]}\n',
).replace('name: sample', 'name: weekly');
const asking = skillWith(
  'triggers: [ask it]\ninputs:\n  topic: {type: string, maxLength: 90, required: true}\nsteps:\n  - {id: end, tool: chat, params: {prompt: "{{ inputs.topic }}"}}\n',
).replace('name: sample', 'name: asking');

let world: World;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/weekly/SKILL.md': confirmed,
    'work/.techne/skills/asking/SKILL.md': asking,
    'work/a.yaml': 'answers: [The end.]\n',
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
});
afterEach(() => world.remove());

const start = (...words: readonly string[]): Promise<Ran> =>
  world.run(['run', ...words, '--answer', 'script:a.yaml']);
const answer = (...words: readonly string[]): Promise<Ran> =>
  world.run(['answer', 'last', '--as', 'person', '--no-resume', ...words]);

describe('techne answer --question', () => {
  it.each([
    ['confirm', 'confirmation', ['weekly', 'user_message=hi'], ['--text', 'yes']],
    ['inputs', 'missing inputs', ['asking'], ['--set', 'topic=tides']],
  ])(
    'takes %s, which the form and the hint say, and %s, which the progress says',
    async (step, words, begin, reply) => {
      expect(await start(...begin)).toMatchObject({
        code: 5,
        out: expect.stringContaining(`fill in a form (${step})`) as string,
      });
      expect(await answer('--question', 'nope', ...reply)).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          new RegExp(
            `has no open question "nope"\\n {2}hint: open questions: ${step} \\(01\\w+, for the person\\)\\n$`,
          ),
        ) as string,
      });
      expect((await answer('--question', words, ...reply)).code).toBe(0);
      expect(await answer('--question', words, ...reply)).toMatchObject({
        code: 2,
        err: expect.stringContaining('is already answered') as string,
      });
      await start(...begin);
      expect((await answer('--question', step, ...reply)).code).toBe(0);
    },
  );
});

describe('techne answer --text', () => {
  it('takes a plain yes for a confirmation with fields, and says how to say it otherwise', async () => {
    await start('weekly', 'user_message=hi');
    expect(await answer('--text', 'yes, begin')).toMatchObject({
      code: 2,
      err: 'techne: confirm is missing; write "confirm: yes" or "confirm: no"\n',
    });
    expect((await answer('--text', '是')).code).toBe(0);
  });
});
