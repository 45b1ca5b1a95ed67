// Seed S0 §7: ask, command and trace, parameter by parameter and field by field.
// The number at the start of each name is its row in docs/guide/metaskill-conformance.md.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { CommandOutcome } from '../../src/ports/shell.ts';
import { defaultLimits } from '../../src/run/budget/limits.ts';
import type { RunResult } from '../../src/run/result/result.ts';
import { fakeRunHost, printed, turns } from '../support/fake-run-host.ts';
import { callsOf, runOf, tracedBy } from '../support/metaskills.ts';

/** What `command(["a"])` gives a program when this happened. */
async function commandAfter(outcome: Partial<CommandOutcome>, commandUnits = 20_000): Promise<JsonObject> {
  const host = fakeRunHost({
    programs: { one: runOf('return {"c": command(["a"])}') },
    defaults: { ...defaultLimits, commandUnits },
  });
  host.commands.onCommand = () => outcome;
  return (await host.runner.start({ skill: 'one', input: { go: true } })).envelope?.['c'] as JsonObject;
}

async function answerAfter(answer: string | JsonObject, opts = ''): Promise<JsonObject> {
  const host = fakeRunHost();
  host.answerer.onAsk = () => answer as string;
  return (
    await host.run(
      runOf(
        `a = ask("p"${opts})`,
        'n = len(a["answer"])',
        'a["answer"] = a["answer"][:20]',
        'return {"a": a, "n": n}',
      ),
    )
  ).envelope as JsonObject;
}

async function faultOf(call: string): Promise<string> {
  const { error } = await fakeRunHost().run(runOf(call));
  return `${error?.code}: ${error?.message}`;
}

describe('S0 §7 the three functions', () => {
  it('§7.1 ask is a global function with a prompt and options that may be left out', async () => {
    const host = fakeRunHost();
    await host.run(
      runOf('ask("a")', 'ask("b", {})', 'ask(prompt = "c", opts = {"purpose": "p"})', 'ask("d", None)'),
    );
    expect(host.answerer.asked.map(({ prompt, purpose }) => [prompt, purpose])).toEqual([
      ['a', null],
      ['b', null],
      ['c', 'p'],
      ['d', null],
    ]);
  });

  it('§7.2 command is a global function with an argv and options that may be left out', async () => {
    const host = fakeRunHost();
    await host.run(
      runOf('command(["a"])', 'command(["b", "x y"], {})', 'command(argv = ["c"], opts = {"timeout": 3})'),
    );
    expect(host.commands.done).toEqual(['a', 'b x y', 'c']);
  });

  it('§7.3 trace is a global function with a kind and data that may be left out', async () => {
    const result = await fakeRunHost().run(
      runOf('trace("a")', 'trace("b", {})', 'trace(kind = "c", data = {"n": 1})'),
    );
    expect(result.envelope?.['trace']).toEqual([{ kind: 'a' }, { kind: 'b' }, { kind: 'c', data: { n: 1 } }]);
  });

  it('§7.4 a portable program needs nothing but these globals', async () => {
    const result = await fakeRunHost().run(
      runOf('trace("t")', 'return ask(command(["a"])["result"])["answer"]'),
    );
    expect(result.envelope).toMatchObject({ status: 'ok', answer: 'answer' });
  });

  it('§7.5 there is no namespaced object: agent.ask is an undefined name', async () => {
    const result = await fakeRunHost().run(runOf('return agent.ask("a")'));
    expect([
      result.error?.code,
      result.text.startsWith("error: metaskill 'one': syntax error: SKILL.star:2:12: "),
    ]).toEqual(['PROGRAM_INVALID', true]);
  });

  it('§7.6 what techne adds, ask_all and further options, no program has to use', async () => {
    const host = fakeRunHost();
    expect(
      (
        await host.run(
          runOf(
            'a = [ask(p)["answer"] for p in ["x", "y"]]',
            'b = [r["answer"] for r in ask_all(["x", "y"])]',
            'return {"same": a == b}',
          ),
        )
      ).envelope?.['same'],
    ).toBe(true);
  });
});

describe('S0 §7 ask', () => {
  it('§7.7 one ask is one nested piece of work of the host: its model and tools, cancelled and reported with the run', async () => {
    const host = fakeRunHost();
    const aborted: boolean[] = [];
    host.answerer.onAsk = async (_request, { signal, run }) => {
      await host.runner.cancel(run, 'enough');
      while (!signal.aborted) await turns(1);
      aborted.push(signal.aborted);
      throw new Error('stopped');
    };
    const result = await host.run(runOf('ask("a", {"purpose": "p"})'));
    expect([result.status, aborted]).toEqual(['cancelled', [true]]);
    expect(host.answerer.asked).toMatchObject([{ kind: 'ask', model: null, tools: null }]);
    expect(host.events.filter(({ type }) => type.startsWith('effect.')).map(({ type }) => type)).toEqual([
      'effect.started',
      'effect.ended',
    ]);
  });

  it('§7.8 the prompt is a string and arrives as it is; another type ends the run', async () => {
    const host = fakeRunHost();
    const prompt = 'line\n"quoted" \\ 🌍 \u0000 end';
    await host.run(runOf('ask(input["p"])'), { p: prompt });
    expect(host.answerer.asked[0]?.prompt).toBe(prompt);
    for (const [given, type] of [
      ['5', 'int'],
      ['None', 'NoneType'],
      ['["a"]', 'list'],
      ['True', 'bool'],
    ]) {
      expect(await faultOf(`ask(${given})`)).toBe(
        `HOST_ARGUMENTS: ask: the prompt must be a string, not ${type} (SKILL.star:2:5)`,
      );
    }
  });

  it('§7.9 purpose is an optional label and stands in the trace of the call', async () => {
    const result = await fakeRunHost().run(runOf('ask("a", {"purpose": "draft"})', 'ask("b")'));
    expect(callsOf(result).map(({ purpose }) => purpose)).toEqual(['draft', undefined]);
    expect(await faultOf('ask("a", {"purpose": 5})')).toContain(
      'HOST_ARGUMENTS: ask: opts["purpose"] must be a string, not int',
    );
  });

  it('§7.10 max_turns must be clamped: 1 at the least, 30 at the most and when it is left out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.integer({ min: -50, max: 80 }), fc.maxSafeInteger()), async (asked) => {
        const host = fakeRunHost();
        await host.run(runOf(`ask("a", {"max_turns": ${asked}})`, 'ask("b")'));
        expect(host.answerer.asked.map(({ maxTurns }) => maxTurns)).toEqual([
          Math.min(30, Math.max(1, asked)),
          30,
        ]);
      }),
      { numRuns: 40 },
    );
    for (const odd of ['"4"', '1.5', 'True', '[4]'])
      expect(await faultOf(`ask("a", {"max_turns": ${odd}})`)).toContain(
        'HOST_ARGUMENTS: ask: opts["max_turns"] must be an int, not ',
      );
  });

  it('§7.10 max_turns of any size is clamped: an int has no largest value in Starlark', async () => {
    const host = fakeRunHost();
    const result = await host.run(
      runOf('ask("a", {"max_turns": 1 << 80})', 'ask("b", {"max_turns": -(1 << 80)})'),
    );
    expect([result.status, host.answerer.asked.map(({ maxTurns }) => maxTurns)]).toEqual([
      'completed',
      [30, 1],
    ]);
  });

  it('§7.11 answer is a string, also an empty one; an answerer that gives none fails the ask', async () => {
    expect(await answerAfter('text')).toMatchObject({ a: { answer: 'text' } });
    expect(await answerAfter('')).toMatchObject({ a: { answer: '' }, n: 0 });
    const host = fakeRunHost();
    host.answerer.onAsk = () => ({ answer: 5 as unknown as string });
    expect((await host.run(runOf('ask("a")'))).text).toMatch(
      /^error: metaskill 'one': ask failed: the answerer gave no text/,
    );
  });

  it('§7.12 exhausted says whether a limit of the host was hit', async () => {
    expect(await answerAfter({ answer: 'so far', exhausted: true })).toMatchObject({
      a: { answer: 'so far', exhausted: true },
    });
    expect(await answerAfter({ answer: 'whole', exhausted: false })).toMatchObject({
      a: { exhausted: false },
    });
  });

  it.each([
    ['text', 'yes'],
    ['nothing', undefined],
    ['a number', 1],
  ])('§7.12 exhausted is a bool for the program, also when an answerer gives %s', async (_, exhausted) => {
    const host = fakeRunHost();
    host.answerer.onAsk = () => ({ answer: 'a', exhausted: exhausted as unknown as boolean });
    expect((await host.run(runOf('return type(ask("a")["exhausted"])'))).envelope?.['answer']).toBe('bool');
  });

  it('§7.13 turns is what was used: as the answerer says, and no fewer than the engine counted', async () => {
    expect(await answerAfter({ answer: 'a', turns: 3 })).toMatchObject({ a: { turns: 3 } });
    const host = fakeRunHost();
    host.answerer.onAsk = async (_request, { child }) => {
      for (const turn of [1, 2]) await child('turn', { turn }, true, async () => ({ value: turn }));
      return { answer: 'a', turns: 0 };
    };
    expect((await host.run(runOf('return ask("a", {"max_turns": 9})'))).envelope?.['turns']).toBe(2);
  });

  it('§7.14 an answerer that does not know its turns may give the cap it was granted', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = ({ maxTurns }) => ({ answer: 'a', turns: maxTurns });
    expect((await host.run(runOf('return ask("a", {"max_turns": 4})'))).envelope?.['turns']).toBe(4);
  });

  it('§7.15 truncated is true when the answer was shortened, and only then', async () => {
    expect(await answerAfter('x'.repeat(20_000))).toMatchObject({ a: { truncated: false }, n: 20_000 });
    expect(await answerAfter('x'.repeat(20_001))).toMatchObject({ a: { truncated: true }, n: 20_000 });
    // A character is never cut in half.
    expect(await answerAfter(`${'x'.repeat(19_999)}🌍`)).toMatchObject({ a: { truncated: true }, n: 19_999 });
  });

  it('§7.16 ask gives answer, exhausted, turns and truncated, in this order and nothing else', async () => {
    const result = await fakeRunHost().run(
      runOf('a = ask("p")', 'return {"keys": list(a), "types": [type(v) for v in a.values()]}'),
    );
    expect(result.envelope).toMatchObject({
      keys: ['answer', 'exhausted', 'turns', 'truncated'],
      types: ['string', 'bool', 'int', 'bool'],
    });
  });
});

describe('S0 §7 command', () => {
  const touch = runOf('return {"c": command(["touch", "x"])}');

  it('§7.17 no command bypasses the policy of the host: judged with its caller first, run only after a yes, reported', async () => {
    const host = fakeRunHost();
    const order: string[] = [];
    host.commands.onJudge = ({ argv }, { skill, trusted, key }) => (
      order.push(`judge ${argv.join(' ')} for ${skill} ${trusted} ${key}`),
      { kind: 'allow' }
    );
    host.commands.onCommand = ({ argv }) => (order.push(`run ${argv.join(' ')}`), {});
    await host.run(touch);
    expect(order).toEqual(['judge touch x for one true 1', 'run touch x']);
    expect(host.events.map(({ type }) => type)).toContain('effect.started');
    host.commands.onJudge = () => ({ kind: 'deny', reason: "command 'touch' is not allowed" });
    expect((await host.run(touch)).envelope?.['c']).toMatchObject({
      ok: false,
      result: "error: command 'touch' is not allowed",
      denied: true,
    });
    host.commands.onJudge = (_call, _caller, approval) =>
      approval === 'once' ? { kind: 'allow' } : { kind: 'approve', reason: 'not on the list' };
    const paused = await host.run(touch);
    expect([paused.status, paused.questions.map(({ audience }) => audience), order.length]).toEqual([
      'paused',
      ['operator'],
      2,
    ]);
    const [question] = paused.questions as [RunResult['questions'][number]];
    const approve = (from: 'caller' | 'operator') =>
      host.runner.answer(paused.run as string, {
        question: question.id,
        nonce: question.nonce,
        value: 'once',
        from,
      });
    await expect(approve('caller')).rejects.toMatchObject({ code: 'ANSWER_REFUSED' });
    await approve('operator');
    expect((await host.runner.resume(paused.run as string)).envelope?.['c']).toMatchObject({ ok: true });
    expect(order).toHaveLength(3);
  });

  it('§7.17 a policy that cannot be asked allows nothing, and fails the run with an error like any other', async () => {
    const host = fakeRunHost();
    host.commands.onJudge = () => {
      throw new Error('the list of approvals cannot be read');
    };
    const { text } = await host
      .run(touch)
      .catch((error: unknown) => ({ text: `start threw ${String(error)}` }));
    expect([text.startsWith("error: metaskill 'one': "), host.commands.done]).toEqual([true, []]);
  });

  it('§7.18 there are no shell strings: text is no argv, and the words of an argv are handed on one by one', async () => {
    const host = fakeRunHost();
    const seen: (readonly string[])[] = [];
    host.commands.onCommand = ({ argv }) => (seen.push(argv), {});
    const result = await host.run(
      runOf(
        'bad = command("echo hi | cat")',
        'command(["echo", "hi", "|", "cat", "$HOME", "a b", "*"])',
        'return {"bad": bad}',
      ),
    );
    expect(result.envelope?.['bad']).toMatchObject({
      ok: false,
      result: 'error: argv must be a non-empty list of strings',
    });
    expect(seen).toEqual([['echo', 'hi', '|', 'cat', '$HOME', 'a b', '*']]);
  });

  it.each([
    '""',
    '"ls"',
    '[]',
    '()',
    '[5]',
    '["a", None]',
    '[["a"]]',
    '[""]',
    '["a\\000b"]',
    '{}',
    'None',
    '5',
  ])(
    '§7.19 argv must be a list of strings that is not empty: %s is ok False, and nothing is run',
    async (argv) => {
      const host = fakeRunHost();
      const result = await host.run(runOf(`return {"c": command(${argv})}`));
      expect(result.envelope?.['c']).toEqual({
        ok: false,
        exit_code: -1,
        result: expect.stringMatching(/^error: argv/) as string,
        truncated: false,
      });
      expect([host.commands.done, result.usage.commands]).toEqual([[], 0]);
    },
  );

  it('§7.20 timeout must be clamped: 1 s at the least, 120 s at the most, 30 s when it is left out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.integer({ min: -50, max: 200 }), fc.maxSafeInteger()), async (asked) => {
        const host = fakeRunHost();
        const timeouts: number[] = [];
        host.commands.onCommand = ({ timeoutMs }) => (timeouts.push(timeoutMs), {});
        await host.run(runOf(`command(["a"], {"timeout": ${asked}})`, 'command(["b"])'));
        expect(timeouts).toEqual([Math.min(120, Math.max(1, asked)) * 1_000, 30_000]);
      }),
      { numRuns: 40 },
    );
    for (const odd of ['"5"', 'True', '[5]'])
      expect(await faultOf(`command(["a"], {"timeout": ${odd}})`)).toContain(
        'HOST_ARGUMENTS: command: opts["timeout"] must be a number of seconds, not ',
      );
  });

  it('§7.20 a timeout of any size is clamped', async () => {
    const host = fakeRunHost();
    const timeouts: number[] = [];
    host.commands.onCommand = ({ timeoutMs }) => (timeouts.push(timeoutMs), {});
    const result = await host.run(
      runOf('command(["a"], {"timeout": 1 << 80})', 'command(["b"], {"timeout": -(1 << 80)})'),
    );
    expect([result.status, timeouts]).toEqual(['completed', [120_000, 1_000]]);
  });

  it('§7.21 command gives ok, exit_code, result and truncated first, then what techne adds', async () => {
    const value = await commandAfter(printed('out'));
    expect(Object.keys(value)).toEqual([
      'ok',
      'exit_code',
      'result',
      'truncated',
      'stdout',
      'stderr',
      'signal',
      'timed_out',
      'denied',
    ]);
    expect(value).toMatchObject({ ok: true, exit_code: 0, result: 'out', truncated: false });
  });

  it('§7.22 ok is true only when it was allowed, started, did not time out and exited with 0, whatever it printed', async () => {
    const outcome = fc.record({
      started: fc.boolean(),
      timedOut: fc.boolean(),
      aborted: fc.boolean(),
      truncated: fc.boolean(),
      exitCode: fc.constantFrom(null, 0, 1, 3, 255),
      signal: fc.constantFrom(null, 'SIGKILL', 'SIGSEGV'),
      combined: fc.constantFrom(
        '',
        'Exit code: 0',
        'Exit code: 7\n',
        'error: no',
        'error: command timed out',
        'ok',
        'z'.repeat(30_000),
      ),
    });
    await fc.assert(
      fc.asyncProperty(outcome, async (facts) => {
        const { ok } = await commandAfter({ ...facts, stdout: facts.combined }, 1_000);
        expect(ok).toBe(
          facts.started && !facts.timedOut && !facts.aborted && facts.signal === null && facts.exitCode === 0,
        );
      }),
      { numRuns: 150 },
    );
  });

  it('§7.23 exit_code is that of the process when it is known, else -1', async () => {
    for (const code of [0, 1, 3, 127, 255])
      expect((await commandAfter({ exitCode: code }))['exit_code']).toBe(code);
    expect(await commandAfter({ exitCode: null, signal: 'SIGTERM' })).toMatchObject({
      exit_code: -1,
      signal: 'SIGTERM',
    });
    expect(await commandAfter({ started: false, exitCode: null, fault: 'not found' })).toMatchObject({
      exit_code: -1,
    });
  });

  it('§7.24 result is a string: what was printed to both, in the order in which it came', async () => {
    expect(await commandAfter({ stdout: 'a\nc\n', stderr: 'b\n', combined: 'a\nb\nc\n' })).toMatchObject({
      result: 'a\nb\nc\n',
      stdout: 'a\nc\n',
      stderr: 'b\n',
    });
    expect((await commandAfter({}))['result']).toBe('');
  });

  it('§7.25 failures of the host are error: in result, with what had been printed after it', async () => {
    expect(
      (await commandAfter({ started: false, exitCode: null, fault: "command not found: 'x'" }))['result'],
    ).toBe("error: command not found: 'x'");
    expect((await commandAfter({ timedOut: true, exitCode: null, combined: 'half' }))['result']).toBe(
      'error: command timed out after 30 s\nhalf',
    );
    expect((await commandAfter({ exitCode: null, signal: 'SIGKILL' }))['result']).toBe(
      'error: command was ended by SIGKILL',
    );
    // A failure of the command itself is not one of the host.
    expect((await commandAfter(printed('2 tests fail', 1)))['result']).toBe('2 tests fail');
  });

  it('§7.26 truncated is true when result was shortened, by the engine or by the host, and beginning and end stay', async () => {
    const long = await commandAfter(printed(`begin ${'y'.repeat(30_000)} end`), 500);
    expect(long).toMatchObject({
      truncated: true,
      result: expect.stringMatching(/^begin y+\n\[… \d+ characters and more left out …\]\ny+ end$/) as string,
    });
    expect((long['result'] as string).length).toBeLessThanOrEqual(500);
    expect(await commandAfter({ ...printed('kept'), truncated: true })).toMatchObject({ truncated: true });
    expect(await commandAfter(printed('y'.repeat(500)), 500)).toMatchObject({ truncated: false });
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 1, max: 300 }),
        async (text, units) => {
          const value = await commandAfter(printed(text), units);
          expect((value['result'] as string).length).toBeLessThanOrEqual(units);
          expect(value['truncated']).toBe(value['result'] !== text);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('S0 §7 trace', () => {
  it('§7.27 kind is a string; another type ends the run', async () => {
    expect(tracedBy(await fakeRunHost().run(runOf('trace("step")')))).toEqual([{ kind: 'step' }]);
    for (const odd of ['5', 'None', '["a"]'])
      expect(await faultOf(`trace(${odd})`)).toContain(
        'HOST_ARGUMENTS: trace: the kind must be a string, not ',
      );
  });

  it('§7.28 data is a JSON-like dictionary; another type ends the run', async () => {
    expect(
      tracedBy(await fakeRunHost().run(runOf('trace("s", {"a": [1, 2.5, None, True, {"b": "c"}]})'))),
    ).toEqual([{ kind: 's', data: { a: [1, 2.5, null, true, { b: 'c' }] } }]);
    for (const odd of ['"text"', '[1]', '5', '{"a": 1 << 80}', '{"a": b"x"}', '{"a": trace}'])
      expect(await faultOf(`trace("s", ${odd})`)).toMatch(/^(?:HOST_ARGUMENTS|EVAL_\w+): /);
  });

  it('§7.29 trace calls use up no asks and no commands, and asks and commands use up no trace entries', async () => {
    const host = fakeRunHost({
      programs: {
        one: runOf('for i in range(100):', '    trace("t", {"i": i})', 'return ask("a")["answer"]'),
      },
    });
    const result = await host.runner.start({
      skill: 'one',
      input: { go: true },
      limits: { asks: 1, commands: 0 },
    });
    expect([
      result.status,
      result.usage.asks,
      result.usage.commands,
      tracedBy(result).length,
      callsOf(result).length,
    ]).toEqual(['completed', 1, 0, 100, 1]);
  });

  it('§7.30 entries are capped in number and in size, and what is missing is said', async () => {
    const many = await fakeRunHost().run(runOf('for i in range(250):', '    trace("t", {"i": i})'));
    expect([tracedBy(many).length, many.envelope?.['trace_dropped']]).toEqual([100, 150]);
    const large = await fakeRunHost().run(runOf('trace("k" * 5000, {"x": "y" * 50000})'));
    const [entry] = tracedBy(large);
    expect(entry?.['kind']).toBe('k'.repeat(200));
    expect(entry?.['data']).toMatchObject({
      truncated: true,
      units: 50_008,
      preview: expect.stringMatching(/^\{"x":"y+$/) as string,
    });
    expect(JSON.stringify(entry?.['data']).length).toBeLessThanOrEqual(defaultLimits.traceEntryUnits);
  });
});
