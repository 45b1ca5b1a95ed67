// Who owns a run, and whether that process still lives.
//
// A process that owns runs beats: a counter in its row of `worker` grows every third of the lease. Another process on the
// same machine is judged by the process table. Any other is dead when its counter has not changed for a whole lease by the
// clock of the process that looks, which looked all the while; the clocks of two machines are never compared. The count
// begins anew when the server restarted, since then no one could beat. A wrong judgement costs a take-over, never a stale
// append: the epoch of the run is the fence.
import type { OwnerRecord, Owners } from '../node/files/owner-record.ts';
import { describeOwner } from '../node/files/owner-record.ts';
import type { Database } from './database.ts';
import { pause } from './database.ts';
import type { Queries } from './queries.ts';

/** A run as `look` gives it. */
export interface LookedAt {
  readonly epoch: number;
  readonly seq: number;
  readonly owner: string | null;
  readonly ended_at: string | null;
  readonly record: string | null;
  readonly beat: string | null;
  /** When the server started: another text after a restart. */
  readonly server: string;
  /** The owner has not beaten for a lease by the clock of the server: a reason to watch it, not a judgement. */
  readonly late: boolean | null;
}

interface Watched {
  readonly beat: string;
  readonly server: string;
  readonly sinceMs: number;
  readonly lookedMs: number;
}

interface WorkersOptions {
  /** Of this process, among all. */
  readonly id: string;
  readonly leaseMs: number;
  readonly owners: Owners;
}

export class Workers {
  readonly id: string;
  readonly leaseMs: number;
  readonly #owners: Owners;
  readonly #database: Database;
  readonly #queries: Queries;
  readonly #watched = new Map<string, Watched>();
  #joined: Promise<void> | null = null;
  #queues: readonly string[] | null = null;
  #beating: NodeJS.Timeout | null = null;

  constructor(database: Database, queries: Queries, { id, leaseMs, owners }: WorkersOptions) {
    this.#database = database;
    this.#queries = queries;
    this.id = id;
    this.leaseMs = leaseMs;
    this.#owners = owners;
  }

  /** For `owner.claimed`, and for others that find the run owned. */
  get described(): string {
    return describeOwner(this.#owners.self);
  }

  /** The row of this process, before anything is its own. `queues`: those that it takes runs from. */
  async join(queues: readonly string[] | null = null): Promise<void> {
    if (queues !== null && this.#queues === null) {
      this.#queues = queues;
      this.#joined = null;
      if (this.#beating !== null) clearInterval(this.#beating);
    }
    this.#joined ??= this.#join().catch((error: unknown) => {
      this.#joined = null;
      throw error;
    });
    return this.#joined;
  }

  async leave(): Promise<void> {
    if (this.#beating !== null) clearInterval(this.#beating);
    this.#beating = null;
    if (this.#joined === null) return;
    await this.#database.once(this.#queries.releaseAll, [this.id]);
    await this.#database.once(this.#queries.leave, [this.id]);
    await this.#database.once(this.#queries.forget, []);
  }

  /** The owner, described, if it lives. Waits for up to a lease while an owner that is late is watched. */
  async living(found: LookedAt): Promise<string | null> {
    const { owner, record, beat, server } = found;
    if (owner === null) return null;
    if (owner === this.id) return this.described;
    if (record === null || beat === null) return null;
    const described = describeOwner(JSON.parse(record) as OwnerRecord);
    if (this.#owners.isDead(JSON.parse(record) as OwnerRecord)) return null;
    this.#note(owner, beat, server);
    if (found.late !== true) return described;
    while (!this.#isSilent(owner)) {
      await pause(this.leaseMs / 10);
      const [seen] = await this.#database.ask<{ beat: string; server: string }>(this.#queries.beats, [
        [owner],
      ]);
      if (seen === undefined) return null;
      if (seen.beat !== beat) return described;
      this.#note(owner, seen.beat, seen.server);
    }
    return null;
  }

  /** Every process that ever beat and was not forgotten, and which of them are dead by now. Must be asked more often than twice a lease. */
  async judge(): Promise<{
    readonly dead: readonly string[];
    readonly all: readonly {
      readonly id: string;
      readonly described: string;
      readonly isAlive: boolean;
      readonly queues: readonly string[] | null;
    }[];
  }> {
    const rows = await this.#database.ask<{
      id: string;
      record: string;
      beat: string;
      server: string;
      queues: readonly string[] | null;
    }>(this.#queries.allBeats, []);
    const all = rows.map(({ id, record, beat, server, queues }) => {
      const owner = JSON.parse(record) as OwnerRecord;
      if (id !== this.id) this.#note(id, beat, server);
      const isAlive = id === this.id || !(this.#owners.isDead(owner) || this.#isSilent(id));
      return { id, described: describeOwner(owner), isAlive, queues };
    });
    return { dead: all.filter(({ isAlive }) => !isAlive).map(({ id }) => id), all };
  }

  /** For a list, where a wrong word does no harm: by the process table, else by the clock of the server. */
  seemsAlive({ owner, record, late }: Pick<LookedAt, 'owner' | 'record' | 'late'>): boolean {
    if (owner === null) return false;
    if (owner === this.id) return true;
    return record !== null && late !== true && !this.#owners.isDead(JSON.parse(record) as OwnerRecord);
  }

  #note(owner: string, beat: string, server: string): void {
    const nowMs = performance.now();
    const known = this.#watched.get(owner);
    // A gap: this process itself may have been stopped, and the owner with it.
    const isSame =
      known?.beat === beat && known.server === server && nowMs - known.lookedMs < this.leaseMs / 2;
    this.#watched.set(owner, { beat, server, sinceMs: isSame ? known.sinceMs : nowMs, lookedMs: nowMs });
  }

  #isSilent(owner: string): boolean {
    const known = this.#watched.get(owner);
    return known !== undefined && known.lookedMs - known.sinceMs >= this.leaseMs;
  }

  #row(): readonly unknown[] {
    return [this.id, JSON.stringify(this.#owners.self), this.#queues];
  }

  async #join(): Promise<void> {
    await this.#database.ask(this.#queries.beat, this.#row(), true);
    this.#beating = setInterval(() => void this.#beatAgain(), this.leaseMs / 3);
    this.#beating.unref();
  }

  async #beatAgain(): Promise<void> {
    try {
      await this.#database.once(this.#queries.beat, this.#row());
    } catch {
      // The next beat tries again. Until then others may take the runs over, and the fence holds.
      this.#watched.clear();
    }
  }
}
