// The address of a database -> a RunStore and Blobs in it.
import { nodeCrypto, nodeSha256 } from '../node/environment.ts';
import type { Owners } from '../node/files/owner-record.ts';
import { isDead, ownRecord } from '../node/files/owner-record.ts';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { ServedRuns } from '../ports/served-runs.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { StoreAddress } from './address.ts';
import { createPostgresBlobs } from './blobs.ts';
import type { DatabaseOptions } from './database.ts';
import { Database, pause } from './database.ts';
import { Workers } from './owners.ts';
import { createQueries } from './queries.ts';
import { createServedRuns } from './served-runs.ts';
import { createPostgresRunIndex } from './run-index.ts';
import { createPostgresRunStore } from './run-store.ts';
import { Wakeups } from './wakeups.ts';

export interface PostgresStoreOptions extends DatabaseOptions {
  /** A process that has not beaten for this long is dead. Default: that of the address. */
  readonly leaseMs?: number;
  /** How often journals and inboxes that are watched are looked at besides being notified. Default: 2000. */
  readonly pollMs?: number;
  /** Default: `Date.now`. */
  readonly nowMs?: () => number;
  /** Default: this process, and a look at the process table. */
  readonly owners?: Owners;
}

export interface PostgresStore {
  readonly address: StoreAddress;
  /** Its `close` closes everything. */
  readonly store: RunStore;
  readonly blobs: SweptBlobs;
  /** The runs that workers drive. */
  readonly served: ServedRuns;
  /** This process, among all that use the store. */
  readonly worker: string;
  readonly leaseMs: number;
  /** The row of this process, so that others see that it lives. */
  join(): Promise<void>;
  /** Does this work once for the whole store, whichever process comes first; the others wait for it. */
  once(name: string, work: () => Promise<void>): Promise<void>;
  readonly index: RunIndex;
  /** Connects and checks. Throws ENVIRONMENT; without it, the first use does. */
  check(): Promise<void>;
}

export function openPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const database = new Database(options);
  const queries = createQueries(options.address.schema);
  const nextToken = (): string => nodeCrypto().randomBytes(12).toString('hex');
  const workers = new Workers(database, queries, {
    id: nextToken(),
    leaseMs: options.leaseMs ?? options.address.leaseMs,
    owners: options.owners ?? { self: ownRecord(), isDead },
  });
  const wakeups = new Wakeups(database, queries, options.pollMs ?? 2000);
  return {
    address: options.address,
    store: createPostgresRunStore({
      database,
      queries,
      workers,
      wakeups,
      nowMs: options.nowMs ?? Date.now,
      nextToken,
    }),
    blobs: createPostgresBlobs(database, queries, nodeSha256),
    served: createServedRuns(database, workers),
    worker: workers.id,
    leaseMs: workers.leaseMs,
    join: () => workers.join(),
    once: (name, work) => doOnce(database, name, work),
    index: createPostgresRunIndex(database, queries),
    check: () => database.open(),
  };
}

async function doOnce(database: Database, name: string, work: () => Promise<void>): Promise<void> {
  const done = { name: 'once_done', text: `select 1 from "${database.address.schema}".once where name = $1` };
  if ((await database.ask(done, [name])).length > 0) return;
  const client = await database.connect();
  try {
    // Tried again and again: a statement that waits for the lock would hold up an index that is built concurrently.
    for (;;) {
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_lock(hashtext('techne once'), hashtext($1)) as mine`,
        [name],
      );
      if (rows[0]?.mine === true) break;
      await pause(200);
    }
    if ((await database.ask(done, [name])).length > 0) return;
    await work();
    await client.query(`insert into "${database.address.schema}".once (name) values ($1)`, [name]);
  } finally {
    // The lock ends with the connection.
    await client.end();
  }
}
