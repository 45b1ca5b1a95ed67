// Makes an Abort, since the core has no AbortController.
import type { Abort } from '../base/abort.ts';

export class AbortSource {
  readonly signal: Abort;
  readonly #listeners = new Set<() => void>();
  readonly #parent: Abort | null;
  #aborted = false;
  #reason: unknown = undefined;

  /** Aborts with `parent` too, until it is closed. */
  constructor(parent: Abort | null = null) {
    // A view of the private state: whoever holds the signal cannot abort it.
    const isAborted = (): boolean => this.#aborted;
    const why = (): unknown => this.#reason;
    const listeners = this.#listeners;
    this.signal = {
      get aborted() {
        return isAborted();
      },
      get reason() {
        return why();
      },
      addEventListener: (_type, listener) => {
        listeners.add(listener);
      },
      removeEventListener: (_type, listener) => {
        listeners.delete(listener);
      },
    };
    this.#parent = parent;
    if (parent === null) return;
    if (parent.aborted) this.abort(parent.reason);
    else parent.addEventListener('abort', this.#onParent);
  }

  readonly #onParent = (): void => this.abort(this.#parent?.reason);

  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    this.close();
    for (const listener of listeners) listener();
  }

  /** Listens to the parent no longer. */
  close(): void {
    this.#parent?.removeEventListener('abort', this.#onParent);
  }
}
