// What a skill that a step runs hands on, and filters that the host brings along.
import { describe, expect, it } from 'vitest';
import { capabilityAllows } from '../src/plan/capabilities.ts';
import { planHost, resultOf } from './support/plan-host.ts';
import { composition, skillWith } from './support/plan-texts.ts';

const program = (
  name: string,
  returned: string,
): { readonly text: string; readonly files: { readonly [path: string]: string } } => ({
  text: `---\nname: ${name}\ndescription: Does it. Use when needed.\nmetaskill: SKILL.star\nmetaskill_language: starlark\n---\n\nDo it.\n`,
  files: { 'SKILL.star': `def run(input):\n    return ${returned}\n` },
});

describe('a skill that a step runs', () => {
  it.each([
    [
      'that says more than its answer',
      '{"status": "accepted", "answer": "two", "count": 2}',
      { status: 'accepted', answer: 'two', count: 2 },
    ],
    ['that says no more', '{"answer": "two"}', { status: 'ok', answer: 'two' }],
  ])('%s gives a mapping, and its answer is the answer of the chain', async (_, returned, output) => {
    const host = planHost({
      sample: skillWith('chain: [{skill: count, inputs: {x: 1}}]'),
      count: program('count', returned),
    });
    const result = await host.start('sample', {});
    expect(result.status).toBe('completed');
    expect(resultOf(result)).toMatchObject({ answer: 'two', output });
  });

  it('can be branched on by its status, and hands its answer to a step without inputs', async () => {
    const texts = (returned: string): Parameters<typeof planHost>[0] => ({
      sample: skillWith(
        `chain:\n  - skill: count\n    inputs: {x: 1}\n  - skill: writer\n    condition: "count.status == 'accepted'"\n`,
      ),
      count: program('count', returned),
      writer: '---\nname: writer\ndescription: Writes. Use when needed.\n---\n\nYou write.\n',
    });
    const accepted = planHost(texts('{"status": "accepted", "answer": "two", "count": 2}'));
    await accepted.start('sample', { go: true });
    expect(accepted.answerer.asked.map(({ prompt }) => prompt.split('\n').at(-1))).toEqual([
      '- user_message: two',
    ]);
    const exhausted = planHost(texts('{"status": "exhausted", "answer": "none"}'));
    expect(resultOf(await exhausted.start('sample', { go: true }))['answer']).toBe('none');
    expect(exhausted.answerer.asked).toEqual([]);
  });
});

describe('filters of the host', () => {
  const text = composition(
    '- id: a\n  kind: llm_chat\n  when: "inputs.user_message | loudness > 3"\n  with: {task: "{{ inputs.user_message | shout | xml_escape | truncate(20) }}"}\n',
    'final_text_mode: raw\n',
  );
  const filters = {
    shout: (value: unknown) => `${value as string}!`,
    loudness: (value: unknown) => (value as string).length,
  };

  it('are there in templates and conditions, also when the run is replayed', async () => {
    const host = planHost({ sample: text }, { filters });
    host.answerer.onAsk = ({ prompt }) => prompt.split('\n').at(-1) as string;
    const result = await host.start('sample', { user_message: 'moon' });
    expect([result.status, resultOf(result)['answer']]).toEqual(['completed', 'moon!']);
    expect(await host.runner.replay(result.run as string)).toMatchObject({ same: true, divergences: [] });
  });

  it('fail the step that needs them where they are not', async () => {
    expect((await planHost({ sample: text }).start('sample')).error).toMatchObject({
      code: 'TEMPLATE_FILTER',
      message: expect.stringContaining('there is no filter "loudness"') as unknown,
    });
  });
});

describe('allows', () => {
  it('lets whoever runs programs write in the workspace, and not the other way round', () => {
    for (const capability of [
      'filesystem-write',
      'artifact-write',
      'document-export',
      'memory-write',
    ] as const) {
      expect([
        capabilityAllows(['shell'], capability),
        capabilityAllows(['process-control'], capability),
        capabilityAllows([capability], 'shell'),
      ]).toEqual([true, true, false]);
    }
    expect([
      capabilityAllows(['shell'], 'network-write'),
      capabilityAllows(['shell'], 'external-side-effect'),
      capabilityAllows(['shell'], 'credential-use'),
    ]).toEqual([false, false, false]);
  });
});
