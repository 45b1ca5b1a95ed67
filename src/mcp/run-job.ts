// A run that this process drives, and the calls that wait for it.
//
// A call waits for a limited time; the run continues after that. A cancelled call does not affect other calls that wait for the
// run; when the last one is cancelled, this process detaches from the run. Each call gets progress while it waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { TechneError } from '../base/error.ts';
import { RunDetachedError } from '../run/drive/drive.ts';
import type { OnRunEvent, RunEvent } from '../run/events.ts';
import type { RunResult } from '../run/result/result.ts';
import type { OwnRuns } from '../techne/own-runs.ts';

export interface Waiter {
  /** The client cancels the call. */
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
}

interface WaitOptions {
  readonly waitMs: number;
  /** Whether cancelling the call can stop the run; a status request cannot. Default: true. */
  readonly stops?: boolean;
}

export class RunJob {
  readonly skill: string;
  readonly ended: Promise<RunResult>;
  /** null until it has started. */
  run: string | null;
  readonly #abort = new AbortController();
  readonly #waiters = new Set<Waiter>();

  /** `first`: the call that waits from the start and gets all progress. `own`: of its caller. */
  constructor(
    skill: string,
    run: string | null,
    first: Waiter,
    own: OwnRuns,
    begin: (options: { readonly detach: AbortSignal; readonly onEvent: OnRunEvent }) => Promise<RunResult>,
  ) {
    this.skill = skill;
    this.run = run;
    this.#waiters.add(first);
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'run.started' && event.parent === null && this.run === null) {
        this.run = event.run;
        own.add(event.run);
      }
      if (event.type === 'question.asked') own.addQuestion(event.id);
      for (const waiter of this.#waiters) waiter.onEvent(event);
    };
    this.ended = begin({ detach: this.#abort.signal, onEvent });
  }

  /** It is being stopped and ends soon. */
  get isDetaching(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Stops it and leaves the run resumable. */
  detach(): void {
    this.#abort.abort();
  }

  /** `null` if the run is still running after the time limit. Throws RUN_UNFINISHED if the call is cancelled or the run stopped. */
  async wait(waiter: Waiter, { waitMs, stops = true }: WaitOptions): Promise<RunResult | null> {
    this.#waiters.add(waiter);
    const done = new AbortController();
    let onCancel: () => void = () => {};
    const cancelled = new Promise<never>((_, reject) => {
      onCancel = () => {
        this.#waiters.delete(waiter);
        // The last call waits for the end of the stopped run.
        if (stops && this.#waiters.size === 0) this.detach();
        else reject(callCancelled(this.run));
      };
    });
    cancelled.catch(() => undefined);
    waiter.signal.addEventListener('abort', onCancel);
    if (waiter.signal.aborted) onCancel();
    const late = (async () => {
      await sleep(waitMs, undefined, { signal: done.signal });
      // Without its id, a caller could not ask for the run.
      while (this.run === null) await sleep(100, undefined, { signal: done.signal });
      return null;
    })();
    late.catch(() => undefined);
    try {
      return await Promise.race([this.ended, late, cancelled]);
    } catch (error) {
      if (error instanceof RunDetachedError) throw runDetached(this.run);
      throw error;
    } finally {
      done.abort();
      waiter.signal.removeEventListener('abort', onCancel);
      this.#waiters.delete(waiter);
    }
  }
}

function callCancelled(run: string | null): TechneError {
  return new TechneError(
    'RUN_UNFINISHED',
    `the call was cancelled; ${run === null ? 'its run' : `run ${run}`} continues for other calls`,
  );
}

function runDetached(run: string | null): TechneError {
  if (run === null) return new TechneError('RUN_UNFINISHED', 'the call was cancelled before its run started');
  return new TechneError(
    'RUN_UNFINISHED',
    `run ${run} was stopped when the last call that waited for it was cancelled; it can be resumed`,
    { hint: `to resume, call run_answer with {"run": "${run}"}` },
  );
}
