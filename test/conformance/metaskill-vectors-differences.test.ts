// D1 to D22: what the first implementation of S0 gets wrong, or leaves open, and techne does on purpose in another way.
// docs/guide/metaskill-conformance.md has the list.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { CommandOutcome } from '../../src/ports/shell.ts';
import { fakeRunHost, printed, turns } from '../support/fake-run-host.ts';
import { callsOf, exampleFiles, loadedHost, metaskill, runOf } from '../support/metaskills.ts';

const program = runOf('return "done"');

async function commandAfter(outcome: Partial<CommandOutcome>): Promise<JsonObject> {
  const host = fakeRunHost();
  host.commands.onCommand = () => outcome;
  return (
    await host.run(
      runOf(
        'c = command(["a"])',
        'return {"ok": c["ok"], "exit_code": c["exit_code"], "truncated": c["truncated"], "n": len(c["result"]), "head": c["result"][:40], "signal": c["signal"]}',
      ),
    )
  ).envelope as JsonObject;
}

describe('commands', () => {
  it('D1 "Exit code:" in the output changes nothing', async () => {
    expect(await commandAfter(printed('Exit code: 7\nfine'))).toMatchObject({
      ok: true,
      exit_code: 0,
      head: 'Exit code: 7\nfine',
    });
  });

  it('D2 output that begins with "error:" changes nothing', async () => {
    expect(await commandAfter(printed('error: 0 found'))).toMatchObject({ ok: true, exit_code: 0 });
  });

  it('D3 a command that timed out is not ok, however much it printed', async () => {
    expect(await commandAfter({ timedOut: true, exitCode: null, ...big() })).toMatchObject({
      ok: false,
      truncated: true,
      head: expect.stringMatching(/^error: command timed out after 30 s\n/) as string,
    });
  });

  it('D4 a command that a signal ended is not ok, and the signal is told', async () => {
    expect(await commandAfter({ exitCode: null, signal: 'SIGKILL' })).toMatchObject({
      ok: false,
      exit_code: -1,
      signal: 'SIGKILL',
    });
  });

  it('D5 large output is there up to the limit, and truncated says when it was cut', async () => {
    expect(await commandAfter(printed('x'.repeat(15_000)))).toMatchObject({ truncated: false, n: 15_000 });
    expect(await commandAfter(printed('x'.repeat(25_000)))).toMatchObject({ truncated: true, n: 20_000 });
  });

  function big(): Partial<CommandOutcome> {
    const text = 'z'.repeat(50_000);
    return { stdout: text, combined: text };
  }
});

describe('results', () => {
  it.each(['float("nan")', 'float("inf")', '-float("inf")'])(
    'D6 %s is refused: the JSON is always valid',
    async (number) => {
      const result = await fakeRunHost().run(runOf(`return {"n": [${number}]}`));
      expect([result.status, result.text.startsWith("error: metaskill 'one': ")]).toEqual(['failed', true]);
    },
  );

  it.each([
    ['{b"x": 1}', 'dict has bytes key, want string'],
    ['{(1, 2): 3}', 'dict has tuple key, want string'],
    ['{1: 2}', 'dict has int key, want string'],
  ])('D7 the keys of %s are an error of the program, with a hint', async (expression, message) => {
    const result = await fakeRunHost().run(runOf(`return ${expression}`));
    expect(result.text).toContain(
      `error: metaskill 'one': runtime error: the result: ${message} (use str(x) to make a string key)`,
    );
  });

  it('D10 a field of 100 KB is cut, too: the limit holds for the whole text', async () => {
    const { text, envelope } = await fakeRunHost().run(runOf('return {"answer": "a", "blob": "z" * 100000}'));
    expect([text.length <= 20_000, envelope?.['answer'], envelope?.['fields_truncated']]).toEqual([
      true,
      'a',
      ['blob'],
    ]);
  });

  it('D11 the words of fail() are the words of the author, and nothing else', async () => {
    for (const words of ['over budget', 'connection timeout', 'order was cancelled']) {
      const result = await fakeRunHost().run(runOf(`fail("${words}")`));
      expect([result.status, result.error?.code, result.text.includes(`fail: ${words}`)]).toEqual([
        'failed',
        'EVAL_FAIL',
        true,
      ]);
    }
  });

  it('D18 the trace of a run that failed is kept under its id', async () => {
    const host = fakeRunHost();
    const result = await host.run(runOf('trace("before", {"n": 1})', 'command(["a"])', 'fail("no")'));
    expect(result.text).toContain(`techne runs show ${result.run}`);
    const view = await host.runner.inspect(result.run as string);
    expect([
      view.trace.map(({ kind }) => kind),
      view.effects.map(({ kind, state }) => [kind, state]),
    ]).toEqual([['before'], [['command', 'ok']]]);
  });

  it('D19 calls are told besides the entries of the program, however many these are', async () => {
    const result = await fakeRunHost().run(
      runOf('for i in range(150):', '    trace("t")', 'ask("last", {"purpose": "p"})'),
    );
    expect(callsOf(result)).toMatchObject([{ kind: 'ask', purpose: 'p', ok: true }]);
    expect([result.usage.asks, result.envelope?.['trace_dropped']]).toEqual([1, 50]);
  });

  it('D21 a NUL character crosses whole, both ways', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = ({ prompt }) => `${prompt}\0c`;
    expect(
      (await host.run(runOf('return ask(input["t"])["answer"]'), { t: 'a\0b' })).envelope?.['answer'],
    ).toBe('a\0b\0c');
  });
});

describe('limits', () => {
  it('D8 a caller cannot raise a budget without end', async () => {
    const host = fakeRunHost({ programs: { one: runOf('for i in range(500):', '    ask("a")') } });
    const result = await host.runner.start({ skill: 'one', input: { a: 1 }, limits: { asks: 100_000 } });
    expect([result.usage.asks, result.usage.clamped]).toEqual([50, ['asks']]);
  });

  it('D9 negative max_turns are one turn', async () => {
    const host = fakeRunHost();
    await host.run(runOf('ask("a", {"max_turns": -5})'));
    expect(host.answerer.asked[0]?.maxTurns).toBe(1);
  });

  it('D12 a run without any host call is cancelled all the same', async () => {
    const host = fakeRunHost({
      programs: { pure: runOf('n = 0', 'for i in range(3000000):', '    n += i', 'return str(n)') },
    });
    const source = new AbortController();
    const running = host.runner.start({ skill: 'pure', input: { a: 1 }, signal: source.signal });
    await turns(2);
    source.abort(new Error('enough'));
    expect((await running).status).toBe('cancelled');
  });

  it('D13 nothing lands after the result: what is under way at the deadline has ended before the result is given', async () => {
    const host = fakeRunHost();
    const order: string[] = [];
    host.commands.onCommand = async (_call, { signal }) => {
      host.clock.pass(300_000);
      while (!signal.aborted) await turns(1);
      await turns(20);
      order.push('the command is gone');
      return { aborted: true, exitCode: null };
    };
    const result = await host.run(runOf('command(["slow"])', 'command(["next"])'));
    order.push('the result is there');
    await turns(20);
    expect([result.error?.code, order, host.commands.done]).toEqual([
      'TIMEOUT',
      ['the command is gone', 'the result is there'],
      ['slow'],
    ]);
  });
});

describe('what may run', () => {
  it('D14 with the policy off nothing runs, whoever calls', async () => {
    const { start, runnable } = await loadedHost(metaskill('tides', program), {
      config: { execution: { policy: 'off' } },
    });
    expect([(await start('tides')).error?.code, (await runnable('tides')).ok]).toEqual([
      'EXECUTION_OFF',
      false,
    ]);
  });

  it('D15 a SKILL.star that is a link out of the folder is not executed', async () => {
    const { start } = await loadedHost(
      {
        '/work/skills/tides/SKILL.md':
          '---\nname: tides\ndescription: Tells tides. Use when asked.\n---\nB.\n',
        '/work/elsewhere.star': program,
      },
      { prepare: (files) => files.link('/work/skills/tides/SKILL.star', '/work/elsewhere.star') },
    );
    expect((await start('tides')).text).toContain(
      'the program "SKILL.star" is a link that leaves the skill folder',
    );
  });

  it('D16 an absolute path of the program is refused, also one inside the folder', async () => {
    const { snapshot, start } = await loadedHost(
      metaskill('tides', program, 'metaskill: /work/skills/tides/SKILL.star\n'),
    );
    expect([snapshot.get('tides').head.bar?.code, (await start('tides')).status]).toEqual([
      'PROGRAM_PATH',
      'refused',
    ]);
  });

  it('D17 a program that needs no input runs with {}', async () => {
    const { start } = await loadedHost(exampleFiles());
    expect((await start('diff-review', {})).status).toBe('completed');
    expect((await start('diff-review', null)).status).toBe('completed');
    expect((await start('require-heading', {})).error?.code).toBe('INPUT_REQUIRED');
  });

  it.each([[[1, 2]], ['text'], [7]])(
    'D22 the input %j is refused before the program begins',
    async (input) => {
      const host = fakeRunHost({ programs: { one: program } });
      const result = await host.runner.start({ skill: 'one', input });
      expect([result.status, result.run, result.error?.code]).toEqual(['refused', null, 'INPUT_INVALID']);
    },
  );
});

describe('print', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('D20 goes to the journal, and to no stream of the process', async () => {
    const written = [
      vi.spyOn(process.stdout, 'write'),
      vi.spyOn(process.stderr, 'write'),
      vi.spyOn(console, 'log'),
    ];
    const host = fakeRunHost();
    const result = await host.run(runOf('print("for people")', 'return "x"'));
    for (const stream of written) expect(stream).not.toHaveBeenCalled();
    expect(result.text).not.toContain('for people');
    expect((await host.runner.inspect(result.run as string)).trace).toMatchObject([
      { printed: true, data: { print: 'for people' } },
    ]);
  });
});
