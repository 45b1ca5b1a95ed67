// Time, as a run sees it. The core reads clocks and sets timers only through this port.
//
// `nowMs` is the time that entries record; durations are measured with `monotonicMs`, which never goes back.

/**
 * `wait`: the run itself waits, and goes on then; so the process stays alive. `limit` (the default): something may take only
 * so long; that alone keeps no process alive.
 */
export type TimerPurpose = 'wait' | 'limit';

/** The clock and the timers of runs. */
export interface RunClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** How far the local time is ahead of UTC at this moment, in minutes. Default: it is UTC. */
  utcOffsetMinutes?(atMs: number): number;
  /** Milliseconds since some moment of this process. */
  monotonicMs(): number;
  /** Calls `task` once after `ms`; the handle cancels it. */
  after(ms: number, task: () => void, purpose?: TimerPurpose): { cancel(): void };
  /** Resolves when the rest of the process (timers, sockets, files) has had its turn. */
  yieldTurn(): Promise<void>;
}
