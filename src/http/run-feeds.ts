// The entries of runs as they become durable, for any number of readers: one subscription of the store for each run.
//
//   (run, from) -> batches of entries, each read when its reader asks for it
//
// A reader pulls, and nothing is queued for it: what it has not read yet is in the journal. The last entries of a run that is
// followed are held in memory, once for all of its readers; a reader that is further behind reads the store. So a slow reader costs
// nothing and loses nothing.
import { TechneError } from '../base/error.ts';
import type { RunStore, StoredEntry } from '../ports/run-store.ts';

/** A store that stays open until it is given back. */
export type HoldStore = () => Promise<{ readonly store: RunStore; readonly release: () => Promise<void> }>;

interface Feed {
  readonly store: RunStore;
  readonly close: () => void;
  /** The number of the first entry in `recent`. */
  first: number;
  recent: StoredEntry[];
  fault: Error | null;
  readers: number;
  /** Called, all of them, when something has changed. */
  readonly waiting: Set<() => void>;
}

const mostRecent = 1_024;
const mostInBatch = 256;

export class RunFeeds {
  readonly #hold: HoldStore;
  readonly #feeds = new Map<string, Promise<Feed>>();
  #readers = 0;

  constructor(hold: HoldStore) {
    this.#hold = hold;
  }

  get readers(): number {
    return this.#readers;
  }

  /** Must be closed. `wake` ends a wait of `next` early. */
  async open(run: string, from: number): Promise<FeedReader> {
    const feed = await this.#feedOf(run, from);
    feed.readers += 1;
    this.#readers += 1;
    let isOpen = true;
    return new FeedReader(feed, run, from, () => {
      if (!isOpen) return;
      isOpen = false;
      this.#readers -= 1;
      feed.readers -= 1;
      if (feed.readers > 0) return;
      this.#feeds.delete(run);
      feed.close();
    });
  }

  async #feedOf(run: string, from: number): Promise<Feed> {
    for (;;) {
      const known = this.#feeds.get(run);
      if (known === undefined) break;
      const feed = await known.catch(() => null);
      // It may have been closed while it was waited for.
      if (feed !== null && feed.fault === null && this.#feeds.get(run) === known) return feed;
      if (this.#feeds.get(run) === known) this.#feeds.delete(run);
    }
    const opened = this.#subscribe(run, from);
    this.#feeds.set(run, opened);
    opened.catch(() => this.#feeds.delete(run));
    return opened;
  }

  async #subscribe(run: string, from: number): Promise<Feed> {
    const { store, release } = await this.#hold();
    // Others follow it too: a number that is not there yet must not keep what comes before it from them.
    const first = from === 0 ? 0 : Math.min(from, await entriesOf(store, run));
    const wake = (): void => {
      const waiting = [...feed.waiting];
      feed.waiting.clear();
      for (const resolve of waiting) resolve();
    };
    const feed: Feed = {
      store,
      first,
      recent: [],
      fault: null,
      readers: 0,
      waiting: new Set(),
      close: () => {
        subscription.close();
        void release();
      },
    };
    const subscription = store.subscribe(
      run,
      first,
      (entries) => {
        feed.recent.push(...entries);
        const over = feed.recent.length - mostRecent;
        if (over > 0) {
          feed.recent = feed.recent.slice(over);
          feed.first += over;
        }
        wake();
      },
      (error) => {
        feed.fault = error;
        wake();
      },
    );
    return feed;
  }
}

export class FeedReader {
  readonly #feed: Feed;
  readonly #run: string;
  readonly #close: () => void;
  #next: number;
  #wake: (() => void) | null = null;

  constructor(feed: Feed, run: string, from: number, close: () => void) {
    this.#feed = feed;
    this.#run = run;
    this.#next = from;
    this.#close = close;
  }

  /** The entries that follow, at most a batch of them; none when `wake` was called. Throws what the store throws. */
  async next(): Promise<readonly StoredEntry[]> {
    const batch = await this.#batch();
    if (batch.length > 0) return batch;
    if (this.#feed.fault !== null) throw this.#feed.fault;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#feed.waiting.add(resolve);
    });
    this.#wake = null;
    return this.#batch();
  }

  /** Ends a wait. */
  wake(): void {
    const wake = this.#wake;
    if (wake === null) return;
    this.#feed.waiting.delete(wake);
    wake();
  }

  close(): void {
    this.wake();
    this.#close();
  }

  async #batch(): Promise<readonly StoredEntry[]> {
    const { first, recent } = this.#feed;
    const at = this.#next - first;
    const batch =
      at >= 0
        ? recent.slice(at, at + mostInBatch)
        : (await this.#feed.store.read(this.#run, this.#next)).slice(0, mostInBatch);
    this.#next += batch.length;
    return batch;
  }
}

/** 0 for a run that cannot be read: its subscription says what is wrong. */
async function entriesOf(store: RunStore, run: string): Promise<number> {
  try {
    return (await lastEntry(store, run)).seq + 1;
  } catch (error) {
    if (error instanceof TechneError) return 0;
    throw error;
  }
}

/** Throws RUN_UNKNOWN. */
export async function lastEntry(store: RunStore, run: string): Promise<StoredEntry> {
  const last = (await store.read(run)).at(-1);
  if (last === undefined) throw new TechneError('RUN_UNKNOWN', `there is no run "${run}"`);
  return last;
}
