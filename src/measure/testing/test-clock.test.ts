import { describe, expect, it } from 'vitest';
import { TestClock } from './test-clock.ts';

const hour = 3_600_000;

/** What came, in order, after the clock was used by `work`. */
async function order(
  work: (clock: TestClock, say: (what: string) => () => void) => void,
): Promise<readonly string[]> {
  const clock = new TestClock();
  const said: string[] = [];
  await new Promise<void>((resolve) => {
    work(clock, (what) => () => void said.push(what));
    clock.after(10 * hour, resolve, 'wait');
  });
  return said;
}

describe('TestClock', () => {
  it('ends waits in their order at once, and time is what it would be', async () => {
    const clock = new TestClock();
    const [wall, mono] = [clock.nowMs(), clock.monotonicMs()];
    const startedMs = performance.now();
    expect(
      await order((own, say) => {
        own.after(2 * hour, say('second'), 'wait');
        own.after(hour, say('first'), 'wait');
        own.after(2 * hour, say('third'), 'wait');
      }),
    ).toEqual(['first', 'second', 'third']);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    await new Promise<void>((resolve) => void clock.after(hour, resolve, 'wait'));
    expect([clock.nowMs() - wall >= hour, clock.monotonicMs() - mono >= hour]).toEqual([true, true]);
  });

  it('reaches a limit before a wait that is longer, and none that nobody waits for', async () => {
    expect(
      await order((own, say) => {
        own.after(2 * hour, say('wait'), 'wait');
        own.after(hour, say('limit'));
        own.after(20 * hour, say('never'));
      }),
    ).toEqual(['limit', 'wait']);
  });

  it('skips nothing while something goes on', async () => {
    let done: (value: null) => void = () => undefined;
    const clock = new TestClock();
    const said: string[] = [];
    const work = clock.during(new Promise<null>((resolve) => (done = resolve))).then(() => said.push('work'));
    const waited = new Promise<void>(
      (resolve) => void clock.after(hour, () => resolve(void said.push('wait')), 'wait'),
    );
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual([]);
    done(null);
    await Promise.all([work, waited]);
    expect(said).toEqual(['work', 'wait']);
  });

  it('calls nothing that was cancelled', async () => {
    expect(
      await order((own, say) => {
        own.after(hour, say('wait'), 'wait').cancel();
        own.after(hour, say('limit')).cancel();
      }),
    ).toEqual([]);
  });
});
