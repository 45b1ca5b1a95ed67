// What a worker does with a run, over a queue and a table in memory.
import { describe, expect, it } from 'vitest';
import { TechneError } from '../base/error.ts';
import type { ErrorCode } from '../base/error.ts';
import type { ServedRun, ServedRuns } from '../ports/served-runs.ts';
import type { RunResult } from '../run/result/result.ts';
import type { Kick, RunQueue } from './run-queue.ts';
import type { WorkerEvent, WorkerOptions } from './worker.ts';
import { Places, Worker } from './worker.ts';

interface World {
  readonly worker: Worker;
  readonly calls: string[];
  readonly said: WorkerEvent[];
  readonly kick: (run: string) => Promise<void>;
}

const dueRun = { run: 'R1', queue: 'default', priority: 0, epoch: 2, deadOwner: null };

type Due = Awaited<ReturnType<ServedRuns['due']>>[number];

function world(
  resume: WorkerOptions['resume'],
  {
    due = [],
    deaths = 0,
    held = null as string | null,
    concurrency = 2,
    limited = false,
    again = [] as boolean[],
  } = {} as {
    due?: readonly Due[];
    deaths?: number;
    held?: string | null;
    concurrency?: number;
    limited?: boolean;
    /** Whether the run is due again when it was parked, each time. */
    again?: boolean[];
  },
): World & { readonly tell: (run: string) => void } {
  const calls: string[] = [];
  const said: WorkerEvent[] = [];
  const note =
    (name: string) =>
    (...given: readonly unknown[]): Promise<void> => {
      calls.push(
        [name, ...given.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))].join(
          ' ',
        ),
      );
      return Promise.resolve();
    };
  let work: (run: string) => Promise<void> = () => Promise.resolve();
  let tell: (queue: string, run: string) => void = () => undefined;
  const row = (run: string): ServedRun => ({
    run,
    queue: 'default',
    priority: 0,
    tenant: null,
    key: null,
    digest: null,
    by: null,
    deaths,
    held,
  });
  const queue: RunQueue = {
    enqueue: ({ id }: Kick) => note('enqueue')(id),
    listen: (given) => {
      work = given;
      return Promise.resolve();
    },
    limitsOf: () => Promise.resolve({ concurrency: limited ? 1 : null, rate: null }),
    free: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const served = {
    find: (run: string) => Promise.resolve(row(run)),
    due: () => Promise.resolve(due),
    dueOf: (run: string) => Promise.resolve(again.shift() === true ? { ...dueRun, run } : null),
    kicked: ({ deadOwner }: Due) =>
      Promise.resolve(deaths >= 3 ? null : { kick: 1, deaths: deadOwner === null ? 0 : 1 }),
    unkick: note('unkick'),
    postpone: note('postpone'),
    park: note('park'),
    done: note('done'),
    hold: note('hold'),
    workers: () => Promise.resolve([]),
    tell: note('tell'),
    listen: (onRun: typeof tell) => {
      tell = onRun;
      return Promise.resolve({ close: () => Promise.resolve() });
    },
  } as unknown as ServedRuns;
  const worker = new Worker({
    served,
    queue,
    queues: ['default'],
    concurrency,
    leaseMs: 60_000,
    resume,
    onSay: (event) => said.push(event),
  });
  return { worker, calls, said, kick: (run) => work(run), tell: (run) => tell('default', run) };
}

const result = (status: RunResult['status']): RunResult => ({ status }) as RunResult;
const refusing = (code: ErrorCode) => () => Promise.reject(new TechneError(code, `because of ${code}`));

describe('a kick', () => {
  it.each([
    ['completed', 'done R1'],
    ['failed', 'done R1'],
    ['cancelled', 'done R1'],
    ['partial', 'done R1'],
    ['paused', 'park R1'],
    ['needs_decision', 'park R1'],
  ] as const)('that leaves the run %s: %s', async (status, call) => {
    const { worker, calls, kick } = world(() => Promise.resolve(result(status)));
    await worker.start();
    await kick('R1');
    expect(calls).toEqual([call]);
    await worker.drain(0);
  });

  it.each([
    ['RUN_OWNED', []],
    ['OWNER_LOST', []],
    ['RUN_UNFINISHED', ['unkick ["R1"]']],
    ['JOURNAL_WRITE', ['unkick ["R1"]']],
    ['PROFILE_UNSUPPORTED', ['postpone R1 5']],
    ['ENVIRONMENT', ['postpone R1 5']],
    ['NOT_TRUSTED', ['hold R1 because of NOT_TRUSTED']],
    ['JOURNAL_CORRUPT', ['hold R1 because of JOURNAL_CORRUPT']],
  ] as const)('of a run that cannot go on for %s never throws: %j', async (code, expected) => {
    const { worker, calls, kick } = world(refusing(code));
    await worker.start();
    await kick('R1');
    expect(calls).toEqual(expected);
    await worker.drain(0);
  });

  it('drives the run again when its answer came before it was parked', async () => {
    const results = [result('paused'), result('completed')];
    const { worker, calls, kick } = world(() => Promise.resolve(results.shift() as RunResult), {
      again: [true],
    });
    await worker.start();
    await kick('R1');
    expect(calls).toEqual(['park R1', 'done R1']);
    await worker.drain(0);
  });

  it('of a run that is held, or driven here already, does nothing', async () => {
    let resumed = 0;
    const count = (): Promise<RunResult> => {
      resumed += 1;
      return new Promise((resolve) => setTimeout(() => resolve(result('completed')), 20));
    };
    const held = world(count, { held: 'it kills' });
    await held.worker.start();
    await held.kick('R1');
    expect(resumed).toBe(0);
    const { worker, kick } = world(count);
    await worker.start();
    await Promise.all([kick('R1'), kick('R1')]);
    expect(resumed).toBe(1);
  });

  it('is begun at once when it is told, except where the queue has limits for all workers', async () => {
    for (const [limited, expected] of [
      [false, ['done R1']],
      [true, []],
    ] as const) {
      const { worker, calls, tell } = world(() => Promise.resolve(result('completed')), { limited });
      await worker.start();
      tell('R1');
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(calls).toEqual(expected);
      await worker.drain(0);
    }
  });
});

describe('a look for what is due', () => {
  const lost = { run: 'R1', queue: 'default', priority: 0, epoch: 4, deadOwner: 'w9' };

  it('queues runs, and says whose they were', async () => {
    const { worker, calls, said } = world(() => Promise.resolve(result('completed')), { due: [lost] });
    await worker.start();
    expect(calls).toEqual(['enqueue R1:4:1', 'tell default R1']);
    expect(said).toEqual([{ kind: 'taken-over', run: 'R1', from: 'w9', deaths: 1 }]);
    await worker.drain(0);
  });

  it('says which run is held', async () => {
    const { worker, calls, said } = world(() => Promise.resolve(result('completed')), {
      due: [lost],
      deaths: 3,
      held: 'it kills',
    });
    await worker.start();
    expect([calls, said]).toEqual([[], [{ kind: 'held', run: 'R1', reason: 'it kills' }]]);
    await worker.drain(0);
  });
});

describe('drain', () => {
  it('gives runs time to end, then detaches them, and takes no more', async () => {
    const resume = (_run: string, detach: AbortSignal): Promise<RunResult> =>
      new Promise((_resolve, reject) =>
        detach.addEventListener('abort', () => reject(new TechneError('RUN_UNFINISHED', 'detached'))),
      );
    const { worker, calls, kick } = world(resume);
    await worker.start();
    void kick('R1');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await worker.drain(10);
    await kick('R2');
    expect(calls).toEqual(['unkick ["R1"]', 'unkick ["R2"]']);
    expect(worker.active).toEqual([]);
  });
});

describe('places', () => {
  it('are as many as there are, and one alone waits for all and keeps all out', async () => {
    const places = new Places(2);
    const order: string[] = [];
    const enter = async (name: string, alone = false): Promise<() => void> => {
      const leave = await places.enter(alone);
      order.push(name);
      return leave;
    };
    const [a, b] = await Promise.all([enter('a'), enter('b')]);
    expect(places.free).toBe(0);
    const alone = enter('alone', true);
    const c = enter('c');
    a();
    await Promise.resolve();
    expect(order).toEqual(['a', 'b']);
    b();
    b();
    (await alone)();
    (await c)();
    expect(order).toEqual(['a', 'b', 'alone', 'c']);
    expect(places.free).toBe(2);
  });
});
