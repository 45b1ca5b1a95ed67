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
import { Database } from './database.ts';
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
    index: createPostgresRunIndex(database, queries),
    check: () => database.open(),
  };
}
