// Runs that a server took on and that workers drive: which of them need a worker now, and which wait for a person.
//
// A run is entered before it is made, so that a crash between the two loses nothing. `due` says which runs have something to
// do and no living owner; `kicked` lets exactly one process queue each of them. A run whose owners died three times
// without finishing an effect between is held: it is not tried again before a person releases it.

/** How a run is queued. */
export interface Order {
  readonly queue: string;
  /** Smaller is earlier. */
  readonly priority: number;
  /** Whose run it is, for limits and for what tokens may see. `null`: of no one in particular. */
  readonly tenant: string | null;
  /** Of the request that started it: the same key gives the same run. */
  readonly key: string | null;
  /** Of the content of that request: another content under the same key is refused. */
  readonly digest: string | null;
  /** Who asked for it, by name. */
  readonly by: string | null;
}

export interface ServedRun extends Order {
  readonly run: string;
  /** Owners that died in a row without finishing an effect. */
  readonly deaths: number;
  /** Why it is not tried again; `null` if it is. */
  readonly held: string | null;
}

/** A run that needs a worker. */
export interface DueRun {
  readonly run: string;
  readonly queue: string;
  readonly priority: number;
  readonly epoch: number;
  /** The worker that died while it drove the run. */
  readonly deadOwner: string | null;
}

/** A process that drives runs, or did. */
export interface WorkerState {
  readonly id: string;
  readonly described: string;
  readonly isAlive: boolean;
  readonly runs: number;
}

export interface ServedRuns {
  /** Enters a run that is about to be made. With a key that is known it gives the run of that key instead. Throws KEY_REUSED. */
  add(run: string, order: Order): Promise<{ readonly run: string; readonly isNew: boolean }>;
  /** Takes back what `add` entered, where the run was not made. */
  withdraw(run: string): Promise<void>;
  /** `null`: it was not started over a server. */
  find(run: string): Promise<ServedRun | null>;
  due(limit: number): Promise<readonly DueRun[]>;
  /** This run, if it is due. */
  dueOf(run: string): Promise<DueRun | null>;
  /** Whether the caller is the one who queues it; the number makes the kick unique. Counts the death of the owner. */
  kicked(due: DueRun): Promise<{ readonly kick: number; readonly deaths: number } | null>;
  /** The kick of this run was lost: it is due again. */
  unkick(runs: readonly string[]): Promise<void>;
  /** It is due again, but not before some time. */
  postpone(run: string, seconds: number): Promise<void>;
  /** It waits for an answer or a decision. It is due again when its journal, or that of a run inside of it, has news. */
  park(run: string): Promise<void>;
  /** It has ended. */
  done(run: string): Promise<void>;
  hold(run: string, reason: string): Promise<void>;
  /** Throws RUN_UNKNOWN. Its deaths are forgotten. */
  release(run: string): Promise<void>;
  held(): Promise<readonly ServedRun[]>;
  workers(): Promise<readonly WorkerState[]>;
  /** Tells workers that listen that a run was queued. It may get lost. */
  tell(queue: string, run: string): Promise<void>;
  /** Calls back for runs that others queued. */
  listen(onRun: (queue: string, run: string) => void): Promise<{ close(): Promise<void> }>;
}
