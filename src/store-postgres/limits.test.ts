// Limits of runs at a time and of runs in a time, counted by a real Postgres while workers race.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import { ownRecord } from '../node/files/owner-record.ts';
import type { LimitState, RunLimit, TakenRun } from '../ports/served-runs.ts';
import { parseStoreAddress } from './address.ts';
import { removeLimit, setLimit } from './admin/limits.ts';
import { withSession } from './admin/session.ts';
import type { PostgresStore } from './open-store.ts';
import { openPostgresStore } from './open-store.ts';

const queues = ['default', 'reports'];

describe.skipIf(noPostgres)('limits', () => {
  let database: TestDatabase;
  let schema = '';
  let made = 0;
  let stores: readonly PostgresStore[] = [];
  const dead = new Set<string>();
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    made += 1;
    schema = `limits${made}`;
    dead.clear();
    const address = parseStoreAddress(`${database.url}?schema=${schema}`);
    stores = ['a', 'b', 'c', 'd'].map((startedAt) =>
      openPostgresStore({
        address,
        owners: {
          self: { ...ownRecord(), startedAt },
          isDead: (record) => dead.has(record.startedAt ?? ''),
        },
      }),
    );
  });
  afterEach(async () => {
    for (const { store } of stores) await store.close();
  });

  const workerAt = (at: number): PostgresStore => stores[at] as PostgresStore;
  const limit = async (kind: RunLimit['kind'], name: string, given: Partial<RunLimit>): Promise<void> => {
    await workerAt(0).check();
    await withSession(workerAt(0).address, (session) =>
      setLimit(session, schema, { kind, name, concurrency: null, rate: null, ...given }),
    );
  };
  /** Runs that are queued, in this order: `skill`, `skill@queue`. */
  const queue = async (...given: readonly string[]): Promise<void> => {
    await workerAt(0).check();
    const { length: before } = await database.query(`select run from ${schema}.run`);
    for (const [at, each] of given.entries()) {
      const [skill = '', name = 'default'] = each.split('@');
      const run = `R${String(before + at).padStart(4, '0')}`;
      await database.query(
        `insert into ${schema}.run (run, epoch, seq, status, skill, started_at) values ('${run}', 1, 1, 'running', '${skill}', 1)`,
      );
      await database.query(
        `insert into ${schema}.served (run, queue, priority, skill, kicks, kicked, kicked_at)
        values ('${run}', '${name}', 0, '${skill}', 1, 1, clock_timestamp())`,
      );
    }
  };
  const take = async (at: number, most = 10): Promise<string[]> =>
    (await workerAt(at).served.take(queues, most)).taken.map(({ run }) => run);
  const states = (): Promise<readonly LimitState[]> => workerAt(3).served.limits();

  it('are kept exactly by four workers that race, with runs that come and go', async () => {
    await limit('all', '', { concurrency: 7 });
    await limit('queue', 'reports', { concurrency: 3 });
    await limit('skill', 'slow', { concurrency: 2 });
    await queue(
      ...Array.from(
        { length: 120 },
        (_, at) => ['slow', 'fast', 'slow@reports', 'fast@reports'][at % 4] as string,
      ),
    );
    const rows = await database.query<{ run: string; skill: string; queue: string }>(
      `select run, skill, queue from ${schema}.served`,
    );
    const rowOf = new Map(rows.map((row) => [row.run, row]));
    const driven = new Set<string>();
    const done: string[] = [];
    const most = { all: 0, reports: 0, slow: 0 };
    const begin = ({ run }: TakenRun): void => {
      expect(driven.has(run)).toBe(false);
      driven.add(run);
      const now = [...driven].map((one) => rowOf.get(one));
      most.all = Math.max(most.all, now.length);
      most.reports = Math.max(most.reports, now.filter((one) => one?.queue === 'reports').length);
      most.slow = Math.max(most.slow, now.filter((one) => one?.skill === 'slow').length);
    };
    await Promise.all(
      stores.map(async ({ served }, at) => {
        while (done.length < 120) {
          const { taken } = await served.take(queues, 1 + at);
          // A run counts as over before its place is given back: what is counted here is never more than what the store counts.
          taken.forEach(begin);
          await new Promise((resolve) => setTimeout(resolve, at));
          for (const { run } of taken) {
            driven.delete(run);
            done.push(run);
            await served.done(run);
          }
        }
      }),
    );
    expect(new Set(done).size).toBe(120);
    // Reached and not passed.
    expect(most).toEqual({ all: 7, reports: 3, slow: 2 });
  });

  it('of a skill do not hold up others behind it, however many of it wait', async () => {
    await limit('skill', 'slow', { concurrency: 1 });
    await queue(...Array.from({ length: 30 }, () => 'slow'), 'fast', 'fast@reports');
    const { taken, isLimited } = await workerAt(0).served.take(queues, 10);
    expect([taken.map(({ run }) => run), isLimited]).toEqual([['R0000', 'R0030', 'R0031'], true]);
    expect(await take(1)).toEqual([]);
    // Urgent ones of the same skill come first once there is a place.
    await database.query(`update ${schema}.served set priority = -1 where run = 'R0020'`);
    await workerAt(0).served.done('R0000');
    expect(await take(1)).toEqual(['R0020']);
    expect(await states()).toMatchObject([{ kind: 'skill', name: 'slow', driven: 1, queued: 28 }]);
  });

  it('of a rate count runs that begin in the last period, and none that continue', async () => {
    await limit('queue', 'default', { rate: { runs: 3, seconds: 600 } });
    await queue('a', 'b', 'c', 'd', 'e');
    const race = (await Promise.all([0, 1, 2, 3].map((at) => take(at)))).flat();
    expect(race.toSorted()).toEqual(['R0000', 'R0001', 'R0002']);
    for (const run of race) await workerAt(0).served.done(run);
    expect(await take(0)).toEqual([]);
    expect(await workerAt(0).served.waitOf('R0003')).toMatchObject({
      reason: 'limit',
      limit: { kind: 'queue', name: 'default', begun: 3 },
    });
    // It was begun before, and waited for a person.
    await database.query(
      `update ${schema}.served set fresh = false, started_at = clock_timestamp() - interval '2 days' where run = 'R0004'`,
    );
    expect(await take(0)).toEqual(['R0004']);
    await database.query(
      `update ${schema}.served set started_at = started_at - interval '10 minutes' where run = 'R0001'`,
    );
    expect(await take(2)).toEqual(['R0003']);
    expect(await states()).toMatchObject([{ begun: 3, driven: 2, queued: 0 }]);
  });

  it.each([
    ['parked', ({ served }: PostgresStore) => served.park('R0000')],
    ['held', ({ served }: PostgresStore) => served.hold('R0000', 'why')],
    ['postponed', ({ served }: PostgresStore) => served.postpone('R0000', 60)],
    ['queued anew', ({ served }: PostgresStore) => served.unkick(['R0000'])],
    ['driven elsewhere', ({ served }: PostgresStore) => served.leave('R0000')],
  ] as const)('give the place of a run that is %s to the next', async (_, leave) => {
    await limit('all', '', { concurrency: 1 });
    await queue('a', 'b');
    expect([await take(0), await take(1)]).toEqual([['R0000'], []]);
    await leave(workerAt(0));
    expect(await take(1)).toEqual(['R0001']);
  });

  it('free the places of a worker that died, and those that a worker does not know of', async () => {
    await limit('all', '', { concurrency: 2 });
    await queue('a', 'b', 'c', 'd');
    await workerAt(0).join(queues);
    await workerAt(1).join(queues);
    expect([await take(1, 1), await take(0, 1), await take(0)]).toEqual([['R0000'], ['R0001'], []]);
    await workerAt(0).served.freePlaces(['R0001']);
    expect(await take(0)).toEqual([]);
    dead.add('b');
    await workerAt(0).served.freePlaces(['R0001']);
    expect(await take(0)).toEqual(['R0002']);
    // The run of the dead one is due again.
    expect((await workerAt(0).served.due(10)).map(({ run }) => run)).toEqual(['R0000']);
    // A young place may be one whose answer is still under way.
    await workerAt(0).served.freePlaces(['R0001']);
    expect(await take(0)).toEqual([]);
    await database.query(`update ${schema}.served set begun_at = begun_at - interval '1 minute'`);
    await workerAt(0).served.freePlaces(['R0001']);
    expect(await take(0)).toEqual(['R0003']);
  });

  it('say why a run waits', async () => {
    await queue('a', 'b', 'c@reports');
    const waitOf = (run: string) => workerAt(3).served.waitOf(run);
    expect(await waitOf('R0001')).toEqual({ reason: 'worker', queue: 'default' });
    await workerAt(0).join(['default']);
    expect(await waitOf('R0001')).toEqual({ reason: 'place', queue: 'default', ahead: 1 });
    expect(await waitOf('R0002')).toEqual({ reason: 'worker', queue: 'reports' });
    await limit('skill', 'b', { concurrency: 0 });
    expect(await waitOf('R0001')).toMatchObject({
      reason: 'limit',
      limit: { kind: 'skill', name: 'b', concurrency: 0, driven: 0, queued: 1 },
    });
    expect(await take(0)).toEqual(['R0000', 'R0002']);
    expect([await waitOf('R0000'), await waitOf('nope')]).toEqual([null, null]);
    await withSession(workerAt(0).address, async (session) => {
      expect(await removeLimit(session, schema, { kind: 'skill', name: 'b' })).toBe(true);
      expect(await removeLimit(session, schema, { kind: 'skill', name: 'b' })).toBe(false);
    });
    expect(await take(0)).toEqual(['R0001']);
  });
});
