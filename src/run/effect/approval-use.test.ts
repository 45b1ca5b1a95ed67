import { describe, expect, it } from 'vitest';
import { fakeRunHost, turns } from '../../../test/support/fake-run-host.ts';
import type { FakeRunHost } from '../../../test/support/fake-run-host.ts';
import type { RunResult } from '../result/result.ts';

function asking(host: FakeRunHost): FakeRunHost {
  host.commands.onJudge = (_call, _caller, approval) =>
    approval === null ? { kind: 'approve', reason: 'r' } : { kind: 'allow' };
  return host;
}

async function approve(host: FakeRunHost, { run, questions: [question] }: RunResult): Promise<void> {
  await host.runner.answer(run as string, {
    question: question?.id as string,
    nonce: question?.nonce as string,
    value: 'once',
    from: 'operator',
  });
}

/** Approved once, started, and killed while it ran. */
async function killedInside(
  program: string,
  onAsk?: FakeRunHost['answerer']['onAsk'],
): Promise<{ host: FakeRunHost; run: string }> {
  const host = asking(fakeRunHost());
  if (onAsk !== undefined) host.answerer.onAsk = onAsk;
  host.commands.onCommand = () => new Promise(() => {});
  const paused = await host.run(program);
  await approve(host, paused);
  void host.runner.resume(paused.run as string);
  while (host.commands.done.length === 0) await turns();
  host.store.die();
  host.commands.onCommand = () => ({});
  return { host: fakeRunHost({ after: host }), run: paused.run as string };
}

describe('an approval that was given once', () => {
  it.each([
    ['the program', 'def run(input):\n  return {"ok": command(["rm"])["ok"]}\n', '1'],
    ['a nested agent', 'def run(input):\n  return ask("q")["answer"]\n', '1/1'],
  ])(
    'is used up by the start: a retry of a command of %s is asked about again',
    async (_of, program, key) => {
      const { host, run } = await killedInside(program, async (_request, { command }) =>
        JSON.stringify((await command({ argv: ['rm'] }))['ok']),
      );
      expect((await host.runner.resume(run)).status).toBe('needs_decision');
      await host.runner.decide(run, { key, as: 'retry', value: null, by: 'ada' });
      const again = await host.runner.resume(run);
      expect([again.status, again.questions.length, host.commands.done]).toEqual(['paused', 1, ['rm']]);
      await approve(host, again);
      expect((await host.runner.resume(run)).status).toBe('completed');
      expect(host.commands.done).toEqual(['rm', 'rm']);
    },
  );

  it('is not used up by a crash before the start', async () => {
    const host = asking(fakeRunHost());
    const paused = await host.run('def run(input):\n  return {"ok": command(["rm"])["ok"]}\n');
    await approve(host, paused);
    host.store.die();
    const second = fakeRunHost({ after: host });
    expect((await second.runner.resume(paused.run as string)).status).toBe('completed');
    expect(host.commands.done).toEqual(['rm']);
  });
});
