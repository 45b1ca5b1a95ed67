import { describe, expect, it } from 'vitest';
import { fakeRunHost } from '../../../test/support/fake-run-host.ts';
import { FakeTools } from '../../../test/support/plan-host.ts';
import type { FakeRunHost } from '../../../test/support/fake-run-host.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { RunResult } from '../result/result.ts';

const start = (host: FakeRunHost, limits: Partial<RunLimits>, skill = 'one'): Promise<RunResult> =>
  host.runner.start({ skill, input: { go: true }, limits });
const asking =
  'def run(input):\n  a = ask("q")["answer"]\n  return {"answer": a, "c": command(["mine"])["ok"]}\n';

describe('the budget of commands', () => {
  it('holds for nested agents: what is over it is refused in the result, and the agent continues', async () => {
    const host = fakeRunHost({ programs: { one: 'def run(input):\n  return ask("q")["answer"]\n' } });
    const given: JsonObject[] = [];
    host.answerer.onAsk = async (_request, { command }) => {
      for (let n = 0; n < 4; n += 1) given.push(await command({ argv: ['do', String(n)] }));
      return 'went on';
    };
    const result = await start(host, { commands: 2 });
    expect([result.status, result.envelope?.['answer'], result.usage.commands]).toEqual([
      'completed',
      'went on',
      2,
    ]);
    expect(host.commands.done).toEqual(['do 0', 'do 1']);
    expect(given.map(({ ok, denied }) => [ok, denied])).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, true],
    ]);
    expect(given[2]?.['result']).toBe('error: command budget exhausted (2 calls)');
    const [ask] = (await host.runner.inspect(result.run as string)).effects;
    expect(ask?.children.map(({ state }) => state)).toEqual(['ok', 'ok', 'refused', 'refused']);
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('holds for those that an agent starts in parallel', async () => {
    const host = fakeRunHost({ programs: { one: 'def run(input):\n  return ask("q")["answer"]\n' } });
    host.answerer.onAsk = async (_request, { command }) => {
      const given = await Promise.all(['a', 'b', 'c', 'd'].map((argv) => command({ argv: [argv] })));
      return String(given.filter(({ denied }) => denied === true).length);
    };
    expect((await start(host, { commands: 1 })).envelope?.['answer']).toBe('3');
    expect(host.commands.done.length).toBe(1);
  });

  it('counts tools of the host that agents call, but for those that may be repeated', async () => {
    const tools = new FakeTools();
    for (const name of ['send', 'look']) tools.names.add(name);
    tools.repeatable.add('look');
    const host = fakeRunHost({ programs: { one: 'def run(input):\n  return ask("q")["answer"]\n' }, tools });
    const given: JsonObject[] = [];
    host.answerer.onAsk = async (_request, { tool }) => {
      for (const name of ['look', 'send', 'look', 'send', 'look', 'send'])
        given.push(await tool({ tool: name, args: {} }));
      return 'went on';
    };
    const result = await start(host, { commands: 2 });
    expect([result.status, result.usage.commands, tools.done]).toEqual([
      'completed',
      2,
      ['look {}', 'send {}', 'look {}', 'send {}', 'look {}'],
    ]);
    expect(given.at(-1)).toMatchObject({ ok: false, text: 'error: command budget exhausted (2 calls)' });
    expect((await host.runner.inspect(result.run as string)).usage.commands).toBe(2);
    expect((await host.runner.replay(result.run as string)).divergences).toEqual([]);
  });

  it('is shared by the program and its agents', async () => {
    const host = fakeRunHost({ programs: { one: asking } });
    host.answerer.onAsk = async (_request, { command }) =>
      JSON.stringify((await command({ argv: ['nested'] }))['ok']);
    expect((await start(host, { commands: 2 })).status).toBe('completed');
    const over = await start(host, { commands: 1 });
    expect([over.status, over.error]).toMatchObject(['failed', { code: 'COMMAND_BUDGET' }]);
  });

  it('is shared with the runs inside, also after a crash', async () => {
    const inner = 'def run(input):\n  for i in range(3):\n    command(["inner", str(i)])\n  return "done"\n';
    const programs = {
      one: 'def run(input):\n  return ask("q")["answer"] + " " + ask("again")["answer"]\n',
      inner,
    };
    const host = fakeRunHost({ programs });
    host.answerer.onAsk = async (_request, { runSkill }) =>
      (await runSkill('inner', { go: true })).includes('command budget exhausted') ? 'over' : 'fine';
    const result = await start(host, { commands: 5 });
    expect([result.envelope?.['answer'], host.commands.done.length, result.usage.commands]).toEqual([
      'fine over',
      5,
      5,
    ]);

    const first = fakeRunHost({ programs });
    let asked = 0;
    first.answerer.onAsk = async (request, context) => {
      asked += 1;
      if (asked === 2) return new Promise(() => {});
      return host.answerer.onAsk(request, context);
    };
    void start(first, { commands: 5 });
    await new Promise<void>((resolve) => {
      const look = (): void => void (asked === 2 ? resolve() : setImmediate(look));
      look();
    });
    first.store.die();
    const second = fakeRunHost({ programs, after: first });
    second.answerer.onAsk = host.answerer.onAsk;
    const resumed = await second.runner.resume(first.runner.active[0] as string);
    expect([resumed.envelope?.['answer'], resumed.usage.commands]).toEqual(['fine over', 5]);
  });

  it('says the same in the result and in what is shown: a command that waits for approval was not made', async () => {
    const host = fakeRunHost();
    host.commands.onJudge = (_call, _caller, approval) =>
      approval === null ? { kind: 'approve', reason: 'r' } : { kind: 'allow' };
    const paused = await host.run('def run(input):\n  return {"ok": command(["rm"])["ok"]}\n');
    expect([
      paused.status,
      paused.usage.commands,
      (await host.runner.inspect(paused.run as string)).usage.commands,
    ]).toEqual(['paused', 0, 0]);
    const [question] = paused.questions;
    await host.runner.answer(paused.run as string, {
      question: question?.id as string,
      nonce: question?.nonce as string,
      value: 'once',
      from: 'operator',
    });
    const done = await host.runner.resume(paused.run as string);
    expect([done.usage.commands, (await host.runner.inspect(paused.run as string)).usage.commands]).toEqual([
      1, 1,
    ]);
  });

  it('keeps the place of a command of an agent that waits for approval, once', async () => {
    const host = fakeRunHost({ programs: { one: asking } });
    host.answerer.onAsk = async (_request, { command }) =>
      JSON.stringify((await command({ argv: ['nested'] }))['ok']);
    host.commands.onJudge = ({ argv }, _caller, approval) =>
      argv[0] === 'nested' && approval === null ? { kind: 'approve', reason: 'r' } : { kind: 'allow' };
    const paused = await start(host, { commands: 2 });
    const [question] = paused.questions;
    await host.runner.answer(paused.run as string, {
      question: question?.id as string,
      nonce: question?.nonce as string,
      value: 'once',
      from: 'operator',
    });
    const done = await host.runner.resume(paused.run as string);
    expect([done.status, done.usage.commands]).toEqual(['completed', 2]);
  });
});
