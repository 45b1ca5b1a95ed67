// T1 to T42: the cases that the first implementation of S0 tests metaskills with, in our own words. Where techne gives another
// result on purpose, the name says so; docs/guide/metaskill-conformance.md says why.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { renderEnvelope } from '../../src/run/result/completed-text.ts';
import { maximumLimits } from '../../src/run/budget/limits.ts';
import { normalizeResult } from '../../src/run/program/program-interpreter.ts';
import type { OfferedSkill } from '../../src/run/tools/run-metaskill.ts';
import { runMetaskillTool } from '../../src/run/tools/run-metaskill.ts';
import { fakeRunHost, printed } from '../support/fake-run-host.ts';
import { rootAt, skillText } from '../support/library.ts';
import { callsOf, loadedHost, metaskill, runOf, tracedBy } from '../support/metaskills.ts';
import { readHead } from '../support/skill-texts.ts';

const done = runOf('return "done"');
const plain = { '/work/skills/plain/SKILL.md': skillText('plain') };

describe('finding', () => {
  const headOf = async (files: Parameters<typeof loadedHost>[0], name = 'ms') =>
    (await loadedHost(files)).snapshot.get(name).head;

  it('T1 without a program: no path, instructions', async () => {
    expect(await headOf(plain, 'plain')).toMatchObject({ form: 'instructions', program: null, bar: null });
  });

  it('T2 SKILL.star beside it: a metaskill', async () => {
    expect(await headOf(metaskill('ms', done))).toMatchObject({
      form: 'program',
      program: 'SKILL.star',
      bar: null,
    });
  });

  it('T3 metaskill: workflow.star', async () => {
    expect(
      await headOf({
        ...metaskill('ms', done, 'metaskill: workflow.star\n'),
        '/work/skills/ms/workflow.star': done,
      }),
    ).toMatchObject({ program: 'workflow.star', bar: null });
  });

  it('T4 metaskill_language: lua: kept, not executable', async () => {
    const { snapshot, runnable } = await loadedHost(metaskill('ms', done, 'metaskill_language: lua\n'));
    expect([snapshot.has('ms'), (await runnable('ms')).ok]).toEqual([true, false]);
  });

  it('T5 a program of 65,537 bytes: kept, not executable', async () => {
    const { snapshot, runnable } = await loadedHost(metaskill('ms', '#'.repeat(65_537)));
    expect([snapshot.has('ms'), (await runnable('ms')).reasons[0]?.message]).toEqual([
      true,
      'the program has 65537 bytes, over 65536',
    ]);
  });

  it('T6 metaskill: ../../../etc/passwd: kept, not executable', async () => {
    const { snapshot, runnable } = await loadedHost(
      metaskill('ms', done, 'metaskill: ../../../etc/passwd\n'),
    );
    expect([snapshot.has('ms'), (await runnable('ms')).ok]).toEqual([true, false]);
  });

  it('T7 both fields are read', () => {
    const { head } = readHead(
      '---\nname: tides\ndescription: Tells tides. Use when asked.\nmetaskill: flow.star\nmetaskill_language: starlark\n---\nB.\n',
      { entries: [{ name: 'flow.star', kind: 'file' }] },
    );
    expect([head.program, head.frontmatter['metaskill_language'], head.bar]).toEqual([
      'flow.star',
      'starlark',
      null,
    ]);
  });

  it('T8 the unknown key author is passed over', async () => {
    expect(await headOf(metaskill('ms', done, 'author: Ada\n'))).toMatchObject({
      form: 'program',
      bar: null,
    });
  });

  it('T9 a catalog of one executable and one static skill: both listed, one marked', async () => {
    const { snapshot } = await loadedHost({ ...metaskill('ms', done), ...plain });
    expect(snapshot.skills.map(({ name, card }) => [name, card.form])).toEqual([
      ['ms', 'program'],
      ['plain', 'instructions'],
    ]);
  });
});

describe('the tool', () => {
  const offer = (...names: readonly string[]) =>
    runMetaskillTool(
      names.map((name): OfferedSkill => ({ name, description: '', inputs: null })),
      maximumLimits,
    );

  it('T10 its name, properties and required ones', () => {
    const tool = offer('ms');
    expect([
      tool?.name,
      Object.keys(tool?.parameters['properties'] as JsonObject),
      tool?.parameters['required'],
    ]).toEqual(['run_metaskill', ['name', 'input', 'max_ask_calls', 'max_command_calls'], ['name', 'input']]);
  });

  it('T11 one executable name: listed, with an enum of it', () => {
    expect(offer('ms')).toMatchObject({ parameters: { properties: { name: { enum: ['ms'] } } } });
  });

  it('T12 no names: not listed', () => {
    expect(offer()).toBe(null);
  });

  it('T13 a session without metaskills: not listed', async () => {
    const { host } = await loadedHost(plain);
    expect([host.options.skills.names(), offer(...host.options.skills.names())]).toEqual([[], null]);
  });
});

describe('the return value', () => {
  it('T14 None', () => {
    expect(normalizeResult(null)).toEqual({ ok: true, envelope: { status: 'ok', answer: '' } });
  });

  it('T15 "hello"', () => {
    expect(normalizeResult('hello')).toEqual({ ok: true, envelope: { status: 'ok', answer: 'hello' } });
  });

  it('T16 a dictionary with status, answer and more is kept', () => {
    expect(normalizeResult({ status: 'accepted', answer: 'a', extra: [1] })).toEqual({
      ok: true,
      envelope: { status: 'accepted', answer: 'a', extra: [1] },
    });
  });

  it('T17 {custom: True}', () => {
    expect(normalizeResult({ custom: true })).toEqual({
      ok: true,
      envelope: { custom: true, status: 'ok', answer: '' },
    });
  });

  it.each([[42], [[1, 2, 3]]])('T18 %j is invalid', (value) => {
    expect(normalizeResult(value)).toMatchObject({
      ok: false,
      message: expect.stringContaining('invalid') as string,
    });
  });
});

describe('limits', () => {
  /** How a run ends that makes so many calls where so many are allowed. */
  const calling = async (
    call: string,
    times: number,
    limits: { readonly asks?: number; readonly commands?: number },
  ): Promise<string> => {
    const host = fakeRunHost({ programs: { ms: runOf(`for i in range(${times}):`, `    ${call}`) } });
    const result = await host.runner.start({ skill: 'ms', input: { a: 1 }, limits });
    return result.error?.code ?? result.status;
  };

  it('T19 two asks: free at 0 and 1, none at 2', async () => {
    expect([
      await calling('ask("a")', 1, { asks: 2 }),
      await calling('ask("a")', 2, { asks: 2 }),
      await calling('ask("a")', 3, { asks: 2 }),
    ]).toEqual(['completed', 'completed', 'ASK_BUDGET']);
  });

  it('T20 one command: none at 1', async () => {
    expect([
      await calling('command(["a"])', 1, { commands: 1 }),
      await calling('command(["a"])', 2, { commands: 1 }),
    ]).toEqual(['completed', 'COMMAND_BUDGET']);
  });

  it('T21 one millisecond of wall clock, ten waited: timed out', async () => {
    const host = fakeRunHost({ programs: { ms: runOf('command(["wait"])', 'return "late"') } });
    host.commands.onCommand = () => (host.clock.pass(10), {});
    expect(
      (await host.runner.start({ skill: 'ms', input: { a: 1 }, limits: { wallMs: 1 } })).error?.code,
    ).toBe('TIMEOUT');
  });

  it('T22 three trace entries, four added: the first three, in order', async () => {
    const host = fakeRunHost({ programs: { ms: runOf('for k in ["a", "b", "c", "d"]:', '    trace(k)') } });
    const result = await host.runner.start({ skill: 'ms', input: { a: 1 }, limits: { traceEntries: 3 } });
    expect([tracedBy(result), result.envelope?.['trace_dropped']]).toEqual([
      [{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }],
      1,
    ]);
  });

  it('T34 ten asks with two allowed: the budget is the error', async () => {
    const host = fakeRunHost({ programs: { ms: runOf('for i in range(10):', '    ask("a")') } });
    expect((await host.runner.start({ skill: 'ms', input: { a: 1 }, limits: { asks: 2 } })).text).toMatch(
      /^error: metaskill 'ms': ask budget exhausted \(2 calls\)/,
    );
  });

  it('T35 no commands allowed and one called: the budget is the error', async () => {
    const host = fakeRunHost({ programs: { ms: runOf('command(["a"])') } });
    expect((await host.runner.start({ skill: 'ms', input: { a: 1 }, limits: { commands: 0 } })).text).toMatch(
      /^error: metaskill 'ms': command budget exhausted \(0 calls\)/,
    );
  });
});

describe('who may run', () => {
  it('T23 local, external and static: only what is trusted runs; with everything trusted by content, both programs do', async () => {
    const external = {
      ...rootAt('/work/skills', 'workspace'),
      origin: { kind: 'installed', from: 'x' } as const,
    };
    const local = await loadedHost({ ...metaskill('local', done), ...plain });
    expect([(await local.runnable('local')).ok, (await local.runnable('plain')).ok]).toEqual([true, false]);
    const ext = await loadedHost(metaskill('ext', done), { root: external });
    expect((await ext.runnable('ext')).ok).toBe(false);
    await ext.trust.trustDigest({
      digest: (await ext.snapshot.manifest('ext')).digest,
      name: 'ext',
      folder: '/work/skills/ext',
    });
    expect((await ext.runnable('ext')).ok).toBe(true);
  });

  it('T24 the runtime cannot be absent (differs): names are executable as soon as there is a program', async () => {
    const { host } = await loadedHost({ ...metaskill('b', done), ...metaskill('a', done) });
    expect(host.options.skills.names()).toEqual(['a', 'b']);
  });

  it('T29 external, and only local is allowed: not allowed', async () => {
    const { start } = await loadedHost(metaskill('ext', done), {
      root: { ...rootAt('/work/skills', 'user'), origin: { kind: 'remote', from: 'x' } },
    });
    expect((await start('ext')).text).toMatch(/^error: metaskill 'ext' is not allowed: /);
  });

  it('T33 no missing runtime (differs): the language is part of techne', async () => {
    const { start } = await loadedHost(metaskill('ms', done));
    expect((await start('ms')).status).toBe('completed');
  });
});

describe('running', () => {
  it('T25 a greeting with the input name "test"', async () => {
    const { start } = await loadedHost(metaskill('greet', runOf('return "hello " + input["name"]')));
    const { text, envelope } = await start('greet', { name: 'test' });
    expect([text.split('\n')[0], envelope?.['status'], envelope?.['answer']]).toEqual([
      '[Metaskill: greet completed]',
      'ok',
      'hello test',
    ]);
  });

  it('T26 two trace calls: two entries; start and end are events with the run, not entries (differs)', async () => {
    const host = fakeRunHost();
    const result = await host.run(runOf('trace("step")', 'trace("step", {"n": 2})'));
    expect(result.envelope?.['trace']).toEqual([{ kind: 'step' }, { kind: 'step', data: { n: 2 } }]);
    expect(host.events.map(({ type }) => type)).toEqual([
      'run.started',
      'trace.added',
      'trace.added',
      'run.ended',
    ]);
  });

  it('T27 an unknown name', async () => {
    expect((await (await loadedHost({})).start('ghost')).text).toBe("error: unknown metaskill: 'ghost'");
  });

  it('T28 a static skill', async () => {
    expect((await (await loadedHost(plain)).start('plain')).text).toMatch(
      /^error: skill 'plain' is not a metaskill/,
    );
  });

  it('T30 an undefined variable, with an input that is not empty', async () => {
    expect((await fakeRunHost().run(runOf('return undefined_var'))).text).toMatch(
      /^error: metaskill 'one': syntax error: SKILL\.star:2:12: undefined: undefined_var/,
    );
  });

  it('T31 1/0', async () => {
    expect((await fakeRunHost().run(runOf('return 1/0'))).text).toMatch(
      /^error: metaskill 'one': runtime error: SKILL\.star:2:12 in run: floating-point division by zero/,
    );
  });

  it('T32 no run', async () => {
    expect((await fakeRunHost().run('x = 1\n')).text).toMatch(
      /^error: metaskill 'one': syntax error: SKILL\.star: a metaskill must define a run\(input\) function/,
    );
  });

  it('T36 the command false: ok False, exit code 1, and the run completes', async () => {
    const host = fakeRunHost();
    host.commands.onCommand = () => printed('', 1);
    const result = await host.run(
      runOf('c = command(["false"])', 'return {"ok": c["ok"], "code": c["exit_code"]}'),
    );
    expect(result).toMatchObject({ status: 'completed', envelope: { ok: false, code: 1 } });
  });

  it('T37 an envelope with one trace entry reads back', async () => {
    const { text } = await fakeRunHost().run(
      runOf('trace("step")', 'return {"status": "accepted", "answer": "a"}'),
    );
    expect(JSON.parse(text.slice(text.indexOf('\n') + 1))).toEqual({
      status: 'accepted',
      answer: 'a',
      trace: [{ kind: 'step' }],
    });
  });

  it('T38 fifty trace entries in the smallest room there is: within it, and said', () => {
    const trace = Array.from({ length: 50 }, (_, i) => ({ kind: 'step', data: { i } }));
    const text = renderEnvelope({
      name: 'ms',
      outcome: 'completed',
      envelope: { status: 'ok', answer: 'a' },
      trace,
      traceDropped: 0,
      maxUnits: 400,
    });
    expect([text.length <= 400, text.includes('"kind":"truncated"')]).toEqual([true, true]);
  });
});

describe('static skills beside metaskills', () => {
  it('T39 the instructions of a static skill read as they did', async () => {
    const { snapshot } = await loadedHost({ ...metaskill('ms', done), ...plain });
    expect((await snapshot.readBody('plain')).text).toBe('Look at the moon.\n');
  });

  it('T40 a static skill has no field of metaskills', async () => {
    const { head } = (await loadedHost(plain)).snapshot.get('plain');
    expect([head.program, head.bar, 'metaskill' in head.frontmatter]).toEqual([null, null, false]);
  });
});

describe('the policy of the host', () => {
  it('T41 a host that allows no command: ok False, error:, and nothing was done', async () => {
    const host = fakeRunHost();
    host.commands.onJudge = () => ({ kind: 'deny', reason: 'only run_metaskill is allowed here' });
    const result = await host.run(runOf('return {"c": command(["touch", "x"])}'));
    expect(result.envelope?.['c']).toMatchObject({
      ok: false,
      result: 'error: only run_metaskill is allowed here',
    });
    expect([host.commands.done, callsOf(result)[0]?.['denied']]).toEqual([[], true]);
  });

  it('T42 what is nested stands under the same policy, on behalf of the same skill', async () => {
    const host = fakeRunHost();
    host.answerer.onAsk = async (_request, { command }) => {
      await command({ argv: ['nested'] });
      return 'done';
    };
    await host.run(runOf('command(["own"])', 'ask("a")'));
    expect(host.commands.done).toEqual(['own', 'nested']);
    const [own, nested] = host.commands.callers;
    expect(nested).toEqual({ ...own, key: '2/1' });
  });
});
