// Runs for workers: made here, queued, driven by whoever takes them.
//
//   request + order -> a queued run     a store in Postgres -> a worker over it
//
// A run is entered as served before it is made, and made before it is queued: whatever is killed in between, the next
// look of a worker finds the run, or the repeated request finds its key.
import { TechneError } from '../base/error.ts';
import { createNodeIds } from '../node/environment.ts';
import type { Order, ServedRuns } from '../ports/served-runs.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { RunResult } from '../run/result/result.ts';
import type { Runner, SubmitRequest } from '../run/runner.ts';
import type { Dispatcher, QueueLimits } from '../worker/run-queue.ts';
import { queueName } from '../worker/run-queue.ts';
import type { WorkerEvent } from '../worker/worker.ts';
import type { OpenTechneOptions } from './create-techne.ts';
import { openTechne } from './create-techne.ts';

/** What a store that several machines share knows besides the runs. */
export interface Serving {
  readonly served: ServedRuns;
  /** This process, among all that use the store. */
  readonly worker: string;
  readonly leaseMs: number;
  /** Of the database, with its password. */
  readonly url: string;
  /** Of the tables of the queue. */
  readonly queueSchema: string;
  /** Others see from now on that this process lives. */
  readonly join: () => Promise<void>;
  /** Does this work once for the whole store. */
  readonly once: (name: string, work: () => Promise<void>) => Promise<void>;
}

/** Of runs that are queued for workers. */
interface SubmitParts {
  readonly runner: Runner;
  readonly store: RunStore;
  readonly serving: Serving;
  readonly dispatcher: Dispatcher;
}

export type Submitted =
  /** `repeated`: a request with the same key made it before. */
  | { readonly ok: true; readonly run: string; readonly repeated: boolean }
  | { readonly ok: false; readonly result: RunResult };

export const defaultOrder: Order = {
  queue: 'default',
  priority: 0,
  tenant: null,
  key: null,
  digest: null,
  by: null,
};

/** Makes a run and queues it. Throws KEY_REUSED. */
export async function submitRun(
  { runner, store, serving, dispatcher }: SubmitParts,
  request: Omit<SubmitRequest, 'run'>,
  order: Order,
): Promise<Submitted> {
  const { served } = serving;
  if (!queueName.test(order.queue))
    throw new TechneError('USAGE', `"${order.queue.slice(0, 80)}" cannot be the name of a queue`, {
      hint: 'letters, digits, ".", "_" and "-", such as reports',
    });
  const { run, isNew } = await served.add(createNodeIds().ulid(), order);
  if (!isNew && (await isMade(store, run))) return { ok: true, run, repeated: true };
  let made: string | RunResult;
  try {
    made = await runner.submit({ ...request, run });
  } catch (error) {
    // The same request, sent twice at a time.
    if (!(error instanceof TechneError) || error.code !== 'RUN_EXISTS') throw error;
    return { ok: true, run, repeated: true };
  }
  if (typeof made !== 'string') {
    await served.withdraw(run);
    return { ok: false, result: made };
  }
  await kickRun({ serving, dispatcher }, run);
  return { ok: true, run, repeated: false };
}

/** Queues a run that is entered as served, if it needs a worker; one that is held is tried again. Whether it is queued now. */
export async function kickRun(
  { serving: { served }, dispatcher }: Pick<SubmitParts, 'serving' | 'dispatcher'>,
  run: string,
): Promise<boolean> {
  if (((await served.find(run))?.held ?? null) !== null) await served.release(run);
  const due = await served.dueOf(run);
  const kicked = due === null ? null : await served.kicked(due);
  if (due === null || kicked === null) return false;
  const { epoch, queue, priority } = due;
  await dispatcher.enqueue({ run, id: `${run}:${epoch}:${kicked.kick}`, queue, priority });
  await served.tell(queue, run);
  return true;
}

async function isMade(store: RunStore, run: string): Promise<boolean> {
  try {
    await store.read(run);
    return true;
  } catch (error) {
    if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') return false;
    throw error;
  }
}

/** Queues runs of this store. Throws ENVIRONMENT where the queue cannot be opened. */
export async function openDispatcherOf(
  serving: Serving,
  onFault: (message: string) => void,
): Promise<Dispatcher> {
  const { openDispatcher } = await import('../worker/dbos-queue.ts');
  await prepareQueue(serving);
  const { url, queueSchema } = serving;
  return openDispatcher({ url, schema: queueSchema, onFault });
}

/** The tables of the queue, made by the first process of a version that uses it. */
async function prepareQueue({ url, queueSchema, once }: Serving): Promise<void> {
  const { migrateQueue, queueVersion } = await import('../worker/dbos-queue.ts');
  await once(queueVersion, () => migrateQueue({ url, schema: queueSchema }));
}

export interface OpenWorkerOptions extends OpenTechneOptions {
  readonly queues: readonly string[];
  /** Runs at a time. */
  readonly concurrency: number;
  readonly limits: ReadonlyMap<string, Partial<QueueLimits>>;
  readonly onSay: (event: WorkerEvent) => void;
}

export interface OpenedWorker {
  readonly id: string;
  readonly leaseMs: number;
  readonly active: readonly string[];
  /** Gives runs under way this long to end, leaves the others to other workers, and closes everything. */
  close(graceMs: number): Promise<void>;
}

/** Begins to take runs from the queue. Throws USAGE for a store in files, ENVIRONMENT where something cannot be used. */
export async function openWorker(options: OpenWorkerOptions): Promise<OpenedWorker> {
  const techne = await openTechne(options);
  try {
    const { snapshot } = techne;
    const held = await techne.runs.hold(snapshot);
    const { serving } = held.runs;
    if (serving === null)
      throw new TechneError('USAGE', 'workers share a store in Postgres, and runs are kept in files here', {
        hint: 'techne worker --store postgres://USER@HOST:PORT/DATABASE, or set runs.store',
      });
    const { served, worker: id, leaseMs, url, queueSchema } = serving;
    await serving.join();
    const { openDbosQueue } = await import('../worker/dbos-queue.ts');
    const { Worker } = await import('../worker/worker.ts');
    const { queues, concurrency, limits, onSay } = options;
    await prepareQueue(serving);
    const queue = await openDbosQueue({
      url,
      schema: queueSchema,
      worker: id,
      queues,
      concurrency,
      limits,
      onFault: (reason) => onSay({ kind: 'fault', run: null, reason }),
    });
    const worker = new Worker({
      served,
      queue,
      queues,
      concurrency,
      leaseMs,
      onSay,
      resume: (run, detach) => techne.runs.resume(snapshot, run, { detach, questions: [] }),
    });
    await worker.start();
    return {
      id,
      leaseMs,
      get active() {
        return worker.active;
      },
      async close(graceMs) {
        await worker.drain(graceMs);
        await queue.close();
        await held.release();
        await techne.close();
      },
    };
  } catch (error) {
    await techne.close();
    throw error;
  }
}
