// Leaves runs that were submitted to the workers of a shared store, instead of driving them here.
//
//   submit(run) -> entered as served, queued, told to workers
//
// What is queued is in the store, so nothing is lost with this process: a run that could not be queued is found by the next
// look of a worker once it is entered. Here is only known which runs this process queued and no worker has claimed yet. Keys
// of requests are in the same table, before the run is made.
import { createHash } from 'node:crypto';
import { TechneError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import { nodeRunClock } from '../node/environment.ts';
import type { StoredEntry } from '../ports/run-store.ts';
import { describeWait } from '../techne/describe-wait.ts';
import type { HeldRuns } from '../techne/runs.ts';
import type { Serving } from '../techne/serving.ts';
import { defaultOrder, kickMade, kickRun, openDispatcherOf } from '../techne/serving.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { StartKeys } from './start-keys.ts';

export interface WorkerDispatch {
  readonly dispatcher: Dispatcher;
  readonly keys: StartKeys;
}

interface Waiting {
  readonly done: Promise<void>;
  end(): void;
}

/** Runs that this process watches until a worker has them; more are queued without being watched. */
const mostWatched = 2_000;
const [kickTries, kickWaitMs] = [10, 100];

/** `held` is released with the dispatcher. Throws USAGE where runs are kept in files, ENVIRONMENT where the queue cannot be used. */
export async function openWorkerDispatch(
  held: HeldRuns,
  onFault: (message: string) => void,
): Promise<WorkerDispatch> {
  const { serving, store } = held.runs;
  if (serving === null)
    throw new TechneError(
      'USAGE',
      '--workers is for a store that workers share, and runs are kept in files here',
      {
        hint: '--store postgres://USER@HOST:PORT/DATABASE, or set runs.store',
      },
    );
  const line = await openDispatcherOf(serving, onFault);
  const waiting = new Map<string, Waiting>();
  const puts = new Set<Promise<void>>();
  let isStopping = false;

  /** From now on the run counts as queued, until a worker has claimed it. */
  const watch = (run: string): (() => Promise<void>) => {
    if (waiting.has(run) || waiting.size >= mostWatched) return () => Promise.resolve();
    let subscription: { close(): void } | null = null;
    let resolveDone = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      resolveDone = resolve;
    });
    const end = (): void => {
      if (waiting.get(run)?.done !== done) return;
      waiting.delete(run);
      subscription?.close();
      resolveDone();
    };
    waiting.set(run, { done, end });
    return async () => {
      const { length: from } = await store.read(run);
      // The first entry is that of the worker that claims it; with the second one the run is under way.
      const onEntries = (entries: readonly StoredEntry[]): void => {
        if (entries.some(({ entry }) => entry.type !== 'owner.claimed')) end();
      };
      if (waiting.get(run)?.done === done) subscription = store.subscribe(run, from, onEntries, end);
    };
  };
  const put = async (run: string): Promise<void> => {
    const follow = watch(run);
    try {
      const [{ isNew }] = await Promise.all([serving.served.add(run, defaultOrder), follow()]);
      if (isNew && (await kickMade({ serving, dispatcher: line }, run, defaultOrder))) return;
      // The worker that had it until now may be about to say that it waits.
      for (let tries = 0; tries < kickTries && waiting.has(run); tries += 1) {
        if (await kickRun({ serving, dispatcher: line }, run)) return;
        await new Promise<void>((resolve) => nodeRunClock.after(kickWaitMs, resolve, 'wait'));
      }
      waiting.get(run)?.end();
    } catch (error) {
      waiting.get(run)?.end();
      onFault(`run ${run} was not queued yet: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const mustHaveRoom = (): void => {
    if (isStopping)
      throw new TechneError('OVERLOADED', 'the server is stopping', { hint: 'try again later' });
  };
  return {
    keys: servedKeys(serving),
    dispatcher: {
      submit(run) {
        mustHaveRoom();
        const work = put(run).finally(() => puts.delete(work));
        puts.add(work);
      },
      travels: true,
      stateOf: (run) => (waiting.has(run) ? 'queued' : null),
      faultOf: () => null,
      deadline: (run, seconds) => serving.served.deadline(run, seconds),
      async standingOf(run) {
        const found = await serving.served.find(run);
        if (found === null) return null;
        const wait = await serving.served.waitOf(run);
        return { held: found.held, waitsFor: wait === null ? null : describeWait(wait) };
      },
      forWorkers: (runs) => serving.served.forWorkers(runs),
      settled: (run) => waiting.get(run)?.done ?? Promise.resolve(),
      counts: () => ({ queued: waiting.size, running: 0 }),
      mustHaveRoom,
      async drain() {
        isStopping = true;
        await Promise.all(puts);
        for (const each of waiting.values()) each.end();
        await line.close();
        await held.release();
      },
    },
  };
}

function servedKeys({ served }: Serving): StartKeys {
  return {
    async claim(token, key, body, run) {
      const digest = createHash('sha256').update(canonicalJson(body)).digest('hex');
      return (await served.add(run, { ...defaultOrder, tenant: token, key, digest, by: token })).run;
    },
    withdraw: (_token, _key, run) => served.withdraw(run),
  };
}
