// Work that may be stopped -> the same, which has an end.
//
// T1. The timer is one of the event loop's own, cleared when the work is over. `AbortSignal.any` holds its sources weakly on
//     Node 20: after a garbage collection a limit of `AbortSignal.timeout` inside it never comes.
// T2. Nobody waits longer than the limit or the first abort, also where the work does not hear its signal.
// T3. No listener is left behind.
import type { Abort } from '../base/abort.ts';
import { untilAborted } from '../base/abort.ts';

interface TimeLimit {
  readonly timeoutMs: number;
  /** Whoever may stop it. The first reason counts. */
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
  // T1.
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
