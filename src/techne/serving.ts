// Runs for workers: made here, queued, driven by whoever takes them.
//
//   request + order -> a queued run     a store in Postgres -> a worker over it
//
// A run is entered as served before it is made, and made before it is queued: whatever is killed in between, the next
// look of a worker finds the run, or the repeated request finds its key.
import { TechneError } from '../base/error.ts';
import { createNodeIds } from '../node/environment.ts';
import type { Approvals } from '../node/commands/approvals.ts';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { GivenTrust } from '../ports/given-trust.ts';
import type { Callbacks } from '../ports/callbacks.ts';
import type { Schedules } from '../ports/schedules.ts';
import type { SharedFiles } from '../ports/shared-files.ts';
import type { DueRun, Order, ServedRuns } from '../ports/served-runs.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { Webhooks } from '../ports/webhooks.ts';
import type { RunResult } from '../run/result/result.ts';
import type { StoreAddress } from '../store-postgres/address.ts';
import type { Runner, SubmitRequest } from '../run/runner.ts';
import type { Dispatcher } from '../worker/run-queue.ts';
import { kickId } from '../worker/run-queue.ts';
import type { WorkerEvent } from '../worker/worker.ts';
import type { FilesOfRun, Travelling } from './travel/travelling.ts';
import type { OpenTechneOptions } from './create-techne.ts';
import { openTechne } from './create-techne.ts';
import { mustBeQueue } from './queue-name.ts';
import type { OpenRuns } from './open-runs.ts';

/** What a store that several machines share knows besides the runs. */
export interface Serving {
  readonly served: ServedRuns;
  /** Content by digest, and what travels with runs. */
  readonly blobs: SweptBlobs;
  readonly shared: SharedFiles;
  /** What people allowed for runs that travel. */
  readonly trust: GivenTrust;
  readonly approvals: Approvals;
  readonly schedules: Schedules;
  readonly webhooks: Webhooks;
  readonly callbacks: Callbacks;
  /** This process, among all that use the store. */
  readonly worker: string;
  readonly leaseMs: number;
  readonly address: StoreAddress;
  /** Of the database, with its password. */
  readonly url: string;
  /** Of the tables of the queue. */
  readonly queueSchema: string;
  /** Others see from now on that this process lives, and which queues it takes runs from. */
  readonly join: (queues?: readonly string[]) => Promise<void>;
  /** Does this work, which makes a schema, once for the whole store. */
  readonly once: (name: string, makes: string, work: () => Promise<void>) => Promise<void>;
}

const storeHint = '--store postgres://USER@HOST:PORT/DATABASE, or set runs.store';

/** `what` needs a shared store, such as "schedules". Throws USAGE where runs are in files. */
export function mustServe(serving: Serving | null, what: string, hint = storeHint): Serving {
  if (serving === null)
    throw new TechneError('USAGE', `${what} share a store in Postgres, and runs are kept in files here`, {
      hint,
    });
  return serving;
}

/** Of runs that are queued for workers. */
export interface SubmitParts {
  readonly runner: Runner;
  /** Makes runs that have their skills and files with them. */
  readonly travelling: Travelling;
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

/** Makes a run and queues it. `deadlineSeconds`: it is ended if it has not ended by then. Throws KEY_REUSED. */
export async function submitRun(
  { travelling, store, serving, dispatcher }: SubmitParts,
  request: Omit<SubmitRequest, 'run' | 'travel'>,
  order: Order,
  deadlineSeconds: number | null = null,
  files: FilesOfRun | null = null,
): Promise<Submitted> {
  const { served } = serving;
  mustBeQueue(order.queue);
  const { run, isNew } = await served.add(createNodeIds().ulid(), order);
  if (!isNew && (await isMade(store, run))) return { ok: true, run, repeated: true };
  if (deadlineSeconds !== null) await served.deadline(run, deadlineSeconds);
  let made: string | RunResult;
  try {
    made = await travelling.submit({ ...request, run }, files);
  } catch (error) {
    if (error instanceof TechneError && error.code !== 'RUN_EXISTS' && isNew) await served.withdraw(run);
    // The same request, sent twice at a time.
    if (!(error instanceof TechneError) || error.code !== 'RUN_EXISTS') throw error;
    return { ok: true, run, repeated: true };
  }
  if (typeof made !== 'string') {
    await served.withdraw(run);
    return { ok: false, result: made };
  }
  await kickMade({ serving, dispatcher }, run, order);
  return { ok: true, run, repeated: false };
}

/** Queues a run that was just made, without looking at it first. Whether it is queued now. */
export async function kickMade(
  parts: Pick<SubmitParts, 'serving' | 'dispatcher'>,
  run: string,
  { queue, priority }: Pick<Order, 'queue' | 'priority'>,
): Promise<boolean> {
  const asMade = { run, queue, priority, epoch: 1, deadOwner: null };
  return (await queueDue(parts, asMade)) || kickRun(parts, run);
}

/** Queues a run that is entered as served, if it needs a worker; one that is held is tried again. Whether it is queued now. */
export async function kickRun(
  parts: Pick<SubmitParts, 'serving' | 'dispatcher'>,
  run: string,
): Promise<boolean> {
  const { served } = parts.serving;
  const [found, looked] = await Promise.all([served.find(run), served.dueOf(run)]);
  let due = looked;
  if ((found?.held ?? null) !== null) {
    await served.release(run);
    due = await served.dueOf(run);
  }
  return due !== null && queueDue(parts, due);
}

/** False: another process did, or it is not as `due` says. */
async function queueDue(
  { serving: { served }, dispatcher }: Pick<SubmitParts, 'serving' | 'dispatcher'>,
  due: DueRun,
): Promise<boolean> {
  const kicked = await served.kicked(due);
  if (kicked === null) return false;
  const { run, epoch, queue, priority } = due;
  // A worker that is told takes it from our table, and need not wait for the engine to have it.
  await Promise.all([
    served.tell(queue, run),
    dispatcher.enqueue({ run, id: kickId(run, epoch, kicked.kick), queue, priority }),
  ]);
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
  try {
    await once(queueVersion, queueSchema, () => migrateQueue({ url, schema: queueSchema }));
  } catch (error) {
    if (!/permission denied/i.test(error instanceof Error ? error.message : '')) throw error;
    throw new TechneError(
      'ENVIRONMENT',
      `the tables of the queue are missing or of another version, and this user of the database may not change them`,
      { hint: 'as the user that owns the tables: techne store migrate --store postgres://…', cause: error },
    );
  }
}

/** Throws USAGE for runs in files. */
export function mustTravel({ travelling }: Pick<OpenRuns, 'travelling'>): Travelling {
  if (travelling === null)
    throw new TechneError('USAGE', 'runs travel in a store that workers share, and these are in files', {
      hint: '--store postgres://USER@HOST:PORT/DATABASE, or set runs.store',
    });
  return travelling;
}

export interface OpenWorkerOptions extends OpenTechneOptions {
  /** Where the skills and workspaces of runs are put. Default: `~/.cache/techne`. */
  readonly cacheFolder?: string;
  readonly queues: readonly string[];
  /** Runs at a time. */
  readonly concurrency: number;
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
  // What is open keeps the process alive: a worker that cannot begin must end, so that it is started again.
  const opened: (() => Promise<unknown>)[] = [() => techne.close()];
  try {
    const { snapshot } = techne;
    const held = await techne.runs.hold(snapshot);
    opened.push(() => held.release());
    const { serving } = held.runs;
    if (serving === null)
      throw new TechneError('USAGE', 'workers share a store in Postgres, and runs are kept in files here', {
        hint: 'techne worker --store postgres://USER@HOST:PORT/DATABASE, or set runs.store',
      });
    const { served, worker: id, leaseMs, url, queueSchema } = serving;
    await serving.join(options.queues);
    const { WorkerRuns } = await import('./travel/worker-runs.ts');
    const travelled = new WorkerRuns({ options, runs: held.runs, serving });
    await travelled.clean();
    const { openDbosQueue } = await import('../worker/dbos-queue.ts');
    const { Worker } = await import('../worker/worker.ts');
    const { queues, concurrency, onSay } = options;
    await prepareQueue(serving);
    const queue = await openDbosQueue({
      url,
      schema: queueSchema,
      worker: id,
      queues,
      concurrency,
      onFault: (reason) => onSay({ kind: 'fault', run: null, reason }),
    });
    opened.push(() => queue.close());
    const worker = new Worker({
      served,
      queue,
      queues,
      concurrency,
      leaseMs,
      onSay,
      resume: async (run, stops) =>
        (await travelled.resume(run, stops)) ??
        techne.runs.resume(snapshot, run, { ...stops, questions: [] }),
    });
    await worker.start();
    const { runner, store } = held.runs;
    const { startChores } = await import('./worker-chores.ts');
    const travelling = mustTravel(held.runs);
    const chores = startChores({ runner, travelling, store, serving, dispatcher: queue }, onSay, {
      allowHosts: techne.library.loaded.config.webhooks.allowHosts,
      clean: () => travelled.clean(),
    });
    return {
      id,
      leaseMs,
      get active() {
        return worker.active;
      },
      async close(graceMs) {
        await chores.stop();
        await worker.drain(graceMs);
        await travelled.close();
        await queue.close();
        await held.release();
        await techne.close();
      },
    };
  } catch (error) {
    for (const close of opened.toReversed()) await close().catch(() => undefined);
    throw error;
  }
}
