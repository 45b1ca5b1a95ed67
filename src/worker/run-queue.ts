// The queue of runs for workers: the seam to the engine that dispatches them.
//
//   a kick -> resume the run on one of the workers that listen
//
// A kick carries nothing but the name of the run: what is done and what is left is in its journal. It may come twice or
// late, and it may get lost with its worker: the store of runs decides who drives a run, and workers find what needs a kick.

export interface Kick {
  readonly run: string;
  /** Unique: the run, its epoch and the number of the kick. */
  readonly id: string;
  readonly queue: string;
  readonly priority: number;
  readonly delaySeconds?: number;
}

/** Queues runs. */
export interface Dispatcher {
  /** A run that is queued already, or is worked on, is not queued twice. */
  enqueue(kick: Kick): Promise<void>;
  close(): Promise<void>;
}

/** Gives queued runs to workers. */
export interface RunQueue extends Dispatcher {
  /** Calls `work` with runs, at most as many at a time as the worker said. `work` must not throw. */
  listen(work: (run: string) => Promise<void>): Promise<void>;
  /** Frees the places that workers held which do not live. Who lives is asked after who holds a place. Gives their runs. */
  free(living: () => Promise<ReadonlySet<string>>): Promise<readonly string[]>;
  /** These kicks need not be given to a worker any more. */
  forget(kicks: readonly string[]): Promise<void>;
  /** Removes kicks that were over long ago. */
  tidy(): Promise<void>;
}

/** Names of queues: they are part of what workers are told, and of what people type. */
export const queueName = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** Unique for each time that a run is queued. */
export function kickId(run: string, epoch: number, kick: number): string {
  return `${run}:${epoch}:${kick}`;
}
