// Leaves runs that were submitted to the workers of a shared store, instead of driving them here.
//
//   submit(run) -> entered as served, put in line, told to workers
//
// What is in line is in the store, so nothing is lost with this process: a run that could not be put in line is found by the next
// look of a worker once it is entered. Here is only known which runs this process put in line and no worker has claimed yet. Keys
// of requests are in the same table, before the run is made.
import { createHash } from 'node:crypto';
import { TechneError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { HeldRuns } from '../techne/runs.ts';
import type { Serving } from '../techne/serving.ts';
import { defaultOrder, kickRun, openDispatcherOf } from '../techne/serving.ts';
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

/** Runs that this process watches until a worker has them; more are put in line without being watched. */
const mostWatched = 2_000;

/** `held` is released with the dispatcher. Throws USAGE where runs are kept in files, ENVIRONMENT where the line cannot be used. */
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

  const watch = async (run: string): Promise<void> => {
    if (waiting.has(run) || waiting.size >= mostWatched) return;
    const { length: from } = await store.read(run);
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    const stop = (): void => {
      if (waiting.get(run)?.done !== done) return;
      waiting.delete(run);
      subscription.close();
      end();
    };
    waiting.set(run, { done, end: stop });
    // The first entry is that of the worker that claims it.
    const subscription = store.subscribe(run, from, stop, stop);
  };
  const put = async (run: string): Promise<void> => {
    try {
      await watch(run);
      await serving.served.add(run, defaultOrder);
      const isInLine = await kickRun({ serving, dispatcher: line }, run);
      if (!isInLine) waiting.get(run)?.end();
    } catch (error) {
      waiting.get(run)?.end();
      onFault(
        `run ${run} was not put in line yet: ${error instanceof Error ? error.message : String(error)}`,
      );
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
      stateOf: (run) => (waiting.has(run) ? 'queued' : null),
      faultOf: () => null,
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
  };
}
