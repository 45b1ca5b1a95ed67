// A run that this process drives, and the calls that wait for it.
//
// B1. A call waits for a bounded time. The run goes on after that.
// B2. A call that is taken back leaves the others alone: while another one waits, the run goes on. The last one to be taken
//     back stops the run where it is.
// B3. Each call hears of progress while it waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { TechneError } from '../base/error.ts';
import { RunDetachedError } from '../run/drive/drive.ts';
import type { OnRunEvent, RunEvent } from '../run/events.ts';
import type { RunResult } from '../run/result/result.ts';

export interface Waiter {
  /** The client takes the call back. */
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
}

export interface WaitOptions {
  readonly waitMs: number;
  /** Whether taking the call back can stop the run (B2): looking at it cannot. Default: true. */
  readonly stops?: boolean;
}

export class RunJob {
  readonly skill: string;
  readonly ended: Promise<RunResult>;
  /** null until it has begun. */
  run: string | null;
  readonly #abort = new AbortController();
  readonly #waiters = new Set<Waiter>();

  /** `first`: who waits from the beginning, so that it misses nothing. `onStarted` is told the name of a new run. */
  constructor(
    skill: string,
    run: string | null,
    first: Waiter,
    onStarted: (run: string) => void,
    begin: (options: { readonly detach: AbortSignal; readonly onEvent: OnRunEvent }) => Promise<RunResult>,
  ) {
    this.skill = skill;
    this.run = run;
    this.#waiters.add(first);
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'run.started' && event.parent === null && this.run === null) {
        this.run = event.run;
        onStarted(event.run);
      }
      for (const waiter of this.#waiters) waiter.onEvent(event);
    };
    this.ended = begin({ detach: this.#abort.signal, onEvent });
  }

  /** It is being stopped, and will have ended soon. */
  get isLeaving(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Stops it where it is. */
  leave(): void {
    this.#abort.abort();
  }

  /** `null` when it still goes on (B1). Throws RUN_UNFINISHED when the call is taken back, or the run was stopped. */
  async wait(waiter: Waiter, { waitMs, stops = true }: WaitOptions): Promise<RunResult | null> {
    this.#waiters.add(waiter);
    const done = new AbortController();
    let takeBack: () => void = () => {};
    const takenBack = new Promise<never>((_, reject) => {
      takeBack = () => {
        this.#waiters.delete(waiter);
        // B2: whoever is the last one hears of the end of the run itself.
        if (stops && this.#waiters.size === 0) this.leave();
        else reject(goesOn(this.run));
      };
    });
    takenBack.catch(() => undefined);
    waiter.signal.addEventListener('abort', takeBack);
    if (waiter.signal.aborted) takeBack();
    const late = (async () => {
      await sleep(waitMs, undefined, { signal: done.signal });
      // Without its name nobody could ask for it.
      while (this.run === null) await sleep(100, undefined, { signal: done.signal });
      return null;
    })();
    late.catch(() => undefined);
    try {
      return await Promise.race([this.ended, late, takenBack]);
    } catch (error) {
      if (error instanceof RunDetachedError) throw wasLetGo(this.run);
      throw error;
    } finally {
      done.abort();
      waiter.signal.removeEventListener('abort', takeBack);
      this.#waiters.delete(waiter);
    }
  }
}

function goesOn(run: string | null): TechneError {
  return new TechneError(
    'RUN_UNFINISHED',
    `the call was taken back; ${run === null ? 'its run' : `run ${run}`} goes on for others`,
  );
}

function wasLetGo(run: string | null): TechneError {
  if (run === null) return new TechneError('RUN_UNFINISHED', 'the call was taken back before its run began');
  return new TechneError(
    'RUN_UNFINISHED',
    `run ${run} was stopped when the last call that waited for it was taken back; it is left as it is`,
    { hint: `to go on, call run_answer with {"run": "${run}"}` },
  );
}
