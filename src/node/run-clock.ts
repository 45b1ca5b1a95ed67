// The clock of this machine, as a run sees it.
import type { RunClock } from '../ports/run-clock.ts';

export const nodeRunClock: RunClock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, task, purpose = 'limit') {
    // Longer than a timer can be set for means: never, in the life of a process.
    const timer = setTimeout(task, Math.min(ms, 2 ** 31 - 1));
    if (purpose === 'limit') timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
};
