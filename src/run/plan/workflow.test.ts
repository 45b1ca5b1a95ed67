import { describe, expect, it } from 'vitest';
import { skillWith } from '../../../test/support/plan-texts.ts';
import type { PlanHost } from '../../../test/support/plan-host.ts';
import { planHost, resultOf, statusesOf } from '../../../test/support/plan-host.ts';
import { printed } from '../../../test/support/fake-run-host.ts';

const last = (prompt: string): string => prompt.split('\n').at(-1) as string;

async function answer(
  host: PlanHost,
  run: string,
  value: Parameters<PlanHost['runner']['answer']>[1]['value'],
): Promise<void> {
  const [question] = (await host.runner.inspect(run)).questions.filter((one) => one.answer === null);
  await host.runner.answer(run, {
    question: question?.id ?? '',
    nonce: question?.nonce ?? '',
    value,
    from: 'person',
  });
}

describe('a workflow', () => {
  const workflow = skillWith(`inputs:
  topic: {type: string, required: true}
  depth: {type: integer, default: 2}
triggers: ["brief me on {topic}"]
output: assets/template.md
node_type: concept
suggested_edges: [{type: leads_to}]
steps:
  - id: search
    tool: lookup
    params: {q: "{{ inputs.topic }}", depth: "{{ inputs.depth }}"}
  - id: count
    tool: command
    params: {argv: [wc, "{{ search.results | length }}"]}
  - id: sum
    tool: chat
    condition: "search.results | length > 1"
    params: {prompt: "{{ search.results | join(', ') }}"}
`);
  const files = {
    'assets/template.md': '# {{ inputs.topic }}\n{{ sum }} ({{ count }})\n',
    'assets/template-short.md': '{{ sum }}!',
  };
  const open = (text = workflow): PlanHost => {
    const host = planHost({ brief: { text, files } }, { tools: ['lookup'] });
    host.tools.onTool = ({ args }) => ({
      results: [`${args['q'] as string}-1`, `${args['q'] as string}-2`],
      depth: args['depth'] ?? null,
    });
    host.commands.onCommand = ({ argv }) => printed(`${argv.join(' ')}\n`);
    host.answerer.onAsk = ({ prompt }) => `(${last(prompt)})`;
    return host;
  };

  it('runs tools, commands and models, and fills its template', async () => {
    const host = open();
    const result = await host.start('brief', { topic: 'tides' });
    expect(result.status).toBe('completed');
    expect(resultOf(result)).toMatchObject({
      answer: '# tides\n(tides-1, tides-2) (wc 2)',
      node_type: 'concept',
      suggested_edges: [{ type: 'leads_to', target: null }],
    });
    expect(host.tools.done).toEqual(['lookup {"q":"tides","depth":2}']);
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('takes the variant of its template that the input names, and no other', async () => {
    const host = open();
    expect(resultOf(await host.start('brief', { topic: 'tides', variant: 'short' }))['answer']).toBe(
      '(tides-1, tides-2)!',
    );
    expect((await host.start('brief', { topic: 'tides', variant: 'shrt' })).error).toMatchObject({
      code: 'INPUT_INVALID',
      hint: 'there are: default, short',
    });
  });

  it('continues with the template it was started with', async () => {
    const host = open(
      workflow.replace(
        '  - id: search',
        '  - id: first\n    tool: chat\n    params: {prompt: x}\n  - id: search',
      ),
    );
    host.answerer.onAsk = ({ prompt }) => {
      host.texts['brief'] = { text: workflow, files: { 'assets/template.md': 'edited' } };
      return `(${last(prompt)})`;
    };
    const result = await host.start('brief', { topic: 'tides' });
    expect(resultOf(result)['answer']).toBe('# tides\n(tides-1, tides-2) (wc 2)');
    expect(Object.keys((await host.runner.inspect(result.run as string)).files)).toEqual(
      expect.arrayContaining(['SKILL.md', 'assets/template.md', 'assets/template-short.md']),
    );
  });

  it('takes the words that a trigger captures', async () => {
    const host = open();
    await host.start('brief', { user_message: 'Brief me on spring tides.' });
    expect(host.tools.done).toEqual(['lookup {"q":"spring tides","depth":2}']);
  });

  it('asks for what is missing, and continues in another process', async () => {
    const first = open();
    const paused = await first.start('brief', {});
    expect([
      paused.status,
      paused.questions.map(({ audience, question }) => [
        audience,
        (question as { fields: { name: string }[] }).fields.map(({ name }) => name),
      ]),
    ]).toEqual(['paused', [['person', ['topic']]]]);
    expect([first.tools.done, first.answerer.asked]).toEqual([[], []]);
    const second = planHost({ brief: { text: workflow, files } }, { after: first });
    await answer(second, paused.run as string, { topic: 'tides' });
    const result = await second.runner.resume(paused.run as string);
    expect(resultOf(result)['answer']).toBe('# tides\n(tides-1, tides-2) (wc 2)');
  });

  it('refines its result with guidelines and checklist, and keeps the draft when that fails', async () => {
    const hybrid = `${workflow.replace('output:', 'x_techne_refine: true\noutput:')}\n## Guidelines\n\nBe kind.\n\n## Quality Checklist\n\n- [ ] spelled well\n`;
    const host = open(hybrid);
    host.answerer.onAsk = ({ prompt, purpose }) => {
      if (purpose !== 'refine') return 'summed';
      expect(prompt).toContain('Guidelines:\nBe kind.');
      expect(prompt).toContain('- [ ] spelled well');
      expect(prompt).toContain('<draft>\n# tides\nsummed (wc 2)\n</draft>');
      return '# Tides, refined';
    };
    expect(resultOf(await host.start('brief', { topic: 'tides' }))['answer']).toBe('# Tides, refined');
    host.answerer.onAsk = ({ purpose }) => (purpose === 'refine' ? '' : 'summed');
    const draft = await host.start('brief', { topic: 'tides' });
    expect([draft.status, draft.error?.code, resultOf(draft)['answer']]).toEqual([
      'partial',
      'EMPTY_ANSWER',
      '# tides\nsummed (wc 2)',
    ]);
  });

  it('fails at the step whose command fails, and says what it printed', async () => {
    const host = open();
    host.commands.onCommand = () => ({ ...printed('', 3), stderr: 'no such file' });
    const result = await host.start('brief', { topic: 'tides' });
    expect([result.status, result.error?.message]).toEqual([
      'failed',
      'step "count" failed: the command exited with 3: no such file; done: search; blocked: sum',
    ]);
  });
});

describe('a chain', () => {
  const gather = `---\nname: gather\ndescription: Gathers. Use when needed.\nmetaskill: SKILL.star\nmetaskill_language: starlark\n---\n\nGather.\n`;
  const texts = {
    weekly: skillWith(`chain:
  - skill: gather
    inputs: {week: "{{ inputs.week }}"}
  - skill: writer
    inputs: {tasks: "{{ gather.tasks | join(', ') }}"}
  - skill: maybe
    condition: "inputs.week > 50"
    continueOnError: true
  - skill: closer
`),
    gather: {
      text: gather,
      files: {
        'SKILL.star':
          'def run(input):\n  r = command(["tasks", str(input["week"])], {"idempotent": True})\n  return {"answer": "two", "tasks": r["stdout"].split(" ")}\n',
      },
    },
    writer: '---\nname: writer\ndescription: Writes. Use when needed.\n---\n\nYou write.\n',
    maybe: '---\nname: maybe\ndescription: Might. Use when needed.\n---\n\nMaybe.\n',
    closer: '---\nname: closer\ndescription: Closes. Use when needed.\n---\n\nYou close.\n',
  };
  const open = (more: Partial<typeof texts> = {}, after?: PlanHost): PlanHost => {
    const host = planHost({ ...texts, ...more }, after === undefined ? {} : { after });
    host.commands.onCommand = ({ argv }) => printed(argv.join(' '));
    host.answerer.onAsk = ({ prompt, purpose }) => `${String(purpose)} <${last(prompt)}>`;
    return host;
  };

  it('hands outputs on, runs programs as runs and instructions as asks', async () => {
    const host = open();
    const result = await host.start('weekly', { week: 7 });
    expect([result.status, statusesOf(result)]).toEqual([
      'completed',
      { gather: 'ok', writer: 'ok', maybe: 'skipped', closer: 'ok' },
    ]);
    expect(resultOf(result)['answer']).toBe('closer <- user_message: writer <- tasks: tasks, 7>>');
    expect(resultOf(result)['steps']).toMatchObject({ writer: { output: 'writer <- tasks: tasks, 7>' } });
    expect(host.answerer.asked.map(({ kind }) => kind)).toEqual(['ask', 'ask']);
    const view = await host.runner.inspect(result.run as string);
    expect(view.nested.map(({ key }) => key)).toEqual(['gather']);
    expect((await host.runner.inspect(view.nested[0]?.run as string)).status).toBe('completed');
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('continues after a skill that may fail, and stops at another', async () => {
    const host = open();
    host.answerer.onAsk = ({ purpose }) => {
      if (purpose === 'maybe') throw new Error('no');
      return 'x';
    };
    expect(statusesOf(await host.start('weekly', { week: 51 }))).toEqual({
      gather: 'ok',
      writer: 'ok',
      maybe: 'failed',
      closer: 'ok',
    });
    host.answerer.onAsk = ({ purpose }) => {
      if (purpose === 'writer') throw new Error('no');
      return 'x';
    };
    expect((await host.start('weekly', { week: 51 })).error?.message).toBe(
      'step "writer" failed: ask failed: no; done: gather; blocked: maybe, closer',
    );
  });

  it('waits with a nested run, and continues with it', async () => {
    const first = open();
    first.commands.onJudge = (_call, _caller, approval) =>
      approval === null ? { kind: 'approve', reason: 'who knows' } : { kind: 'allow' };
    const paused = await first.start('weekly', { week: 7 });
    expect([paused.status, paused.questions.length, paused.questions[0]?.run === paused.run]).toEqual([
      'paused',
      1,
      false,
    ]);
    const second = open({}, first);
    const [question] = paused.questions;
    await second.runner.answer(paused.run as string, {
      question: question?.id ?? '',
      nonce: question?.nonce ?? '',
      value: 'once',
      from: 'operator',
    });
    expect((await second.runner.resume(paused.run as string)).status).toBe('completed');
    expect(second.commands.done).toEqual(['tasks 7']);
  });

  it('is held to the depth of runs', async () => {
    const host = planHost({
      a: skillWith('chain: [{skill: b}]').replace('name: sample', 'name: a'),
      b: skillWith('chain: [{skill: a}]').replace('name: sample', 'name: b'),
    });
    const result = await host.start('a', { x: 1 });
    expect([result.status, result.error?.code]).toEqual(['failed', 'RUN_DEPTH']);
  });
});
