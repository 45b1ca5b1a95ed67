// Entries on their way into the journal of one run.
//
//   add, add, … flush -> one append
//
// L1. Entries become durable in the order in which they were added, and none after one that failed.
// L2. One append at a time: what is added meanwhile goes out together with the next one.
// L3. After a fault nothing is written any more; every `flush` rejects with it.
// L4. The fingerprint covers every entry of the engine in order, so that a replay sees a changed, swapped or missing one.
import type { JournalEntry } from '../journal/entry.ts';
import type { Claim, RunStore } from '../journal/run-store.ts';
import type { Sha256 } from '../host/ports/environment.ts';
import { Fingerprint } from './fingerprint.ts';

interface Waiter {
  readonly upTo: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface RunLogOptions {
  readonly store: Pick<RunStore, 'append'>;
  readonly claim: Claim;
  readonly sha256: Sha256;
  readonly yieldTurn: () => Promise<void>;
  /** Those in the journal already. */
  readonly entries: readonly JournalEntry[];
  /** Called once, with the first fault. */
  readonly onFault: (error: Error) => void;
}

export class RunLog {
  readonly #options: RunLogOptions;
  readonly #fingerprint: Fingerprint;
  #pending: JournalEntry[] = [];
  #waiters: Waiter[] = [];
  #seq: number;
  #added = 0;
  #durable = 0;
  #pumping = false;
  #soon = false;
  #fault: Error | null = null;

  constructor(options: RunLogOptions) {
    this.#options = options;
    this.#seq = options.claim.seq;
    this.#fingerprint = new Fingerprint(options.sha256);
    for (const entry of options.entries) this.#fingerprint.add(entry);
  }

  get fault(): Error | null {
    return this.#fault;
  }

  /** Of everything added so far. */
  get fingerprint(): string {
    return this.#fingerprint.value();
  }

  add(entry: JournalEntry): void {
    this.#fingerprint.add(entry);
    this.#pending.push(entry);
    this.#added += 1;
  }

  /** Resolves when everything added so far is durable. */
  flush(): Promise<void> {
    if (this.#fault !== null) return Promise.reject(this.#fault);
    if (this.#durable === this.#added) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ upTo: this.#added, resolve, reject });
      void this.#pump();
    });
  }

  /** For whoever need not wait: written with what is flushed in this turn, or after it. A fault is told to `onFault`. */
  flushSoon(): void {
    if (this.#soon || this.#fault !== null || this.#durable === this.#added) return;
    this.#soon = true;
    void this.#pumpSoon();
  }

  async #pumpSoon(): Promise<void> {
    await this.#options.yieldTurn();
    this.#soon = false;
    await this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    // Others of the same turn may want to come along.
    await Promise.resolve();
    while (this.#pending.length > 0 && this.#fault === null) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        await this.#options.store.append(this.#options.claim, this.#seq, batch);
      } catch (error) {
        this.#break(error instanceof Error ? error : new Error(String(error)));
        break;
      }
      this.#seq += batch.length;
      this.#durable += batch.length;
      const { length } = this.#waiters;
      let done = 0;
      while (done < length && (this.#waiters[done] as Waiter).upTo <= this.#durable) (this.#waiters[done++] as Waiter).resolve();
      if (done > 0) this.#waiters = this.#waiters.slice(done);
    }
    this.#pumping = false;
  }

  #break(error: Error): void {
    this.#fault = error;
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#options.onFault(error);
    for (const waiter of waiters) waiter.reject(error);
  }
}
