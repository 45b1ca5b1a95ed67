import { describe, expect, it } from 'vitest';
import { composition, skillWith } from '../../../test/support/plan-texts.ts';
import { planHost } from '../../../test/support/plan-host.ts';

const errorOf = async (text: string): Promise<string | undefined> =>
  (
    await planHost(
      { sample: text, helper: skillWith('').replace('name: sample', 'name: helper') },
      { tools: ['look'] },
    ).start('sample')
  ).error?.message.replace(/; (?:done|blocked):.*$/s, '');
const lineOf = (text: string, words: string): number =>
  text.split('\n').findIndex((line) => line.includes(words)) + 1;

describe('a template that fails when it is evaluated', () => {
  it.each([
    [
      'in quotes',
      '- id: a\n  kind: llm_chat\n  with:\n    system: x\n    task: "{{ inputs.missing.HERE }}"\n',
      'with.task',
    ],
    [
      'in a flow mapping',
      '- {id: a, kind: llm_chat, with: {task: "{{ inputs.missing.HERE }}"}}\n',
      'with.task',
    ],
    [
      'in a block',
      '- id: a\n  kind: llm_chat\n  with:\n    task: |\n      one\n\n      {{ inputs.missing.HERE }}\n',
      'with.task',
    ],
    [
      'a second time',
      '- {id: z, kind: llm_chat, when: "1 == 2", with: {task: "{{ inputs.missing.x }}"}}\n- {id: a, kind: llm_chat, with: {task: "{{ inputs.missing.x }}"}} # HERE\n',
      'with.task',
    ],
    [
      'of a tool',
      '- id: a\n  kind: tool_call\n  tool: look\n  tool_args:\n    where: [x, "{{ inputs.missing.HERE }}"]\n',
      'tool_args.where[1]',
    ],
    ['when', '- id: a\n  kind: llm_chat\n  when: "inputs.missing.HERE > 1"\n  with: {task: x}\n', 'when'],
  ])('says where it stands: %s', async (_what, steps, label) => {
    const text = composition(steps, 'final_text_mode: raw\n');
    expect(await errorOf(text)).toMatch(
      new RegExp(
        `^step "a" failed: SKILL\\.md:${lineOf(text, 'HERE')}: ${label.replaceAll(/[.[\]]/g, String.raw`\$&`)}: \\S`,
      ),
    );
  });

  it('is called what its author calls it', async () => {
    const workflow = skillWith(
      'steps:\n  - id: a\n    tool: chat\n    params:\n      prompt: "{{ inputs.missing.x }}"\n',
    );
    expect(await errorOf(workflow)).toMatch(/^step "a" failed: SKILL\.md:8: params\.prompt: /);
    const chain = skillWith(
      'chain:\n  - id: a\n    skill: helper\n    inputs:\n      task: "{{ inputs.missing.x }}"\n',
    );
    expect(await errorOf(chain)).toMatch(/^step "a" failed: SKILL\.md:8: inputs\.task: /);
  });

  it('says which step it reads was skipped', async () => {
    const text = composition(
      '- {id: third, kind: llm_chat, when: "1 == 2", with: {task: x}}\n- {id: a, kind: llm_chat, depends_on: [third], when: "outputs.third == \'\'", with: {task: "{{ outputs.third.answer }}"}}\n',
      'final_text_mode: raw\n',
    );
    expect(await errorOf(text)).toMatch(/; step "third" was skipped, so its output is empty text$/);
  });
});
