import { describe, expect, it } from 'vitest';
import { TechneError } from '../base/error.ts';
import { RunDetachedError } from '../run/drive/drive.ts';
import type { RunResult } from '../run/result/result.ts';
import { LocalDispatcher } from './dispatcher.ts';

/** Runs that end when the test says so. */
function scene(concurrency = 2, maxQueued = 3) {
  const log: string[] = [];
  const bugs: unknown[] = [];
  const open = new Map<string, { end: (error?: Error) => void }>();
  const dispatcher = new LocalDispatcher({
    concurrency,
    maxQueued,
    onEnded: (status) => void log.push(`ended ${status}`),
    onBug: (error) => void bugs.push(error),
    resume: (run, { drain, detach }) =>
      new Promise((resolve, reject) => {
        log.push(`resumed ${run}`);
        drain.addEventListener('abort', () => log.push(`drains ${run}`));
        detach.addEventListener('abort', () => reject(new RunDetachedError(run, null)));
        open.set(run, {
          end: (error) =>
            error === undefined ? resolve({ status: 'completed' } as RunResult) : reject(error),
        });
      }),
  });
  const end = async (run: string, error?: Error): Promise<void> => {
    open.get(run)?.end(error);
    await settle();
  };
  return { dispatcher, log, bugs, end };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('LocalDispatcher', () => {
  it('drives a bounded number at once, the others in order', async () => {
    const { dispatcher, log, end } = scene();
    for (const run of ['a', 'b', 'c', 'd']) dispatcher.submit(run);
    await settle();
    expect([log, dispatcher.counts()]).toEqual([['resumed a', 'resumed b'], { running: 2, queued: 2 }]);
    expect(['a', 'c', 'x'].map((run) => dispatcher.stateOf(run))).toEqual(['running', 'queued', null]);
    await end('b');
    expect(log.at(-1)).toBe('resumed c');
  });

  it('drives a run again that was submitted while it ran, and never twice at once', async () => {
    const { dispatcher, log, end } = scene();
    for (const run of ['a', 'a', 'a']) dispatcher.submit(run);
    await settle();
    await end('a');
    expect(log).toEqual(['resumed a', 'ended completed', 'resumed a']);
    await end('a');
    expect(dispatcher.counts()).toEqual({ running: 0, queued: 0 });
  });

  it('refuses more than may wait', async () => {
    const { dispatcher } = scene(1, 1);
    dispatcher.submit('a');
    await settle();
    dispatcher.submit('b');
    dispatcher.submit('b');
    expect(() => dispatcher.submit('c')).toThrow('1 runs wait already');
  });

  it('keeps why a run was not driven, and reports bugs', async () => {
    const { dispatcher, bugs, end } = scene();
    dispatcher.submit('a');
    dispatcher.submit('b');
    await settle();
    await end('a', new TechneError('NOT_TRUSTED', 'no longer trusted'));
    await end('b', new Error('a bug'));
    expect([dispatcher.faultOf('a')?.code, dispatcher.faultOf('b'), bugs.length]).toEqual([
      'NOT_TRUSTED',
      null,
      1,
    ]);
  });

  it('tells who waits, and detaches from everything when it stops', async () => {
    const { dispatcher, log } = scene(1);
    dispatcher.submit('a');
    dispatcher.submit('b');
    await settle();
    const told = Promise.all(['a', 'b', 'unknown'].map((run) => dispatcher.settled(run)));
    await dispatcher.drain(0);
    await told;
    expect(log).toEqual(['resumed a', 'drains a', 'ended detached']);
    expect(() => dispatcher.submit('c')).toThrow('the server is stopping');
  });

  it('gives what is under way its grace, and ends that with a second drain', async () => {
    const { dispatcher, log, end } = scene();
    for (const run of ['a', 'b', 'c']) dispatcher.submit(run);
    await settle();
    const drained = dispatcher.drain(3_600_000);
    await end('a');
    expect(log).toEqual(['resumed a', 'resumed b', 'drains a', 'drains b', 'ended completed']);
    await dispatcher.drain(0);
    await drained;
    expect(log.slice(5)).toEqual(['ended detached']);
  });
});
