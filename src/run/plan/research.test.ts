// The eight ways in which the original loses work or lies about it, each as it should be (S1; research of the original).
import { describe, expect, it } from 'vitest';
import type { AskRequest } from '../../ports/answerer.ts';
import { chat, composition } from '../../../test/support/plan-texts.ts';
import type { PlanHost } from '../../../test/support/plan-host.ts';
import { planHost, resultOf, statusesOf } from '../../../test/support/plan-host.ts';
import { turns } from '../../../test/support/fake-run-host.ts';
import type { RunResult } from '../result/result.ts';

const raw = 'final_text_mode: raw\n';
const form = (id: string, fields: string, more = ''): string =>
  `- id: ${id}\n  kind: user_input\n${more}  clarify:\n    fields:\n${fields.replace(/^(?=.)/gm, '      ')}`;

async function answer(
  host: PlanHost,
  { run, questions }: RunResult,
  step: string,
  value: { readonly [field: string]: string | number | boolean },
): Promise<void> {
  const question = questions.find(({ key }) => key === step);
  if (question === undefined) throw new Error(`nothing is asked by ${step}`);
  await host.runner.answer(run as string, {
    question: question.id,
    nonce: question.nonce,
    value,
    from: 'person',
  });
}

describe('research §8', () => {
  it('1: a step that waits for a substitute which was not needed runs after a resume, too', async () => {
    const text = composition(
      `${chat('first', 'on_failure: second')}${chat('second')}${form('ask', '- {name: topic, type: string, required: true}\n', '  depends_on: [first]\n')}- id: after
  kind: llm_chat
  depends_on: [second, ask]
  with: {task: "<{{ outputs.second }}> {{ inputs.collected.ask.topic | xml_escape | truncate(20) }}"}
`,
      raw,
    );
    const first = planHost({ sample: text });
    first.answerer.onAsk = ({ prompt }) => prompt.split('\n').at(-1) as string;
    const paused = await first.start('sample');
    expect(paused.status).toBe('paused');
    const second = planHost({ sample: text }, { after: first });
    await answer(second, paused, 'ask', { topic: 'tides' });
    const result = await second.runner.resume(paused.run as string);
    expect([result.status, statusesOf(result), resultOf(result)['answer']]).toEqual([
      'completed',
      { first: 'ok', second: 'skipped', ask: 'ok', after: 'ok' },
      '<> tides',
    ]);
  });

  it('2: a pause keeps siblings that are under way, and nothing runs twice', async () => {
    const text = composition(
      `${form('ask', '- {name: topic, type: string, required: true}\n')}${chat('slow')}${chat('more', 'depends_on: [slow]')}${chat('end', 'depends_on: [ask, more]')}`,
      raw,
    );
    const first = planHost({ sample: text });
    const asked: (string | null)[] = [];
    const onAsk = async ({ purpose }: AskRequest): Promise<string> => {
      asked.push(purpose);
      await turns(20);
      return `${purpose} said`;
    };
    first.answerer.onAsk = onAsk;
    const paused = await first.start('sample');
    expect([paused.status, asked]).toEqual(['paused', ['slow', 'more']]);
    const second = planHost({ sample: text }, { after: first });
    await answer(second, paused, 'ask', { topic: 'tides' });
    const result = await second.runner.resume(paused.run as string);
    expect([result.status, asked, resultOf(result)['answer']]).toEqual([
      'completed',
      ['slow', 'more', 'end'],
      'end said',
    ]);
  });

  it('3: one failure does not stop independent branches, and their results are kept', async () => {
    const host = planHost({
      sample: composition(`${chat('bad')}${chat('good')}${chat('better', 'depends_on: [good]')}`, raw),
    });
    host.answerer.onAsk = async ({ purpose }) => {
      if (purpose === 'bad') throw new Error('no');
      await turns(10);
      return `${purpose} said`;
    };
    const result = await host.start('sample');
    expect([result.status, statusesOf(result), resultOf(result)['answer']]).toEqual([
      'partial',
      { bad: 'failed', good: 'ok', better: 'ok' },
      'better said',
    ]);
  });

  it.each(['Hmm, maybe.', 'The answer is NOT yes; I do not know', 'NOTHING applies', ''])(
    '4: llm_classify gives one of its choices or fails: %s',
    async (reply) => {
      const host = planHost({
        sample: composition(
          `- {id: a, kind: llm_classify, output_choices: ["YES", "NO"], with: {text: x}}\n${chat('b', 'depends_on: [a]')}`,
          raw,
        ),
      });
      host.answerer.onAsk = () => reply;
      const result = await host.start('sample');
      expect([result.status, result.error?.code, host.answerer.asked.length]).toEqual([
        'failed',
        'ANSWER_INVALID',
        3,
      ]);
      host.answerer.onAsk = ({ kind }) => (kind === 'classify' ? ' "yes". ' : 'x');
      expect(resultOf(await host.start('sample'))['steps']).toMatchObject({ a: { output: 'YES' } });
    },
  );

  it('5: two forms are open at the same time, and each takes its answer', async () => {
    const text = composition(
      `${form('one', '- {name: x, type: int, required: true}\n')}${form('two', '- {name: y, type: enum, choices: [red, blue], required: true}\n')}- id: end
  kind: llm_chat
  depends_on: [one, two]
  with: {task: "{{ inputs.collected.one.x }} {{ inputs.collected.two.y }}"}
`,
      raw,
    );
    const host = planHost({ sample: text });
    host.answerer.onAsk = ({ prompt }) => prompt.split('\n').at(-1) as string;
    const paused = await host.start('sample');
    expect([paused.status, paused.questions.map(({ key }) => key)]).toEqual(['paused', ['one', 'two']]);
    await answer(host, paused, 'two', { y: 'blue' });
    const again = await host.runner.resume(paused.run as string);
    expect([again.status, again.questions.map(({ key }) => key)]).toEqual(['paused', ['one']]);
    await answer(host, again, 'one', { x: 7 });
    expect(resultOf(await host.runner.resume(paused.run as string))['answer']).toBe('7 blue');
  });

  it('6: an empty answer is a failure, and so is a contract that is not kept', async () => {
    const host = planHost({
      sample: composition(chat('a'), raw),
      bound: composition(
        chat('a'),
        `${raw}output_contract: {required_sections: [Sources], artifacts: [{name: report, path: report.md}]}\n`,
      ).replace('name: sample', 'name: bound'),
    });
    host.answerer.onAsk = () => ' \n ';
    expect(await host.start('sample')).toMatchObject({ status: 'failed', error: { code: 'EMPTY_ANSWER' } });
    host.answerer.onAsk = () => 'text';
    expect(await host.start('bound')).toMatchObject({
      status: 'partial',
      error: {
        code: 'OUTPUT_CONTRACT',
        message:
          'the output contract is not kept: the section "Sources" is missing; the artifact "report" (report.md) does not exist',
      },
    });
  });

  it('7: a run whose process is lost continues from its journal, and can be forked from its failed step', async () => {
    const text = composition(
      `${chat('a')}${chat('b', 'depends_on: [a]')}${chat('c', 'depends_on: [b]')}${chat('d')}`,
      'final_text_mode: step:c\n',
    );
    const first = planHost({ sample: text });
    first.answerer.onAsk = ({ purpose }) => (purpose === 'b' ? new Promise(() => {}) : `${purpose} said`);
    // A large input is kept whole: nothing is clipped, so nothing keeps it from going on.
    void first.start('sample', { user_message: 'x'.repeat(50_000) });
    await turns(30);
    const run = first.runner.active[0] as string;
    first.store.die();
    const second = planHost({ sample: text }, { after: first });
    const asked: (string | null)[] = [];
    second.answerer.onAsk = ({ purpose }) => {
      asked.push(purpose);
      if (purpose === 'c' && asked.length < 4) throw new Error('not yet');
      return `${purpose} said`;
    };
    const failed = await second.runner.resume(run);
    expect([failed.status, asked]).toEqual(['failed', ['b', 'c']]);
    asked.length = 0;
    asked.push('x', 'x', 'x');
    const forked = await second.runner.fork(run, { from: 'c' });
    expect([forked.status, asked.slice(3), resultOf(forked)['answer']]).toEqual([
      'completed',
      ['c'],
      'c said',
    ]);
  });

  it('12: answers that are required are never invented', async () => {
    const fields =
      '- {name: approve, type: bool, required: true}\n- {name: level, type: enum, choices: [low, high], required: true}\n- {name: count, type: int, min: 3, default: 5}\n';
    const host = planHost({
      sample: composition(`${form('ask', fields)}${chat('end', 'depends_on: [ask]')}`, raw),
    });
    const paused = await host.start('sample');
    const give = (value: { readonly [field: string]: string | number | boolean }): Promise<void> =>
      answer(host, paused, 'ask', value);
    await expect(give({})).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    await expect(give({ level: 'high' })).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    await expect(give({ approve: true, level: 'medium' })).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    expect(await host.runner.resume(paused.run as string)).toMatchObject({ status: 'paused' });
    await give({ approve: false, level: 'high' });
    const result = await host.runner.resume(paused.run as string);
    expect(resultOf(result)['steps']).toMatchObject({
      ask: { output: '- approve: false (from user)\n- level: high (from user)\n- count: 5 (from default)' },
    });
  });
});
