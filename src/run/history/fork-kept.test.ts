import { describe, expect, it } from 'vitest';
import { fakeRunHost, turns } from '../../../test/support/fake-run-host.ts';
import { planHost, resultOf, statusesOf } from '../../../test/support/plan-host.ts';
import type { PlanHost } from '../../../test/support/plan-host.ts';
import { composition } from '../../../test/support/plan-texts.ts';

const steps = `- {id: weather, kind: llm_chat, retry: {max_attempts: 2}, on_failure: instead, with: {task: weather}}
- {id: instead, kind: llm_chat, with: {task: instead}}
- {id: detail, kind: llm_chat, for_each: "[1, 2]", continue_on_error: true, with: {task: "detail {{ item }}"}}
- {id: join, kind: llm_chat, depends_on: [weather, detail], with: {task: "join {{ outputs.weather | truncate(99) }}"}}
- {id: late, kind: llm_chat, depends_on: [join], continue_on_error: true, with: {task: late}}
`;

/** weather, detail[1] and late fail while `isDown`. */
function open(): {
  readonly host: PlanHost;
  readonly asked: string[];
  readonly weather: { isDown: boolean };
} {
  const host = planHost({ sample: composition(steps, 'final_text_mode: step:join\n') });
  const asked: string[] = [];
  const weather = { isDown: true };
  host.answerer.onAsk = ({ prompt }, { key }) => {
    asked.push(key);
    if (weather.isDown && /^(?:weather|detail\[1\]|late)/.test(key)) throw new Error('down');
    return `${key}<${prompt.split('\n').at(-1) ?? ''}>`;
  };
  return { host, asked, weather };
}

describe('a fork of a plan from a step', () => {
  it('has what was begun before it as it was, failed or not', async () => {
    const { host, asked, weather } = open();
    const before = await host.start('sample');
    expect(asked).toEqual(
      expect.arrayContaining(['weather', 'weather#2', 'instead', 'detail[0]', 'detail[1]', 'join', 'late']),
    );
    weather.isDown = false;
    asked.length = 0;
    const forked = await host.runner.fork(before.run as string, { from: 'join' });
    expect([asked, resultOf(forked)['answer'], statusesOf(forked)]).toEqual([
      ['join', 'late'],
      resultOf(before)['answer'],
      { ...statusesOf(before), late: 'ok' },
    ]);
    expect((await host.runner.replay(forked.run as string)).divergences).toEqual([]);
  });

  it('does what failed later anew, and everything that failed where no step is named', async () => {
    const { host, asked, weather } = open();
    const { run } = await host.start('sample');
    weather.isDown = false;
    asked.length = 0;
    await host.runner.fork(run as string, { from: 'late' });
    expect(asked.splice(0)).toEqual(['late']);
    const forked = await host.runner.fork(run as string, {});
    expect(asked).toEqual(['weather', 'detail[1]', 'join', 'late']);
    expect((await host.runner.replay(forked.run as string)).divergences).toEqual([]);
  });

  it('does what was stopped anew, also before it', async () => {
    const { host, asked } = open();
    const say = host.answerer.onAsk;
    host.answerer.onAsk = (request, context) =>
      context.key === 'weather'
        ? new Promise((_resolve, reject) =>
            context.signal.addEventListener('abort', () => reject(new Error('stopped'))),
          )
        : say(request, context);
    const running = host.start('sample');
    await turns(20);
    const run = host.runner.active[0] as string;
    await host.runner.cancel(run, 'enough');
    await running;
    expect((await host.runner.inspect(run)).effects.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['weather', 'detail[1]']),
    );
    host.answerer.onAsk = say;
    asked.length = 0;
    await host.runner.fork(run, { from: 'detail[1]' });
    expect(asked).toContain('weather');
  });
});

const program =
  'def run(input):\n  one = ask("one")\n  two = ask("two " + one["answer"])\n  return {"answer": two["answer"]}\n';

describe('a fork with an edited outcome', () => {
  it('refuses an edit that would be lost', async () => {
    const host = fakeRunHost({ programs: { one: program } });
    host.answerer.onAsk = ({ prompt }) => prompt;
    const { run } = await host.runner.start({ skill: 'one', input: { go: true } });
    const answer = { answer: 'x', exhausted: false, turns: 1, truncated: false };
    const fork = (outcomes: { readonly [key: string]: typeof answer }, from?: string): Promise<unknown> =>
      host.runner.fork(run as string, { ...(from === undefined ? {} : { from }), edits: { outcomes } });
    const lost = {
      code: 'USAGE',
      message: expect.stringContaining('the edit of call "2" would be lost') as string,
    };
    await expect(fork({ 1: answer, 2: answer })).rejects.toMatchObject(lost);
    await expect(fork({ 2: answer }, '1')).rejects.toMatchObject(lost);
    await expect(fork({ 2: answer }, '2')).rejects.toMatchObject(lost);
    expect(await fork({ 2: answer })).toMatchObject({ envelope: { answer: 'x' } });
    expect(host.runs.byName.size).toBe(2);
  });

  it('refuses an edit of what has not ended', async () => {
    const host = planHost({
      sample: composition(
        '- {id: who, kind: user_input, clarify: {fields: [{name: n, type: int, required: true}]}}\n',
      ),
    });
    const { run } = await host.start('sample');
    await expect(
      host.runner.fork(run as string, { edits: { outcomes: { who: { values: { n: 1 } } } } }),
    ).rejects.toMatchObject({
      code: 'USAGE',
      message: 'call "who" has not ended, so it gave nothing that could be edited',
    });
  });

  it('is taken for what a person decided before', async () => {
    const first = fakeRunHost({
      programs: { one: 'def run(input):\n  return {"answer": command(["pay"])["result"]}\n' },
    });
    first.commands.onCommand = () => new Promise(() => {});
    void first.runner.start({ skill: 'one', input: { go: true } });
    await turns(20);
    const run = first.runner.active[0] as string;
    first.store.die();
    const host = fakeRunHost({ after: first });
    await host.runner.resume(run);
    await host.runner.decide(run, { key: '1', as: 'done', value: 'paid', by: 'ada' });
    expect(await host.runner.resume(run)).toMatchObject({ envelope: { answer: 'paid' } });
    const forked = await host.runner.fork(run, {
      edits: { outcomes: { 1: { ok: true, exit_code: 0, result: 'not paid' } } },
    });
    expect(forked).toMatchObject({ envelope: { answer: 'not paid' } });
    expect((await host.runner.replay(forked.run as string)).divergences).toEqual([]);
  });
});
