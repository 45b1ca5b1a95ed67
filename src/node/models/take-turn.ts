// A conversation -> one turn of the model, with retries.
//
// Temporary failures are retried a bounded number of times; if a server asks for a longer wait than `maxWaitMs`, the
// turn fails. A refused connection is retried once, soon. A stream that is silent for `idleMs` is given up, and an
// abort ends the request itself. A turn is complete or it failed: nothing of a cut stream is used.
import type { Abort } from '../../base/abort.ts';
import { TooLong } from '../../ports/model.ts';
import type { CallOptions, LanguageModel } from './providers.ts';
import type { EndpointFacts } from './turn-fault.ts';
import { BrokenStream, turnFaultOf } from './turn-fault.ts';
import type { RawTurn } from './turn-parts.ts';
import { TurnParts } from './turn-parts.ts';

export interface Timing {
  readonly nowMs: () => number;
  /** Rejects soon after the signal aborts. Keeps the process alive. */
  readonly sleep: (ms: number, signal: Abort) => Promise<void>;
  /** Calls `task` once after `ms`. */
  readonly after: (ms: number, task: () => void) => { cancel(): void };
}

export interface TryLimits {
  readonly tries: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  readonly idleMs: number;
}

export const defaultTryLimits: TryLimits = {
  tries: 4,
  firstWaitMs: 1000,
  maxWaitMs: 60_000,
  idleMs: 120_000,
};

/** The wait before the one retry of a refused connection. */
const refusedTries = 2;
const refusedWaitMs = 250;

interface TurnAttempt {
  readonly model: LanguageModel;
  readonly endpoint: EndpointFacts;
  readonly options: Omit<CallOptions, 'abortSignal'>;
  readonly signal: Abort;
  readonly onText: (text: string) => void;
  readonly timing: Timing;
  readonly limits: TryLimits;
}

export async function takeTurn(call: TurnAttempt): Promise<RawTurn> {
  const { endpoint, signal, timing, limits, onText } = call;
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) throw new Error('stopped');
    const told = { something: false };
    try {
      return await tryTurn({
        ...call,
        onText: (text) => {
          told.something = true;
          onText(text);
        },
      });
    } catch (error) {
      if (signal.aborted) throw new Error('stopped', { cause: error });
      const fault = turnFaultOf(error, endpoint, timing.nowMs());
      const isRefused = fault.isRefused === true;
      const waitMs =
        fault.retryAfterMs ??
        Math.min(limits.maxWaitMs, isRefused ? refusedWaitMs : limits.firstWaitMs * 2 ** (attempt - 1));
      if (fault.isTooLong === true) throw new TooLong(fault.message, { cause: error });
      if (!fault.retryable) throw new Error(fault.message, { cause: error });
      if (waitMs > limits.maxWaitMs)
        throw new Error(
          `${fault.message} (it asks to wait ${Math.ceil(waitMs / 1000)} s, over the ${Math.floor(limits.maxWaitMs / 1000)} s that are waited)`,
          { cause: error },
        );
      if (attempt >= (isRefused ? Math.min(refusedTries, limits.tries) : limits.tries))
        throw new Error(`${fault.message} (tried ${attempt} times)`, { cause: error });
      if (told.something) onText('\n[the answer broke off and is asked for again]\n');
      await timing.sleep(waitMs, signal);
    }
  }
}

async function tryTurn({ model, options, signal, onText, timing, limits }: TurnAttempt): Promise<RawTurn> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(new Error('stopped'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  const idle = new IdleTimer(timing, limits.idleMs, (error) => stop.abort(error));
  try {
    const { stream } = await untilAborted(
      Promise.resolve(model.doStream({ ...options, abortSignal: stop.signal })),
      stop.signal,
    );
    const reader = stream.getReader();
    const parts = new TurnParts(model.modelId, onText);
    try {
      for (;;) {
        idle.restart();
        const { done, value } = await untilAborted(reader.read(), stop.signal);
        if (done) return parts.finished();
        parts.add(value);
      }
    } finally {
      // The request is closed with it, so its own error no longer matters.
      await reader.cancel().catch(() => undefined);
    }
  } finally {
    idle.stop();
    signal.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

/** Some streams do not notice an abort until something comes. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

class IdleTimer {
  readonly #timing: Timing;
  readonly #ms: number;
  readonly #giveUp: (error: Error) => void;
  #timer: { cancel(): void } | null = null;

  constructor(timing: Timing, ms: number, giveUp: (error: Error) => void) {
    this.#timing = timing;
    this.#ms = ms;
    this.#giveUp = giveUp;
    this.restart();
  }

  restart(): void {
    this.#timer?.cancel();
    this.#timer = this.#timing.after(this.#ms, () =>
      this.#giveUp(new BrokenStream(`nothing came for ${Math.round(this.#ms / 1000)} s`)),
    );
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
