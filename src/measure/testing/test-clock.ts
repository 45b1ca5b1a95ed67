// The clock of tests: it skips waits, and advances the time by what they would have taken.
//
// With a moment of the test it stands still there, but for the waits that it skips, and its offset is the local time.
// A wait of a run ends as soon as nothing else happens, so waits end in their order on every machine, and a limit that
// would be reached first is reached first. Limits also hold in real time, for code that never ends.
import { nodeRunClock } from '../../node/environment.ts';
import type { RunClock, TimerPurpose } from '../../ports/run-clock.ts';

interface Timer {
  /** By the time that was skipped, so that it does not depend on the machine. */
  readonly dueMs: number;
  readonly purpose: TimerPurpose;
  readonly fire: () => void;
}

/** Turns of the process in which nothing happens. */
const quietTurns = 3;

/** A moment, and how far the local time is ahead of UTC there. */
export interface TestMoment {
  readonly atMs: number;
  readonly offsetMinutes: number;
}

export class TestClock implements RunClock {
  readonly #moment: TestMoment | null;
  readonly #timers = new Set<Timer>();
  #skippedMs = 0;
  /** What is under way in the world outside: files that are read, turns that were given away. */
  #busy = 0;
  #isSkipping = false;

  /** Without a moment it is as late as it is. */
  constructor(moment: TestMoment | null = null) {
    this.#moment = moment;
  }

  nowMs(): number {
    return (this.#moment?.atMs ?? nodeRunClock.nowMs()) + this.#skippedMs;
  }

  utcOffsetMinutes(atMs: number): number {
    return this.#moment?.offsetMinutes ?? nodeRunClock.utcOffsetMinutes?.(atMs) ?? 0;
  }

  monotonicMs(): number {
    return nodeRunClock.monotonicMs() + this.#skippedMs;
  }

  after(ms: number, task: () => void, purpose: TimerPurpose = 'limit'): { cancel(): void } {
    const fire = (): void => {
      if (!this.#timers.delete(timer)) return;
      real?.cancel();
      task();
    };
    const timer: Timer = { dueMs: this.#skippedMs + ms, purpose, fire };
    const real = purpose === 'limit' ? nodeRunClock.after(ms, fire) : null;
    this.#timers.add(timer);
    if (purpose === 'wait') void this.#skip();
    return {
      cancel: () => {
        this.#timers.delete(timer);
        real?.cancel();
      },
    };
  }

  yieldTurn(): Promise<void> {
    return this.during(nodeRunClock.yieldTurn());
  }

  /** No wait is over before `work` is. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work;
    } finally {
      this.#busy -= 1;
    }
  }

  async #skip(): Promise<void> {
    if (this.#isSkipping) return;
    this.#isSkipping = true;
    for (;;) {
      await this.#untilQuiet();
      const timers = [...this.#timers];
      if (!timers.some(({ purpose }) => purpose === 'wait')) break;
      const next = timers.reduce((first, timer) => (timer.dueMs < first.dueMs ? timer : first));
      this.#skippedMs = Math.max(this.#skippedMs, next.dueMs);
      next.fire();
    }
    this.#isSkipping = false;
  }

  async #untilQuiet(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns;) {
      const before = this.#busy;
      await nodeRunClock.yieldTurn();
      quiet = before + this.#busy > 0 ? 0 : quiet + 1;
    }
  }
}
