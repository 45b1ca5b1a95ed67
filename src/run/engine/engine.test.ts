import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { AnswerLater } from '../../ports/answerer.ts';
import type { RunLimits } from '../budget/limits.ts';
import { defaultLimits } from '../budget/limits.ts';
import { fakeRunHost, printed, turns } from '../../../test/support/fake-run-host.ts';

const traceOf = (envelope: JsonObject | null): JsonObject[] =>
  ((envelope?.['trace'] ?? []) as JsonObject[]).filter((entry) => entry['id'] === undefined);

describe('a run', () => {
  it('gives the envelope of what run(input) returned', async () => {
    const host = fakeRunHost();
    const result = await host.run('def run(input):\n  return "hello " + input["name"]\n', { name: 'test' });
    expect(result.text).toBe('[Metaskill: one completed]\n{"status":"ok","answer":"hello test","trace":[]}');
    expect(result).toMatchObject({
      status: 'completed',
      error: null,
      envelope: { status: 'ok', answer: 'hello test' },
    });
    expect(host.runner.active).toEqual([]);
    expect(host.clock.waiting).toBe(0);
  });

  it('asks, runs commands and traces, and tells every call', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = ({ prompt, maxTurns, purpose }) => ({
      answer: `${prompt}!`,
      turns: maxTurns,
      exhausted: purpose === 'x',
    });
    host.commands.onCommand = () => printed('out\n', 3);
    const result = await host.run(`
def run(input):
  a = ask("hi", {"purpose": "x", "max_turns": 4})
  c = command(["ls", "-l"], {"timeout": 5})
  trace("seen", {"code": c["exit_code"]})
  a["answer"] += "?"
  return {"answer": a["answer"], "ok": c["ok"], "a": a, "c": c}
`);
    expect(result.envelope).toEqual({
      answer: 'hi!?',
      ok: false,
      a: { answer: 'hi!?', exhausted: true, turns: 4, truncated: false },
      c: {
        ok: false,
        exit_code: 3,
        result: 'out\n',
        truncated: false,
        stdout: 'out\n',
        stderr: '',
        signal: null,
        timed_out: false,
        denied: false,
      },
      status: 'ok',
      trace: [
        { kind: 'ask', id: '1', purpose: 'x', at: 0, ok: true, ms: 0, turns: 4, exhausted: true },
        { kind: 'command', id: '2', argv: ['ls', '-l'], at: 0, ok: false, ms: 0, exit_code: 3 },
        { kind: 'seen', data: { code: 3 } },
      ],
    });
    expect(result.usage).toMatchObject({ asks: 1, commands: 1 });
    expect(host.events.map(({ type }) => type)).toEqual([
      'run.started',
      'effect.started',
      'effect.ended',
      'budget.used',
      'effect.started',
      'effect.ended',
      'budget.used',
      'trace.added',
      'run.ended',
    ]);
  });

  it('freezes the input and refuses host functions at module level', async () => {
    const host = fakeRunHost();
    expect((await host.run('def run(input):\n  input["x"] = 1\n')).error?.code).toBe('EVAL_FROZEN');
    expect((await host.run('x = ask("a")\ndef run(input):\n  return x\n')).error?.code).toBe('EVAL_HOST');
    expect(host.answerer.asked).toEqual([]);
  });

  it('keeps what was printed out of the result and in the journal', async () => {
    const host = fakeRunHost();
    const result = await host.run(
      'def run(input):\n  print("one")\n  print("two", 2)\n  command(["a"])\n  print("three")\n  return "x"\n',
    );
    expect(result.envelope?.['trace']).toHaveLength(1);
    const view = await host.runner.inspect(result.run as string);
    expect(view.trace).toMatchObject([
      { kind: 'print', printed: true, data: { print: 'one\ntwo 2' }, after: 0 },
      { kind: 'print', printed: true, data: { print: 'three' }, after: 1 },
    ]);
  });

  it('says where a program failed, and keeps its trace', async () => {
    const host = fakeRunHost();
    const result = await host.run('def run(input):\n  trace("before")\n  x = input["zzz"]\n');
    expect(result.status).toBe('failed');
    expect(result.text).toBe(
      `error: metaskill 'one': runtime error: SKILL.star:3:7 in run: key "zzz" not in dict (d.get(key, default) gives a default instead)\n(run ${result.run}: techne runs show ${result.run})`,
    );
    expect((await host.runner.inspect(result.run as string)).trace).toMatchObject([{ kind: 'before' }]);
  });

  it('does not take the words of fail() for anything else', async () => {
    const host = fakeRunHost();
    for (const words of ['over budget', 'connection timeout', 'order was cancelled']) {
      const result = await host.run(`def run(input):\n  fail("${words}")\n`);
      expect(result).toMatchObject({ status: 'failed', error: { code: 'EVAL_FAIL' } });
      expect(result.text).toContain(words);
    }
  });

  it.each([
    ['ask(5)', 'ask: the prompt must be a string, not int'],
    ['ask("a", {"max_turn": 1})', 'ask has no option "max_turn"; did you mean "max_turns"?'],
    [
      'ask("a", purpose = "x")',
      'ask has no argument "purpose"; options go into a dict: ask(…, {"purpose": …})',
    ],
    ['ask("a", {"max_turns": "5"})', 'ask: opts["max_turns"] must be an int, not string'],
    [
      'ask("a", {"schema": {"type": "strin"}})',
      'ask: the schema has the unknown type "strin"; did you mean "string"?',
    ],
    ['ask("a", [1])', 'ask: opts must be a dict, not list'],
    ['ask((1, 2))', 'ask: the prompt must be a string, not tuple'],
    ['ask()', 'ask needs the argument "prompt"'],
    ['ask("a", {}, 1)', 'ask takes at most 2 arguments (prompt, opts), not 3'],
    ['ask_all("ab")', 'ask_all: the prompts must be a list of strings or dicts, not string'],
    ['ask_all(["a", 5])', 'ask_all: prompts[1] must be a string or a dict, not int'],
    ['command(["a"], {"timeout": "5"})', 'command: opts["timeout"] must be a number of seconds, not string'],
    ['trace(5)', 'trace: the kind must be a string, not int'],
    ['trace("k", [1])', 'trace: the data must be a dict, not list'],
    ['trace("k", {"n": 1 << 80})', 'trace: an int beyond 2^53 - 1 cannot be JSON (use str(x)) at data.n'],
  ])('refuses %s', async (call, message) => {
    const result = await fakeRunHost().run(`def run(input):\n  ${call}\n`);
    expect(result.error).toEqual({
      code: 'HOST_ARGUMENTS',
      message: `${message} (SKILL.star:2:3)`,
      hint: null,
    });
  });

  it.each([['""'], ['[]'], ['["a", 5]'], ['[""]'], ['["a\\000"]']])(
    'gives the program what is wrong with the argv %s',
    async (argv) => {
      const host = fakeRunHost();
      const result = await host.run(`def run(input):\n  return command(${argv})\n`);
      expect(result.envelope).toMatchObject({ ok: false, exit_code: -1 });
      expect(result.envelope?.['result']).toMatch(/^error: argv/);
      expect([host.commands.done, result.usage.commands]).toEqual([[], 0]);
    },
  );

  it('clamps turns and timeouts', async () => {
    const host = fakeRunHost();
    const timeouts: number[] = [];
    host.commands.onCommand = ({ timeoutMs }) => (timeouts.push(timeoutMs), {});
    await host.run(
      'def run(input):\n  for n in [-5, 0, 7, 99]:\n    ask("a", {"max_turns": n})\n  for t in [-5, 1.5, 60, 999]:\n    command(["a"], {"timeout": t})\n  command(["a"])\n',
    );
    expect(host.answerer.asked.map(({ maxTurns }) => maxTurns)).toEqual([1, 1, 7, 30]);
    expect(timeouts).toEqual([1_000, 1_500, 60_000, 120_000, 30_000]);
  });

  it('cuts answers and outputs, and says so', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = () => 'x'.repeat(30_000);
    host.commands.onCommand = () => printed(`begin${'y'.repeat(30_000)}end`);
    const result = await host.run(
      'def run(input):\n  a = ask("a")\n  c = command(["c"])\n  return {"a": len(a["answer"]), "at": a["truncated"], "c": len(c["result"]), "ct": c["truncated"], "e": c["result"].endswith("end")}\n',
    );
    expect(result.envelope).toMatchObject({ a: 20_000, at: true, c: 20_000, ct: true, e: true });
  });

  it('reports the outcome of a command from facts, not from text', async () => {
    const host = fakeRunHost();
    const outcomes = [
      printed('Exit code: 7\n'),
      printed('error: looks bad\n'),
      { timedOut: true, exitCode: null, combined: 'z'.repeat(50_000), stdout: 'z'.repeat(50_000) },
      { exitCode: null, signal: 'SIGKILL' },
      { started: false, fault: 'command not found: x', exitCode: null },
    ];
    host.commands.onCommand = () => outcomes.shift() ?? {};
    const result = await host.run(
      'def run(input):\n  return {"r": [[c["ok"], c["exit_code"], c["result"][:24], c["timed_out"], c["signal"]] for c in [command(["a"]) for _ in range(5)]]}\n',
    );
    expect(result.envelope?.['r']).toEqual([
      [true, 0, 'Exit code: 7\n', false, null],
      [true, 0, 'error: looks bad\n', false, null],
      [false, -1, 'error: command timed out', true, null],
      [false, -1, 'error: command was ended', false, 'SIGKILL'],
      [false, -1, 'error: command not found', false, null],
    ]);
  });

  it('puts a denied command into the result, and continues', async () => {
    const host = fakeRunHost();
    host.commands.onJudge = () => ({ kind: 'deny', reason: "command 'rm' is not allowed" });
    const result = await host.run('def run(input):\n  return command(["rm"])\n');
    expect(result.envelope).toMatchObject({
      ok: false,
      result: "error: command 'rm' is not allowed",
      denied: true,
    });
    expect(host.commands.done).toEqual([]);
  });

  it('ends when the answerer fails', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = () => Promise.reject(new Error('529 overloaded'));
    const result = await host.run('def run(input):\n  ask("a")\n  command(["never"])\n');
    expect(result.error).toEqual({
      code: 'ASK_FAILED',
      message: 'ask failed: 529 overloaded (SKILL.star:2:3)',
      hint: null,
    });
    expect(host.commands.done).toEqual([]);
  });
});

describe('limits', () => {
  const loop = (call: string): string =>
    `def run(input):\n  for i in range(100):\n    ${call}\n  return "through"\n`;

  it.each([
    ['asks', 'ask("a")', { asks: 2 }, 'ASK_BUDGET', 'ask budget exhausted (2 calls)'],
    ['commands', 'command(["a"])', { commands: 0 }, 'COMMAND_BUDGET', 'command budget exhausted (0 calls)'],
    [
      'tokens',
      'ask("a")',
      { asks: 50, tokens: 100 },
      'TOKEN_BUDGET',
      'token budget exhausted (120 of 100 tokens)',
    ],
    [
      'cost',
      'ask("a")',
      { asks: 50, costMicros: 50 },
      'COST_BUDGET',
      'cost budget exhausted ($0.0001 of $0.0001)',
    ],
  ])('%s end the program at the call', async (_name, call, limits, code, message) => {
    const host = fakeRunHost({ programs: { loop: loop(call) } });
    host.answerer.onAsk = () => ({ usage: { inputTokens: 20, outputTokens: 10, costMicros: 20 } });
    const result = await host.runner.start({ skill: 'loop', input: { a: 1 }, limits });
    expect(result.error?.code).toBe(code);
    expect(result.error?.message).toContain(message);
    expect(result.text).toMatch(/^error: metaskill 'loop': /);
  });

  it('counts steps and memory', async () => {
    const host = fakeRunHost({
      programs: {
        spin: 'def run(input):\n  for i in range(100000000):\n    pass\n',
        eat: 'def run(input):\n  return [list(range(1000)) for _ in range(100000)]\n',
      },
    });
    expect(
      (await host.runner.start({ skill: 'spin', input: { a: 1 }, limits: { steps: 50_000 } })).error?.code,
    ).toBe('STEP_LIMIT');
    expect(
      (await host.runner.start({ skill: 'eat', input: { a: 1 }, limits: { memoryBytes: 1_000_000 } })).error
        ?.code,
    ).toBe('MEMORY_LIMIT');
  });

  it('caps trace entries in number and size, apart from the calls', async () => {
    const host = fakeRunHost();
    const many = await host.run(
      'def run(input):\n  command(["a"])\n  for i in range(200):\n    trace("t", {"i": i})\n',
    );
    expect(many.envelope?.['trace_dropped']).toBe(100);
    expect(traceOf(many.envelope)).toHaveLength(100);
    expect(many.envelope?.['trace']).toHaveLength(101);
    const large = await host.run('def run(input):\n  trace("t" * 1000, {"x": "\\"" * 10000})\n');
    const [entry] = traceOf(large.envelope);
    expect(JSON.stringify(entry).length).toBeLessThanOrEqual(4_300);
    expect(entry?.['data']).toMatchObject({ truncated: true, units: 20_008 });
  });

  it('clamps what a caller asks for to the maximum of the host, and says so', async () => {
    const host = fakeRunHost({ programs: { loop: loop('ask("a")') } });
    const result = await host.runner.start({
      skill: 'loop',
      input: { a: 1 },
      limits: { asks: 100_000, commands: 3 },
    });
    expect([result.usage.asks, result.usage.clamped, result.error?.code]).toEqual([
      50,
      ['asks'],
      'ASK_BUDGET',
    ]);
  });

  it.each([
    [{ asks: 0 }, 'asks must be an integer of at least 1'],
    [{ asks: 1.5 }, 'asks must be'],
    [{ commands: -1 }, 'commands must be an integer of at least 0'],
    [{ ask: 3 }, 'did you mean "asks"?'],
  ])('refuses %o', async (limits, message) => {
    const host = fakeRunHost({ programs: { loop: loop('pass') } });
    const result = await host.runner.start({
      skill: 'loop',
      input: { a: 1 },
      limits: limits as Partial<RunLimits>,
    });
    expect([result.status, result.run, result.error?.code]).toEqual(['refused', null, 'LIMIT_INVALID']);
    expect(result.text).toContain(message);
  });

  it('counts tokens of the parts of an ask once, and stops it at the next turn', async () => {
    const host = fakeRunHost();
    const usage = { inputTokens: 30, outputTokens: 20, costMicros: 0 };
    const turnsTaken: number[] = [];
    host.answerer.onAsk = async (_request, { child }) => {
      for (let turn = 1; turn <= 3; turn += 1) {
        await child('turn', { turn }, true, async () => ({ value: turn, usage })).catch(() => 'swallowed');
        turnsTaken.push(turn);
      }
      return { answer: 'done', usage: { inputTokens: 90, outputTokens: 60, costMicros: 0 } };
    };
    expect((await host.run('def run(input):\n  ask("a")\n')).usage).toMatchObject({
      inputTokens: 90,
      outputTokens: 60,
    });
    const program = { a: 'def run(input):\n  ask("a")\n  command(["never"])\n' };
    const short = fakeRunHost({ programs: program });
    short.answerer.onAsk = host.answerer.onAsk;
    const result = await short.runner.start({ skill: 'a', input: { a: 1 }, limits: { tokens: 80 } });
    expect(result.error?.code).toBe('TOKEN_BUDGET');
    expect([result.usage.inputTokens + result.usage.outputTokens, short.commands.done]).toEqual([100, []]);
  });

  it('holds an answerer to the turns of the ask', async () => {
    const host = fakeRunHost();
    let made = 0;
    host.answerer.onAsk = async (_request, { child }) => {
      for (let turn = 0; turn < 10; turn += 1)
        await child('turn', { turn }, true, async () => ({ value: (made += 1) }));
      return 'never';
    };
    const result = await host.run('def run(input):\n  ask("a", {"max_turns": 3})\n');
    expect([result.error?.code, made]).toEqual(['TURN_LIMIT', 3]);
  });
});

describe('ask_all', () => {
  const program =
    'def run(input):\n  return {"r": [a["answer"] for a in ask_all(input["p"], {"purpose": "x"})]}\n';

  it('asks as many in parallel as are allowed, and gives the answers in order', async () => {
    const host = fakeRunHost({ programs: { all: program } });
    let now = 0;
    let most = 0;
    host.answerer.onAsk = async ({ prompt }) => {
      most = Math.max(most, (now += 1));
      await turns(Number(prompt) % 3);
      now -= 1;
      return `a${prompt}`;
    };
    const prompts = Array.from({ length: 20 }, (_, index) => String(index));
    const result = await host.runner.start({
      skill: 'all',
      input: { p: prompts },
      limits: { asks: 20, parallel: 7 },
    });
    expect(result.envelope?.['r']).toEqual(prompts.map((prompt) => `a${prompt}`));
    expect(most).toBe(7);
  });

  it('starts those of one call in one batch', async () => {
    const batches: number[] = [];
    const host = fakeRunHost({
      programs: { all: program },
      wrapStore: (store) => ({
        ...store,
        append: (claim, seq, entries) => (
          batches.push(entries.filter(({ type }) => type === 'effect.started').length),
          store.append(claim, seq, entries)
        ),
      }),
    });
    await host.runner.start({
      skill: 'all',
      input: { p: Array.from({ length: 40 }, String) },
      limits: { asks: 40, parallel: 100 },
    });
    expect(batches.filter((count) => count > 0)).toEqual([40]);
  });

  it('writes the end of a command with the start of the next one, though its policy is asked meanwhile', async () => {
    const batches: string[] = [];
    const host = fakeRunHost({
      programs: {
        steps: 'def run(input):\n    for i in range(3):\n        command(["echo", str(i)])\n    return 1\n',
      },
      wrapStore: (store) => ({
        ...store,
        append: (claim, seq, entries) => (
          batches.push(entries.map(({ type }) => type).join(' ')),
          store.append(claim, seq, entries)
        ),
      }),
    });
    host.commands.onJudge = () =>
      new Promise((resolve) => setImmediate(() => setImmediate(() => resolve({ kind: 'allow' }))));
    await host.runner.start({ skill: 'steps', input: {} });
    const between = 'effect.ended effect.started';
    expect(batches).toEqual(['effect.started', between, between, 'effect.ended run.ended']);
  });

  it('starts none when not all are within the budget', async () => {
    const host = fakeRunHost({ programs: { all: program } });
    const result = await host.runner.start({ skill: 'all', input: { p: Array.from({ length: 6 }, String) } });
    expect([result.error?.code, host.answerer.asked.length, result.usage.asks]).toEqual(['ASK_BUDGET', 0, 0]);
  });

  it('takes dicts with their own options, and nothing', async () => {
    const host = fakeRunHost({ programs: { all: program } });
    await host.runner.start({
      skill: 'all',
      input: { p: ['a', { prompt: 'b', purpose: 'y', max_turns: 2 }] },
    });
    expect(host.answerer.asked.map(({ prompt, purpose, maxTurns }) => [prompt, purpose, maxTurns])).toEqual([
      ['a', 'x', defaultLimits.turnsPerAsk],
      ['b', 'y', 2],
    ]);
    expect((await host.runner.start({ skill: 'all', input: { p: [] } })).envelope?.['r']).toEqual([]);
  });
});

describe('a structured answer', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] };
  const program = `def run(input):\n  return {"v": ask("how many?", {"schema": ${JSON.stringify(schema)}})["value"]}\n`;

  it('is validated, and asked for again with what is wrong', async () => {
    const host = fakeRunHost();
    const answers = ['three', '{"n": 0}', 'Here:\n```json\n{"n": 3}\n```\n'];
    host.answerer.onAsk = () => answers.shift() ?? '';
    const result = await host.run(program);
    expect(result.envelope?.['v']).toEqual({ n: 3 });
    expect(result.usage.asks).toBe(1);
    expect(host.answerer.asked[0]?.prompt).toContain('JSON Schema');
    expect(host.answerer.asked[1]?.prompt).toContain('the answer is not JSON');
    expect(host.answerer.asked[2]?.prompt).toContain('the answer.n must be at least 1, not 0');
  });

  it('fails after two retries', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = () => 'no';
    expect((await host.run(program)).error?.code).toBe('ANSWER_INVALID');
    expect(host.answerer.asked).toHaveLength(3);
  });
});

describe('cancel and wall clock', () => {
  const sleeping = (host: ReturnType<typeof fakeRunHost>): { readonly late: string[]; done: boolean } => {
    const world = { late: [] as string[], done: false };
    host.commands.onCommand = (call, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          // A process group takes a while to die, and may still write something.
          void turns(10).then(() =>
            resolve({
              aborted: true,
              exitCode: null,
              signal: 'SIGKILL',
              truncated: world.late.push(call.argv.join(' ')) === 0,
            }),
          );
        });
      });
    return world;
  };

  it('stops what is under way, and gives the result only after it has settled', async () => {
    const host = fakeRunHost();
    const world = sleeping(host);
    const running = host.run('def run(input):\n  command(["sleep", "9"])\n  command(["after"])\n');
    await turns();
    await host.runner.cancel(host.runner.active[0] as string, 'enough', 'person');
    const result = await running;
    expect([result.status, result.error?.code, world.late]).toEqual(['cancelled', 'CANCELLED', ['sleep 9']]);
    expect(result.text).toMatch(/^error: metaskill 'one': cancelled\n/);
    await turns(20);
    expect(host.commands.done).toEqual(['sleep 9']);
    expect((await host.store.read(result.run as string)).at(-1)?.entry.type).toBe('run.ended');
  });

  it('times out in a command', async () => {
    const host = fakeRunHost();
    const world = sleeping(host);
    const running = host.run('def run(input):\n  command(["sleep", "9"])\n  command(["after"])\n');
    await turns();
    host.clock.pass(300_000);
    const result = await running;
    expect([result.status, result.error]).toEqual([
      'failed',
      { code: 'TIMEOUT', message: 'timeout (300 s) exceeded', hint: null },
    ]);
    expect([world.late, host.commands.done]).toEqual([['sleep 9'], ['sleep 9']]);
  });

  it('stops a nested agent, and whatever it would still begin', async () => {
    const host = fakeRunHost();
    const made: string[] = [];
    host.answerer.onAsk = async (_request, { child, signal }) => {
      await child('turn', { n: 1 }, true, async () => ({ value: made.push('turn 1') }));
      await new Promise<void>((resolve) => signal.addEventListener('abort', resolve));
      // A model that does not care.
      await child('tool', { n: 2 }, false, async () => ({ value: made.push('tool') })).catch(() => {});
      return 'late';
    };
    const running = host.run('def run(input):\n  ask("a")\n  command(["after"])\n');
    await turns();
    host.clock.pass(300_000);
    expect((await running).error?.code).toBe('TIMEOUT');
    await turns(10);
    expect([made, host.commands.done]).toEqual([['turn 1'], []]);
  });

  it('interrupts pure computation', async () => {
    const host = fakeRunHost();
    const running = host.run('def run(input):\n  for i in range(1000000000):\n    pass\n');
    await turns(3);
    await host.runner.cancel(host.runner.active[0] as string, 'enough');
    expect((await running).status).toBe('cancelled');
    const slow = host.run('def run(input):\n  for i in range(1000000000):\n    pass\n');
    await turns(3);
    host.clock.pass(300_001);
    expect((await slow).error?.code).toBe('TIMEOUT');
  });

  it('is seen before anything begins', async () => {
    const host = fakeRunHost({ programs: { a: 'def run(input):\n  return "x"\n' } });
    const signal = { aborted: true, reason: 'no', addEventListener: () => {}, removeEventListener: () => {} };
    expect(await host.runner.start({ skill: 'a', input: { a: 1 }, signal })).toMatchObject({
      status: 'cancelled',
      run: null,
    });
  });

  it('does not count the time of a pause', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = () => Promise.reject(new AnswerLater('caller'));
    host.commands.onCommand = () => (host.clock.pass(200_000), {});
    const paused = await host.run(
      'def run(input):\n  command(["a"])\n  ask("q")\n  command(["b"])\n  return "x"\n',
    );
    expect(paused.usage.wallMs).toBe(200_000);
    host.clock.pass(10_000_000);
    const [question] = paused.questions;
    await host.runner.answer(paused.run as string, {
      question: question?.id ?? '',
      nonce: question?.nonce ?? '',
      value: 'x',
      from: 'caller',
    });
    host.commands.onCommand = () => (host.clock.pass(90_000), {});
    expect((await host.runner.resume(paused.run as string)).usage.wallMs).toBe(290_000);
  });
});
