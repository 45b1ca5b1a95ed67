// The address of a database -> a RunStore and Blobs in it.
import { nodeCrypto, nodeSha256 } from '../node/environment.ts';
import type { Owners } from '../node/files/owner-record.ts';
import { isDead, ownRecord } from '../node/files/owner-record.ts';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { Callbacks } from '../ports/callbacks.ts';
import type { Schedules } from '../ports/schedules.ts';
import type { ServedRuns } from '../ports/served-runs.ts';
import type { SharedFiles } from '../ports/shared-files.ts';
import type { GivenTrust } from '../ports/given-trust.ts';
import type { Approvals } from '../node/commands/approvals.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { Webhooks } from '../ports/webhooks.ts';
import type { StoreAddress } from './address.ts';
import { createPostgresBlobs } from './blobs.ts';
import { createCallbacks } from './callbacks.ts';
import type { DatabaseOptions } from './database.ts';
import { Database } from './database.ts';
import { doOnce } from './once.ts';
import { Workers } from './owners.ts';
import { createQueries } from './queries.ts';
import { createGivenApprovals, createGivenTrust } from './given-trust.ts';
import { createSchedules } from './schedules.ts';
import { createServedRuns } from './served-runs.ts';
import { createSharedFiles } from './shared-files.ts';
import { createPostgresRunIndex } from './run-index.ts';
import { createPostgresRunStore } from './run-store.ts';
import { Wakeups } from './wakeups.ts';
import { createWebhooks } from './webhooks.ts';

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
  /** What travels with them. */
  readonly shared: SharedFiles;
  /** What people allowed for them. */
  readonly trust: GivenTrust;
  readonly approvals: Approvals;
  readonly schedules: Schedules;
  readonly webhooks: Webhooks;
  readonly callbacks: Callbacks;
  /** This process, among all that use the store. */
  readonly worker: string;
  readonly leaseMs: number;
  /** The row of this process, so that others see that it lives, and which queues it takes runs from. */
  join(queues?: readonly string[]): Promise<void>;
  /** Does this work, which makes a schema, once for the whole store, whichever process comes first; the others wait for it. */
  once(name: string, makes: string, work: () => Promise<void>): Promise<void>;
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
    shared: createSharedFiles(database, nodeSha256, workers.id),
    trust: createGivenTrust(database),
    approvals: createGivenApprovals(database),
    schedules: createSchedules(database, options.nowMs ?? null),
    webhooks: createWebhooks(database, options.nowMs ?? null),
    callbacks: createCallbacks(database, options.nowMs ?? null),
    worker: workers.id,
    leaseMs: workers.leaseMs,
    join: (queues) => workers.join(queues),
    once: (name, makes, work) => doOnce(database, name, makes, work),
    index: createPostgresRunIndex(database, queries),
    check: () => database.open(),
  };
}
