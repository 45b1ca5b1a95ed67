import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import { isDead, ownRecord } from '../node/files/owner-record.ts';
import type { OwnerRecord } from '../node/files/owner-record.ts';
import { ended, started, trace } from '../journal/sample-entries.ts';
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

  it('puts content that others put at the same time without waiting for them, and makes young what a sweep could take', async () => {
    const schema = `blobs_${(schemas += 1)}`;
    const [one, other] = [open(schema), open(schema)];
    const bytes = new TextEncoder().encode('the same program');
    const digest = await one.blobs.put(bytes);
    const ageOf = async (): Promise<number> => {
      const [row] = await database.query<{ age: string }>(
        `select extract(epoch from clock_timestamp() - put_at) as age from "${schema}".blob`,
      );
      return Number(row?.age);
    };
    const held = new pg.Client({ connectionString: database.url });
    await held.connect();
    try {
      await held.query('begin');
      await held.query(`select 1 from "${schema}".blob for update`);
      expect([await other.blobs.put(bytes), await one.blobs.put(bytes)]).toEqual([digest, digest]);
    } finally {
      await held.end();
    }
    await database.query(`update "${schema}".blob set put_at = put_at - interval '30 minutes'`);
    const third = open(schema);
    await third.blobs.put(bytes);
    expect(await ageOf()).toBeLessThan(600);
    await Promise.all([one, other, third].map(({ store }) => store.close()));
  });

  describe('createPostgresRunStore', () => {
    const named = (at: number): string => `01HF7YAT0000000000000000${String(at).padStart(2, '0')}`;
    const fresh = (): string => `own_${(schemas += 1)}`;

    it('commits what several runs append at a time together', async () => {
      const schema = fresh();
      const { store } = open(schema);
      const claims = await Promise.all(
        Array.from({ length: 16 }, (_, at) => store.create(named(at), [started(named(at))])),
      );
      for (let round = 0; round < 10; round += 1)
        await Promise.all(claims.map((claim) => store.append(claim, 1 + round, [trace(`${round}`)])));
      const [found] = await database.query<{ rows: number; commits: number }>(
        `select count(*)::int as rows, count(distinct xmin::text)::int as commits from "${schema}".entry where seq > 0`,
      );
      // Two statements can be under way: a round takes two commits, or three.
      expect(found?.rows).toBe(160);
      expect(found?.commits).toBeLessThanOrEqual(30);
      for (const { run } of claims)
        expect((await store.read(run, 1)).map(({ entry }) => entry)).toEqual(
          Array.from({ length: 10 }, (_, round) => trace(`${round}`)),
        );
      await store.close();
    });

    it('refuses the batch of one run in a group, and stores those of the others', async () => {
      const schema = fresh();
      const { store } = open(schema);
      const [one, two] = [
        await store.create(named(0), [started(named(0))]),
        await store.create(named(1), [started(named(1))]),
      ];
      await database.query(`update "${schema}".run set epoch = 2 where run = $1`, [named(0)]);
      const [lost, stored] = await Promise.allSettled([
        store.append(one, 1, [trace('stale')]),
        store.append(two, 1, [trace('fresh')]),
      ]);
      expect([lost, stored]).toMatchObject([
        { status: 'rejected', reason: { code: 'OWNER_LOST' } },
        { status: 'fulfilled' },
      ]);
      expect((await store.read(named(0))).length).toBe(1);
      expect((await store.read(named(1))).length).toBe(2);
      await store.close();
    });

    it('wakes subscribers and owners by NOTIFY, not for every append', async () => {
      const schema = fresh();
      const never = 3_600_000;
      const [{ store }, { store: other }] = [
        open(schema, { pollMs: never }),
        open(schema, { pollMs: never }),
      ];
      const claim = await store.create(named(0), [started(named(0))]);
      const seen: number[] = [];
      const got: string[] = [];
      other.subscribe(named(0), 1, (entries) => seen.push(...entries.map(({ seq }) => seq)));
      await store.receive(claim, (_id, { kind }) => got.push(kind)).ready;
      let notified = 0;
      const [{ value: secret } = { value: '' }] = await database.query<{ value: string }>(
        `select value from ${schema}.setting where name = 'channel'`,
      );
      const channel = `techne_${secret}_runs`;
      const listener = await database.listen(channel, () => (notified += 1));
      const began = performance.now();
      for (let at = 1; at <= 200; at += 1) await store.append(claim, at, [trace(`${at}`)]);
      await other.post(named(0), { kind: 'cancel', reason: 'enough', by: 'me' });
      await vi.waitFor(() => expect([seen.length, got]).toEqual([200, ['cancel']]), 10_000);
      // Every 50 ms at most, and one of the other store.
      expect(notified).toBeLessThanOrEqual((performance.now() - began) / 50 + 3);
      await listener.close();
      await Promise.all([store.close(), other.close()]);
    });

    it('reads journals of any length', async () => {
      const { store } = open(fresh());
      const claim = await store.create(named(0), [started(named(0))]);
      await store.append(
        claim,
        1,
        Array.from({ length: 41_000 }, (_, at) => trace(`${at}`)),
      );
      const entries = await store.read(named(0), 1);
      expect([entries.length, entries.at(-1)]).toEqual([41_000, { seq: 41_000, entry: trace('40999') }]);
      await store.close();
    });

    it('says that a journal is damaged where an entry is missing or is none', async () => {
      const schema = fresh();
      const { store } = open(schema);
      for (const [at, change] of [
        `delete from "${schema}".entry where run = $1 and seq = 1`,
        `update "${schema}".entry set entry = '{"type":' where run = $1 and seq = 1`,
        `update "${schema}".entry set entry = '{"type":"else"}' where run = $1 and seq = 1`,
      ].entries()) {
        const claim = await store.create(named(at), [started(named(at)), trace('a'), ended()]);
        await store.release(claim);
        await database.query(change, [named(at)]);
        await expect(store.read(named(at))).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
      }
      await store.close();
    });
  });
});
