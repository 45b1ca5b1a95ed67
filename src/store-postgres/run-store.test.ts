import { afterAll, beforeAll, describe } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import { isDead, ownRecord } from '../node/files/owner-record.ts';
import type { OwnerRecord } from '../node/files/owner-record.ts';
import { blobsContract } from '../ports/blobs.contract.ts';
import { runStoreContract } from '../ports/run-store.contract.ts';
import { parseStoreAddress } from './address.ts';
import type { PostgresStore, PostgresStoreOptions } from './open-store.ts';
import { openPostgresStore } from './open-store.ts';

describe.skipIf(noPostgres)('in Postgres', () => {
  let database: TestDatabase;
  let schemas = 0;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const open = (schema: string, options: Omit<PostgresStoreOptions, 'address'> = {}): PostgresStore =>
    openPostgresStore({
      address: parseStoreAddress(`${database.url}?schema=${schema}`),
      pollMs: 50,
      ...options,
    });

  runStoreContract('Postgres', async () => {
    const schema = `runs_${(schemas += 1)}`;
    let dead = false;
    // Two owners in one process are told apart by a time of start.
    const self = { ...ownRecord(), startedAt: 'first' };
    const judge = (owner: OwnerRecord): boolean => (owner.startedAt === 'first' ? dead : isDead(owner));
    const { store } = open(schema, { owners: { self, isDead: judge } });
    const { store: other } = open(schema, { owners: { self: ownRecord(), isDead: judge } });
    return {
      store,
      other,
      lagMs: 0,
      killOwner: () => (dead = true),
      close: async () => {
        await store.close();
        await other.close();
      },
    };
  });

  blobsContract('Postgres', () => {
    const schema = `blobs_${(schemas += 1)}`;
    const { store, blobs } = open(schema);
    return {
      blobs,
      corrupt: async (digest, bytes) => {
        await database.query(`update "${schema}".blob set bytes = $2 where digest = $1`, [
          digest,
          Buffer.from(bytes),
        ]);
      },
      close: () => store.close(),
    };
  });
});
