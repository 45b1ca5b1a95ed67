// Who drives runs that were submitted: this process, a bounded number at once; the others wait in order.
//
//   submit(run) -> resume, here
//
// A run is durable before it is submitted, so nothing is lost with the queue: a run that was never driven counts as interrupted, and
// `resume` submits it again. Workers on other machines come in as another `Dispatcher`.
import { setMaxListeners } from 'node:events';
import { TechneError } from '../base/error.ts';
import { settledWithin } from '../base/settled-within.ts';
import { nodeRunClock } from '../node/environment.ts';
import type { RunStops } from '../run/drive/drive.ts';
import { RunDetachedError } from '../run/drive/drive.ts';
import type { RunResult } from '../run/result/result.ts';

/** Takes runs that are to be driven. */
export interface Dispatcher {
  /** Drives the run when there is room; again after it, if it is being driven. Throws OVERLOADED. */
  submit(run: string): void;
  /** `null`: nothing is known of it here. */
  stateOf(run: string): 'queued' | 'running' | null;
  /** Why the run was not driven to a pause or an end the last time, where that is known. */
  faultOf(run: string): TechneError | null;
  /** Of a run that no process drives: whether workers will take it, or why not. `null`: nothing but a resume drives it. */
  standingOf?(
    run: string,
  ): Promise<{ readonly held: string | null; readonly waitsFor: string | null } | null>;
  /** Those of these runs that no process drives and that workers will take. Not there: none. */
  forWorkers?(runs: readonly string[]): Promise<ReadonlySet<string>>;
  /** Before the run is made: it is ended if it has not ended by then. Not there: this dispatcher cannot. */
  deadline?(run: string, seconds: number): Promise<void>;
  /** Whether runs are driven elsewhere, so that what they need travels with them. Default: false. */
  readonly travels?: boolean;
  /** Resolves when nothing is known of it any more. */
  settled(run: string): Promise<void>;
  counts(): { readonly queued: number; readonly running: number };
  /** Throws OVERLOADED where a run could not be submitted. */
  mustHaveRoom(): void;
  /**
   * Takes and begins nothing more. The effects under way get `graceMs` to end; then every run is detached. Those that wait stay
   * interrupted.
   */
  drain(graceMs: number): Promise<void>;
}

export interface LocalDispatcherOptions {
  /** Drives a run until it ends or pauses, or is stopped. */
  readonly resume: (run: string, stops: RunStops) => Promise<RunResult>;
  readonly concurrency: number;
  /** How many may wait. */
  readonly maxQueued: number;
  readonly onEnded: (status: RunResult['status'] | 'detached' | 'fault') => void;
  readonly onBug: (error: unknown) => void;
}

/** An owner that only sends a message is gone after moments. */
const [ownedTries, ownedWaitMs] = [10, 100];
const maxFaults = 1_000;

export class LocalDispatcher implements Dispatcher {
  readonly #options: LocalDispatcherOptions;
  readonly #queue = new Set<string>();
  readonly #running = new Map<string, { again: boolean; readonly work: Promise<void> }>();
  readonly #faults = new Map<string, TechneError>();
  readonly #waiters = new Map<string, Set<() => void>>();
  readonly #stop = new AbortController();
  readonly #detach = new AbortController();

  constructor(options: LocalDispatcherOptions) {
    this.#options = options;
    // As many listen as there are runs.
    setMaxListeners(0, this.#stop.signal, this.#detach.signal);
  }

  submit(run: string): void {
    const active = this.#running.get(run);
    if (active !== undefined) {
      active.again = true;
      return;
    }
    if (!this.#queue.has(run)) this.mustHaveRoom();
    this.#queue.add(run);
    this.#pump();
  }

  stateOf(run: string): 'queued' | 'running' | null {
    return this.#running.has(run) ? 'running' : this.#queue.has(run) ? 'queued' : null;
  }

  faultOf(run: string): TechneError | null {
    return this.#faults.get(run) ?? null;
  }

  settled(run: string): Promise<void> {
    if (this.stateOf(run) === null) return Promise.resolve();
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(run) ?? new Set();
      this.#waiters.set(run, waiters.add(resolve));
    });
  }

  counts(): { readonly queued: number; readonly running: number } {
    return { queued: this.#queue.size, running: this.#running.size };
  }

  mustHaveRoom(): void {
    if (this.#stop.signal.aborted) throw overloaded('the server is stopping');
    if (this.#queue.size >= this.#options.maxQueued)
      throw overloaded(`${this.#queue.size} runs wait already`);
  }

  async drain(graceMs: number): Promise<void> {
    this.#stop.abort();
    const waiting = [...this.#queue];
    this.#queue.clear();
    for (const run of waiting) this.#tell(run);
    const ended = Promise.all([...this.#running.values()].map(({ work }) => work));
    if (!(await settledWithin(nodeRunClock, graceMs, ended))) this.#detach.abort();
    await ended;
  }

  #pump(): void {
    const { concurrency } = this.#options;
    for (const run of this.#queue) {
      if (this.#running.size >= concurrency || this.#stop.signal.aborted) return;
      this.#queue.delete(run);
      // The map has it before the work begins, which may end at once.
      const work = Promise.resolve().then(() => this.#drive(run));
      this.#running.set(run, { again: false, work });
    }
  }

  async #drive(run: string): Promise<void> {
    this.#faults.delete(run);
    try {
      const { status } = await this.#resume(run);
      this.#options.onEnded(status);
    } catch (error) {
      if (error instanceof RunDetachedError) this.#options.onEnded('detached');
      else {
        this.#options.onEnded('fault');
        if (error instanceof TechneError) this.#keepFault(run, error);
        else this.#options.onBug(error);
      }
    }
    const again = this.#running.get(run)?.again === true && !this.#stop.signal.aborted;
    this.#running.delete(run);
    if (again) this.#queue.add(run);
    else this.#tell(run);
    this.#pump();
  }

  async #resume(run: string): Promise<RunResult> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#options.resume(run, { drain: this.#stop.signal, detach: this.#detach.signal });
      } catch (error) {
        const isOwned = error instanceof TechneError && error.code === 'RUN_OWNED';
        if (!isOwned || tries === ownedTries) throw error;
        await new Promise<void>((resolve) => nodeRunClock.after(ownedWaitMs, resolve, 'wait'));
      }
    }
  }

  #keepFault(run: string, error: TechneError): void {
    this.#faults.set(run, error);
    for (const oldest of this.#faults.keys()) {
      if (this.#faults.size <= maxFaults) break;
      this.#faults.delete(oldest);
    }
  }

  #tell(run: string): void {
    for (const resolve of this.#waiters.get(run) ?? []) resolve();
    this.#waiters.delete(run);
  }
}

function overloaded(why: string): TechneError {
  return new TechneError('OVERLOADED', why, { hint: 'try again later' });
}
