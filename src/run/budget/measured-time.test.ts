import { describe, expect, it } from 'vitest';
import { DetachSignal } from '../effect/effect-context.ts';
import { FakeClock, fakeRunHost, turns } from '../../../test/support/fake-run-host.ts';

/** A clock whose time of day can be set. */
class SetClock extends FakeClock {
  stepMs = 0;

  override nowMs(): number {
    return this.ms + this.stepMs;
  }
}

describe('the wall clock of a run', () => {
  it.each([3_600_000, -3_600_000])(
    'does not mind that the clock is set by %i ms around a crash',
    async (stepMs) => {
      const clock = new SetClock();
      const first = fakeRunHost({ clock });
      first.commands.onCommand = ({ argv }) => (
        clock.pass(1_000),
        argv[0] === 'b' ? new Promise(() => {}) : {}
      );
      void first.run(
        'def run(input):\n  command(["a"])\n  clock = command(["b"], {"idempotent": True})\n  return {"ok": clock["ok"]}\n',
      );
      while (first.commands.done.length < 2) await turns();
      first.store.die();
      clock.stepMs = stepMs;
      const second = fakeRunHost({ after: first, clock });
      second.commands.onCommand = () => (clock.pass(500), {});
      const run = first.runner.active[0] as string;
      // What the crash cost is not known.
      expect((await second.runner.inspect(run)).usage.wallMs).toBe(1_000);
      const result = await second.runner.resume(run);
      expect([result.status, result.usage.wallMs]).toEqual(['completed', 1_500]);
    },
  );

  it('continues from the same count when the run was detached, and replays the same', async () => {
    const clock = new SetClock();
    const first = fakeRunHost({
      clock,
      programs: { one: 'def run(input):\n  return {"ok": command(["a"], {"idempotent": True})["ok"]}\n' },
    });
    const stop = new AbortController();
    first.commands.onCommand = (_call, { signal }) => {
      clock.pass(4_000);
      stop.abort(new DetachSignal());
      return signal.aborted
        ? Promise.reject(new Error('stopped'))
        : new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stopped'))),
          );
    };
    await expect(
      first.runner.start({ skill: 'one', input: { go: true }, signal: stop.signal }),
    ).rejects.toThrow(DetachSignal);
    const run = (await first.store.list({ limit: 1 })).runs[0]?.run as string;
    expect(await first.runner.inspect(run)).toMatchObject({
      status: 'running',
      leftAt: expect.any(Number) as number,
      usage: { wallMs: 4_000 },
    });
    const second = fakeRunHost({ after: first, clock });
    second.commands.onCommand = () => (clock.pass(500), {});
    const result = await second.runner.resume(run);
    expect([result.status, result.usage.wallMs]).toEqual(['completed', 4_500]);
    expect(await second.runner.inspect(run)).toMatchObject({ leftAt: null });
    expect(await second.runner.replay(run)).toMatchObject({ same: true });
  });

  it('begins at zero in a fork', async () => {
    const host = fakeRunHost();
    host.commands.onCommand = () => (host.clock.pass(2_000), {});
    const result = await host.run(
      'def run(input):\n  command(["a"])\n  return {"ok": command(["b"])["ok"]}\n',
    );
    expect(result.usage.wallMs).toBe(4_000);
    expect((await host.runner.fork(result.run as string, { from: '2' })).usage.wallMs).toBe(2_000);
  });
});
