import { describe, expect, it } from 'vitest';
import type { AskContext } from '../../ports/answerer.ts';
import type { RunStore } from '../../ports/run-store.ts';
import type { FakeRunHost } from '../../../test/support/fake-run-host.ts';
import { fakeRunHost, printed, turns } from '../../../test/support/fake-run-host.ts';
import type { RunResult } from '../result/result.ts';

const program = 'def run(input):\n  return ask("go")["answer"]\n';

const approve = (paused: RunResult, value: string, at = 0) => ({
  question: paused.questions[at]?.id ?? '',
  nonce: paused.questions[at]?.nonce ?? '',
  value,
  from: 'operator' as const,
});

function careful(host: FakeRunHost): void {
  host.commands.onJudge = (_call, _caller, approval) =>
    approval === null
      ? { kind: 'approve', reason: 'not on the list' }
      : approval === 'once' || approval === 'always'
        ? { kind: 'allow' }
        : { kind: 'deny', reason: 'the operator said no' };
}

/** A model turn, a command, another turn that sees its outcome. */
function agent(world: string[], argv: readonly string[] = ['git', 'status']) {
  return async (_request: unknown, { child, command }: AskContext): Promise<string> => {
    await child('turn', { n: 1 }, true, async () => ({ value: world.push('turn 1') }));
    const done = await command({ argv });
    await child('turn', { n: 2, done }, true, async () => ({ value: world.push('turn 2') }));
    return `${done['ok'] === true ? 'ok' : 'not ok'}: ${done['result'] as string}`;
  };
}

describe('ordinal and retry', () => {
  it('count the asks as they are proposed, and the tries of one', async () => {
    const host = fakeRunHost();
    const seen: string[] = [];
    host.answerer.onAsk = ({ schema }, { key, ordinal, retry }) => {
      seen.push(`${key} ${ordinal} ${retry}`);
      return schema === null ? 'x' : retry < 2 ? 'no' : '5';
    };
    const result = await host.run(
      'def run(input):\n  ask("a")\n  command(["c"])\n  ask_all(["b", "c"])\n  ask("d", {"schema": {"type": "integer"}})\n  return "x"\n',
    );
    expect(result.status).toBe('completed');
    expect(seen).toEqual(['1 1 0', '3.1 2 0', '3.2 3 0', '4 4 0', '4 4 1', '4 4 2']);
  });

  it('are the same after a resume', async () => {
    const host = fakeRunHost();
    const seen: string[] = [];
    host.answerer.onAsk = ({ prompt }, { ordinal, child }) => {
      seen.push(`${prompt} ${ordinal}`);
      return prompt === 'c' ? child('tool', {}, false, () => new Promise(() => {})).then(String) : 'x';
    };
    void host.run('def run(input):\n  ask("a")\n  return {"n": len(ask_all(["b", "c", "d"]))}\n');
    await turns();
    host.store.die();
    const second = fakeRunHost({ after: host });
    const run = host.runner.active[0] as string;
    await second.runner.resume(run);
    await second.runner.decide(run, { key: '2.2/1', as: 'done', value: 'y', by: 'ada' });
    expect((await second.runner.resume(run)).status).toBe('completed');
    expect(new Set(seen)).toEqual(new Set(['a 1', 'b 2', 'c 3', 'd 4']));
  });
});

describe('a command of a nested agent', () => {
  it('is judged, journaled and carried out like one of the program, as a part of the ask', async () => {
    const host = fakeRunHost();
    const timeouts: number[] = [];
    host.commands.onCommand = ({ timeoutMs, cwd, stdin }) => (
      timeouts.push(timeoutMs),
      printed(`${cwd} ${stdin}\n`, 3)
    );
    host.answerer.onAsk = async (_request, { command }) => {
      const dicts = [
        await command({ argv: ['a'], cwd: 'sub', stdin: 'in', timeoutMs: 5 }),
        await command({ argv: ['b'], timeoutMs: 999_999 }),
        await command({ argv: ['c'] }),
      ];
      expect(dicts[0]).toEqual({
        ok: false,
        exit_code: 3,
        result: 'sub in\n',
        truncated: false,
        stdout: 'sub in\n',
        stderr: '',
        signal: null,
        timed_out: false,
        denied: false,
      });
      return 'done';
    };
    const result = await host.run(program);
    expect([result.status, result.usage.commands]).toEqual(['completed', 3]);
    expect(timeouts).toEqual([1_000, 120_000, 30_000]);
    expect(host.commands.callers.map(({ key, run, skill }) => [key, run, skill])).toEqual(
      ['1/1', '1/2', '1/3'].map((key) => [key, result.run, 'one']),
    );
    const [ask] = (await host.runner.inspect(result.run as string)).effects;
    expect(ask?.children.map(({ key, kind, state }) => [key, kind, state])).toEqual(
      ['1/1', '1/2', '1/3'].map((key) => [key, 'command', 'ok']),
    );
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('that is denied gives the dict that says so, and nothing runs', async () => {
    const host = fakeRunHost();
    host.commands.onJudge = () => ({ kind: 'deny', reason: 'not here' });
    host.answerer.onAsk = async (_request, { command }) => JSON.stringify(await command({ argv: ['rm'] }));
    const result = await host.run(program);
    expect(JSON.parse(result.envelope?.['answer'] as string)).toMatchObject({
      ok: false,
      exit_code: -1,
      denied: true,
      result: 'error: not here',
    });
    expect(host.commands.done).toEqual([]);
  });

  it.each([[[]], [['']], [['a\0b']]])('with the argv %o is refused before it is judged', async (argv) => {
    const host = fakeRunHost();
    let judged = 0;
    host.commands.onJudge = () => ((judged += 1), { kind: 'allow' });
    host.answerer.onAsk = async (_request, { command }) => JSON.stringify(await command({ argv }));
    const result = await host.run(program);
    expect(JSON.parse(result.envelope?.['answer'] as string)).toMatchObject({ ok: false, denied: true });
    expect(judged).toBe(0);
  });

  it('keeps within the fence, whatever the answerer offers', async () => {
    const fenced = (allowedTools: readonly string[]) =>
      fakeRunHost({ programs: { f: { program, allowedTools } } });
    for (const [tools, expected] of [
      [['Read'], 'denied'],
      [[], 'denied'],
      [['Bash(git diff:*)'], 'denied'],
      [['Bash(git status)'], 'ran'],
      [['command'], 'ran'],
    ] as const) {
      const host = fenced(tools);
      let judged = 0;
      host.commands.onJudge = () => ((judged += 1), { kind: 'allow' });
      host.answerer.onAsk = async (_request, { command }) =>
        (await command({ argv: ['git', 'status'] }))['denied'] === true ? 'denied' : 'ran';
      const result = await host.runner.start({ skill: 'f', input: { a: 1 } });
      expect([tools, result.envelope?.['answer'], judged]).toEqual([
        tools,
        expected,
        expected === 'ran' ? 1 : 0,
      ]);
      expect(host.commands.done).toHaveLength(judged);
    }
  });

  it('waits for the operator: nothing of it is journaled, and the ask is entered again after the answer', async () => {
    const host = fakeRunHost();
    careful(host);
    const world: string[] = [];
    host.answerer.onAsk = agent(world);
    const paused = await host.run(program);
    const run = paused.run as string;
    expect(paused).toMatchObject({
      status: 'paused',
      questions: [
        {
          run,
          key: '1/2',
          audience: 'operator',
          question: { type: 'approval', argv: ['git', 'status'], reason: 'not on the list' },
        },
      ],
    });
    const started = (await host.store.read(run)).flatMap(({ entry }) =>
      entry.type === 'effect.started' ? [entry.key] : [],
    );
    expect([started, host.commands.done]).toEqual([['1', '1/1'], []]);
    // The question is found again by its key: it is not asked twice.
    expect((await host.runner.resume(run)).questions.map(({ id }) => id)).toEqual(
      paused.questions.map(({ id }) => id),
    );
    await expect(
      host.runner.answer(run, { ...approve(paused, 'once'), from: 'caller' }),
    ).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    await host.runner.answer(run, approve(paused, 'once'));
    expect((await host.runner.resume(run)).envelope?.['answer']).toBe('ok: ');
    expect([world, host.commands.done]).toEqual([['turn 1', 'turn 2'], ['git status']]);
    expect((await host.runner.replay(run)).divergences).toEqual([]);
  });

  it('that the operator refuses is an error for the agent', async () => {
    const host = fakeRunHost();
    careful(host);
    host.answerer.onAsk = agent([]);
    const paused = await host.run(program);
    await host.runner.answer(paused.run as string, approve(paused, 'deny'));
    expect((await host.runner.resume(paused.run as string)).envelope?.['answer']).toBe(
      'not ok: error: the operator said no',
    );
    expect(host.commands.done).toEqual([]);
  });

  it('is approved as it was asked for: another one under the same key is asked for anew', async () => {
    const host = fakeRunHost();
    careful(host);
    host.answerer.onAsk = agent([]);
    const paused = await host.run(program);
    const run = paused.run as string;
    await host.runner.answer(run, approve(paused, 'once'));
    host.answerer.onAsk = agent([], ['rm', '-rf', 'x']);
    const again = await host.runner.resume(run);
    expect([
      again.status,
      again.questions.map(({ question }) => (question as { argv: string[] }).argv),
    ]).toEqual(['paused', [['rm', '-rf', 'x']]]);
    expect(host.commands.done).toEqual([]);
  });

  it('can wait beside others: each has its question, and what is allowed finishes', async () => {
    const host = fakeRunHost();
    host.commands.onJudge = ({ argv }, _caller, approval) =>
      argv[0] === 'ls' || approval === 'once' ? { kind: 'allow' } : { kind: 'approve', reason: 'careful' };
    host.commands.onCommand = () => turns(3).then(() => ({}));
    host.answerer.onAsk = async (_request, { command }) =>
      (await Promise.all([['a'], ['ls'], ['b']].map((argv) => command({ argv }))))
        .map(({ ok }) => JSON.stringify(ok))
        .join(' ');
    const paused = await host.run(program);
    const run = paused.run as string;
    expect([paused.questions.map(({ key }) => key), host.commands.done]).toEqual([['1/1', '1/3'], ['ls']]);
    await host.runner.answer(run, approve(paused, 'once', 1));
    const half = await host.runner.resume(run);
    expect(half.questions.map(({ key }) => key)).toEqual(['1/1']);
    await host.runner.answer(run, approve(half, 'once'));
    expect((await host.runner.resume(run)).envelope?.['answer']).toBe('true true true');
    expect([...host.commands.done].sort()).toEqual(['a', 'b', 'ls']);
  });

  it('continues immediately when the operator answers while the run is under way', async () => {
    const host = fakeRunHost();
    careful(host);
    let release = (): void => {};
    const nested = agent([]);
    host.answerer.onAsk = (request, context) =>
      request.prompt === 'slow'
        ? new Promise((resolve) => (release = () => resolve('slow')))
        : nested(request, context);
    const running = host.run(
      'def run(input):\n  return {"r": [a["answer"] for a in ask_all(["go", "slow"])]}\n',
    );
    await turns();
    const run = host.runner.active[0] as string;
    const [asked] = (await host.runner.inspect(run)).questions;
    await fakeRunHost({ after: host }).runner.answer(run, {
      question: asked?.id ?? '',
      nonce: asked?.nonce ?? '',
      value: 'once',
      from: 'operator',
    });
    await turns();
    expect(host.commands.done).toEqual(['git status']);
    release();
    expect((await running).envelope?.['r']).toEqual(['ok: ', 'slow']);
  });

  it('expires with its question', async () => {
    const host = fakeRunHost({ questionTtlMs: 1_000 });
    careful(host);
    host.answerer.onAsk = agent([]);
    const paused = await host.run(program);
    host.clock.pass(1_000);
    expect((await host.runner.resume(paused.run as string)).error?.code).toBe('QUESTION_EXPIRED');
    expect(host.commands.done).toEqual([]);
  });

  describe('whose outcome is unknown', () => {
    const interrupted = async (call: string) => {
      const first = fakeRunHost();
      const world: string[] = [];
      first.commands.onCommand = () => new Promise(() => {});
      first.answerer.onAsk = agent(world, ['pay']);
      void first.run(`def run(input):\n  return ${call}["answer"]\n`);
      await turns();
      first.store.die();
      const host = fakeRunHost({ after: first });
      host.commands.onCommand = () => ({});
      return { host, world, run: first.runner.active[0] as string };
    };

    it('waits for a person', async () => {
      const { host, world, run } = await interrupted('ask("go")');
      expect(await host.runner.resume(run)).toMatchObject({
        status: 'needs_decision',
        undecided: [{ run, key: '1/2', kind: 'command', request: { argv: ['pay'] } }],
      });
      await host.runner.decide(run, { key: '1/2', as: 'done', value: 'paid 5', by: 'ada' });
      expect((await host.runner.resume(run)).envelope?.['answer']).toBe('ok: paid 5');
      expect([world, host.commands.done]).toEqual([['turn 1', 'turn 2'], ['pay']]);
    });

    it('is repeated when the ask is idempotent', async () => {
      const { host, world, run } = await interrupted('ask("go", {"idempotent": True})');
      expect((await host.runner.resume(run)).status).toBe('completed');
      expect([world, host.commands.done]).toEqual([
        ['turn 1', 'turn 2'],
        ['pay', 'pay'],
      ]);
    });
  });

  it('is stopped with the run, and nothing lands after the result', async () => {
    for (const stop of ['cancel', 'timeout'] as const) {
      const host = fakeRunHost();
      const after: string[] = [];
      host.commands.onCommand = (_call, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener(
            'abort',
            () => void turns(2).then(() => (after.push('killed'), resolve({ aborted: true }))),
          ),
        );
      host.answerer.onAsk = agent([]);
      const running = host.run(program);
      await turns();
      if (stop === 'cancel') await host.runner.cancel(host.runner.active[0] as string, 'enough');
      else host.clock.pass(300_000);
      const result = await running;
      expect([result.error?.code, after, host.commands.done]).toEqual([
        stop === 'cancel' ? 'CANCELLED' : 'TIMEOUT',
        ['killed'],
        ['git status'],
      ]);
      expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
    }
  });

  it('that an answerer did not wait for is stopped before the ask ends', async () => {
    const host = fakeRunHost();
    const log: string[] = [];
    host.commands.onCommand = (_call, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => (log.push('killed'), resolve({ aborted: true }))),
      );
    host.answerer.onAsk = async (_request, { command }) => {
      void command({ argv: ['server'] });
      await turns();
      return 'left';
    };
    const result = await host.run(
      'def run(input):\n  a = ask("go")["answer"]\n  trace("after")\n  return a\n',
    );
    expect([result.envelope?.['answer'], log]).toEqual(['left', ['killed']]);
  });

  it('is not begun when the ask is stopped while it is judged', async () => {
    const host = fakeRunHost();
    let verdict = (): void => {};
    host.commands.judge = () => new Promise((resolve) => (verdict = () => resolve({ kind: 'allow' })));
    host.answerer.onAsk = async (_request, { command }) => {
      void command({ argv: ['late'] }).catch(() => null);
      await turns(1);
      setImmediate(() => verdict());
      return 'gone';
    };
    const result = await host.run(program);
    expect([result.envelope?.['answer'], host.commands.done]).toEqual(['gone', []]);
  });

  it('and a tool give the same failure again when the ask is entered again', async () => {
    const first = fakeRunHost();
    const seen: string[] = [];
    let hang = true;
    first.answerer.onAsk = async (_request, { child }) => {
      const text = await child('tool', { t: 1 }, true, () => Promise.reject(new Error('no such file'))).then(
        String,
        (error: Error) => error.message,
      );
      seen.push(text);
      await child('turn', { text }, true, () =>
        hang ? new Promise(() => {}) : Promise.resolve({ value: null }),
      );
      return text;
    };
    void first.run(program);
    await turns();
    first.store.die();
    hang = false;
    const result = await fakeRunHost({ after: first }).runner.resume(first.runner.active[0] as string);
    expect([result.envelope?.['answer'], seen]).toEqual(['no such file', ['no such file', 'no such file']]);
  });
});

describe('a crash around an approval of a nested agent', () => {
  const world: string[] = [];
  const prepare = (host: FakeRunHost): FakeRunHost => {
    careful(host);
    host.commands.onCommand = ({ argv }) => (world.push(argv.join(' ')), {});
    host.answerer.onAsk = async (_request, { child, command }) => {
      await child('turn', { n: 1 }, true, async () => ({ value: 'plan' }));
      const first = await command({ argv: ['one'] });
      await child('turn', { n: 2 }, true, async () => ({ value: 'next' }));
      const second = await command({ argv: ['two'] });
      return `${JSON.stringify(first['ok'])} ${JSON.stringify(second['ok'])}`;
    };
    return host;
  };
  const dying = (at: number, how: 'before' | 'after', onDeath: () => void) => {
    let appends = 0;
    return (store: RunStore): RunStore => ({
      ...store,
      append: async (...all) => {
        appends += 1;
        if (appends > at) return new Promise(() => {});
        if (appends < at || how === 'after') await store.append(...all);
        if (appends < at) return undefined;
        onDeath();
        return new Promise(() => {});
      },
    });
  };

  /** Answers and resumes until it ends, as an operator and a scheduler would. */
  async function finish(host: FakeRunHost, run: string): Promise<RunResult> {
    for (;;) {
      const result = await host.runner.resume(run);
      if (result.status !== 'paused' && result.status !== 'needs_decision') return result;
      for (const at of result.questions.keys()) await host.runner.answer(run, approve(result, 'once', at));
      for (const { key } of result.undecided)
        await host.runner.decide(run, {
          key,
          as: world.includes(key === '1/2' ? 'one' : 'two') ? 'done' : 'retry',
          value: null,
          by: 'ada',
        });
    }
  }

  it('repeats no command and loses no answer, wherever it happens', async () => {
    let died = true;
    for (let at = 1; died; at += 1) {
      for (const how of ['before', 'after'] as const) {
        world.length = 0;
        let die = (): void => {};
        const death = new Promise<'died'>((resolve) => (die = () => resolve('died')));
        const first = prepare(
          fakeRunHost({ programs: { one: program }, wrapStore: dying(at, how, () => die()) }),
        );
        const alive = first.runner.start({ skill: 'one', input: { a: 1 } }).then(async (result) => {
          await finish(first, result.run as string);
          return 'lived' as const;
        });
        died = (await Promise.race([death, alive])) === 'died';
        await turns(3);
        first.store.die();
        const run = [...first.runs.byName.keys()][0] as string;
        const result = await finish(prepare(fakeRunHost({ after: first })), run);
        expect([at, how, result.envelope?.['answer'], world]).toEqual([at, how, 'true true', ['one', 'two']]);
        expect((await first.runner.replay(run)).divergences).toEqual([]);
      }
    }
  }, 60_000);
});
