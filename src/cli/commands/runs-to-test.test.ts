// Real runs of every form, recorded with scripted worlds, turned into tests: they pass at once, and fail when the skill changes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

const skill = (name: string, fields: string): string =>
  `---\nname: ${name}\ndescription: Use when you need ${name}.\n${fields}---\nx\n`;

const greet = `def run(input):
    if input.get("bad"):
        fail("no")
    said = ask("Greet " + input["who"], {"purpose": "say"})
    made = command(["echo", "hi"])
    trace("made", {"n": 1})
    return {"answer": said["answer"] + made["stdout"], "exit": made["exit_code"]}
`;

const workflow = `inputs:
  topic: {type: string, required: true}
  token: {type: string, default: ""}
  part_of: {type: string, default: ""}
node_type: topic
suggested_edges: [part_of]
x_techne_note: {path: "{{ 'now' | date }} {{ inputs.topic }}.md"}
output: assets/template.md
steps:
  - {id: facts, tool: graph_tasks, params: {to: "{{ 'now' | date }}", days: 3}}
  - {id: made, tool: command, params: {argv: [date, "{{ inputs.topic }}"]}}
  - {id: said, tool: chat, retry: {max_attempts: 2}, params: {prompt: "About {{ inputs.topic }} {{ made }}, key {{ inputs.token }}"}}
`;

const composition = `kind: meta
composition:
  steps:
    - {id: kind, kind: llm_classify, output_choices: [BUG, WISH], with: {text: "{{ inputs.user_message | xml_escape | truncate(100) }}"}}
    - {id: items, kind: llm_chat, for_each: ["a", "b", "c"], with: {task: "Look at {{ item }}"}}
    - id: who
      kind: user_input
      depends_on: [kind]
      clarify: {mode: form, intro: Who?, nl_extract: true, fields: [{name: lead, type: string, required: true, prompt: Who leads}]}
    - {id: last, kind: llm_chat, depends_on: [items, who], with: {task: "Sum up {{ outputs.items }} for {{ inputs.collected.who.lead | xml_escape | truncate(20) }}"}}
final_text_mode: step:last
`;

const chain = `inputs: {who: {type: string, required: true}}
chain:
  - {id: first, skill: greet, inputs: {who: "{{ inputs.who }}"}}
  - {id: second, skill: greet, inputs: {who: "{{ first.answer | truncate(20) }}"}}
`;

const folder = 'work/.techne/skills';
let world: World;
beforeEach(() => {
  world = createWorld({
    [`${folder}/greet/SKILL.md`]: skill('greet', 'metaskill: SKILL.star\n'),
    [`${folder}/greet/SKILL.star`]: greet,
    [`${folder}/gather/SKILL.md`]: skill('gather', workflow),
    [`${folder}/gather/assets/template.md`]: '# {{ inputs.topic }}\n\n## Said\n\n{{ said }}\n',
    [`${folder}/triage/SKILL.md`]: skill('triage', composition),
    [`${folder}/twice/SKILL.md`]: skill('twice', chain),
    's.yaml': `answers:
  - {purpose: say, answer: hello, match: true}
  - {purpose: said, error: busy, match: true}
  - {purpose: said, answer: "It is late.\\nVery late.", match: true}
  - {purpose: kind, answer: BUG, match: true}
  - {purpose: items, contains: Look at a, answer: one, match: true}
  - {purpose: items, answer: other, match: true}
  - {purpose: read the reply to who, answer: '{"lead": "Ana"}', match: true}
  - {purpose: last, answer: all of it, match: true}
commands:
  - {argv: [echo, hi], stdout: "hi: there\\n"}
  - {argv: [echo, hi], exit_code: 3, stderr: no}
  - {argv: [date, "..."], stdout: "ten\\n", stderr: "warned\\n", output: "warned\\nten\\n"}
tools: [{tool: graph_tasks, result: {open: [], totals: {open: 0}}, text: nothing to do}]
inputs: [{step: who, text: it is led by Ana}]
`,
    'paused.yaml': 'answers: [{answer: BUG, match: true}]\n',
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
    'work/Physics.md': '# Physics\n',
  });
});
afterEach(() => world.remove());

/** Runs a skill, saves the test of that run, and runs it. */
async function record(name: string, args: readonly string[], script = '../s.yaml'): Promise<string> {
  await world.run(['run', name, ...args, '--answer', `script:${script}`]);
  const made = await world.run(['runs', 'to-test', 'last', '--name', 'recorded']);
  expect([made.code, made.err]).toEqual([0, '']);
  world.write({ [`${folder}/${name}/tests/recorded.yaml`]: made.out });
  const tested = await world.run(['test', name]);
  expect([tested.code, tested.out]).toEqual([0, expect.stringContaining('1 passed, 0 failed')]);
  return made.out;
}

describe('techne runs to-test', () => {
  it.each([
    ['a program', 'greet', ['who=Ada'], `${folder}/greet/SKILL.star`, greet.replace('"Greet "', '"Hail "')],
    [
      'a program that fails',
      'greet',
      ['who=A', 'bad=yes'],
      `${folder}/greet/SKILL.star`,
      greet.replace('fail(', 'print('),
    ],
    [
      'a workflow',
      'gather',
      ['topic=Time', 'part_of=Physics'],
      `${folder}/gather/assets/template.md`,
      '# {{ inputs.topic }}\n\n## Other\n\n{{ said }}\n',
    ],
    [
      'a workflow',
      'gather',
      ['topic=Time'],
      `${folder}/gather/SKILL.md`,
      skill('gather', workflow.replace('days: 3', 'days: 4')),
    ],
    [
      'a workflow',
      'gather',
      ['topic=Time'],
      `${folder}/gather/SKILL.md`,
      skill('gather', workflow.replace('max_attempts: 2', 'max_attempts: 1')),
    ],
    [
      'a composition',
      'triage',
      ['user_message=It broke'],
      `${folder}/triage/SKILL.md`,
      skill('triage', composition.replace('"a", "b", "c"', '"a", "b"')),
    ],
    [
      'a chain',
      'twice',
      ['who=Ada'],
      `${folder}/greet/SKILL.star`,
      greet.replace('["echo", "hi"]', '["echo", "ho"]'),
    ],
    [
      'a chain',
      'twice',
      ['who=Ada'],
      `${folder}/twice/SKILL.md`,
      skill('twice', chain.split('\n').slice(0, 3).join('\n') + '\n'),
    ],
  ] as const)(
    'makes of %s (%s) a test that passes until the skill changes',
    async (_, name, args, path, changed) => {
      await record(name, args);
      world.write({ [path]: changed });
      const tested = await world.run(['test', name]);
      expect([tested.code, tested.out]).toEqual([1, expect.stringContaining('FAILED  recorded')]);
    },
    60_000,
  );

  it('has what was answered, what commands and tools gave, the replies to forms, the note and the moment', async () => {
    const gathered = await record('gather', ['topic=Time', 'part_of=Physics']);
    for (const part of [
      'error: busy',
      'output: |',
      'text: nothing to do',
      'notes: {"Physics.md": ""}',
      'note_contains: |',
      'now: "20',
      'part_of: ["[[Physics]]"]',
    ])
      expect(gathered).toContain(part);
    const triaged = await record('triage', ['user_message=It broke']);
    expect(triaged).toContain('text: it is led by Ana');
    expect(triaged).toContain('purpose: read the reply to who');
    expect(triaged.match(/purpose: items/g)).toHaveLength(3);
  });

  it('copies no secret, wherever a program passed it on', async () => {
    const made = await record('gather', ['topic=Time', 'token=Zx81qq77Lm4pT0', 'part_of=Physics']);
    expect(made).not.toContain('Zx81qq77Lm4pT0');
    expect(made).toContain('key [secret]');
    expect(made).toContain('# One text that looked like a secret became [secret].');
  });

  it('says that a skill has changed since, and what differs', async () => {
    await world.run(['run', 'greet', 'who=Ada', '--answer', 'script:../s.yaml']);
    world.write({ [`${folder}/greet/SKILL.star`]: 'def run(input):\n    return {"answer": "other"}\n' });
    const made = await world.run(['runs', 'to-test', 'last']);
    expect([made.code, made.err]).toEqual([
      0,
      '"greet" changed since this run: the test fails now (answer, result.exit, trace, asks, commands, answers 1, commands 1)\n',
    ]);
  });

  it('makes no test of a run that has not ended, and says why', async () => {
    await world.run(['run', 'triage', 'user_message=x', '--answer', 'script:../paused.yaml']);
    const made = await world.run(['runs', 'to-test', 'last']);
    expect([made.code, made.out, made.err]).toEqual([
      2,
      '',
      expect.stringContaining(
        'the run is paused; only one that completed, failed or gave a part can be tested',
      ),
    ]);
  });
});
