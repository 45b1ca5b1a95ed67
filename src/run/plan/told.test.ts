// What is said of the steps of a plan: in its result, and to those who watch.
import { describe, expect, it } from 'vitest';
import { chat, composition } from '../../../test/support/plan-texts.ts';
import type { PlanHost } from '../../../test/support/plan-host.ts';
import { planHost, resultOf } from '../../../test/support/plan-host.ts';
import type { RunEvent } from '../events.ts';
import type { RunResult } from '../result/result.ts';

const raw = 'final_text_mode: raw\n';

function hostOf(steps: string, fails: readonly string[] = [], more = raw): PlanHost {
  const host = planHost({ sample: composition(steps, more) });
  host.answerer.onAsk = ({ purpose }) => {
    if (fails.includes(purpose ?? '')) throw new Error(`${purpose} is busy`);
    return `${purpose} said`;
  };
  return host;
}

const told = ({ events }: PlanHost): readonly RunEvent[] =>
  events.filter(({ type }) => type === 'plan.opened' || type === 'step.ended');

describe('the result of a plan', () => {
  it('names every step that failed, also when it is partial', async () => {
    const host = hostOf(`${chat('a')}${chat('b')}${chat('c')}`, ['a', 'b']);
    const result = await host.start('sample');
    const message = 'step "a" failed: ask failed: a is busy; step "b" failed: ask failed: b is busy';
    expect([result.status, result.error?.message, resultOf(result)['error']]).toEqual([
      'partial',
      message,
      { code: 'ASK_FAILED', message },
    ]);
  });

  it('says of a failed run which steps are done and which were blocked, substitutes aside, or how many', async () => {
    const host = hostOf(
      `${chat('a')}${chat('b')}${chat('c', 'depends_on: [a, b]\non_failure: spare')}${chat('spare')}${chat('d', 'depends_on: [c]')}`,
      ['b'],
    );
    expect((await host.start('sample')).error?.message).toBe(
      'step "b" failed: ask failed: b is busy; done: a; blocked: c, d',
    );
    const wide = hostOf(
      `${chat('a')}${Array.from({ length: 12 }, (_, index) => chat(`s${index}`, 'depends_on: [a]')).join('')}`,
      ['a'],
    );
    expect((await wide.start('sample')).error?.message).toMatch(/; blocked: 12 of 13 steps$/);
  });

  it('counts tries, not items', async () => {
    const each = (id: string): string =>
      `- id: ${id}\n  kind: llm_chat\n  for_each: [x, y, z]\n  retry: {max_attempts: 2}\n  with: {task: "{{ item }}"}\n`;
    const host = hostOf(each('a'));
    expect(resultOf(await host.start('sample'))['steps']).toEqual({
      a: { status: 'ok', output: expect.any(String) as string },
    });
    let tries = 0;
    const again = hostOf(each('a'));
    again.answerer.onAsk = () => {
      if ((tries += 1) === 2) throw new Error('busy');
      return 'fine';
    };
    expect(resultOf(await again.start('sample'))['steps']).toMatchObject({ a: { attempts: 2 } });
  });
});

describe('a confirmation', () => {
  it('says what would begin where the skill does not', async () => {
    const host = hostOf(chat('a'), [], `${raw}request_template: {mode: confirm}\n`);
    const { questions } = await host.start('sample');
    expect(questions[0]?.question).toMatchObject({
      step: 'confirm',
      prompt: expect.stringContaining('"sample" is about to begin.\nRequest: do it') as string,
    });
  });
});

describe('the reply to a confirmation', () => {
  const template = `${raw}request_template: {mode: confirm, fields: [{name: week, label: Which week?, default: this one}]}\n`;
  const answered = async (value: string): Promise<RunResult> => {
    const host = hostOf(chat('a'), [], template);
    const {
      run,
      questions: [question],
    } = await host.start('sample');
    await host.runner.answer(run as string, {
      question: question?.id as string,
      nonce: question?.nonce as string,
      value,
      from: 'person',
    });
    const result = await host.runner.resume(run as string);
    expect((await host.runner.replay(run as string)).divergences).toEqual([]);
    return result;
  };

  it('is a plain yes or no, also where the template has fields; other words get a hint', async () => {
    expect((await answered('yes')).status).toBe('completed');
    expect((await answered('no')).error?.code).toBe('DECLINED');
    await expect(answered('yes, begin')).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
      message: 'confirm is missing; write "confirm: yes" or "confirm: no"',
    });
  });
});

describe('who watches a plan', () => {
  const steps = `${chat('a')}${chat('b', 'depends_on: [a]\nwhen: "outputs.a == \'x\'"')}${chat('c', 'retry: {max_attempts: 2}')}${chat('d', 'depends_on: [c]')}`;

  it('gets its steps, and the status of each, once', async () => {
    const host = hostOf(steps, ['c']);
    const { run } = await host.start('sample');
    expect(told(host)).toMatchObject([
      {
        type: 'plan.opened',
        run,
        asks: 100_000,
        commands: 100_000,
        steps: [{ id: 'a', kind: 'chat', label: 'A', does: 'chat' }, { id: 'b' }, { id: 'c' }, { id: 'd' }],
      },
      { type: 'step.ended', run, step: 'a', status: 'ok', code: null, attempts: 1, reason: null },
      { step: 'b', status: 'skipped', reason: "when is not true: outputs.a == 'x'" },
      { step: 'c', status: 'failed', code: 'ASK_FAILED', attempts: 2 },
      { step: 'd', status: 'blocked', reason: '"c" failed' },
    ]);
  });

  it('gets them again after a resume, and nothing of it changes the run', async () => {
    const host = hostOf(
      `${chat('a')}- id: form\n  kind: user_input\n  depends_on: [a]\n  clarify: {fields: [{name: who, type: string, required: true}]}\n`,
    );
    const {
      run,
      questions: [question],
    } = await host.start('sample');
    await host.runner.answer(run as string, {
      question: question?.id as string,
      nonce: question?.nonce as string,
      value: { who: 'Ann' },
      from: 'person',
    });
    expect((await host.runner.resume(run as string)).status).toBe('completed');
    expect(told(host).map((event) => ('step' in event ? event.step : event.type))).toEqual([
      'plan.opened',
      'a',
      'plan.opened',
      'a',
      'form',
    ]);
    expect((await host.runner.replay(run as string)).same).toBe(true);
  });
});
