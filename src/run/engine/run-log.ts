// Entries on their way into the journal of one run.
//
//   add, add, … flush -> one append
//
// Entries become durable in the order in which they were added, and none after one that failed. There is one append at
// a time; entries added meanwhile go out with the next one. After a fault nothing more is written, and every `flush`
// rejects with it. The fingerprint covers every entry of the engine in order, so that a replay detects a changed,
// swapped or missing one.
import type { JournalEntry } from '../../journal/entry.ts';
import type { Claim, RunStore } from '../../ports/run-store.ts';
import type { Sha256 } from '../../ports/environment.ts';
import { entryJson } from '../../journal/frame.ts';

interface Waiter {
  readonly upTo: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** For what comes a microtask later; `queueMicrotask` of Node takes longer. */
const settled = Promise.resolve();

interface RunLogOptions {
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
  /** Entries of the append that is under way. */
  #underWay = 0;
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
      this.#pump();
    });
  }

  /** For callers that need not wait: written with the flush of this turn, or after it. A fault is reported to `onFault`. */
  flushSoon(): void {
    if (this.#soon || this.#fault !== null || this.#durable === this.#added) return;
    this.#soon = true;
    void this.#pumpSoon();
  }

  async #pumpSoon(): Promise<void> {
    await this.#options.yieldTurn();
    this.#soon = false;
    this.#pump();
  }

  /** Created once: an async function for every effect would dominate the memory. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    // Other entries of the same turn join the append.
    void settled.then(this.#send);
  }

  readonly #send = (): void => {
    if (this.#pending.length === 0 || this.#fault !== null) {
      this.#pumping = false;
      return;
    }
    const batch = this.#pending;
    this.#pending = [];
    this.#underWay = batch.length;
    const { store, claim } = this.#options;
    try {
      store.append(claim, this.#seq, batch).then(this.#appended, this.#break);
    } catch (error) {
      this.#break(error);
    }
  };

  readonly #appended = (): void => {
    this.#seq += this.#underWay;
    this.#durable += this.#underWay;
    const { length } = this.#waiters;
    let done = 0;
    while (done < length && (this.#waiters[done] as Waiter).upTo <= this.#durable)
      (this.#waiters[done++] as Waiter).resolve();
    if (done > 0) this.#waiters.splice(0, done);
    this.#send();
  };

  readonly #break = (cause: unknown): void => {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    this.#pumping = false;
    this.#fault = error;
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#options.onFault(error);
    for (const waiter of waiters) waiter.reject(error);
  };
}

// The entries of an engine -> one hash that changes with every changed, swapped, added or missing one.
//
// Entries that stores write themselves (`owner.claimed`) and the end, which contains the hash, do not count.

/** Hashed together: a hash costs more than the text of an entry. Part of the format. */
const entriesPerHash = 64;

export class Fingerprint {
  readonly #sha256: Sha256;
  #value = '';
  #text = '';
  #lines = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(entry: JournalEntry): void {
    if (entry.type === 'owner.claimed' || entry.type === 'run.ended') return;
    // A rope of V8, made flat once by the hash.
    this.#text += `\n${entryJson(entry)}`;
    this.#lines += 1;
    if (this.#lines === entriesPerHash) this.#fold();
  }

  value(): string {
    return this.#lines === 0 ? this.#value : this.#next();
  }

  #fold(): void {
    this.#value = this.#next();
    this.#text = '';
    this.#lines = 0;
  }

  #next(): string {
    return this.#sha256(`${this.#value}${this.#text}`).slice(0, 32);
  }
}
