// Schedules in a real Postgres, by a clock of the test: each occurrence is one run, whoever looks and whatever fails.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import { TechneError } from '../base/error.ts';
import type { MissedRule, NewSchedule } from '../ports/schedules.ts';
import type { FiredRun, ScheduleEvent } from '../worker/schedule/fire-schedules.ts';
import { fireSchedules } from '../worker/schedule/fire-schedules.ts';
import { parseStoreAddress } from './address.ts';
import type { PostgresStore } from './open-store.ts';
import { openPostgresStore } from './open-store.ts';

const start = Date.parse('2026-05-01T03:00Z');
const hourMs = 3_600_000;

describe.skipIf(noPostgres)('schedules', () => {
  let database: TestDatabase;
  let schemas = 0;
  let stores: readonly [PostgresStore, PostgresStore];
  let nowMs: number;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    nowMs = start;
    schemas += 1;
    const address = parseStoreAddress(`${database.url}?schema=s${schemas}`);
    const open = (): PostgresStore => openPostgresStore({ address, nowMs: () => nowMs });
    stores = [open(), open()];
  });
  afterEach(async () => {
    for (const { store } of stores) await store.close();
  });

  const add = (name: string, more: Partial<NewSchedule> = {}) =>
    stores[0].schedules.add(name.toUpperCase(), {
      name,
      skill: 'tides',
      input: { place: 'Oslo' },
      cron: '0 * * * *',
      timezone: 'UTC',
      missed: 'latest',
      queue: 'default',
      priority: 0,
      nextAt: start + hourMs,
      ...more,
    });
  /** What the occurrences became, over the keys of the store, as workers do it. */
  const fired: string[] = [];
  const said: ScheduleEvent[] = [];
  beforeEach(() => {
    fired.length = 0;
    said.length = 0;
  });
  const submitIn =
    ({ served }: PostgresStore, worker: string) =>
    async (schedule: { readonly name: string; readonly id: string }, at: number): Promise<FiredRun> => {
      const time = new Date(at).toISOString().slice(0, 16);
      const order = {
        queue: 'q',
        priority: 0,
        tenant: null,
        key: `${schedule.id} ${time}`,
        digest: null,
        by: null,
      };
      const { run, isNew } = await served.add(`${worker} ${schedule.name} ${time}`, order);
      if (isNew) fired.push(`${schedule.name} ${time}`);
      return { run };
    };
  const look = (at: 0 | 1, submit = submitIn(stores[at], `w${at}`)): Promise<number | null> =>
    fireSchedules({
      schedules: stores[at].schedules,
      submit,
      leaseMs: 15_000,
      onSay: (event) => void said.push(event),
      stopping: () => false,
    });

  it('are kept as they were made, under a name that is taken once', async () => {
    const made = await add('nightly');
    expect(made).toMatchObject({
      id: 'NIGHTLY',
      input: { place: 'Oslo' },
      isPaused: false,
      nextAt: start + hourMs,
      lastAt: null,
    });
    expect(await stores[1].schedules.list()).toEqual([made]);
    expect(await stores[1].schedules.find('nightly')).toEqual(made);
    expect(await stores[1].schedules.find('NIGHTLY')).toEqual(made);
    expect(await stores[1].schedules.find('other')).toBeNull();
    await expect(stores[1].schedules.add('ANOTHER', { ...made, nextAt: 1 })).rejects.toThrow(
      'there is a schedule "nightly" already',
    );
  });

  it('say how long nothing is due', async () => {
    expect(await look(0)).toBeNull();
    await add('nightly');
    expect(await look(0)).toBe(hourMs);
    expect(fired).toEqual([]);
  });

  it('are one run for each occurrence, also when two workers look at once', async () => {
    await add('a');
    await add('b');
    for (let hour = 1; hour <= 5; hour += 1) {
      nowMs = start + hour * hourMs + 7;
      await Promise.all([look(0), look(1), look(0), look(1)]);
    }
    const expected = ['a', 'b'].flatMap((name) =>
      [4, 5, 6, 7, 8].map((hour) => `${name} 2026-05-01T0${hour}:00`),
    );
    expect([...fired].sort()).toEqual(expected.sort());
    expect(await stores[0].schedules.find('a')).toMatchObject({
      nextAt: start + 6 * hourMs,
      lastAt: start + 5 * hourMs,
      fault: null,
    });
  });

  it.each([
    ['catch-up', ['a 2026-05-01T04:00', 'a 2026-05-01T05:00', 'a 2026-05-01T06:00']],
    ['latest', ['a 2026-05-01T06:00']],
    ['skip', []],
  ] as const)('after three hours without a worker, %s: %j', async (missed, expected) => {
    await add('a', { missed: missed as MissedRule });
    nowMs = start + 3 * hourMs + 1_800_000;
    expect(await look(0)).toBe(1_800_000);
    expect(fired).toEqual(expected);
    expect(await stores[0].schedules.find('a')).toMatchObject({ nextAt: start + 4 * hourMs });
  });

  it('are the same run when a worker died after it submitted, and before it advanced the schedule', async () => {
    await add('a');
    nowMs = start + hourMs;
    // The worker takes it and submits; nothing that follows reaches the store.
    const [taken] = await stores[1].schedules.take(nowMs, nowMs + 15_000, 10);
    if (taken === undefined) throw new Error('nothing was due');
    const { run } = (await submitIn(stores[1], 'dead')(taken, nowMs)) as { run: string };
    await look(0);
    expect(fired).toEqual(['a 2026-05-01T04:00']);
    nowMs += 15_000;
    await look(0);
    expect(fired).toEqual(['a 2026-05-01T04:00']);
    expect(await stores[0].schedules.find('a')).toMatchObject({ lastRun: run, nextAt: start + 2 * hourMs });
  });

  it('keep their fault, and do not stop the others', async () => {
    await add('bad');
    await add('broken', { nextAt: start + hourMs - 1 });
    await add('good');
    nowMs = start + hourMs;
    const submit = (
      schedule: { readonly name: string; readonly id: string },
      at: number,
    ): Promise<FiredRun> => {
      if (schedule.name === 'bad') return Promise.resolve({ fault: 'SKILL_UNKNOWN: gone' });
      if (schedule.name === 'broken') return Promise.reject(new TechneError('ENVIRONMENT', 'no queue'));
      return submitIn(stores[0], 'w0')(schedule, at);
    };
    await look(0, submit);
    expect(fired).toEqual(['good 2026-05-01T04:00']);
    const faults = (await stores[1].schedules.list()).map(({ name, fault, nextAt, lastRun }) => [
      name,
      fault,
      nextAt,
      lastRun,
    ]);
    expect(faults).toEqual([
      ['bad', 'SKILL_UNKNOWN: gone', start + 2 * hourMs, null],
      ['broken', 'no queue', start + hourMs - 1, null],
      ['good', null, start + 2 * hourMs, 'w0 good 2026-05-01T04:00'],
    ]);
    // What could not be tried is tried again, and the fault is gone when it works.
    nowMs += 15_000;
    await look(0);
    expect(await stores[0].schedules.find('broken')).toMatchObject({
      fault: null,
      faultAt: null,
      nextAt: start + 2 * hourMs,
    });
    expect(said.filter(({ kind }) => kind === 'not-fired').map(({ reason }) => reason)).toEqual([
      'no queue',
      'SKILL_UNKNOWN: gone',
    ]);
  });

  it('start nothing while they are paused, also in the middle of catching up', async () => {
    const { id } = await add('a', { missed: 'catch-up' });
    nowMs = start + 5 * hourMs;
    await look(0, async (schedule, at) => {
      const run = await submitIn(stores[0], 'w0')(schedule, at);
      if (fired.length === 2) await stores[1].schedules.pause(id);
      return run;
    });
    expect(fired).toHaveLength(2);
    nowMs += hourMs;
    expect(await look(1)).toBeNull();
    expect(fired).toHaveLength(2);
    await stores[1].schedules.resume(id, nowMs + hourMs);
    nowMs += hourMs;
    await look(1);
    expect(fired).toHaveLength(3);
    await stores[1].schedules.remove(id);
    nowMs += hourMs;
    await look(1);
    expect([fired.length, await stores[0].schedules.list()]).toEqual([3, []]);
  });
});
