// Tells processes that something changed in a run: NOTIFY after the commit, and a poll for what it misses.
//
// A NOTIFY inside of the append would make all commits of the database wait for each other, so it is sent afterwards, for all
// runs that changed since the last one: the first at once, then at most one every `gapMs`. It can get lost with a connection
// or a crash; the poll finds what it did not tell. One connection listens for all runs; it is opened with the first watcher.
//
//   RUN: its journal has grown     +RUN: it has a message
//
// An owner watches for messages, and appends all the time: it must not look for messages because of its own appends.
import type { Database } from './database.ts';
import type { Client } from './driver.ts';
import type { Queries } from './queries.ts';

export interface Watcher {
  readonly run: string;
  readonly kind: 'journal' | 'inbox';
  /** Entries or the like that the watcher knows: the poll wakes it when there are others. */
  knows(found: number | readonly string[]): boolean;
  wake(): void;
}

const gapMs = 50;
const reconnectMs = 500;
/** The server takes payloads below 8,000 bytes. */
const maxPayload = 7_000;
const everyRun = '*';
const messageSign = '+';

export class Wakeups {
  readonly #database: Database;
  readonly #queries: Queries;
  readonly #pollMs: number;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #changed = new Set<string>();
  #sending: NodeJS.Timeout | null = null;
  #polling: NodeJS.Timeout | null = null;
  #listener: Client | null = null;
  #listening = false;
  #isClosed = false;

  constructor(database: Database, queries: Queries, pollMs: number) {
    this.#database = database;
    this.#queries = queries;
    this.#pollMs = pollMs;
  }

  add(watcher: Watcher): { close(): void } {
    const ofRun = this.#watchers.get(watcher.run) ?? new Set();
    this.#watchers.set(watcher.run, ofRun.add(watcher));
    void this.#listen();
    this.#polling ??= setInterval(() => void this.#poll(), this.#pollMs);
    watcher.wake();
    return {
      close: () => {
        ofRun.delete(watcher);
        if (ofRun.size === 0 && this.#watchers.get(watcher.run) === ofRun) this.#watchers.delete(watcher.run);
        if (this.#watchers.size === 0 && this.#polling !== null) {
          clearInterval(this.#polling);
          this.#polling = null;
        }
      },
    };
  }

  /** The run has changed, by this process: its journal has grown, or it has a message. */
  tell(run: string, kind: Watcher['kind']): void {
    this.#wake(run, kind);
    if (this.#isClosed) return;
    // Also the name alone: before messages had a sign, processes looked for everything then.
    this.#changed.add(run);
    if (kind === 'inbox') this.#changed.add(messageSign + run);
    if (this.#sending !== null) return;
    void this.#send();
    this.#sending = setTimeout(() => this.#sendAgain(), gapMs);
    this.#sending.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#sending !== null) clearTimeout(this.#sending);
    if (this.#polling !== null) clearInterval(this.#polling);
    await this.#send();
    const listener = this.#listener;
    this.#listener = null;
    await listener?.end().catch(() => undefined);
  }

  #sendAgain(): void {
    this.#sending = null;
    if (this.#changed.size === 0) return;
    void this.#send();
    this.#sending = setTimeout(() => this.#sendAgain(), gapMs);
    this.#sending.unref();
  }

  async #send(): Promise<void> {
    if (this.#changed.size === 0) return;
    const runs = [...this.#changed].join(',');
    this.#changed.clear();
    try {
      await this.#database.once(this.#queries.notify, [
        await this.#database.channel('runs'),
        runs.length > maxPayload ? everyRun : runs,
      ]);
    } catch {
      // The polls of the others find it.
      return;
    }
  }

  #wake(run: string, kind: Watcher['kind']): void {
    for (const watcher of this.#watchers.get(run) ?? []) if (watcher.kind === kind) watcher.wake();
  }

  #wakeNamed(name: string): void {
    if (name.startsWith(messageSign)) this.#wake(name.slice(messageSign.length), 'inbox');
    else this.#wake(name, 'journal');
  }

  #wakeAll(): void {
    for (const ofRun of this.#watchers.values()) for (const watcher of ofRun) watcher.wake();
  }

  async #listen(): Promise<void> {
    if (this.#listening || this.#isClosed) return;
    this.#listening = true;
    try {
      const client = await this.#database.connect();
      if (this.#isClosed) {
        await client.end();
        return;
      }
      const again = (): void => {
        if (this.#listener !== client) return;
        this.#listener = null;
        this.#listening = false;
        this.#listenLater();
      };
      this.#listener = client;
      client.on('error', again);
      client.on('end', again);
      client.on('notification', ({ payload = everyRun }) => {
        if (payload === everyRun) this.#wakeAll();
        else for (const name of payload.split(',')) this.#wakeNamed(name);
      });
      await client.query(`listen "${await this.#database.channel('runs')}"`);
      // What changed before it listened.
      this.#wakeAll();
    } catch {
      // The poll serves until there is a connection.
      this.#listener = null;
      this.#listening = false;
      this.#listenLater();
    }
  }

  #listenLater(): void {
    if (this.#isClosed || this.#watchers.size === 0) return;
    setTimeout(() => void this.#listen(), reconnectMs).unref();
  }

  async #poll(): Promise<void> {
    const watchers = [...this.#watchers.values()].flatMap((ofRun) => [...ofRun]);
    const runsOf = (kind: Watcher['kind']): string[] => [
      ...new Set(watchers.filter((watcher) => watcher.kind === kind).map(({ run }) => run)),
    ];
    const [journals, inboxes] = [runsOf('journal'), runsOf('inbox')];
    try {
      const lengths =
        journals.length === 0
          ? []
          : await this.#database.once<{ run: string; seq: number }>(this.#queries.lengths, [journals]);
      const waiting =
        inboxes.length === 0
          ? []
          : await this.#database.once<{ run: string; id: string }>(this.#queries.waiting, [inboxes]);
      const lengthOf = new Map(lengths.map(({ run, seq }) => [run, seq]));
      const idsOf = new Map<string, string[]>();
      for (const { run, id } of waiting) idsOf.set(run, [...(idsOf.get(run) ?? []), id]);
      for (const watcher of watchers) {
        const found =
          watcher.kind === 'journal' ? (lengthOf.get(watcher.run) ?? -1) : (idsOf.get(watcher.run) ?? []);
        if (!watcher.knows(found)) watcher.wake();
      }
    } catch {
      // The next poll tries again.
      return;
    }
  }
}
