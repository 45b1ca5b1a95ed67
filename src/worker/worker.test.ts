// What a worker does with a run, over a queue and a table in memory.
import { describe, expect, it, vi } from 'vitest';
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
    limited = [] as boolean[],
    leaseMs = 60_000,
    enqueueMs = 0,
    again = [] as boolean[],
    queued = [] as string[],
    isDone = false,
  } = {} as {
    due?: readonly Due[];
    deaths?: number;
    held?: string | null;
    concurrency?: number;
    /** Whether a limit holds runs back, for each `take` that gives none. */
    limited?: boolean[];
    leaseMs?: number;
    enqueueMs?: number;
    /** Whether the run is due again when it was parked, each time. */
    again?: boolean[];
    /** What `take` gives. */
    queued?: string[];
    isDone?: boolean;
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
    isDone,
  });
  const queue: RunQueue = {
    enqueue: async ({ id }: Kick) => {
      await note('enqueue')(id);
      if (enqueueMs > 0) await new Promise((resolve) => setTimeout(resolve, enqueueMs));
    },
    listen: (given) => {
      work = given;
      return Promise.resolve();
    },
    free: () => Promise.resolve([]),
    forget: note('forget'),
    tidy: note('tidy'),
    close: () => Promise.resolve(),
  };
  const served = {
    find: (run: string) => Promise.resolve(row(run)),
    due: () => Promise.resolve(due),
    take: (_: readonly string[], most: number) =>
      Promise.resolve(
        limited.length > 0
          ? { taken: [], isLimited: limited.shift() as boolean }
          : {
              taken: queued.splice(0, most).map((run) => ({ run, epoch: 2, kick: 1, deaths })),
              isLimited: false,
            },
      ),
    leave: note('leave'),
    freePlaces: () => Promise.resolve(),
    dueOf: (run: string) => Promise.resolve(again.shift() === true ? { ...dueRun, run } : null),
    kicked: ({ run, deadOwner }: Due) => {
      if (deaths >= 3) return Promise.resolve(null);
      if (deadOwner === null) queued.push(run);
      return Promise.resolve({ kick: 1, deaths: deadOwner === null ? 0 : 1 });
    },
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
    leaseMs,
    resume,
    onSay: (event) => said.push(event),
  });
  const kick = (run: string): Promise<void> => {
    queued.push(run);
    return work(run);
  };
  return { worker, calls, said, kick, tell: (run) => tell('default', run) };
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
    ['RUN_OWNED', ['leave R1']],
    ['OWNER_LOST', ['leave R1']],
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
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(calls).toEqual(['park R1', 'tell default R1', 'done R1']);
    await worker.drain(0);
  });

  it('of a run that another worker has taken, or that a limit holds back, ends at once', async () => {
    const limited = [false, false, false, false];
    const { worker, calls, said, kick } = world(() => Promise.resolve(result('completed')), { limited });
    await worker.start();
    await kick('R1');
    expect([calls, said]).toEqual([[], []]);
    await worker.drain(0);
  });

  it('is begun at once when it is told', async () => {
    const queued: string[] = [];
    const { worker, calls, tell } = world(() => Promise.resolve(result('completed')), { queued });
    await worker.start();
    queued.push('R1');
    tell('R1');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(calls).toEqual(['done R1']);
    await worker.drain(0);
    // What was taken is not dispatched again.
    expect(calls.slice(1)).toEqual(['forget ["R1:2:1"]']);
  });
});

describe('a worker with a free place', () => {
  it('takes queued runs, as many as it has places, and the next one when a run has ended', async () => {
    const ends = new Map<string, () => void>();
    const resume = (run: string): Promise<RunResult> =>
      new Promise((resolve) => ends.set(run, () => resolve(result('completed'))));
    const { worker, calls } = world(resume, { queued: ['R1', 'R2', 'R3'] });
    await worker.start();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(worker.active).toEqual(['R1', 'R2']);
    ends.get('R2')?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(worker.active).toEqual(['R1', 'R3']);
    expect(calls).toEqual(['done R2']);
    for (const end of ends.values()) end();
    await worker.drain(1_000);
    expect(calls).toEqual(['done R2', 'done R1', 'done R3', 'forget ["R2:2:1","R1:2:1","R3:2:1"]']);
  });
});

describe('a worker whose queued runs are held back by a limit', () => {
  it('tries again, until they are not', async () => {
    const { worker, calls } = world(() => Promise.resolve(result('completed')), {
      limited: [true, true],
      queued: ['R1'],
    });
    await worker.start();
    expect(calls).toEqual([]);
    await vi.waitFor(() => expect(calls).toEqual(['done R1']), { timeout: 5_000 });
    await worker.drain(0);
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

  it('leaves a backlog to the next look, since looks that are far apart judge no one dead', async () => {
    const due = ['R1', 'R2', 'R3'].map((run) => ({ ...lost, run }));
    const { worker, calls } = world(() => Promise.resolve(result('completed')), {
      due,
      leaseMs: 80,
      enqueueMs: 20,
    });
    await worker.start();
    expect(calls).toEqual(['enqueue R1:4:1', 'tell default R1']);
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
  it('gives effects time to end, then detaches their runs, and takes no more', async () => {
    const drained: string[] = [];
    const resume: WorkerOptions['resume'] = (run, { drain, detach }) =>
      new Promise((_resolve, reject) => {
        drain.addEventListener('abort', () => drained.push(run));
        detach.addEventListener('abort', () => reject(new TechneError('RUN_UNFINISHED', 'detached')));
      });
    const { worker, calls, kick } = world(resume);
    await worker.start();
    void kick('R1');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await worker.drain(10);
    await kick('R2');
    expect([calls, drained]).toEqual([['unkick ["R1"]', 'forget ["R1:2:1"]'], ['R1']]);
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
