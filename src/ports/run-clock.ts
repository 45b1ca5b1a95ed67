// Time, as a run sees it.
//
// T1. Nothing in the core reads a clock or sets a timer but through this.
// T2. `nowMs` is what entries say; `monotonicMs` is what durations are measured with, and never goes back.

/**
 * `wait`: the run itself waits, and goes on then; so the process stays alive. `limit` (the default): something may take only
 * so long; that alone keeps no process alive.
 */
export type TimerPurpose = 'wait' | 'limit';

/** The clock and the timers of runs. */
export interface RunClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Milliseconds since some moment of this process. */
  monotonicMs(): number;
  /** Calls `task` once after `ms`; the handle cancels it. */
  after(ms: number, task: () => void, purpose?: TimerPurpose): { cancel(): void };
  /** Resolves when the rest of the process (timers, sockets, files) has had its turn. */
  yieldTurn(): Promise<void>;
}
