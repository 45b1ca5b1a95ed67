// The line on DBOS, in a real Postgres.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import { migrateQueue, openDbosQueue, openDispatcher } from './dbos-queue.ts';
import type { RunQueue } from './run-queue.ts';

const schema = 'techne_queue';

describe.skipIf(noPostgres)('the queue on DBOS', () => {
  let database: TestDatabase;
  const faults: string[] = [];
  const onFault = (message: string): void => void faults.push(message);
  let queue: RunQueue | null = null;
  beforeAll(async () => {
    database = await createDatabase();
    await migrateQueue({ url: database.url, schema });
  }, 60_000);
  afterEach(async () => {
    await queue?.close();
    queue = null;
  });
  afterAll(() => database.drop());

  const open = async (worker: string, concurrency = 2): Promise<RunQueue> =>
    (queue = await openDbosQueue({
      url: database.url,
      schema,
      worker,
      queues: ['default'],
      concurrency,
      onFault,
    }));
  const kick = (run: string, n: number, priority = 0) => ({
    run,
    id: `${run}:${n}`,
    queue: 'default',
    priority,
  });
  const until = async (isDone: () => boolean): Promise<void> => {
    for (let waited = 0; waited < 15_000 && !isDone(); waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDone()).toBe(true);
  };

  it('gives what was queued before the worker came, once, the more urgent first', async () => {
    const dispatcher = await openDispatcher({ url: database.url, schema, onFault });
    for (const [run, priority] of [
      ['late', 5],
      ['soon', 1],
      ['soon', 1],
    ] as const)
      await dispatcher.enqueue(kick(run, 1, priority));
    await dispatcher.enqueue(kick('soon', 2));
    await dispatcher.close();
    const seen: string[] = [];
    const opened = await open('w1', 1);
    await opened.listen((run) => {
      seen.push(run);
      return Promise.resolve();
    });
    await until(() => seen.length >= 2);
    expect(seen).toEqual(['soon', 'late']);
    await opened.enqueue(kick('soon', 3));
    await until(() => seen.length >= 3);
    expect(seen[2]).toBe('soon');
  }, 60_000);

  it('frees the places of workers that are dead, and names their runs', async () => {
    const opened = await open('dead');
    let isIn = false;
    let leave = (): void => undefined;
    await opened.listen(() => {
      isIn = true;
      return new Promise((resolve) => {
        leave = resolve;
      });
    });
    await opened.enqueue(kick('stuck', 1));
    await until(() => isIn);
    expect(await opened.free(() => Promise.resolve(new Set(['dead'])))).toEqual([]);
    expect(await opened.free(() => Promise.resolve(new Set(['w2'])))).toEqual(['stuck']);
    expect(await opened.free(() => Promise.resolve(new Set(['w2'])))).toEqual([]);
    leave();
  }, 60_000);

  it('does not dispatch a kick that is forgotten, and keeps those that are over for an hour', async () => {
    const dispatcher = await openDispatcher({ url: database.url, schema, onFault });
    await dispatcher.enqueue(kick('taken', 1));
    await dispatcher.enqueue(kick('open', 1));
    await dispatcher.close();
    const seen: string[] = [];
    const opened = await open('w3');
    await opened.forget(['taken:1', 'unknown:1']);
    await opened.listen((run) => {
      seen.push(run);
      return Promise.resolve();
    });
    await until(() => seen.includes('open'));
    const left = async (): Promise<number> =>
      (
        await database.query<{ count: number }>(
          `select count(*)::int as count from ${schema}.workflow_status where workflow_uuid = 'open:1' and status = 'SUCCESS'`,
        )
      )[0]?.count ?? 0;
    for (let waited = 0; waited < 5_000 && (await left()) === 0; waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await opened.tidy();
    expect(await left()).toBe(1);
    await database.query(`update ${schema}.workflow_status set completed_at = completed_at - 3700000`);
    await opened.tidy();
    expect([await left(), seen]).toEqual([0, ['open']]);
  }, 60_000);
});
