// What a call is taken to have given, on the command line: for each kind of call, in what comes after it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composition } from '../../../test/support/plan-texts.ts';
import type { Ran, World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

const head = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\n`;
const flow = `${head('flow')}inputs: {town: {type: string, required: true}}
steps:
  - {id: source, tool: read_file, params: {path: log.txt}}
  - {id: count, tool: command, params: {argv: [count, log.txt]}}
  - {id: end, tool: emit_text, params: {text: "{{ source | truncate(99) }} / {{ count | truncate(99) }} / {{ inputs.town | truncate(99) }}"}}
---

Do it.
`;
const form = `- id: who
  kind: user_input
  clarify: {fields: [{name: people, type: int, required: true, min: 1, max: 9}]}
- {id: end, kind: tool_call, tool: emit_text, depends_on: [who], tool_args: {text: "for {{ inputs.collected.who.people }}: {{ outputs.who | truncate(99) }}"}}
`;
const chain = `${head('chain')}chain:
  - {id: trip, skill: trips, inputs: {task: go}}
  - {id: words, skill: speak, inputs: {task: "{{ trip.answer | truncate(99) }} {{ trip.status }}"}}
---

Do it.
`;
const script = `answers: []
commands: [{argv: [count, "..."], stdout: "1"}]
tools: [{tool: read_file, result: old text}]
inputs: {who: {people: 3}, inputs: {town: Rome}}
`;

let world: World;
beforeEach(() => {
  const program = (name: string, text: string): { readonly [path: string]: string } => ({
    [`work/.techne/skills/${name}/SKILL.md`]: `${head(name)}metaskill: SKILL.star\n---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: text,
  });
  world = createWorld({
    'work/.techne/skills/flow/SKILL.md': flow,
    'work/.techne/skills/form/SKILL.md': composition(form, 'final_text_mode: raw\n').replace(
      'name: sample',
      'name: form',
    ),
    'work/.techne/skills/chain/SKILL.md': chain,
    ...program('trips', 'def run(input):\n  return {"status": "fine", "answer": "old trip"}\n'),
    ...program('speak', 'def run(input):\n  return {"status": "fine", "answer": "said " + input["task"]}\n'),
    'work/a.yaml': script,
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

const start = async (skill: string): Promise<void> => {
  const { code, err } = await world.run([
    'run',
    skill,
    ...(skill === 'form' ? ['user_message=x'] : []),
    '--answer',
    'script:a.yaml',
  ]);
  expect([code, err]).toEqual([0, expect.any(String)]);
};

/** The answer of the new run, which its journal gives again. */
async function forked(...edits: readonly string[]): Promise<string> {
  const { code, out, err } = await world.run([
    'runs',
    'fork',
    'last',
    '--json',
    ...edits.flatMap((edit) => ['--edit', edit]),
  ]);
  expect([code, err]).toEqual([0, expect.any(String)]);
  const { run, envelope } = JSON.parse(out) as {
    readonly run: string;
    readonly envelope: { readonly answer: string };
  };
  expect(await world.run(['runs', 'replay', run])).toMatchObject({ code: 0 });
  return envelope.answer;
}

const refused = async (edit: string): Promise<Ran> => world.run(['runs', 'fork', 'last', '--edit', edit]);

describe('techne runs fork --edit', () => {
  it('changes what a tool, a command and the form for missing inputs gave', async () => {
    await start('flow');
    expect(await forked('source=new text')).toBe('new text / 1 / Rome');
    expect(await forked('count=77')).toBe('new text / 77 / Rome');
    expect(await forked('inputs=town: Oslo')).toBe('new text / 77 / Oslo');
    expect(await forked('$inputs:={"town": "Bern"}', 'source:={"text": "newer", "value": null}')).toBe(
      'newer / 77 / Bern',
    );
  });

  it('takes a reply to a form, and refuses what the form does not take', async () => {
    await start('form');
    expect(await forked('who={"people": 5}')).toBe('for 5: - people: 5 (from user)');
    expect(await forked('who=people: 6')).toBe('for 6: - people: 6 (from user)');
    expect(await forked('who:={"values": {"people": 7}}')).toBe('for 7: - people: 7 (from user)');
    const wrong = {
      code: 2,
      out: '',
      err: 'techne: --edit who does not fit a reply to this form: people must be from 1 to 9, not 99\n  hint: such as --edit who:=\'{"people":1}\'\n',
    };
    for (const edit of ['who={"people": 99}', 'who:={"people": 99}', 'who:={"values": {"people": 99}}'])
      expect(await refused(edit)).toEqual(wrong);
  });

  it('changes the answer of a skill that a chain runs', async () => {
    await start('chain');
    expect(await forked('trip=new trip')).toBe('said new trip fine');
    expect(await refused('trip:={"anser": "x"}')).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        '--edit trip does not fit a skill: "answer" must be a string; it has no "anser"\n  hint: such as --edit trip:=\'{"answer":"…","result":{}}\'\n',
      ) as string,
    });
  });
});
