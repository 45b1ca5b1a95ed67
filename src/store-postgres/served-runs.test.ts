// Which runs need a worker, and who may queue them, in a real Postgres.
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { ownRecord } from '../node/files/owner-record.ts';
import type { DueRun, Order } from '../ports/served-runs.ts';
import { parseStoreAddress } from './address.ts';
import type { PostgresStore } from './open-store.ts';
import { openPostgresStore } from './open-store.ts';

const order: Order = { queue: 'default', priority: 0, tenant: null, key: null, digest: null, by: null };
const started = (run: string, parent: string | null = null): JournalEntry => ({
  type: 'run.started',
  at: 1,
  run,
  skill: { name: 'tides', form: 'program', digest: 'd' },
  files: {},
  profile: 'p',
  input: { value: {} },
  limits: {},
  settings: {},
  parent: parent === null ? null : { run: parent, key: '1' },
});
const paused: JournalEntry = { type: 'run.paused', at: 2, reason: 'question', usedMs: 0 };
const answered: JournalEntry = {
  type: 'question.answered',
  at: 3,
  id: 'q',
  answer: { value: 1 },
  by: 'person',
};
const ended: JournalEntry = { type: 'effect.ended', at: 3, key: '1', ok: true, result: { value: 1 }, ms: 1 };

describe.skipIf(noPostgres)('served runs', () => {
  let database: TestDatabase;
  let schemas = 0;
  let here: PostgresStore;
  let there: PostgresStore;
  let isDead = false;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    isDead = false;
    schemas += 1;
    const address = parseStoreAddress(`${database.url}?schema=s${schemas}`);
    const judge = (record: { readonly startedAt: string | null }): boolean =>
      record.startedAt === 'there' && isDead;
    const owners = (startedAt: string) => ({ self: { ...ownRecord(), startedAt }, isDead: judge });
    here = openPostgresStore({ address, owners: owners('here') });
    there = openPostgresStore({ address, owners: owners('there') });
  });
  afterEach(async () => {
    await here.store.close();
    await there.store.close();
  });

  const names = async (): Promise<string[]> => (await here.served.due(10)).map(({ run }) => run);
  const submit = async (run: string, given: Partial<Order> = {}): Promise<void> => {
    await here.served.add(run, { ...order, ...given });
    await here.store.release(await here.store.create(run, [started(run)]));
  };
  const first = async (): Promise<DueRun> => (await here.served.due(1))[0] as DueRun;

  it('are late when their deadline has passed, for one worker at a time, until they have ended', async () => {
    await submit('R1');
    await submit('R2');
    await here.served.deadline('R1', -1);
    // The first deadline counts, and a run that was not made is not late.
    await here.served.deadline('R1', 60);
    await here.served.deadline('R2', 60);
    await here.served.deadline('R3', -1);
    const late = await Promise.all([here.served.late(10), there.served.late(10)]);
    expect(late.flat()).toEqual([{ run: 'R1', deadlineAt: expect.any(Number) as number }]);
    await database.query(`update s${schemas}.served set late_at = late_at - interval '1 minute'`);
    expect((await there.served.late(10)).map(({ run }) => run)).toEqual(['R1']);
    await here.served.done('R1');
    await database.query(`update s${schemas}.served set late_at = late_at - interval '1 minute'`);
    expect(await there.served.late(10)).toEqual([]);
  });

  it('are due when they are made, in the order of their priority, and kicked once', async () => {
    await here.served.add('R0', order);
    expect(await names()).toEqual([]);
    await submit('R1');
    await submit('R2', { priority: -1 });
    expect(await names()).toEqual(['R2', 'R1']);
    const due = await first();
    const kicks = await Promise.all([here.served.kicked(due), there.served.kicked(due)]);
    expect(kicks.filter((kick) => kick !== null)).toEqual([{ kick: 1, deaths: 0 }]);
    expect(await names()).toEqual(['R1']);
    await here.served.unkick(['R2']);
    expect(await names()).toEqual(['R2', 'R1']);
    await here.served.postpone('R2', 60);
    expect(await names()).toEqual(['R1']);
  });

  it('are not due while a living worker owns them, and are when it is dead', async () => {
    await submit('R1');
    await here.served.kicked(await first());
    const claim = await there.store.claim('R1');
    expect(await names()).toEqual([]);
    expect(await here.served.workers()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ id: there.worker, isAlive: true, runs: 1 }),
      ]) as object,
    );
    isDead = true;
    expect(await here.served.due(10)).toEqual([
      { run: 'R1', queue: 'default', priority: 0, epoch: claim.epoch, deadOwner: there.worker },
    ]);
  });

  it('are held after three deaths without an effect that ended, and tried again when released', async () => {
    await submit('R1');
    isDead = true;
    const die = async (entries: readonly JournalEntry[]): Promise<DueRun> => {
      await database.query(`update "s${schemas}".run set owner = null where run = 'R1'`);
      const claim = await there.store.claim('R1');
      if (entries.length > 0) await there.store.append(claim, claim.seq, entries);
      return first();
    };
    expect(await here.served.kicked(await die([ended]))).toMatchObject({ deaths: 1 });
    expect(await here.served.kicked(await die([ended]))).toMatchObject({ deaths: 1 });
    expect(await here.served.kicked(await die([]))).toMatchObject({ deaths: 2 });
    expect(await here.served.kicked(await die([]))).toBe(null);
    expect(await here.served.held()).toMatchObject([
      { run: 'R1', deaths: 3, held: 'workers died 3 times while they drove it, and no effect ended between' },
    ]);
    expect(await names()).toEqual([]);
    await here.served.release('R1');
    expect(await names()).toEqual(['R1']);
    expect(await here.served.find('R1')).toMatchObject({ deaths: 0, held: null });
    await expect(here.served.release('R9')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });

  it('are due again when an answer came, also to a run inside of them, and not before', async () => {
    await submit('R1');
    await here.served.kicked(await first());
    const outer = await here.store.claim('R1');
    const inner = await here.store.create('R1N', [started('R1N', 'R1')]);
    await here.store.append(inner, inner.seq, [paused]);
    await here.store.append(outer, outer.seq, [paused]);
    await here.store.release(inner);
    await here.store.release(outer);
    await here.served.park('R1');
    expect(await names()).toEqual([]);
    const late = await there.store.claim('R1N');
    await there.store.append(late, late.seq, [answered]);
    await there.store.release(late);
    expect(await names()).toEqual(['R1']);
  });

  it('are due when the answer came before the worker had parked them, or waits as a message', async () => {
    await submit('R1');
    const claim = await here.store.claim('R1');
    await here.store.append(claim, claim.seq, [paused]);
    await here.store.release(claim);
    const late = await there.store.claim('R1');
    await there.store.append(late, late.seq, [answered]);
    await there.store.release(late);
    await here.served.park('R1');
    expect(await names()).toEqual(['R1']);
    await submit('R2');
    const other = await here.store.claim('R2');
    await here.store.append(other, other.seq, [paused]);
    await there.store.post('R2', { kind: 'cancel', reason: 'enough', by: 'person' });
    await here.store.release(other);
    await here.served.park('R2');
    expect(await names()).toEqual(['R1', 'R2']);
    await here.served.done('R1');
    expect(await names()).toEqual(['R2']);
  });

  it('are given to one worker each when they are queued, the most urgent first', async () => {
    const take = async ({ served }: PostgresStore, queues: readonly string[], most: number) =>
      (await served.take(queues, most)).taken;
    await submit('R1');
    await submit('R2', { priority: -1 });
    await submit('R3', { queue: 'other' });
    expect(await take(here, ['default', 'other'], 10)).toEqual([]);
    for (const due of await here.served.due(10)) await here.served.kicked(due);
    expect(await take(here, ['default'], 1)).toEqual([{ run: 'R2', epoch: 1, kick: 1, deaths: 0 }]);
    const taken = await Promise.all([here, there].map((store) => take(store, ['default'], 5)));
    expect(taken.flat()).toEqual([{ run: 'R1', epoch: 1, kick: 1, deaths: 0 }]);
    // The kick was lost, and it is queued again.
    await here.served.unkick(['R1']);
    await here.served.kicked(await first());
    await here.store.release(await here.store.claim('R3'));
    expect(await take(here, ['default', 'other'], 5)).toEqual([{ run: 'R1', epoch: 1, kick: 2, deaths: 0 }]);
  });

  it('are due again some time after news that no one told', async () => {
    await submit('R1');
    const claim = await here.store.claim('R1');
    await here.store.append(claim, claim.seq, [paused]);
    await here.store.release(claim);
    await here.served.park('R1');
    expect(await names()).toEqual([]);
    await database.query(`insert into "s${schemas}".inbox (run, message, token) values ('R1', '{}', 't')`);
    expect(await names()).toEqual(['R1']);
    expect(await here.served.dueOf('R1')).toMatchObject({ run: 'R1' });
  });

  it('are due after an answer whose value looks like a pause', async () => {
    await submit('R1');
    const claim = await here.store.claim('R1');
    await here.store.append(claim, claim.seq, [paused]);
    await here.store.release(claim);
    const late = await there.store.claim('R1');
    await there.store.append(late, late.seq, [{ ...answered, answer: { value: { type: 'run.paused' } } }]);
    await there.store.release(late);
    await here.served.park('R1');
    expect(await names()).toEqual(['R1']);
  });

  it('are held whatever the values of their entries say about effects', async () => {
    await submit('R1');
    isDead = true;
    const kicks: unknown[] = [];
    for (let deaths = 0; deaths < 3; deaths += 1) {
      await database.query(`update "s${schemas}".run set owner = null where run = 'R1'`);
      const claim = await there.store.claim('R1');
      await there.store.append(claim, claim.seq, [
        { ...answered, answer: { value: { type: 'effect.ended' } } },
      ]);
      kicks.push(await here.served.kicked(await first()));
    }
    expect(kicks.at(-1)).toBe(null);
  });

  it('give one run for one key, and refuse another request under it', async () => {
    const keyed = { ...order, key: 'k', digest: 'one' };
    const added = await Promise.all(
      ['R1', 'R2', 'R3', 'R4'].map((run, at) => (at % 2 === 0 ? here : there).served.add(run, keyed)),
    );
    expect(added.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(added.map(({ run }) => run)).size).toBe(1);
    await expect(here.served.add('R5', { ...keyed, digest: 'two' })).rejects.toMatchObject({
      code: 'KEY_REUSED',
    });
    expect(await here.served.add('R6', { ...keyed, tenant: 'other' })).toEqual({ run: 'R6', isNew: true });
    await here.served.withdraw('R6');
    expect(await here.served.find('R6')).toBe(null);
  });

  it('are told to workers that listen', async () => {
    const heard: string[] = [];
    const listening = await there.served.listen((queue, run) => heard.push(`${queue} ${run}`));
    await here.served.tell('default', 'R1');
    for (let waited = 0; waited < 5_000 && heard.length === 0; waited += 20)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(heard).toEqual(['default R1']);
    await listening.close();
  });
});
