// Seed S0 §9: the text that a run gives at the boundary of the tool.
// The number at the start of each name is its row in docs/guide/metaskill-conformance.md.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { TechneError } from '../../src/base/error.ts';
import { defaultLimits } from '../../src/run/budget/limits.ts';
import type { RunResult } from '../../src/run/result/result.ts';
import { readToolArguments } from '../../src/run/tools/run-metaskill.ts';
import { fakeRunHost } from '../support/fake-run-host.ts';
import { rootAt } from '../support/library.ts';
import { loadedHost, metaskill, runOf } from '../support/metaskills.ts';

const returning = (expression: string): Promise<RunResult> =>
  fakeRunHost().run(runOf(`return ${expression}`));

/** The JSON after the header: one line, one object. */
function bodyOf(text: string): JsonObject {
  const [header = '', json = '', ...more] = text.split('\n');
  expect(header).toMatch(/^\[Metaskill: \S+ completed\]$/);
  expect(more).toEqual([]);
  return JSON.parse(json) as JsonObject;
}

/** What a failure must be: this code, no envelope, and a text that begins so. */
function failure(code: string, begins: string): object {
  return {
    envelope: null,
    error: { code },
    text: expect.stringMatching(
      new RegExp(`^${begins.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`),
    ) as string,
  };
}

describe('S0 §9 the result', () => {
  it('§9.1 an execution returns a string, whatever happens', async () => {
    for (const program of [runOf('return "x"'), runOf('return 5'), runOf('fail("no")'), 'def', ''])
      expect(typeof (await fakeRunHost().run(program)).text).toBe('string');
  });

  it('§9.2 success is a short header and one JSON object', async () => {
    const { text } = await returning('{"status": "accepted", "answer": "Tests pass."}');
    expect(text).toBe('[Metaskill: one completed]\n{"status":"accepted","answer":"Tests pass.","trace":[]}');
    expect(bodyOf(text)['answer']).toBe('Tests pass.');
  });

  it('§9.3 the object is the envelope: answer is the text to use, every other field stays beside it, trace comes last', async () => {
    const host = fakeRunHost();
    const { text } = await host.run(
      runOf(
        'trace("t")',
        'return {"attempts": 2, "answer": "grün 🌍", "list": [1, None, True, 1.5], "map": {"a": {}}, "status": "accepted"}',
      ),
    );
    expect(text.split('\n')[1]).toBe(
      '{"attempts":2,"answer":"grün 🌍","list":[1,null,true,1.5],"map":{"a":{}},"status":"accepted","trace":[{"kind":"t"}]}',
    );
  });

  it('§9.4 None is ok with an empty answer', async () => {
    expect(bodyOf((await returning('None')).text)).toEqual({ status: 'ok', answer: '', trace: [] });
    expect(bodyOf((await fakeRunHost().run('def run(input):\n    pass\n')).text)).toEqual({
      status: 'ok',
      answer: '',
      trace: [],
    });
  });

  it('§9.5 a string is ok with this answer', async () => {
    for (const text of ['hello', '', 'a\nb', '"quoted"', '\u0000\u2028 🌍']) {
      expect(bodyOf((await fakeRunHost().run(runOf('return input["t"]'), { t: text })).text)).toEqual({
        status: 'ok',
        answer: text,
        trace: [],
      });
    }
  });

  it.each([
    ['{}', { status: 'ok', answer: '' }],
    ['{"answer": "a"}', { status: 'ok', answer: 'a' }],
    ['{"status": "accepted"}', { status: 'accepted', answer: '' }],
    ['{"custom": True}', { custom: true, status: 'ok', answer: '' }],
    ['{"status": "accepted", "answer": "a", "n": 1}', { status: 'accepted', answer: 'a', n: 1 }],
  ])(
    '§9.6 the dictionary %s is itself, with ok and an empty answer where they are missing',
    async (expression, envelope) => {
      expect(bodyOf((await returning(expression)).text)).toEqual({ ...envelope, trace: [] });
    },
  );

  it.each([
    ['42', 'int'],
    ['True', 'bool'],
    ['1.5', 'float'],
    ['[1]', 'list'],
    ['(1, 2)', 'tuple'],
    ['b"x"', 'bytes'],
    ['range(3)', 'list'],
    ['set([1])', 'list'],
    ['1 << 80', 'int'],
  ])('§9.7 a return value of another type must fail: %s', async (expression, type) => {
    expect(await returning(expression)).toMatchObject(
      failure(
        'INVALID_RESULT',
        `error: metaskill 'one': invalid return value: run must return None, a string or a dict, not ${type}`,
      ),
    );
  });

  it('§9.7 what is in a dictionary must be JSON, too: functions, NaN, infinities, bytes, odd keys and what holds itself fail', async () => {
    for (const expression of [
      '{"f": run}',
      '{"n": float("nan")}',
      '{"n": [float("inf")]}',
      '{"b": b"x"}',
      '{1: 2}',
      '{(1, 2): 3}',
      '{None: 1}',
      '{"i": 1 << 80}',
    ]) {
      const result = await returning(expression);
      expect([expression, result.status, result.text.startsWith("error: metaskill 'one': ")]).toEqual([
        expression,
        'failed',
        true,
      ]);
    }
    expect((await fakeRunHost().run(runOf('x = {}', 'x["self"] = x', 'return x'))).text).toMatch(
      /^error: metaskill 'one': /,
    );
    expect((await fakeRunHost().run(runOf('return lambda: 1'))).text).toMatch(/^error: metaskill 'one': /);
  });

  it('§9.8 every failure begins with error: and gives no envelope; a random program never breaks this', async () => {
    const word = fc.constantFrom(
      'return',
      'ask("a")',
      'command([',
      '])',
      'fail("x")',
      'x',
      '=',
      '1',
      'for i in',
      'range(3):',
      'trace(',
      '{}',
      '"s"',
      'input["a"]',
      'def f():',
      '/',
      '0',
      '+',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 12 }), async (words) => {
        const { status, text, envelope, error } = await fakeRunHost().run(runOf(words.join(' ')));
        const isWhole =
          status === 'completed' &&
          error === null &&
          JSON.stringify(bodyOf(text)) === JSON.stringify(envelope);
        const hasFailed =
          status === 'failed' && error !== null && envelope === null && text.startsWith('error: ');
        expect([isWhole, hasFailed]).toContain(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe('S0 §9 failures', () => {
  it('§9.9 unknown name, with the name that may be meant', async () => {
    const { start } = await loadedHost(metaskill('tides', runOf('return 1')));
    expect(await start('tide')).toMatchObject(
      failure('SKILL_UNKNOWN', "error: unknown metaskill: 'tide'\ndid you mean 'tides'?"),
    );
    expect(readToolArguments({ input: {} }, 'every')).toEqual({
      ok: false,
      message: 'error: run_metaskill needs the name of a metaskill',
    });
  });

  it('§9.10 a static skill passed to run_metaskill', async () => {
    const { start } = await loadedHost({
      '/work/skills/plain/SKILL.md': '---\nname: plain\ndescription: Words. Use when reading.\n---\nRead.\n',
    });
    expect(await start('plain')).toMatchObject(
      failure('NOT_A_METASKILL', "error: skill 'plain' is not a metaskill: it is instructions to read"),
    );
  });

  it('§9.11 an external metaskill that nobody allowed', async () => {
    const root = {
      ...rootAt('/work/skills', 'user'),
      origin: { kind: 'installed', from: 'https://example.org/skills' } as const,
    };
    const { start, host } = await loadedHost(metaskill('tides', runOf('return ask("a")["answer"]')), {
      root,
    });
    expect(await start('tides')).toMatchObject(
      failure(
        'NOT_TRUSTED',
        `error: metaskill 'tides' is not allowed: "tides" is not trusted to be executed`,
      ),
    );
    expect(host.answerer.asked).toEqual([]);
  });

  it('§9.12 no runtime: the language is part of techne, and what it cannot run or nobody can answer says so', async () => {
    const { start } = await loadedHost(metaskill('tides', 'x', 'metaskill_language: lua\n'));
    expect(await start('tides')).toMatchObject(
      failure(
        'NOT_EXECUTABLE',
        'error: metaskill \'tides\' is not allowed: metaskill_language is "lua", and only starlark is supported',
      ),
    );
    const host = fakeRunHost({ programs: { one: runOf('return 1') }, answerers: [] });
    expect(await host.runner.start({ skill: 'one', input: { a: 1 } })).toMatchObject(
      failure('ANSWERER_UNKNOWN', 'error: there is no answerer'),
    );
    const off = await loadedHost(metaskill('tides', runOf('return 1')), {
      config: { execution: { policy: 'off' } },
    });
    expect(await off.start('tides')).toMatchObject(
      failure('EXECUTION_OFF', "error: metaskill 'tides' is not allowed: execution is switched off"),
    );
  });

  it('§9.13 a program file that cannot be read: missing, or a folder', async () => {
    const missing = await loadedHost(metaskill('tides', runOf('return 1'), 'metaskill: lib/flow.star\n'), {
      prepare: (files) => files.folder('/work/skills/tides/lib'),
    });
    expect(await missing.start('tides')).toMatchObject(
      failure(
        'NOT_EXECUTABLE',
        `error: metaskill 'tides' is not allowed: the program "lib/flow.star" does not exist`,
      ),
    );
    const folder = await loadedHost(metaskill('tides', runOf('return 1'), 'metaskill: flow\n'), {
      prepare: (files) => files.folder('/work/skills/tides/flow'),
    });
    expect(await folder.start('tides')).toMatchObject(
      failure('NOT_EXECUTABLE', `error: metaskill 'tides' is not allowed: the program "flow" does not exist`),
    );
  });

  it.each(['denied', 'changed'] as const)(
    '§9.13 a program that was %s after it was found is a failed result, and not an exception',
    async (fault) => {
      const { start, files } = await loadedHost(metaskill('tides', runOf('return 1')));
      if (fault === 'denied') files.deny('/work/skills/tides/SKILL.star');
      else files.write('/work/skills/tides/SKILL.md', 'other');
      const result = await start('tides').catch((error: unknown) => {
        if (error instanceof TechneError) return { text: `start threw ${error.code}` };
        throw error;
      });
      expect(result.text).toMatch(/^error: /);
    },
  );

  it('§9.14 syntax errors, all of them, with file, line and column', async () => {
    const result = await fakeRunHost().run('def run(input)\n    return 1\n');
    expect(result).toMatchObject(
      failure('PROGRAM_INVALID', "error: metaskill 'one': syntax error: SKILL.star:1:15: "),
    );
    const many = await fakeRunHost().run(runOf('a = b', 'c = d', 'return e'));
    expect(many.text.match(/SKILL\.star:\d+:\d+/g)).toEqual([
      'SKILL.star:2:9',
      'SKILL.star:3:9',
      'SKILL.star:4:12',
    ]);
  });

  it.each([
    ['1 / 0', 'EVAL_ZERO_DIVISION', 'floating-point division by zero'],
    ['input["zzz"]', 'EVAL_KEY', 'key "zzz" not in dict'],
    ['fail("nope")', 'EVAL_FAIL', 'fail: nope'],
    ['[][3]', 'EVAL_INDEX', 'index 3 out of range'],
    ['"a" + 1', 'EVAL_TYPE', 'unsupported binary operation: string + int'],
  ])('§9.15 runtime errors with their place: %s', async (expression, code, message) => {
    const result = await returning(expression);
    expect(result).toMatchObject(
      failure(code, `error: metaskill 'one': runtime error: SKILL.star:2:12 in run: ${message}`),
    );
    expect(result.text.endsWith(`(run ${result.run}: techne runs show ${result.run})`)).toBe(true);
  });

  it('§9.16 exhausted budgets', async () => {
    const host = fakeRunHost({
      programs: { asks: runOf('ask("a")', 'ask("b")'), commands: runOf('command(["a"])') },
    });
    expect(await host.runner.start({ skill: 'asks', input: { a: 1 }, limits: { asks: 1 } })).toMatchObject(
      failure('ASK_BUDGET', "error: metaskill 'asks': ask budget exhausted (1 call)"),
    );
    expect(
      await host.runner.start({ skill: 'commands', input: { a: 1 }, limits: { commands: 0 } }),
    ).toMatchObject(
      failure('COMMAND_BUDGET', "error: metaskill 'commands': command budget exhausted (0 calls)"),
    );
  });

  it('§9.17 timeout', async () => {
    const host = fakeRunHost({ programs: { one: runOf('command(["a"])', 'command(["b"])') } });
    host.commands.onCommand = () => (host.clock.pass(5_000), {});
    expect(
      await host.runner.start({ skill: 'one', input: { a: 1 }, limits: { wallMs: 5_000 } }),
    ).toMatchObject(failure('TIMEOUT', "error: metaskill 'one': timeout (5 s) exceeded"));
  });

  it('§9.18 cancellation', async () => {
    const host = fakeRunHost({ programs: { one: runOf('command(["a"])', 'command(["b"])') } });
    const source = new AbortController();
    host.commands.onCommand = () => (source.abort(new Error('enough')), {});
    const result = await host.runner.start({ skill: 'one', input: { a: 1 }, signal: source.signal });
    expect(result).toMatchObject(failure('CANCELLED', "error: metaskill 'one': cancelled"));
    expect(host.commands.done).toEqual(['a']);
  });

  it('§9.19 invalid return values', async () => {
    expect(await returning('42')).toMatchObject(
      failure('INVALID_RESULT', "error: metaskill 'one': invalid return value: "),
    );
  });
});

describe('S0 §9 truncation', () => {
  /** A run whose result has this answer, blob and trace, within so many characters. */
  async function cutTo(
    resultUnits: number,
    answer: number,
    blob: number,
    traces: number,
  ): Promise<{ readonly text: string; readonly body: JsonObject }> {
    const host = fakeRunHost({
      defaults: { ...defaultLimits, resultUnits },
      programs: {
        one: runOf(
          'for i in range(input["traces"]):',
          '    trace("step", {"i": i})',
          'return {"answer": "a" * input["answer"], "blob": "b" * input["blob"]}',
        ),
      },
    });
    const { text } = await host.runner.start({ skill: 'one', input: { answer, blob, traces } });
    return { text, body: bodyOf(text) };
  }

  it('§9.20 the trace is cut first, entry by entry from its end, then other fields, and the answer last', async () => {
    const all = await cutTo(2_000, 500, 200, 20);
    expect(
      [all.body['trace'], (all.body['answer'] as string).length, (all.body['blob'] as string).length].map(
        (one) => (Array.isArray(one) ? one.length : one),
      ),
    ).toEqual([20, 500, 200]);
    const trace = await cutTo(2_000, 1_000, 200, 50);
    expect([(trace.body['answer'] as string).length, (trace.body['blob'] as string).length]).toEqual([
      1_000, 200,
    ]);
    expect((trace.body['trace'] as readonly JsonObject[]).slice(0, 3)).toEqual(
      [0, 1, 2].map((i) => ({ kind: 'step', data: { i } })),
    );
    const fields = await cutTo(2_000, 1_000, 5_000, 50);
    expect([(fields.body['answer'] as string).length, fields.body['trace']]).toEqual([
      1_000,
      [{ kind: 'truncated', dropped: 50 }],
    ]);
    expect((fields.body['blob'] as string).length).toBeLessThan(5_000);
    const answer = await cutTo(2_000, 9_000, 5_000, 50);
    expect((answer.body['answer'] as string).length).toBeGreaterThan(1_500);
    expect(answer.body['blob']).toBeUndefined();
  });

  it('§9.21 each cut is said in the JSON', async () => {
    const { body } = await cutTo(2_000, 9_000, 5_000, 50);
    expect(body).toMatchObject({
      answer_truncated: true,
      fields_truncated: ['blob'],
      trace: [{ kind: 'truncated', dropped: 50 }],
    });
    const trace = await cutTo(2_000, 1_000, 200, 50);
    const kept = (trace.body['trace'] as readonly JsonObject[]).length - 1;
    expect((trace.body['trace'] as readonly JsonObject[]).at(-1)).toEqual({
      kind: 'truncated',
      dropped: 50 - kept,
    });
    expect([trace.body['answer_truncated'], trace.body['fields_truncated']]).toEqual([undefined, undefined]);
  });

  const notes = ['answer_truncated', 'fields_truncated', 'trace_dropped'];

  /** What is missing or shorter in `body`, and not said there. `None` counts as missing, and a trace of the program's own is not its. */
  function cutInSilence(given: JsonObject, traced: number, body: JsonObject): readonly string[] {
    const cut = Object.keys(given).filter(
      (name) =>
        name !== 'trace' &&
        given[name] !== null &&
        !notes.includes(name) &&
        JSON.stringify(body[name]) !== JSON.stringify(given[name]),
    );
    const named = body['fields_truncated'];
    const isSaid = (name: string): boolean =>
      name === 'answer'
        ? body['answer_truncated'] === true
        : Array.isArray(named)
          ? (named as readonly Json[]).includes(name)
          : typeof named === 'number';
    const trace = body['trace'] as readonly JsonObject[];
    return [
      ...cut.filter((name) => !isSaid(name)),
      ...(trace.length < traced && trace.at(-1)?.['kind'] !== 'truncated' ? ['trace'] : []),
    ];
  }

  it('§9.22 whatever a program returns and traces, and whatever the limit: valid JSON, never too long, and nothing cut in silence', async () => {
    const key = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom(
        'status',
        'answer',
        'trace',
        '__proto__',
        'constructor',
        'answer_truncated',
        'fields_truncated',
        'trace_dropped',
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.nat(2_000).map((count) => '"\\\u0001🌍'.repeat(count)),
    );
    const value: fc.Arbitrary<Json> = fc.oneof(
      { weight: 3, arbitrary: text },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
      fc.array(fc.integer(), { maxLength: 300 }),
    );
    const object = fc.dictionary(key, value, { maxKeys: 12 });
    await fc.assert(
      fc.asyncProperty(
        object,
        fc.array(object, { maxLength: 8 }),
        fc.integer({ min: 1_000, max: 21_000 }),
        async (given, traced, resultUnits) => {
          const host = fakeRunHost({
            defaults: { ...defaultLimits, resultUnits },
            programs: {
              one: runOf('for d in input["traced"]:', '    trace("t", d)', 'return dict(input["given"])'),
            },
          });
          const result = await host.runner.start({
            skill: 'one',
            input: { given: given as JsonObject, traced: traced as JsonObject[] },
          });
          expect(result.text.length).toBeLessThanOrEqual(resultUnits);
          expect(result.status).toBe('completed');
          const body = bodyOf(result.text);
          expect(body).toEqual(result.envelope);
          expect(cutInSilence(given as JsonObject, traced.length, body)).toEqual([]);
        },
      ),
      { numRuns: 120 },
    );
  });
});
