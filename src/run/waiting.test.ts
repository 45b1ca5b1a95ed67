import { describe, expect, it } from 'vitest';
import { AbortSource } from '../base/abort.ts';
import { AnswerLater } from '../ports/answerer.ts';
import type { FakeRunHost } from '../../test/support/fake-run-host.ts';
import { fakeRunHost, turns } from '../../test/support/fake-run-host.ts';
import { DetachSignal } from './effect/effect-context.ts';
import type { RunResult } from './result/result.ts';
import { judgeAnswer } from './question/question.ts';

const later = (audience: 'caller' | 'person') => (): Promise<string> =>
  Promise.reject(new AnswerLater(audience));
const answerOf = (result: RunResult, value: string, index = 0) => {
  const question = result.questions[index];
  return { question: question?.id ?? '', nonce: question?.nonce ?? '', value, from: 'caller' as const };
};

describe('a question', () => {
  const program =
    'def run(input):\n  a = ask("what?", {"purpose": "p"})\n  command(["use", a["answer"]])\n  return a["answer"]\n';

  it('pauses the run and is in its result; the answer continues it there', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later('caller');
    const paused = await host.run(program);
    expect(paused).toMatchObject({
      status: 'paused',
      error: null,
      questions: [{ audience: 'caller', key: '1', question: { type: 'ask', prompt: 'what?', purpose: 'p' } }],
    });
    expect(paused.text).toMatch(/^\[Metaskill: one paused\]\n\{"status":"paused","answer":"","run":"/);
    const run = paused.run as string;
    expect(await host.runner.answer(run, answerOf(paused, 'that'))).toBe('recorded');
    const done = await host.runner.resume(run);
    expect([done.status, done.envelope?.['answer'], host.commands.done]).toEqual([
      'completed',
      'that',
      ['use that'],
    ]);
    expect((await host.runner.replay(run)).divergences).toEqual([]);
    // Once it has ended, its result is given again, and nothing else happens.
    expect((await host.runner.resume(run)).text).toBe(done.text);
    await expect(host.runner.answer(run, answerOf(paused, 'again'))).rejects.toMatchObject({
      code: 'QUESTION_UNKNOWN',
    });
  });

  it('stays when the run is resumed without an answer, and is not asked twice', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later('caller');
    const paused = await host.run(program);
    const again = await host.runner.resume(paused.run as string);
    expect(again.questions).toEqual(paused.questions);
    expect(host.answerer.asked).toHaveLength(1);
  });

  it('takes no answer from below its audience, or with another nonce, or an unknown one', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later('person');
    const paused = await host.run(program);
    const run = paused.run as string;
    await expect(host.runner.answer(run, answerOf(paused, 'x'))).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
      message: expect.stringContaining('for the person') as string,
    });
    await expect(
      host.runner.answer(run, { ...answerOf(paused, 'x'), from: 'person', nonce: 'guess' }),
    ).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    // What comes through an agent as the words of a person answers forms alone.
    for (const from of ['person', 'operator'] as const)
      await expect(
        host.runner.answer(run, { ...answerOf(paused, 'x'), from, through: 'caller' }),
      ).rejects.toMatchObject({
        code: 'ANSWER_REFUSED',
        message: expect.stringContaining('is not a form') as string,
      });
    await expect(host.runner.answer(run, { ...answerOf(paused, 'x'), question: 'Q' })).rejects.toMatchObject({
      code: 'QUESTION_UNKNOWN',
    });
    expect((await host.runner.resume(run)).status).toBe('paused');
    await host.runner.answer(run, { ...answerOf(paused, 'x'), from: 'operator' });
    expect((await host.runner.resume(run)).status).toBe('completed');
  });

  it('judges what lies in the inbox just the same', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later('person');
    const paused = await host.run(program);
    const run = paused.run as string;
    await host.store.post(run, { kind: 'answer', ...answerOf(paused, 'forged') });
    const still = await host.runner.resume(run);
    expect([still.status, host.events.filter(({ type }) => type === 'answer.refused')]).toMatchObject([
      'paused',
      [{ code: 'ANSWER_REFUSED' }],
    ]);
    await host.store.post(run, { kind: 'answer', ...answerOf(paused, 'real'), from: 'person' });
    expect((await host.runner.resume(run)).envelope?.['answer']).toBe('real');
  });

  it('asks again for what does not fit, and invents nothing', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later('caller');
    const paused = await host.run(
      'def run(input):\n  return {"v": ask("n?", {"schema": {"type": "integer"}})["value"]}\n',
    );
    const run = paused.run as string;
    await expect(host.runner.answer(run, answerOf(paused, 'many'))).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
      message: 'the answer is not JSON',
    });
    await host.runner.answer(run, answerOf(paused, '5'));
    expect((await host.runner.resume(run)).envelope?.['v']).toBe(5);
  });

  it('expires', async () => {
    const host = fakeRunHost({ questionTtlMs: 1_000 });
    host.answerer.onAsk = later('caller');
    const paused = await host.run(program);
    host.clock.pass(1_000);
    await expect(host.runner.answer(paused.run as string, answerOf(paused, 'late'))).rejects.toMatchObject({
      code: 'QUESTION_EXPIRED',
    });
    expect((await host.runner.resume(paused.run as string)).error?.code).toBe('QUESTION_EXPIRED');
    expect(host.commands.done).toEqual([]);
  });

  it('to a person says which word cancels', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later('person');
    const paused = await host.run(program);
    const run = paused.run as string;
    expect(paused.questions[0]?.question).toMatchObject({ cancel_words: ['/cancel'] });
    await host.runner.answer(run, { ...answerOf(paused, ' /Cancel '), from: 'person' });
    expect((await host.runner.resume(run)).status).toBe('cancelled');
    expect(
      judgeAnswer(
        {
          asked: {
            ...(paused.questions[0] as object),
            type: 'question.asked',
            at: 0,
            question: { value: null },
          } as never,
          body: { type: 'ask' },
          answered: null,
        },
        { nonce: paused.questions[0]?.nonce ?? '', value: '/cancel', from: 'person' },
        0,
      ).kind,
    ).toBe('accept');
  });

  it('does not stop its siblings: what they did is kept, and nothing is done twice', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = ({ prompt }) =>
      prompt.startsWith('q')
        ? Promise.reject(new AnswerLater('caller'))
        : turns(3).then(() => `did ${prompt}`);
    const paused = await host.run(
      'def run(input):\n  return {"r": [a["answer"] for a in ask_all(["q1", "a", "q2", "b"])]}\n',
    );
    expect(paused.questions.map(({ key }) => key)).toEqual(['1.1', '1.3']);
    const run = paused.run as string;
    await host.runner.answer(run, answerOf(paused, 'two', 1));
    const half = await host.runner.resume(run);
    expect([half.status, half.questions.map(({ key }) => key)]).toEqual(['paused', ['1.1']]);
    await host.runner.answer(run, answerOf(half, 'one'));
    expect((await host.runner.resume(run)).envelope?.['r']).toEqual(['one', 'did a', 'two', 'did b']);
    expect(host.answerer.asked.map(({ prompt }) => prompt)).toEqual(['q1', 'a', 'q2', 'b']);
  });

  it('is given once where several answer at the same time: the others are refused, and none is lost', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later('caller');
    const paused = await host.run(program);
    const run = paused.run as string;
    const values = ['one', 'two', 'three'];
    const answering = Promise.allSettled(
      values.map((value) => fakeRunHost({ after: host }).runner.answer(run, answerOf(paused, value))),
    );
    await turns();
    host.clock.pass(20);
    const given = await answering;
    expect(
      given
        .map((one) =>
          one.status === 'fulfilled' ? one.value : (one.reason as { readonly code: string }).code,
        )
        .sort(),
    ).toEqual(['QUESTION_UNKNOWN', 'QUESTION_UNKNOWN', 'recorded']);
    expect((await host.runner.resume(run)).envelope?.['answer']).toBe(
      values[given.findIndex(({ status }) => status === 'fulfilled')],
    );
  });

  it('reaches the owner of a run that continues meanwhile', async () => {
    const host = fakeRunHost();
    let release = (): void => {};
    host.answerer.onAsk = ({ prompt }) =>
      prompt === 'q'
        ? Promise.reject(new AnswerLater('caller'))
        : new Promise((resolve) => (release = () => resolve('slow')));
    const running = host.run(
      'def run(input):\n  return {"r": [a["answer"] for a in ask_all(["q", "slow"])]}\n',
    );
    await turns();
    const run = host.runner.active[0] as string;
    const asked = (await host.runner.inspect(run)).questions[0];
    const other = fakeRunHost({ after: host });
    expect(
      await other.runner.answer(run, {
        question: asked?.id ?? '',
        nonce: asked?.nonce ?? '',
        value: 'now',
        from: 'caller',
      }),
    ).toBe('posted');
    await turns();
    release();
    expect((await running).envelope?.['r']).toEqual(['now', 'slow']);
    expect(host.runs.byName.get(run)?.inbox.size).toBe(0);
  });
});

describe('an approval', () => {
  const program =
    'def run(input):\n  r = command(["rm", "-rf", "x"])\n  return {"ok": r["ok"], "denied": r["denied"], "result": r["result"]}\n';
  const careful = (host: FakeRunHost): void => {
    host.commands.onJudge = (_call, _caller, approval) =>
      approval === null
        ? { kind: 'approve', reason: 'rm is not on the list' }
        : approval === 'once' || approval === 'always'
          ? { kind: 'allow' }
          : { kind: 'deny', reason: 'the operator said no' };
  };
  const approve = (paused: RunResult, value: string) => ({
    ...answerOf(paused, value),
    from: 'operator' as const,
  });

  it('is asked of the operator before anything is journaled or done', async () => {
    const host = fakeRunHost();
    careful(host);
    const paused = await host.run(program);
    const run = paused.run as string;
    expect(paused.questions).toMatchObject([
      {
        audience: 'operator',
        question: { type: 'approval', argv: ['rm', '-rf', 'x'], reason: 'rm is not on the list' },
      },
    ]);
    expect((await host.store.read(run)).map(({ entry }) => entry.type)).toEqual([
      'run.started',
      'question.asked',
      'run.paused',
    ]);
    await expect(
      host.runner.answer(run, { ...approve(paused, 'always'), from: 'person' }),
    ).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    await expect(
      host.runner.answer(run, { ...approve(paused, 'always'), from: 'caller' }),
    ).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    await expect(host.runner.answer(run, approve(paused, 'sure'))).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
    });
    await host.runner.answer(run, approve(paused, 'once'));
    expect((await host.runner.resume(run)).envelope).toMatchObject({ ok: true });
    expect(host.commands.done).toEqual(['rm -rf x']);
    expect((await host.runner.replay(run)).divergences).toEqual([]);
  });

  it('that is not given is a command that did not run', async () => {
    const host = fakeRunHost();
    careful(host);
    const paused = await host.run(program);
    await host.runner.answer(paused.run as string, approve(paused, 'never'));
    expect((await host.runner.resume(paused.run as string)).envelope).toMatchObject({
      ok: false,
      denied: true,
      result: 'error: the operator said no',
    });
    expect(host.commands.done).toEqual([]);
  });
});

describe('the terms of an approval', () => {
  const program = 'def run(input):\n  return command(["rm", "x"])["result"]\n';
  const approve = (paused: RunResult, value = 'once') => ({
    ...answerOf(paused, value),
    from: 'operator' as const,
  });

  it('are kept with the question, and what was approved counts only while they hold', async () => {
    const host = fakeRunHost();
    let terms = 'in "/a" in a sandbox';
    const judged: (string | null)[] = [];
    host.commands.onJudge = (_call, _caller, approval) => {
      judged.push(approval);
      return approval === null ? { kind: 'approve', reason: 'not on the list', terms } : { kind: 'allow' };
    };
    const paused = await host.run(program);
    const run = paused.run as string;
    expect(paused.questions).toMatchObject([
      { question: { type: 'approval', terms: 'in "/a" in a sandbox' } },
    ]);
    await host.runner.answer(run, approve(paused, 'always'));
    terms = 'in "/b" WITHOUT a sandbox';
    const again = await host.runner.resume(run);
    expect([again.status, host.commands.done, judged.includes('always')]).toEqual(['paused', [], false]);
    expect(again.questions).toMatchObject([
      {
        question: {
          terms,
          reason:
            'not on the list. It is asked again, since the answer before was to run it in "/a" in a sandbox',
        },
      },
    ]);
    // The last answer counts, not one from before.
    await host.runner.answer(run, approve(again));
    terms = 'in "/a" in a sandbox';
    const third = await host.runner.resume(run);
    expect([third.status, host.commands.done]).toEqual(['paused', []]);
    await host.runner.answer(run, approve(third));
    expect([(await host.runner.resume(run)).status, host.commands.done, host.commands.terms]).toEqual([
      'completed',
      ['rm x'],
      ['in "/a" in a sandbox'],
    ]);
    expect((await host.runner.replay(run)).divergences).toEqual([]);
  });
});

describe('a run in a workspace', () => {
  it('records where it works, and continues only there', async () => {
    const programs = { asks: 'def run(input):\n  return ask("what?")["answer"]\n' };
    const first = fakeRunHost({ programs, workspace: '/work' });
    first.answerer.onAsk = later('caller');
    const paused = await first.runner.start({ skill: 'asks', input: { a: 1 } });
    const run = paused.run as string;
    expect((await first.runner.inspect(run)).settings.workspace).toBe('/work');
    await first.runner.answer(run, answerOf(paused, 'yes'));
    const elsewhere = fakeRunHost({ programs, workspace: '/other', after: first });
    await expect(elsewhere.runner.resume(run)).rejects.toMatchObject({
      code: 'ENVIRONMENT',
      message: `run ${run} works in "/work", but this is "/other"`,
    });
    await expect(elsewhere.runner.fork(run, {})).rejects.toMatchObject({ code: 'ENVIRONMENT' });
    expect((await first.runner.resume(run)).status).toBe('completed');
  });
});

describe('an unknown outcome', () => {
  /** A run whose process died while its command was under way. */
  const interrupted = async (
    call: string,
    argv = '["pay"]',
  ): Promise<{ readonly host: FakeRunHost; readonly run: string }> => {
    const first = fakeRunHost();
    first.commands.onCommand = ({ argv: [name] }) => (name === 'pay' ? new Promise(() => {}) : {});
    void first.run(
      `def run(input):\n  command(["before"])\n  r = ${call.replace('ARGV', argv)}\n  return {"ok": r["ok"], "result": r["result"]}\n`,
    );
    await turns();
    const run = first.runner.active[0] as string;
    first.store.die();
    const host = fakeRunHost({ after: first });
    host.commands.onCommand = () => ({});
    return { host, run };
  };

  it.each([
    ['done', null, { ok: true, result: '' }],
    ['done', 'paid 5', { ok: true, result: 'paid 5' }],
    ['done', { ok: false, exit_code: 2 }, { ok: false, result: '' }],
  ])('waits for a person, who says it is %s with %o', async (as, value, expected) => {
    const { host, run } = await interrupted('command(ARGV)');
    const waiting = await host.runner.resume(run);
    expect(waiting).toMatchObject({
      status: 'needs_decision',
      undecided: [{ key: '2', kind: 'command', request: { argv: ['pay'] } }],
    });
    expect(waiting.text).toMatch(/^\[Metaskill: one needs_decision\]\n/);
    expect((await host.runner.inspect(run)).undecided).toHaveLength(1);
    await expect(
      host.runner.decide(run, { key: '1', as: 'done', value: null, by: 'ada' }),
    ).rejects.toMatchObject({ code: 'DECISION_UNKNOWN' });
    expect(await host.runner.decide(run, { key: '2', as: as as 'done', value, by: 'ada' })).toBe('recorded');
    expect((await host.runner.resume(run)).envelope).toMatchObject(expected);
    expect(host.commands.done).toEqual(['before', 'pay']);
    expect((await host.runner.replay(run)).divergences).toEqual([]);
  });

  it('can be retried or failed', async () => {
    const retried = await interrupted('command(ARGV)');
    await retried.host.runner.resume(retried.run);
    await retried.host.runner.decide(retried.run, { key: '2', as: 'retry', value: null, by: 'ada' });
    expect((await retried.host.runner.resume(retried.run)).envelope).toMatchObject({ ok: true });
    expect(retried.host.commands.done).toEqual(['before', 'pay', 'pay']);
    expect((await retried.host.runner.inspect(retried.run)).effects[1]).toMatchObject({
      attempt: 2,
      state: 'ok',
    });
    const failed = await interrupted('command(ARGV)');
    await failed.host.runner.resume(failed.run);
    await failed.host.runner.decide(failed.run, { key: '2', as: 'fail', value: 'it bounced', by: 'ada' });
    expect((await failed.host.runner.resume(failed.run)).error).toMatchObject({
      code: 'DECIDED_FAILED',
      message: 'it bounced (SKILL.star:3:7)',
    });
  });

  it('needs no decision for what may be repeated', async () => {
    const { host, run } = await interrupted('command(ARGV, {"idempotent": True})');
    expect((await host.runner.resume(run)).status).toBe('completed');
    expect(host.commands.done).toEqual(['before', 'pay', 'pay']);
    // So that the host can end what the first one left alive.
    expect(host.commands.attempts).toEqual([1, 1, 2]);
  });

  it('may lie within an ask: its finished parts are not repeated, whatever the answerer makes of the error', async () => {
    const first = fakeRunHost();
    const world: string[] = [];
    const agent =
      (hang: boolean) =>
      async (_request: unknown, { child }: Parameters<typeof first.answerer.onAsk>[1]): Promise<string> => {
        const plan = await child('turn', { n: 1 }, true, async () => ({ value: world.push('turn 1') }));
        const paid = await child(
          'tool',
          { pay: 5, plan },
          false,
          async () => (world.push('pay'), hang ? new Promise(() => {}) : { value: 'paid' }),
        ).catch((error: Error) => error.message);
        const last = await child('turn', { n: 2, paid }, true, async () => ({
          value: world.push('turn 2'),
        })).catch(() => 'swallowed');
        return `${JSON.stringify(paid)} ${JSON.stringify(last)}`;
      };
    first.answerer.onAsk = agent(true);
    void first.run('def run(input):\n  return ask("pay")["answer"]\n');
    await turns();
    const run = first.runner.active[0] as string;
    first.store.die();
    const host = fakeRunHost({ after: first });
    host.answerer.onAsk = agent(false);
    const waiting = await host.runner.resume(run);
    expect([waiting.status, waiting.undecided.map(({ key, kind }) => [key, kind])]).toEqual([
      'needs_decision',
      [['1/2', 'tool']],
    ]);
    expect(world).toEqual(['turn 1', 'pay']);
    await host.runner.decide(run, { key: '1/2', as: 'done', value: 'was paid', by: 'ada' });
    expect((await host.runner.resume(run)).envelope?.['answer']).toBe('"was paid" 3');
    expect(world).toEqual(['turn 1', 'pay', 'turn 2']);
  });
});

describe('cancel and drain from outside', () => {
  it('ends a run that waits, immediately', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = later('caller');
    const paused = await host.run('def run(input):\n  command(["a"])\n  ask("q")\n');
    expect(await host.runner.cancel(paused.run as string, 'no longer wanted')).toBe('recorded');
    const view = await host.runner.inspect(paused.run as string);
    expect([view.status, view.error?.code]).toEqual(['cancelled', 'CANCELLED']);
    expect((await host.runner.replay(paused.run as string)).divergences).toEqual([]);
    expect((await host.runner.resume(paused.run as string)).status).toBe('cancelled');
  });

  it('reaches a run that another process owns', async () => {
    const host = fakeRunHost();
    host.commands.onCommand = (_call, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ aborted: true })));
    const running = host.run('def run(input):\n  command(["sleep"])\n');
    await turns();
    const other = fakeRunHost({ after: host });
    const run = host.runner.active[0] as string;
    expect(await other.runner.cancel(run, 'stop it', 'ada')).toBe('posted');
    expect((await running).status).toBe('cancelled');
    expect((await host.runner.replay(run)).divergences).toEqual([]);
  });

  describe('a drain', () => {
    const slow = 'def run(input):\n  command(["a"])\n  command(["b"])\n  return "x"\n';

    /** A run whose first command ends when the test says so. */
    function slowHost(program = slow) {
      const host = fakeRunHost({ programs: { one: program } });
      let end = (): void => {};
      let wasAborted = false;
      host.commands.onCommand = ({ argv }, { signal }) =>
        argv[0] === 'b'
          ? {}
          : new Promise((resolve) => {
              signal.addEventListener('abort', () => (wasAborted = true));
              end = () => resolve({});
            });
      const drain = new AbortSource();
      const running = host.runner.start({ skill: 'one', input: {}, drain: drain.signal });
      return { host, drain, running, end: () => end(), wasAborted: () => wasAborted };
    }

    it('lets the command under way end, begins no other one, and detaches the run', async () => {
      const { host, drain, running, end, wasAborted } = slowHost();
      await turns(3);
      const run = host.runner.active[0] as string;
      drain.abort(null);
      await turns(10);
      expect([host.runner.active, wasAborted()]).toEqual([[run], false]);
      end();
      await expect(running).rejects.toBeInstanceOf(DetachSignal);
      expect([host.commands.done, host.runner.active]).toEqual([['a'], []]);
      const view = await host.runner.inspect(run);
      expect([view.status, view.undecided]).toEqual(['running', []]);
      expect((await host.runner.resume(run)).status).toBe('completed');
      expect(host.commands.done).toEqual(['a', 'b']);
    });

    it('that came before the run is driven begins nothing', async () => {
      const host = fakeRunHost({ programs: { one: slow } });
      const drain = new AbortSource();
      drain.abort(null);
      const run = (await host.runner.submit({ skill: 'one', input: {} })) as string;
      const detached = host.runner.resume(run, { drain: drain.signal });
      await expect(detached).rejects.toBeInstanceOf(DetachSignal);
      const started = host.runner.start({ skill: 'one', input: {}, drain: drain.signal });
      await expect(started).rejects.toBeInstanceOf(DetachSignal);
      expect(host.commands.done).toEqual([]);
    });

    it('leaves a run paused that waits for an answer', async () => {
      const { host, drain, running, end } = slowHost('def run(input):\n  command(["a"])\n  ask("q")\n');
      host.answerer.onAsk = later('caller');
      await turns(3);
      end();
      await turns(10);
      drain.abort(null);
      expect((await running).status).toBe('paused');
    });
  });

  it('a stale owner writes nothing and starts nothing', async () => {
    const first = fakeRunHost();
    let release = (): void => {};
    first.commands.onCommand = ({ argv }) =>
      argv[0] === 'slow' ? new Promise((resolve) => (release = () => resolve({}))) : {};
    const stale = first.run(
      'def run(input):\n  command(["slow"], {"idempotent": True})\n  command(["after"])\n  return "x"\n',
    );
    await turns();
    const run = first.runner.active[0] as string;
    first.store.die();
    const second = fakeRunHost({ after: first });
    first.commands.onCommand = () => ({});
    expect((await second.runner.resume(run)).status).toBe('completed');
    release();
    await expect(stale).rejects.toMatchObject({ code: 'OWNER_LOST' });
    expect(first.commands.done).toEqual(['slow', 'slow', 'after']);
  });
});
