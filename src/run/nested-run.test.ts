import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { AskContext, AskRequest } from '../ports/answerer.ts';
import { AbortSource } from '../base/abort.ts';
import { AnswerLater } from '../ports/answerer.ts';
import { nodeSha256 } from '../node/environment.ts';
import { isUlid } from '../journal/ulid.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { FakeRunHost, FakeSkill } from '../../test/support/fake-run-host.ts';
import { fakeRunHost, turns } from '../../test/support/fake-run-host.ts';
import { DetachSignal } from './effect/effect-context.ts';
import { nestedRunName } from './nested-run.ts';
import type { RunResult } from './result/result.ts';

const programs: { readonly [name: string]: FakeSkill | string } = {
  outer: 'def run(input):\n  a = ask("nest")["answer"]\n  command(["after"])\n  return a\n',
  inner:
    'def run(input):\n  command(["in", input["x"]])\n  a = ask("think")["answer"]\n  command(["out", a])\n  return a\n',
  deep: 'def run(input):\n  return ask("deeper")["answer"]\n',
  many: 'def run(input):\n  return {"r": [a["answer"] for a in ask_all(["nest", "slow"])]}\n',
  plain: 'def run(input):\n  return input["x"]\n',
};
const input = { x: '1' };

/** An agent that runs `inner` when it is asked to nest, and thinks otherwise. */
type Think = (request: AskRequest, context: AskContext) => ReturnType<FakeRunHost['answerer']['onAsk']>;
function nesting(host: FakeRunHost, think: Think = () => 'thought', skill = 'inner'): FakeRunHost {
  host.answerer.onAsk = async (request, context) =>
    request.prompt === 'nest' ? await context.runSkill(skill, input) : think(request, context);
  return host;
}

const start = (host: FakeRunHost, skill = 'outer', limits = {}) =>
  host.runner.start({ skill, input, limits });
const innerOf = (outer: RunResult | string): string =>
  nestedRunName(nodeSha256, typeof outer === 'string' ? outer : (outer.run as string), '1/1');
const answerOf = ({ questions }: RunResult, value: string, at = 0) => ({
  question: questions[at]?.id ?? '',
  nonce: questions[at]?.nonce ?? '',
  value,
  from: 'operator' as const,
});
const statusOf = async (host: FakeRunHost, run: string) => (await host.runner.inspect(run)).status;

describe('nestedRunName', () => {
  it('is a ULID that follows from the outer run and the key, with its time', () => {
    const outer = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const name = nestedRunName(nodeSha256, outer, '3/2');
    expect([isUlid(name), name.slice(0, 10), nestedRunName(nodeSha256, outer, '3/2') === name]).toEqual([
      true,
      '01ARZ3NDEK',
      true,
    ]);
    expect(
      new Set([
        name,
        nestedRunName(nodeSha256, outer, '3/3'),
        nestedRunName(nodeSha256, '01ARZ3NDEKTSV4RRFFQ69G5FAW', '3/2'),
      ]).size,
    ).toBe(3);
    expect(isUlid(nestedRunName(nodeSha256, 'not-a-ulid', '1/1'))).toBe(true);
  });
});

describe('a run inside a run', () => {
  it('gives its text, has its own journal, and is a part of the ask', async () => {
    const host = nesting(fakeRunHost({ programs }), () => ({
      answer: 'thought',
      usage: { inputTokens: 7, outputTokens: 3, costMicros: 2 },
    }));
    const result = await start(host);
    expect(result.envelope?.['answer']).toMatch(
      /^\[Metaskill: inner completed\]\n\{"status":"ok","answer":"thought"/,
    );
    expect(host.commands.done).toEqual(['in 1', 'out thought', 'after']);
    expect(result.usage).toMatchObject({
      asks: 2,
      commands: 3,
      inputTokens: 7,
      outputTokens: 3,
      costMicros: 2,
    });
    const view = await host.runner.inspect(result.run as string);
    expect(view.nested).toEqual([{ key: '1/1', run: innerOf(result) }]);
    expect(view.effects[0]?.children).toMatchObject([
      { key: '1/1', kind: 'skill', state: 'ok', request: { skill: 'inner', input, run: innerOf(result) } },
    ]);
    expect(await host.runner.inspect(innerOf(result))).toMatchObject({
      status: 'completed',
      parent: { run: result.run, key: '1/1' },
      settings: { depth: 1 },
    });
    expect(host.events.filter(({ type }) => type === 'run.started')).toMatchObject([
      { parent: null },
      { run: innerOf(result), parent: result.run },
    ]);
    for (const run of [result.run as string, innerOf(result)])
      expect((await host.runner.replay(run)).divergences).toEqual([]);
  });

  it('acts on behalf of the outermost run, for a host that counts by it', async () => {
    const host = nesting(fakeRunHost({ programs }));
    const callers: (string | undefined)[] = [];
    const judge = host.commands.judge.bind(host.commands);
    host.commands.judge = (call, caller, approval) => {
      callers.push(caller.outermost);
      return judge(call, caller, approval);
    };
    const { run } = await start(host);
    expect(callers).toEqual([run, run, undefined]);
  });

  it.each([
    ['ghost', input, "error: unknown metaskill: 'ghost'"],
    ['inner', [1], "error: the input of skill 'inner' must be an object"],
  ])('that is refused is an error for the agent: %s', async (skill, given, text) => {
    const host = fakeRunHost({ programs });
    host.answerer.onAsk = (_request, { runSkill }) => runSkill(skill, given);
    const result = await start(host);
    expect(result).toMatchObject({
      status: 'completed',
      envelope: { answer: expect.stringContaining(text) as string },
    });
    expect(host.runs.byName.size).toBe(1);
  });

  it('that fails is an error for the agent, too', async () => {
    const host = nesting(fakeRunHost({ programs }), () => Promise.reject(new Error('no model')));
    const result = await start(host);
    expect(result.status).toBe('completed');
    expect(result.envelope?.['answer']).toMatch(/^error: metaskill 'inner': ask failed: no model/);
  });

  it('is refused when it would be nested too deeply, whatever tools were offered', async () => {
    const depths = async (limits: object): Promise<readonly string[]> => {
      const host = fakeRunHost({ programs });
      const seen: string[] = [];
      host.answerer.onAsk = async (_request, { runSkill }) => {
        const text = await runSkill('deep', input);
        seen.push(text.slice(0, 50).split('\n')[0] ?? '');
        return text;
      };
      await start(host, 'deep', limits);
      return seen;
    };
    expect(await depths({})).toEqual([
      "error: skill 'deep' would be nested 3 deep, over 2",
      '[Metaskill: deep completed]',
      '[Metaskill: deep completed]',
    ]);
    expect(await depths({ depth: 0 })).toEqual(["error: skill 'deep' would be nested 1 deep, over 0"]);
  });

  it('keeps within the fence', async () => {
    for (const [allowedTools, runs] of [
      [['Read'], 1],
      [['run_metaskill'], 2],
    ] as const) {
      const host = nesting(
        fakeRunHost({
          programs: { ...programs, outer: { program: programs['outer'] as string, allowedTools } },
        }),
      );
      await start(host);
      expect(host.runs.byName.size).toBe(runs);
    }
  });

  it('shares tokens and cost with the outer run while it runs', async () => {
    const host = fakeRunHost({
      programs: {
        outer: programs['many'] as string,
        inner: 'def run(input):\n  for i in range(5):\n    ask("think")\n',
      },
    });
    let nested = 0;
    host.answerer.onAsk = async ({ prompt }, { runSkill }) => {
      if (prompt === 'think') return { usage: { inputTokens: 30, outputTokens: 0, costMicros: 1 } };
      nested += 1;
      const text = await runSkill('inner', input);
      return text.includes('token budget exhausted') ? 'refused' : text;
    };
    // Both run in parallel, and each sees what the other uses.
    const result = await start(host, 'outer', { tokens: 100, asks: 50 });
    expect([nested, result.envelope?.['r']]).toEqual([2, ['refused', 'refused']]);
    expect(result.usage.inputTokens).toBeLessThanOrEqual(150);
    const inner = [...host.runs.byName.keys()].filter((run) => run !== result.run);
    const used = await Promise.all(
      inner.map(async (run) => (await host.runner.inspect(run)).usage.inputTokens),
    );
    expect(used.reduce((a, b) => a + b, 0)).toBe(result.usage.inputTokens);
  });

  it('has the asks, the commands and the time that the outer one has left', async () => {
    const host = nesting(fakeRunHost({ programs }), () => (host.clock.pass(1_000), 'x'));
    host.answerer.onAsk = async ({ prompt }, { runSkill }) => {
      if (prompt !== 'nest') return 'x';
      host.clock.pass(100_000);
      return runSkill('inner', input);
    };
    const result = await start(host, 'outer', { asks: 3, commands: 4 });
    expect(result.status).toBe('completed');
    expect((await host.runner.inspect(innerOf(result))).limits).toMatchObject({
      asks: 2,
      commands: 4,
      wallMs: 200_000,
    });
  });

  it('cannot make more asks than the outermost run may make, however often agents nest', async () => {
    const host = fakeRunHost({
      programs: { fan: 'def run(input):\n  return {"r": [a["answer"] for a in ask_all(["a", "b", "c"])]}\n' },
    });
    // Each agent runs the skill again, twice.
    host.answerer.onAsk = async (_request, { runSkill }) => {
      await runSkill('fan', input);
      return runSkill('fan', input);
    };
    const result = await start(host, 'fan', { asks: 10 });
    expect(result.status).toBe('completed');
    expect(host.answerer.asked.length).toBeLessThanOrEqual(10);
    expect(result.usage.asks).toBe(host.answerer.asked.length);
    // From the journal, too.
    expect((await host.runner.inspect(result.run as string)).usage.asks).toBe(host.answerer.asked.length);
  });

  it('makes the outer run wait for its questions, which are answered through either', async () => {
    for (const through of ['outer', 'inner'] as const) {
      const host = nesting(fakeRunHost({ programs }), () => Promise.reject(new AnswerLater('caller')));
      const paused = await start(host);
      const inner = innerOf(paused);
      expect(paused).toMatchObject({
        status: 'paused',
        undecided: [],
        questions: [{ run: inner, key: '2', audience: 'caller', question: { prompt: 'think' } }],
      });
      expect(JSON.parse(paused.text.slice(paused.text.indexOf('\n'))) as JsonObject).toMatchObject({
        questions: [{ run: inner }],
      });
      expect((await host.runner.inspect(paused.run as string)).questions).toMatchObject([
        { run: inner, key: '2', answer: null },
      ]);
      expect((await host.runner.resume(paused.run as string)).questions).toEqual(paused.questions);
      await host.runner.answer(
        through === 'outer' ? (paused.run as string) : inner,
        answerOf(paused, 'answered'),
      );
      const result = await host.runner.resume(paused.run as string);
      expect(result.envelope?.['answer']).toContain('"answer":"answered"');
      expect(host.commands.done).toEqual(['in 1', 'out answered', 'after']);
      expect((await host.runner.inspect(paused.run as string)).questions).toEqual([]);
      for (const run of [paused.run as string, inner])
        expect((await host.runner.replay(run)).divergences).toEqual([]);
    }
  });

  it('may be finished by itself; the outer run reads its result', async () => {
    const host = nesting(fakeRunHost({ programs }), () => Promise.reject(new AnswerLater('caller')));
    const paused = await start(host);
    await host.runner.answer(innerOf(paused), answerOf(paused, 'alone'));
    expect((await host.runner.resume(innerOf(paused))).status).toBe('completed');
    expect((await host.runner.resume(paused.run as string)).envelope?.['answer']).toContain(
      '"answer":"alone"',
    );
    expect(host.commands.done).toEqual(['in 1', 'out alone', 'after']);
  });

  it('that is answered while the outer run is under way continues with it', async () => {
    const host = fakeRunHost({ programs });
    let release = (): void => {};
    nesting(host, ({ prompt }) =>
      prompt === 'slow'
        ? new Promise((resolve) => (release = () => resolve('slow')))
        : Promise.reject(new AnswerLater('caller')),
    );
    const running = start(host, 'many');
    await turns(10);
    const outer = host.runner.active[0] as string;
    const [asked] = (await host.runner.inspect(outer)).questions;
    expect(
      await host.runner.answer(outer, {
        question: asked?.id ?? '',
        nonce: asked?.nonce ?? '',
        value: 'now',
        from: 'caller',
      }),
    ).toBe('recorded');
    release();
    const result = await running;
    expect(result).toMatchObject({
      status: 'completed',
      envelope: { r: [expect.stringContaining('"answer":"now"') as string, 'slow'] },
    });
  });

  it('can wait for the operator, with a command of an agent inside it', async () => {
    const host = nesting(fakeRunHost({ programs }), async (_request, { command }) =>
      JSON.stringify((await command({ argv: ['rm'] }))['ok']),
    );
    host.commands.onJudge = ({ argv }, _caller, approval) =>
      argv[0] === 'rm' && approval === null ? { kind: 'approve', reason: 'careful' } : { kind: 'allow' };
    const paused = await start(host);
    expect(paused.questions).toMatchObject([{ run: innerOf(paused), key: '2/1', audience: 'operator' }]);
    await host.runner.answer(paused.run as string, answerOf(paused, 'once'));
    expect((await host.runner.resume(paused.run as string)).status).toBe('completed');
    expect(host.commands.done).toEqual(['in 1', 'rm', 'out true', 'after']);
  });

  it('that needs a decision makes the outer run need it', async () => {
    const first = nesting(fakeRunHost({ programs }));
    first.commands.onCommand = ({ argv }) => (argv[0] === 'out' ? new Promise(() => {}) : {});
    void start(first);
    await turns(10);
    const outer = first.runner.active[0] as string;
    first.store.die();
    const host = fakeRunHost({ after: first, programs });
    host.commands.onCommand = () => ({});
    const waiting = await host.runner.resume(outer);
    const inner = innerOf(outer);
    expect(waiting).toMatchObject({
      status: 'needs_decision',
      undecided: [{ run: inner, key: '3', kind: 'command' }],
    });
    expect((await host.runner.inspect(outer)).undecided).toMatchObject([{ run: inner, key: '3' }]);
    await host.runner.decide(inner, { key: '3', as: 'done', value: null, by: 'ada' });
    expect((await host.runner.resume(outer)).status).toBe('completed');
    expect(host.commands.done).toEqual(['in 1', 'out thought', 'after']);
  });

  it('stops with the outer run: cancel and timeout reach what it does, and nothing lands later', async () => {
    for (const stop of ['cancel', 'timeout', 'signal'] as const) {
      const host = nesting(fakeRunHost({ programs }));
      const killed: string[] = [];
      host.commands.onCommand = ({ argv }, { signal }) =>
        argv[0] === 'in'
          ? new Promise((resolve) =>
              signal.addEventListener(
                'abort',
                () => void turns(2).then(() => (killed.push('killed'), resolve({ aborted: true }))),
              ),
            )
          : {};
      const listeners: (() => void)[] = [];
      const signal = {
        aborted: false,
        reason: undefined,
        addEventListener: (_type: 'abort', listener: () => void) => listeners.push(listener),
        removeEventListener: () => {},
      };
      const running = host.runner.start({ skill: 'outer', input, signal });
      await turns(10);
      const outer = host.runner.active[0] as string;
      if (stop === 'cancel') await host.runner.cancel(outer, 'enough');
      else if (stop === 'timeout') host.clock.pass(300_000);
      else for (const listener of listeners) listener();
      const result = await running;
      expect([result.error?.code, killed, host.commands.done]).toEqual([
        stop === 'timeout' ? 'TIMEOUT' : 'CANCELLED',
        ['killed'],
        ['in 1'],
      ]);
      expect(['cancelled', 'failed']).toContain(await statusOf(host, innerOf(outer)));
      expect(host.runner.active).toEqual([]);
    }
  });

  it('that waits is cancelled with the outer run: no process can resume it', async () => {
    const cancelled = nesting(fakeRunHost({ programs }), () => Promise.reject(new AnswerLater('caller')));
    const paused = await start(cancelled);
    expect(await cancelled.runner.cancel(paused.run as string, 'enough')).toBe('recorded');
    expect([
      await statusOf(cancelled, paused.run as string),
      await statusOf(cancelled, innerOf(paused)),
    ]).toEqual(['cancelled', 'cancelled']);
    expect(cancelled.commands.done).toEqual(['in 1']);
    await expect(cancelled.runner.answer(innerOf(paused), answerOf(paused, 'late'))).rejects.toMatchObject({
      code: 'QUESTION_UNKNOWN',
    });
  });

  it('is drained and resumed with the outer run', async () => {
    const host = nesting(fakeRunHost({ programs }));
    const drain = new AbortSource();
    let runs: readonly string[] = [];
    host.commands.onCommand = ({ argv }) => {
      if (argv[0] === 'in' && host.commands.done.length === 1) {
        runs = host.runner.active;
        drain.abort(null);
      }
      return {};
    };
    const drained = host.runner.start({ skill: 'outer', input, drain: drain.signal });
    await expect(drained).rejects.toBeInstanceOf(DetachSignal);
    const [outer, inner] = runs as [string, string];
    expect([await statusOf(host, outer), await statusOf(host, inner), host.commands.done]).toEqual([
      'running',
      'running',
      ['in 1'],
    ]);
    expect((await host.runner.resume(outer)).status).toBe('completed');
    expect(host.commands.done).toEqual(['in 1', 'out thought', 'after']);
  });

  it('is detached by an owner that lost the outer run, and resumed by the next one', async () => {
    const first = fakeRunHost({ programs });
    let speak = (): void => {};
    nesting(first, async ({ prompt }, { child }) => {
      if (prompt !== 'slow') return 'thought';
      await new Promise<void>((resolve) => (speak = resolve));
      await child('turn', {}, true, async () => ({ value: null }));
      return 'slow';
    });
    first.commands.onCommand = ({ argv }, { signal }) =>
      argv[0] === 'in'
        ? new Promise((resolve) => signal.addEventListener('abort', () => resolve({ aborted: true })))
        : {};
    const stale = start(first, 'many').catch((error: Error) => error);
    await turns(10);
    const [outer, inner] = first.runner.active as [string, string];
    // Someone takes the outer run only; the stale owner learns of it with its next entry.
    Object.assign(first.runs.byName.get(outer) ?? {}, { owner: null });
    const second = fakeRunHost({ after: first, programs });
    await second.store.claim(outer);
    speak();
    expect(await stale).toMatchObject({ code: 'OWNER_LOST' });
    expect([await statusOf(second, inner), first.runner.active]).toEqual(['running', []]);
    await second.store.close();
    first.commands.onCommand = () => ({});
    nesting(second);
    expect(await second.runner.resume(outer)).toMatchObject({
      status: 'needs_decision',
      undecided: [{ run: inner, key: '1', kind: 'command' }],
    });
    await second.runner.decide(inner, { key: '1', as: 'retry', value: null, by: 'ada' });
    expect((await second.runner.resume(outer)).status).toBe('completed');
    expect(first.commands.done).toEqual(['in 1', 'in 1', 'out thought']);
  });
});

describe('a crash with a run inside a run', () => {
  const world: string[] = [];
  const prepare = (host: FakeRunHost): FakeRunHost => {
    host.commands.onCommand = ({ argv }) => (world.push(argv.join(' ')), {});
    return nesting(host, async ({ prompt }, { child }) => {
      await child('turn', { prompt }, true, async () => ({
        value: 'x',
        usage: { inputTokens: 5, outputTokens: 0, costMicros: 0 },
      }));
      return 'thought';
    });
  };
  const repeatable = {
    outer:
      'def run(input):\n  a = ask("nest")["answer"]\n  command(["after"], {"idempotent": True})\n  return a\n',
    inner:
      'def run(input):\n  command(["in", input["x"]], {"idempotent": True})\n  a = ask("think")["answer"]\n  command(["out", a], {"idempotent": True})\n  return a\n',
  };

  /** Gone at the nth write, of either journal: `create` counts as well. */
  const dying = (at: number, how: 'before' | 'after', onDeath: () => void) => {
    let writes = 0;
    return (store: RunStore): RunStore => {
      const dies = <T>(write: () => Promise<T>): Promise<T> => {
        writes += 1;
        if (writes < at) return write();
        if (writes > at) return new Promise(() => {});
        return (how === 'after' ? write().then(() => undefined) : Promise.resolve(undefined)).then(() => {
          onDeath();
          return new Promise<T>(() => {});
        });
      };
      return {
        ...store,
        create: (...all) => dies(() => store.create(...all)),
        append: (...all) => dies(() => store.append(...all)),
      };
    };
  };

  it('finishes with the same result from every write on, and repeats nothing that had ended', async () => {
    const clean = await start(prepare(fakeRunHost({ programs: repeatable })));
    expect([clean.status, world]).toEqual(['completed', ['in 1', 'out thought', 'after']]);
    let points = 0;
    for (let at = 2, died = true; died; at += 1) {
      for (const how of ['before', 'after'] as const) {
        world.length = 0;
        let die = (): void => {};
        const death = new Promise<'died'>((resolve) => (die = () => resolve('died')));
        const first = prepare(fakeRunHost({ programs: repeatable, wrapStore: dying(at, how, () => die()) }));
        died = (await Promise.race([death, start(first).then(() => 'lived' as const)])) === 'died';
        await turns(3);
        first.store.die();
        const [outer] = [...first.runs.byName.keys()].filter((run) => foldedParent(first, run) === null);
        const second = prepare(fakeRunHost({ after: first, programs: repeatable }));
        const result = await second.runner.resume(outer as string);
        expect([at, how, result.text.replaceAll(result.run as string, 'RUN')]).toEqual([
          at,
          how,
          clean.text.replaceAll(clean.run as string, 'RUN'),
        ]);
        expect([at, how, first.runs.byName.size, [...new Set(world)].sort()]).toEqual([
          at,
          how,
          2,
          ['after', 'in 1', 'out thought'],
        ]);
        // At most what was under way is done again.
        expect(world.length).toBeLessThanOrEqual(4);
        expect(result.usage).toMatchObject({ inputTokens: 5, asks: 2, commands: 3 });
        for (const run of first.runs.byName.keys())
          expect((await second.runner.replay(run)).divergences).toEqual([]);
        points += 1;
      }
    }
    expect(points).toBeGreaterThan(20);
  }, 60_000);
});

function foldedParent(host: FakeRunHost, run: string): string | null {
  const entry = host.runs.byName.get(run)?.entries[0]?.entry;
  return entry?.type === 'run.started' ? (entry.parent?.run ?? null) : null;
}

describe('whether a run may continue', () => {
  const paused = async (stopped: FakeSkill['stopped']) => {
    const first = fakeRunHost({ programs: { s: 'def run(input):\n  return ask("q")["answer"]\n' } });
    first.answerer.onAsk = () => Promise.reject(new AnswerLater('caller'));
    const waiting = await first.runner.start({ skill: 's', input });
    await first.runner.answer(waiting.run as string, answerOf(waiting, 'yes'));
    const program = 'def run(input):\n  return "edited"\n';
    return {
      run: waiting.run as string,
      host: fakeRunHost({
        after: first,
        programs: { s: stopped === undefined ? program : { program, stopped } },
      }),
    };
  };

  it('is checked each time: not while execution is off, nor when its skill is no longer trusted', async () => {
    for (const code of ['EXECUTION_OFF', 'NOT_TRUSTED'] as const) {
      const { run, host } = await paused({ ok: false, reasons: [{ code, message: 'no', hint: 'do this' }] });
      await expect(host.runner.resume(run)).rejects.toMatchObject({ code, hint: 'do this' });
      await expect(host.runner.fork(run, {})).rejects.toMatchObject({ code });
      expect(await statusOf(host, run)).toBe('paused');
      // It can still be looked at and cancelled.
      expect((await host.runner.replay(run)).divergences).toEqual([]);
      expect(await host.runner.cancel(run, 'enough')).toBe('recorded');
    }
  });

  it('does not depend on edits: it has its bytes', async () => {
    const { run, host } = await paused(undefined);
    expect((await host.runner.resume(run)).envelope?.['answer']).toBe('yes');
  });
});
