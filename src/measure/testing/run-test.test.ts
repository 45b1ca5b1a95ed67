import { describe, expect, it } from 'vitest';
import { fakeSkills } from '../../../test/support/fake-run-host.ts';
import { parseTests } from './parse-tests.ts';
import { runSkillTest } from './run-test.ts';

/** Faults of a test of a program, `what: message`. */
async function faultsOf(program: string, test: string): Promise<readonly string[]> {
  const {
    tests: [parsed],
    diagnostics,
  } = parseTests(test, 'tests/x.yaml');
  expect(diagnostics).toEqual([]);
  if (parsed === undefined) throw new Error('no test');
  const { faults, ok } = await runSkillTest('one', fakeSkills({ one: { program } }), parsed);
  expect(ok).toBe(faults.length === 0);
  return faults.map(
    ({ what, message, expected, got }) =>
      `${what}: ${message}${expected === null && got === null ? '' : ` [${JSON.stringify(expected)} / ${JSON.stringify(got)}]`}`,
  );
}

const loop = `
def run(input):
    for i in range(2):
        a = ask("try %d" % i, {"purpose": "draft"})
        if a["answer"] == "good":
            return {"status": "accepted", "answer": "fine\\nand good", "n": i, "deep": {"list": [1, 2]}}
        trace("bad", {"i": i, "why": "not good"})
    r = command(["git", "status"])
    return {"status": "exhausted", "answer": r["result"], "ok": r["ok"], "code": r["exit_code"]}
`;

describe('runSkillTest', () => {
  it('passes when everything is as expected', async () => {
    expect(
      await faultsOf(
        loop,
        'input: {a: 1}\nanswers: [bad, good]\nexpect: {status: accepted, answer: "fine\\nand good", answer_contains: good, result: {n: 1, deep: {list: [1, 2]}}, trace: [{kind: bad, data: {i: 0}}], asks: 2, commands: 0, prompts: [try 0, try 1]}',
      ),
    ).toEqual([]);
    expect(await faultsOf(loop, 'input: {a: 1}\nanswers: [bad, good]\nexpect: {status: completed}')).toEqual(
      [],
    );
    expect(
      await faultsOf(
        loop,
        'input: {a: 1}\nanswers: [a, b]\ncommands: [{argv: [git, "*"], exit_code: 3, stdout: out, stderr: err}]\nexpect: {status: exhausted, answer: outerr, result: {ok: false, code: 3}, commands: 1}',
      ),
    ).toEqual([]);
  });

  it('tells everything that differs', async () => {
    expect(
      await faultsOf(
        loop,
        'input: {a: 1}\nanswers: [bad, good]\nexpect: {status: exhausted, answer: other, answer_contains: [fine, never], result: {n: 5, m: 1, deep: {list: [1]}}, trace: [{kind: bad, data: {i: 7}}], error: TIMEOUT, asks: 3, commands: 1, prompts: [zero, null]}',
      ),
    ).toEqual([
      'error: error is not what was expected ["TIMEOUT" / null]',
      'status: status is not what was expected ["exhausted" / "accepted"]',
      'answer: answer is not what was expected ["other" / "fine\\nand good"]',
      'answer_contains: the answer does not contain what was expected ["never" / "fine\\nand good"]',
      'result.n: result.n is not what was expected [5 / 1]',
      'result.m: result.m is not what was expected [1 / null]',
      'result.deep.list: result.deep.list is not what was expected [[1] / [1,2]]',
      'trace 1.data.i: trace 1.data.i is not what was expected [7 / 0]',
      'asks: asks is not what was expected [3 / 2]',
      'commands: commands is not what was expected [1 / 0]',
      'prompts 1: prompt 1 does not contain what was expected ["zero" / "try 0"]',
    ]);
    expect(
      await faultsOf(loop, 'input: {a: 1}\nanswers: [bad, good]\nexpect: {trace: [], prompts: [try]}'),
    ).toEqual([
      'trace: trace is not what was expected [[] / ["bad"]]',
      'prompts: prompts is not what was expected [1 / 2]',
    ]);
  });

  it('fails for answers and commands that nothing took', async () => {
    expect(
      await faultsOf(
        loop,
        'input: {a: 1}\nanswers: [good, left, over]\ncommands: [{argv: [git, push]}]\nexpect: {status: accepted}',
      ),
    ).toEqual([
      'answers 2: no ask used this answer ["left" / null]',
      'answers 3: no ask used this answer ["over" / null]',
      'commands 1: no command used this result: ["git","push"]',
    ]);
  });

  it('fails for calls that nothing was scripted for, whatever is expected, and tells nothing that follows from it', async () => {
    expect(
      await faultsOf(loop, 'input: {a: 1}\nanswers: [bad]\nexpect: {error: ASK_FAILED, asks: 9}'),
    ).toEqual(['answers: the script has 1 answer, but this is ask 2 [null / "try 1"]']);
    expect(
      await faultsOf(
        loop,
        'input: {a: 1}\nanswers: [a, b]\ncommands: [{argv: [git, diff]}]\nexpect: {status: exhausted}',
      ),
    ).toEqual(['commands: a command without a scripted result: ["git","status"] [null / ["git","status"]]']);
    expect(await faultsOf(loop, 'input: {a: 1}\nanswers: [{purpose: review, answer: good}]')).toEqual([
      'answers: answer 1 of the script is for another ask: expected the purpose "review", got "draft" [null / "try 0"]',
    ]);
  });

  it('points at the scripted answer that is for another ask', async () => {
    const text =
      'tests:\n  - name: one\n    input: {a: 1}\n    answers:\n      - {purpose: draft, answer: bad}\n      - {purpose: review, answer: good}\n';
    const {
      tests: [parsed],
    } = parseTests(text, 'tests/x.yaml');
    if (parsed === undefined) throw new Error('no test');
    const {
      faults: [fault],
    } = await runSkillTest('one', fakeSkills({ one: { program: loop } }), parsed);
    expect(text.slice(fault?.span.start).split('\n', 1)).toEqual(['{purpose: review, answer: good}']);
  });

  it('takes an answer that is no text as it is printed', async () => {
    expect(
      await faultsOf(
        'def run(input):\n    return {"answer": 5}\n',
        'input: {a: 1}\nexpect: {answer: "5", answer_contains: "5"}',
      ),
    ).toEqual([]);
    expect(
      await faultsOf('def run(input):\n    return {"answer": 5}\n', 'input: {a: 1}\nexpect: {answer: six}'),
    ).toEqual(['answer: answer is not what was expected ["six" / "5"]']);
  });

  it('lets a test expect failures, and fails for those it does not expect', async () => {
    expect(
      await faultsOf(
        loop,
        'input: {a: 1}\nanswers: [{error: no model}]\nexpect: {error: {code: ASK_FAILED, contains: no model}, status: failed}',
      ),
    ).toEqual([]);
    expect(
      await faultsOf(
        loop,
        'input: {a: 1}\nlimits: {asks: 1}\nanswers: [bad]\nexpect: {error: ASK_BUDGET, trace: [bad]}',
      ),
    ).toEqual([]);
    expect(
      await faultsOf(loop, 'input: {a: 1}\nlimits: {asks: 1}\nanswers: [bad]\nexpect: {status: accepted}'),
    ).toEqual(['error: the run failed: ASK_BUDGET ask budget exhausted (1 call) (SKILL.star:4:13)']);
    expect(
      await faultsOf(
        'def run(input):\n    return input["x"]\n',
        'input: {a: 1}\nexpect: {error: {code: EVAL_KEY, contains: x}}',
      ),
    ).toEqual([]);
    expect(
      await faultsOf('def run(input:\n', 'input: {a: 1}\nexpect: {error: {code: PROGRAM_INVALID}}'),
    ).toEqual([]);
  });

  it('scripts commands that are denied, time out or cannot be started', async () => {
    const program =
      'def run(input):\n    r = command(["x"])\n    return {"ok": r["ok"], "code": r["exit_code"], "answer": r["result"]}\n';
    expect(
      await faultsOf(
        program,
        'input: {a: 1}\ncommands: [{argv: [x], denied: not here}]\nexpect: {result: {ok: false}, answer_contains: not here}',
      ),
    ).toEqual([]);
    expect(
      await faultsOf(
        program,
        'input: {a: 1}\ncommands: [{argv: [x], timed_out: true, stdout: half}]\nexpect: {result: {ok: false}, answer_contains: half}',
      ),
    ).toEqual([]);
    expect(
      await faultsOf(
        program,
        'input: {a: 1}\ncommands: [{argv: [x], exit_code: -1, stderr: x was not found}]\nexpect: {result: {ok: false}, answer_contains: x was not found}',
      ),
    ).toEqual([]);
  });

  it('gives the same outcome each time', async () => {
    const test =
      'input: {a: 1}\nanswers: [bad, worse]\ncommands: [{argv: [git, status], stdout: x}]\nexpect: {status: accepted}';
    expect(await faultsOf(loop, test)).toEqual(await faultsOf(loop, test));
  });
});
