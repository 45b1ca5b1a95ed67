// Vectors V1 to V21: what the first implementation of S0 really gives, kept where it is right. Programs are in our own words,
// so texts and places are theirs. docs/guide/metaskill-conformance.md says where techne differs, and why.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { RunResult } from '../../src/run/result/result.ts';
import { fakeRunHost, printed } from '../support/fake-run-host.ts';
import type { FakeRunHost } from '../support/fake-run-host.ts';
import type { ExampleName } from '../support/metaskills.ts';
import { exampleFile, exampleNames, runOf, tracedBy } from '../support/metaskills.ts';

function examples(answers: readonly string[] = []): FakeRunHost {
  const host = fakeRunHost({
    programs: Object.fromEntries(exampleNames.map((name) => [name, exampleFile(name, 'SKILL.star')])),
  });
  const next = [...answers];
  host.answerer.onAsk = () => next.shift() ?? 'more';
  return host;
}

const start = (host: FakeRunHost, skill: ExampleName, input: JsonObject, limits = {}): Promise<RunResult> =>
  host.runner.start({ skill, input, limits });
const heading = { task: 'T', heading: '# H' };

describe('the examples', () => {
  it('V1 require-heading, answers "no" and "no # H": accepted at the second attempt, one trace entry, the draft in the second prompt', async () => {
    const host = examples(['no', 'no # H']);
    const result = await start(host, 'require-heading', heading);
    expect(result.envelope).toMatchObject({ status: 'accepted', answer: 'no # H', attempts: 2 });
    expect(tracedBy(result)).toEqual([{ kind: 'missing-heading', data: { attempt: 1, heading: '# H' } }]);
    expect(host.answerer.asked.map(({ prompt, maxTurns }) => [prompt, maxTurns])).toEqual([
      ['T', 4],
      ['Put this heading into the text below:\n# H\n\nThe text:\nno', 4],
    ]);
  });

  it('V2 require-heading, three misses: exhausted with a warning, three asks', async () => {
    const result = await start(examples(['a', 'b', 'c']), 'require-heading', heading);
    expect(result.envelope).toMatchObject({
      status: 'exhausted',
      answer: 'c',
      warning: 'No draft had the heading.',
    });
    expect(result.usage.asks).toBe(3);
  });

  it('V3 require-heading without its key: the key, and the place of the index', async () => {
    const result = await start(examples(), 'require-heading', { task: 'T' });
    expect(result.text).toMatch(
      /^error: metaskill 'require-heading': runtime error: SKILL\.star:4:14 in run: key "heading" not in dict/,
    );
  });

  it('V4 checklist, a word more each time: accepted at the third attempt, and what was missing before', async () => {
    const result = await start(examples(['install', 'install test', 'install test rollback']), 'checklist', {
      task: 'T',
    });
    expect(result.envelope).toMatchObject({ status: 'accepted', attempts: 3 });
    expect(tracedBy(result).map(({ data }) => (data as JsonObject)['missing'])).toEqual([
      ['test', 'rollback'],
      ['rollback'],
    ]);
  });

  it('V5 test-fix with a command that fails: exhausted, three asks, three commands', async () => {
    const host = examples();
    host.commands.onCommand = () => printed('red', 1);
    const result = await start(host, 'test-fix', { test_command: ['false'] });
    expect([result.envelope?.['status'], result.usage.asks, result.usage.commands]).toEqual([
      'exhausted',
      3,
      3,
    ]);
  });

  it('V6 test-fix with a command that succeeds: accepted at once', async () => {
    const result = await start(examples(), 'test-fix', { test_command: ['true'] });
    expect([result.envelope?.['status'], result.envelope?.['attempts'], result.usage.asks]).toEqual([
      'accepted',
      1,
      0,
    ]);
  });

  it('V7 require-heading with one ask allowed: the budget is the error', async () => {
    const result = await start(examples(['no']), 'require-heading', heading, { asks: 1 });
    expect(result.text).toMatch(/^error: metaskill 'require-heading': ask budget exhausted \(1 call\)/);
  });
});

describe('the language', () => {
  const run = (program: string, input: JsonObject = { a: 1 }): Promise<RunResult> =>
    fakeRunHost().run(program, input);

  it('V8 input is frozen', async () => {
    expect((await run(runOf('input["b"] = 2'))).text).toMatch(
      /^error: metaskill 'one': runtime error: SKILL\.star:2:5 in run: cannot insert into frozen dict/,
    );
  });

  it('V9 a list of the module is frozen in run', async () => {
    expect((await run('seen = []\ndef run(input):\n    seen.append(1)\n')).text).toMatch(
      /^error: metaskill 'one': runtime error: SKILL\.star:3:5 in run: cannot append to frozen list/,
    );
  });

  it('V10 what ask and command give may be edited', async () => {
    const result = await run(
      runOf(
        'a = ask("p")',
        'a["answer"] += "!"',
        'a["own"] = 1',
        'c = command(["x"])',
        'c["ok"] = False',
        'return {"answer": a["answer"], "own": a["own"], "ok": c["ok"]}',
      ),
    );
    expect(result.envelope).toMatchObject({ answer: 'answer!', own: 1, ok: false });
  });

  it.each([
    [
      'while',
      runOf('while True:', '    pass'),
      'PROGRAM_INVALID',
      'SKILL.star:2:5: while loops are not part of Starlark',
    ],
    [
      'recursion',
      'def f(n):\n    return f(n)\ndef run(input):\n    return f(1)\n',
      'EVAL_RECURSION',
      'SKILL.star:2:12 in f: function f called recursively',
    ],
    [
      'recursion of run',
      runOf('return run(input)'),
      'EVAL_RECURSION',
      'SKILL.star:2:12 in run: function run called recursively',
    ],
    [
      'for at the top',
      'for i in [1]:\n    pass\ndef run(input):\n    pass\n',
      'PROGRAM_INVALID',
      'SKILL.star:1:1: for loop not within a function',
    ],
    [
      'if at the top',
      'if True:\n    pass\ndef run(input):\n    pass\n',
      'PROGRAM_INVALID',
      'SKILL.star:1:1: if statement not within a function',
    ],
    [
      'f-string',
      runOf('return f"x"'),
      'PROGRAM_INVALID',
      'SKILL.star:2:12: f-strings are not part of Starlark',
    ],
    [
      'try',
      runOf('try:', '    pass'),
      'PROGRAM_INVALID',
      'SKILL.star:2:5: exceptions are not part of Starlark',
    ],
    [
      'load',
      'load("a.star", "b")\ndef run(input):\n    pass\n',
      'LOAD_DENIED',
      'SKILL.star:1:1 in <toplevel>: load is not available in this program',
    ],
    [
      'a global assigned twice',
      'x = 1\nx = 2\ndef run(input):\n    pass\n',
      'PROGRAM_INVALID',
      'SKILL.star:2:1: cannot reassign global x declared on line 1',
    ],
  ])('V11 %s is an error with its place', async (_, program, code, message) => {
    const result = await run(program);
    expect([result.error?.code, result.text.startsWith("error: metaskill 'one': ")]).toEqual([code, true]);
    expect(result.text).toContain(message);
  });

  it('V11 accepted: nested def, lambda, comprehensions, % and format, big ints, floats, bytes, fail, the common builtins; and set, as the specification has it', async () => {
    const program = runOf(
      'def f(x):',
      '    return [y * 2 for y in x]',
      'g = lambda n: n + 1',
      'return str([f([1]), g(1), "%d" % 3, "{}".format(4), 1 << 70, 1.5, len(b"ab"), sorted([2, 1]), list(zip([1], [2])), any([]), max(1, 2), hasattr("", "join"), len(set([1, 1]))])',
    );
    expect((await run(program)).envelope?.['answer']).toBe(
      '[[2], 2, "3", "4", 1180591620717411303424, 1.5, 2, [1, 2], [(1, 2)], False, 2, True, 1]',
    );
  });

  it('V14 run without a parameter', async () => {
    expect((await run('def run():\n    return 1\n')).text).toMatch(
      /^error: metaskill 'one': runtime error: function run accepts no arguments \(1 given\)/,
    );
  });

  it('V15 run that is no function', async () => {
    expect((await run('run = 1\n')).text).toMatch(
      /^error: metaskill 'one': runtime error: run is not a function but a value of type int/,
    );
  });
});

describe('the result', () => {
  const run = (program: string): Promise<RunResult> => fakeRunHost().run(program);

  it('V12 a range in a dictionary is an array', async () => {
    expect((await run(runOf('return {"r": range(3), "t": (1, 2)}'))).envelope).toMatchObject({
      r: [0, 1, 2],
      t: [1, 2],
    });
  });

  it("V13 a trace of the program's own does not stand in for that of the run", async () => {
    expect((await run(runOf('trace("real")', 'return {"trace": ["forged"]}'))).envelope?.['trace']).toEqual([
      { kind: 'real' },
    ]);
  });

  it('V16 an answer of 100,000 characters is cut, after the trace, and both are said; as much of it as fits is kept', async () => {
    const { text, envelope } = await run(runOf('trace("t", {"x": "y" * 50})', 'return "x" * 100000'));
    expect(envelope).toMatchObject({ answer_truncated: true, trace: [{ kind: 'truncated', dropped: 1 }] });
    expect([text.length, /"answer":"x{19800,}"/.test(text)]).toEqual([20_000, true]);
  });

  it('V17 of 200 trace entries 100 are kept, and the others counted', async () => {
    const result = await run(runOf('for i in range(200):', '    trace("t")'));
    expect([tracedBy(result).length, result.envelope?.['trace_dropped']]).toEqual([100, 100]);
  });
});

describe('the host', () => {
  it('V18 an answer of 30,000 characters reaches the program with 20,000 and truncated', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = () => 'x'.repeat(30_000);
    expect(
      (await host.run(runOf('a = ask("p")', 'return {"n": len(a["answer"]), "t": a["truncated"]}'))).envelope,
    ).toMatchObject({ n: 20_000, t: true });
  });

  it('V19 exit code 3 with output on both streams', async () => {
    const host = fakeRunHost();
    host.commands.onCommand = () => ({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      combined: 'out\nerr\n',
    });
    expect((await host.run(runOf('return command(["x"])'))).envelope).toMatchObject({
      ok: false,
      exit_code: 3,
      result: 'out\nerr\n',
      truncated: false,
    });
  });

  it('V20 a command that times out', async () => {
    const host = fakeRunHost();
    host.commands.onCommand = () => ({ timedOut: true, exitCode: null });
    expect((await host.run(runOf('return command(["x"], {"timeout": 2})'))).envelope).toMatchObject({
      ok: false,
      result: 'error: command timed out after 2 s',
    });
  });

  it.each(['""', '[]', '()'])('V21 the argv %s is ok False and exit code -1', async (argv) => {
    expect((await fakeRunHost().run(runOf(`return command(${argv})`))).envelope).toMatchObject({
      ok: false,
      exit_code: -1,
      result: 'error: argv must be a non-empty list of strings',
    });
  });

  it('V21 a tuple of strings is an argv like a list (the first implementation refuses it)', async () => {
    const host = fakeRunHost();
    await host.run(runOf('command(("a", "b"))'));
    expect(host.commands.done).toEqual(['a b']);
  });
});
