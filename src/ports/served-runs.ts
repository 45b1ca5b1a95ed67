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
  /** It has ended, and no worker needs to look at it again. */
  readonly isDone: boolean;
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

/** A queued run that one worker begins. */
export interface TakenRun {
  readonly run: string;
  /** Its epoch when it was queued, and the number of its kick. */
  readonly epoch: number;
  readonly kick: number;
  readonly deaths: number;
}

/** What a limit is for: all runs of a store (of a tenant), those of a queue, those of a skill. */
export type LimitKind = 'all' | 'queue' | 'skill';

/** Of the runs that workers drive. A run that waits for a person is not driven, and needs no place. */
export interface RunLimit {
  readonly kind: LimitKind;
  /** Of the queue or the skill; empty for all. */
  readonly name: string;
  /** Runs at a time on all workers; `null`: any number, 0: none. */
  readonly concurrency: number | null;
  /** Runs that begin in any period of this length. A run that continues does not begin again. */
  readonly rate: { readonly runs: number; readonly seconds: number } | null;
}

export interface LimitState extends RunLimit {
  /** Runs that it counts now: driven, and begun in the period. */
  readonly driven: number;
  readonly begun: number;
  /** Queued runs that it is for. */
  readonly queued: number;
}

/** Why a queued run has not begun. */
export type Wait =
  | { readonly reason: 'limit'; readonly limit: LimitState }
  /** No worker that lives takes runs of its queue. */
  | { readonly reason: 'worker'; readonly queue: string }
  /** Workers have no free place. `ahead`: queued runs of the queue before it. */
  | { readonly reason: 'place'; readonly queue: string; readonly ahead: number };

/** A run that has not ended by its deadline. */
export interface LateRun {
  readonly run: string;
  readonly deadlineAt: number;
}

/** A process that drives runs, or did. */
export interface WorkerState {
  readonly id: string;
  readonly described: string;
  readonly isAlive: boolean;
  readonly runs: number;
  /** The queues that it takes runs from; `null` for a process that takes none. */
  readonly queues: readonly string[] | null;
}

export interface ServedRuns {
  /** Enters a run that is about to be made. With a key that is known it gives the run of that key instead. Throws KEY_REUSED. */
  add(run: string, order: Order): Promise<{ readonly run: string; readonly isNew: boolean }>;
  /** Takes back what `add` entered, where the run was not made. */
  withdraw(run: string): Promise<void>;
  /** `null`: it was not started over a server. */
  find(run: string): Promise<ServedRun | null>;
  /** Also looks whether runs that are parked have news that no one told: at some of them, with every call at others. */
  due(limit: number): Promise<readonly DueRun[]>;
  /** This run, if it is due. */
  dueOf(run: string): Promise<DueRun | null>;
  /** Whether the caller is the one who queues it; the number makes the kick unique. Counts the death of the owner. */
  kicked(due: DueRun): Promise<{ readonly kick: number; readonly deaths: number } | null>;
  /**
   * Queued runs of these queues that no worker has begun and no limit holds back, the most urgent first. Each is given to one
   * caller, which holds its place under the limits until the run is parked, done, held, postponed, queued anew or left.
   * `isLimited`: others are left that a limit holds back.
   */
  take(
    queues: readonly string[],
    most: number,
  ): Promise<{ readonly taken: readonly TakenRun[]; readonly isLimited: boolean }>;
  /** Another process drives it: the place of this one is free. */
  leave(run: string): Promise<void>;
  /** Frees the places of processes that are dead, and of this one where it drives none of these runs. They are due again. */
  freePlaces(active: readonly string[]): Promise<void>;
  /** By kind and name. */
  limits(): Promise<readonly LimitState[]>;
  /** Those of these runs that workers are to drive, as far as they wait for nothing else. */
  forWorkers(runs: readonly string[]): Promise<ReadonlySet<string>>;
  /** `null`: it is not queued. */
  waitOf(run: string): Promise<Wait | null>;
  /** The kick of this run was lost: it is due again. */
  unkick(runs: readonly string[]): Promise<void>;
  /** It is due again, but not before some time. */
  postpone(run: string, seconds: number): Promise<void>;
  /** It waits for an answer or a decision. It is due again when its journal, or that of a run inside of it, has news. */
  park(run: string): Promise<void>;
  /** It has ended. */
  done(run: string): Promise<void>;
  /** Enters it where that was not done yet. The first deadline of a run counts. */
  deadline(run: string, seconds: number): Promise<void>;
  /** Runs that should have ended by now, each for this worker alone for a minute. */
  late(limit: number): Promise<readonly LateRun[]>;
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
