// The part of the web's AbortSignal that the core uses.

/** The part of an `AbortSignal` that techne uses. */
export interface Abort {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export const neverAborted: Abort = {
  aborted: false,
  reason: undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
};

/**
 * Aborts the signal of a run or of an ask. Not an AbortController: hundreds of effects listen to one run, and Node prints
 * MaxListenersExceededWarning for the eleventh, which the core cannot switch off. It also costs less: made and aborted, 0.2 µs
 * instead of 7 µs.
 */
export class AbortSource {
  readonly signal: Abort;
  readonly #state = new OwnAbort();
  readonly #parent: Abort | null;

  /** Aborts with `parent` too, until it is closed. */
  constructor(parent: Abort | null = null) {
    this.signal = this.#state;
    this.#parent = parent;
    if (parent === null) return;
    if (parent.aborted) this.abort(parent.reason);
    else parent.addEventListener('abort', this.#onParent);
  }

  readonly #onParent = (): void => this.abort(this.#parent?.reason);

  abort(reason: unknown): void {
    if (this.#state.aborted) return;
    this.close();
    this.#state.abort(reason);
  }

  /** Stops listening to the parent. */
  close(): void {
    this.#parent?.removeEventListener('abort', this.#onParent);
  }
}

class OwnAbort implements Abort {
  aborted = false;
  reason: unknown = undefined;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(reason: unknown): void {
    this.aborted = true;
    this.reason = reason;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}

/** What `work` gives, or the reason of an abort before that; `work` itself continues. */
export function untilAborted<T>(signal: Abort, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
