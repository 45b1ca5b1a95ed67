// Seed S0 §8: every budget with its default, what a caller may ask for, and that nothing goes on after the end.
// The number at the start of each name is its row in docs/guide/metaskill-conformance.md.
import { describe, expect, it } from 'vitest';
import { nodeRunClock } from '../../src/node/environment.ts';
import { defaultLimits, maximumLimits } from '../../src/run/budget/limits.ts';
import type { RunLimits } from '../../src/run/budget/limits.ts';
import { readToolArguments } from '../../src/run/tools/run-metaskill.ts';
import { fakeRunHost, printed, turns } from '../support/fake-run-host.ts';
import { runOf, tracedBy } from '../support/metaskills.ts';

const loop = (call: string): string => runOf('for i in range(1000):', `    ${call}`, 'return "through"');

describe('S0 §8 budgets and limits', () => {
  it('§8.1 every budget is finite, by default and at its maximum', () => {
    for (const limits of [defaultLimits, maximumLimits])
      for (const [name, value] of Object.entries(limits))
        expect([name, Number.isSafeInteger(value) && value > 0]).toEqual([name, true]);
    for (const [name, value] of Object.entries(defaultLimits))
      expect([name, value <= maximumLimits[name as keyof RunLimits]]).toEqual([name, true]);
  });

  it('§8.2 5 nested asks by default: the sixth fails the run and reaches nobody', async () => {
    const host = fakeRunHost();
    const result = await host.run(loop('ask("a")'));
    expect([result.status, result.error?.code, host.answerer.asked.length]).toEqual([
      'failed',
      'ASK_BUDGET',
      5,
    ]);
    expect(result.text).toMatch(/^error: metaskill 'one': ask budget exhausted \(5 calls\)/);
  });

  it('§8.3 10 commands by default: the eleventh fails the run and is not run', async () => {
    const host = fakeRunHost();
    const result = await host.run(loop('command(["a"])'));
    expect([result.status, result.error?.code, host.commands.done.length]).toEqual([
      'failed',
      'COMMAND_BUDGET',
      10,
    ]);
    expect(result.text).toMatch(/^error: metaskill 'one': command budget exhausted \(10 calls\)/);
  });

  it('§8.4 300 seconds of wall clock by default: then the call under way is stopped and the run fails', async () => {
    const host = fakeRunHost();
    let landed = 0;
    host.commands.onCommand = async (_call, { signal }) => {
      host.clock.pass(299_999);
      await turns(3);
      expect(signal.aborted).toBe(false);
      host.clock.pass(1);
      while (!signal.aborted) await turns(1);
      return { aborted: true, exitCode: null };
    };
    host.answerer.onAsk = () => String((landed += 1));
    const result = await host.run(runOf('command(["slow"])', 'ask("never")'));
    expect([result.status, result.error?.code, landed]).toEqual(['failed', 'TIMEOUT', 0]);
    expect(result.text).toMatch(/^error: metaskill 'one': timeout \(300 s\) exceeded/);
  });

  it('§8.5 100 trace entries by default; more are counted and dropped', async () => {
    const result = await fakeRunHost().run(loop('trace("t", {"i": i})'));
    expect([
      result.status,
      tracedBy(result).length,
      tracedBy(result).at(-1),
      result.envelope?.['trace_dropped'],
    ]).toEqual(['completed', 100, { kind: 't', data: { i: 99 } }, 900]);
  });

  it('§8.6 20,000 characters of a nested answer by default', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = () => 'x'.repeat(20_001);
    expect(
      (await host.run(runOf('a = ask("a")', 'return {"n": len(a["answer"]), "t": a["truncated"]}'))).envelope,
    ).toMatchObject({ n: 20_000, t: true });
  });

  it('§8.7 20,000 characters of the result of a command by default', async () => {
    const host = fakeRunHost();
    host.commands.onCommand = () => printed('x'.repeat(20_001));
    expect(
      (await host.run(runOf('c = command(["a"])', 'return {"n": len(c["result"]), "t": c["truncated"]}')))
        .envelope,
    ).toMatchObject({ n: 20_000, t: true });
  });

  it('§8.8 20,000 characters of the final text by default, header and JSON together; failures, too', async () => {
    const long = await fakeRunHost().run(runOf('return "x" * 100000'));
    expect([long.text.length, long.envelope?.['answer_truncated']]).toEqual([20_000, true]);
    const failed = await fakeRunHost().run(runOf('fail("x" * 100000)'));
    expect([failed.text.length <= 20_000, failed.text.startsWith('error: ')]).toEqual([true, true]);
  });

  it('§8.9 callers may set max_ask_calls and max_command_calls; more than the host allows is clamped, and said', async () => {
    const host = fakeRunHost({ programs: { one: loop('ask("a")'), two: loop('command(["a"])') } });
    const run = async (given: Parameters<typeof readToolArguments>[0]) => {
      const read = readToolArguments(given, 'every');
      if (!read.ok) return read.message;
      const { usage, error } = await host.runner.start(read.request);
      return [usage.asks, usage.commands, error?.code, usage.clamped];
    };
    expect(await run({ name: 'one', input: { a: 1 }, max_ask_calls: 2 })).toEqual([2, 0, 'ASK_BUDGET', []]);
    expect(await run({ name: 'two', input: { a: 1 }, max_command_calls: 0 })).toEqual([
      0,
      0,
      'COMMAND_BUDGET',
      [],
    ]);
    expect(await run({ name: 'one', input: { a: 1 }, max_ask_calls: 100_000 })).toEqual([
      50,
      0,
      'ASK_BUDGET',
      ['asks'],
    ]);
    expect(await run({ name: 'two', input: { a: 1 }, max_command_calls: 100_000 })).toEqual([
      0,
      100,
      'COMMAND_BUDGET',
      ['commands'],
    ]);
    for (const odd of [0, -1, 1.5, '3'])
      expect(await run({ name: 'one', input: { a: 1 }, max_ask_calls: odd })).toMatch(
        /^error: max_ask_calls must be an integer of at least 1/,
      );
  });

  it.each(['ask("next")', 'command(["next"])', 'ask_all(["next"])', 'trace("next")'])(
    '§8.10 cancellation and timeout are looked at before %s',
    async (next) => {
      for (const stop of ['cancel', 'timeout'] as const) {
        const host = fakeRunHost();
        host.commands.onCommand = async ({ argv }, { key }) => {
          if (argv[0] !== 'first') return {};
          if (stop === 'timeout') host.clock.pass(400_000);
          else await host.runner.cancel(host.runner.active[0] as string, `at ${key}`);
          await turns(5);
          return {};
        };
        const result = await host.run(runOf('command(["first"])', next, 'return "through"'));
        expect([result.status, result.error?.code]).toEqual(
          stop === 'cancel' ? ['cancelled', 'CANCELLED'] : ['failed', 'TIMEOUT'],
        );
        expect([
          host.commands.done,
          host.answerer.asked,
          (await host.runner.inspect(result.run as string)).trace,
        ]).toEqual([['first'], [], []]);
      }
    },
  );

  it('§8.10 a run that was cancelled before it began makes no call at all', async () => {
    const host = fakeRunHost({
      programs: { one: runOf('return ask("a")["answer"]'), pure: runOf('return "x"') },
    });
    const source = new AbortController();
    source.abort(new Error('gone'));
    for (const skill of ['one', 'pure']) {
      const result = await host.runner.start({ skill, input: { go: true }, signal: source.signal });
      expect([result.status, result.text.startsWith(`error: metaskill '${skill}': cancelled`)]).toEqual([
        'cancelled',
        true,
      ]);
    }
    expect(host.answerer.asked).toEqual([]);
  });

  it('§8.11 a pure loop is interrupted by the wall clock of the real world, while the process stays awake', async () => {
    const host = fakeRunHost({
      programs: { spin: runOf('n = 0', 'for i in range(1000000000):', '    n += i', 'return n') },
      clock: nodeRunClock,
    });
    let awake = 0;
    const beat = setInterval(() => (awake += 1), 5);
    const result = await host.runner.start({
      skill: 'spin',
      input: { a: 1 },
      limits: { wallMs: 250, steps: maximumLimits.steps },
    });
    clearInterval(beat);
    expect([result.status, result.error?.code]).toEqual(['failed', 'TIMEOUT']);
    expect(awake).toBeGreaterThan(0);
  });

  it('§8.11 a pure loop is interrupted by a cancel, and by its steps even when the clock stands still', async () => {
    const host = fakeRunHost({ programs: { spin: loop('x = [j for j in range(100000)]') } });
    const source = new AbortController();
    const running = host.runner.start({ skill: 'spin', input: { a: 1 }, signal: source.signal });
    await turns(3);
    source.abort(new Error('enough'));
    expect((await running).status).toBe('cancelled');
    expect(
      (await host.runner.start({ skill: 'spin', input: { a: 1 }, limits: { steps: 100_000 } })).error?.code,
    ).toBe('STEP_LIMIT');
  });
});
