import { describe, expect, it } from 'vitest';
import { fakeRunHost } from '../../../test/support/fake-run-host.ts';
import type { FakeRunHost } from '../../../test/support/fake-run-host.ts';
import { skillWith } from '../../../test/support/plan-texts.ts';
import { planHost } from '../../../test/support/plan-host.ts';
import type { RunResult } from '../result/result.ts';

const program = `
def run(input):
  one = command(["one"])
  two = command(["two"])
  return {"answer": "done" if two["ok"] else "the tests fail: " + two["result"], "code": two["exit_code"]}
`;

const plan = skillWith(
  'steps:\n  - {id: one, tool: command, params: {argv: [one]}}\n  - {id: two, tool: command, depends_on: [one], params: {argv: [two]}}\n  - {id: three, tool: chat, depends_on: [two], params: {prompt: end}}\n',
);

/** Its second command takes for ever, and ends as one does that gets SIGTERM. Resolves when that has begun. */
function stall({ commands }: Pick<FakeRunHost, 'commands'>): Promise<void> {
  return new Promise((begun) => {
    commands.onCommand = ({ argv }, { signal }) => {
      if (argv[0] !== 'two') return {};
      begun();
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ exitCode: 143, aborted: true })),
      );
    };
  });
}

type Stopping = (host: FakeRunHost, run: string) => Promise<unknown> | void;
const ways: readonly (readonly [string, Stopping])[] = [
  ['was cancelled', (host, run) => host.runner.cancel(run, 'enough')],
  ['took too long', (host) => host.clock.pass(3_000)],
];

async function stopped(host: FakeRunHost, begin: () => Promise<RunResult>, stop: Stopping): Promise<string> {
  const begun = stall(host);
  const running = begin();
  await begun;
  const run = host.runner.active[0] as string;
  await stop(host, run);
  expect((await running).error?.code).toMatch(/CANCELLED|TIMEOUT/);
  expect(await host.runner.replay(run)).toMatchObject({ same: true });
  host.commands.done.length = 0;
  host.commands.onCommand = () => ({});
  return run;
}

describe('a fork of a run whose command was stopped', () => {
  it.each(ways)(
    'performs that command anew and keeps what had ended, when a program %s',
    async (_how, stop) => {
      const host = fakeRunHost({ programs: { one: program } });
      const run = await stopped(
        host,
        () => host.runner.start({ skill: 'one', input: { go: true }, limits: { wallMs: 3_000 } }),
        stop,
      );
      const forked = await host.runner.fork(run, { edits: { limits: { wallMs: 30_000 } } });
      expect([host.commands.done, forked.envelope]).toEqual([
        ['two'],
        expect.objectContaining({ answer: 'done', code: 0 }),
      ]);
    },
  );

  it.each(ways)('performs that step anew and keeps what had ended, when a plan %s', async (_how, stop) => {
    const host = planHost({ sample: plan });
    const run = await stopped(
      host,
      () => host.runner.start({ skill: 'sample', input: null, limits: { wallMs: 3_000 } }),
      stop,
    );
    expect(
      (await host.runner.inspect(run)).effects.map(({ key, result }) => [
        key,
        (result as { code?: string }).code ?? null,
      ]),
    ).toEqual([
      ['one', null],
      ['two', 'CANCELLED'],
    ]);
    const forked = await host.runner.fork(run, { edits: { limits: { wallMs: 30_000 } } });
    expect([forked.status, host.commands.done]).toEqual(['completed', ['two']]);
    expect((await host.runner.replay(forked.run as string)).divergences).toEqual([]);
  });

  it('keeps a command that failed by itself', async () => {
    const host = fakeRunHost({ programs: { one: program } });
    host.commands.onCommand = ({ argv }) => (argv[0] === 'two' ? { exitCode: 143 } : {});
    const { run, envelope } = await host.runner.start({ skill: 'one', input: { go: true } });
    expect(envelope).toMatchObject({ code: 143 });
    const forked = await host.runner.fork(run as string, {});
    expect([host.commands.done, forked.envelope]).toEqual([
      ['one', 'two'],
      expect.objectContaining({ code: 143 }),
    ]);
  });
});
