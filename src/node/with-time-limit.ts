// Adds a time limit to work that takes an abort signal.
//
// with-time-limit#T1. The limit is a plain timer, cleared when the work ends. `AbortSignal.any` holds its sources
//     weakly on Node 20: after a garbage collection an `AbortSignal.timeout` inside it never fires.
// with-time-limit#T2. The caller waits no longer than the limit or the first abort, even if the work ignores its
//     signal.
// with-time-limit#T3. All listeners are removed.
import type { Abort } from '../base/abort.ts';
import { untilAborted } from '../base/abort.ts';

interface TimeLimit {
  readonly timeoutMs: number;
  /** Each can stop the work. The first reason counts. */
  readonly signals: readonly Abort[];
}

/** Rejects with a DOMException named `TimeoutError` when the time is over, and with its reason after an abort. */
export async function withTimeLimit<T>(
  { timeoutMs, signals }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stops = signals.map((signal) => ({ signal, stop: (): void => controller.abort(signal.reason) }));
  for (const { signal, stop } of stops) {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  }
  // Not AbortSignal.timeout (with-time-limit#T1).
  const timer = setTimeout(
    () => controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    controller.signal.throwIfAborted();
    return await untilAborted(controller.signal, work(controller.signal));
  } finally {
    clearTimeout(timer);
    for (const { signal, stop } of stops) signal.removeEventListener('abort', stop);
  }
}
