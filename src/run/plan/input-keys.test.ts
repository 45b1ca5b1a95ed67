import { describe, expect, it } from 'vitest';
import { chat, composition, skillWith } from '../../../test/support/plan-texts.ts';
import { planHost, resultOf } from '../../../test/support/plan-host.ts';
import type { PlanTexts } from '../../../test/support/plan-host.ts';

const workflow = (lines: string, prompt = '{{ inputs.topic }}'): string =>
  skillWith(`${lines}steps:\n  - {id: a, tool: chat, params: {prompt: "${prompt}"}}\n`);
const errorOf = async (
  texts: PlanTexts,
  name: string,
  input: { readonly [key: string]: string | number },
): Promise<unknown> => {
  const { error, status } = await planHost(texts).start(name, input);
  return error === null ? status : `${error.code} ${error.message.replace(/^.* is wrong: /, '')}`;
};

describe('keys that a plan does not take', () => {
  const topic = 'inputs: {topic: {type: string}}\n';

  it.each([
    ['a workflow', workflow(topic)],
    ['a chain', skillWith(`${topic}chain: [{skill: worker, inputs: {task: "{{ inputs.topic }}"}}]`)],
    ['a composition', composition(chat('a'), topic)],
  ])('are refused by %s, with the one that may be meant', async (_form, text) => {
    const worker = '---\nname: worker\ndescription: Works. Use when needed.\n---\n\nWork.\n';
    expect(await errorOf({ sample: text, worker }, 'sample', { topic: 'x', tpoic: 'y' })).toBe(
      'INPUT_INVALID "tpoic" is not one of its keys; did you mean "topic"?',
    );
    expect(await errorOf({ sample: text, worker }, 'sample', { topic: 'x', user_message: 'y' })).toBe(
      'completed',
    );
  });

  it('are taken for the message of a composition, where it has none', async () => {
    const text = composition('- {id: a, kind: llm_chat, with: {task: "{{ inputs.user_message }}"}}\n');
    expect(await errorOf({ sample: text }, 'sample', { mesage: 'hi' })).toBe(
      'INPUT_INVALID "mesage" is not one of its keys; did you mean "user_message"?',
    );
    expect(await errorOf({ sample: text }, 'sample', { user_message: 'hi', mesage: 'hi' })).toBe(
      'INPUT_INVALID "mesage" is not one of its keys',
    );
  });

  it('are known by what templates and conditions read, where nothing is declared', async () => {
    const read =
      "- {id: a, kind: llm_chat, when: \"'tone' in inputs or inputs.get('depth')\", with: {task: \"t{{ inputs.topic }} {{ inputs['who'] }}\"}}\n";
    for (const key of ['topic', 'who', 'tone', 'depth', 'audience'])
      expect(
        await errorOf({ sample: composition(read) }, 'sample', { topic: 'x', who: 'y', [key]: 'z' }),
      ).toBe('completed');
    expect(await errorOf({ sample: composition(read) }, 'sample', { topic: 'x', whoo: 'y' })).toBe(
      'INPUT_INVALID "whoo" is not one of its keys; did you mean "who"?',
    );
    expect(
      await errorOf(
        { sample: composition('- {id: a, kind: llm_chat, with: {task: "{{ inputs | tojson }}"}}\n') },
        'sample',
        { whatever: 'x' },
      ),
    ).toBe('completed');
  });

  it('are those of the run itself', async () => {
    expect(await errorOf({ sample: composition(chat('a')) }, 'sample', { workspace_dir: '/' })).toBe(
      'INPUT_INVALID "workspace_dir" is a fact of the run, and cannot be given',
    );
  });

  it('are not handed on to a skill in a chain that would refuse them', async () => {
    const inner = workflow('inputs: {topic: {type: string}}\n', '{{ inputs.topic }}').replace(
      'name: sample',
      'name: inner',
    );
    const host = planHost({
      outer: skillWith('inputs: {topic: {type: string}, tone: {type: string}}\nchain: [inner, inner]'),
      inner,
    });
    host.answerer.onAsk = ({ prompt }) => `${prompt.split('\n').at(-1) ?? ''}!`;
    expect(resultOf(await host.start('outer', { topic: 'tides', tone: 'dry' }))).toMatchObject({
      status: 'ok',
      answer: 'tides!',
    });
  });
});

describe('variants', () => {
  it('are refused where the template has none', async () => {
    const text = skillWith('output: assets/t.md\nsteps:\n  - {id: a, tool: chat, params: {prompt: go}}\n');
    const sample = { text, files: { 'assets/t.md': '{{ a }}' } };
    expect(await errorOf({ sample }, 'sample', { variant: 'short' })).toBe(
      'INPUT_INVALID there is no variant "short"',
    );
    expect(await errorOf({ sample }, 'sample', { vriant: 'short' })).toBe(
      'INPUT_INVALID "vriant" is not one of its keys; did you mean "variant"?',
    );
  });
});

describe('words that a trigger captures', () => {
  const text = skillWith(
    'triggers: ["list {count} notes of {ratio}, all {all}"]\ninputs: {count: {type: integer, maximum: 9}, ratio: {type: number}, all: {type: boolean}}\nsteps:\n  - {id: a, tool: chat, params: {prompt: "{{ [inputs.count, inputs.ratio, inputs.all] | tojson }}"}}\n',
  );
  const said = async (user_message: string): Promise<unknown> => {
    const host = planHost({ sample: text });
    host.answerer.onAsk = ({ prompt }) => prompt.split('\n').at(-1) as string;
    const result = await host.start('sample', { user_message });
    return result.error?.message ?? resultOf(result)['answer'];
  };

  it('have the type of the input that is declared', async () => {
    expect(await said('list 3 notes of 0.5, all yes')).toBe('[3, 0.5, true]');
  });

  it('are refused where they cannot mean it', async () => {
    expect(await said('list some notes of 2, all no')).toMatch(
      /"count" must be an? (?:whole number|integer)/,
    );
    expect(await said('list 12 notes of 2, all no')).toMatch(/"count" must be at most 9/);
  });
});
