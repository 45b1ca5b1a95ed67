// Waits for work, but only so long: what stops a process gives the work under way some time, and no more.

/** What is needed of a clock. */
interface Timers {
  after(ms: number, task: () => void, purpose: 'wait'): { cancel(): void };
}

/** Whether `work` settled within `ms`. Does not throw what it throws. */
export async function settledWithin(clock: Timers, ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: { cancel(): void } | null = null;
  const late = new Promise<boolean>((resolve) => {
    timer = clock.after(ms, () => resolve(false), 'wait');
  });
  const settled = (): boolean => true;
  try {
    return await Promise.race([work.then(settled, settled), late]);
  } finally {
    (timer as { cancel(): void } | null)?.cancel();
  }
}
