// What is appended is stored once, in order, by the owner alone: while connections break, the server restarts, and an owner
// is stopped and comes back.
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { started, trace } from '../../src/journal/sample-entries.ts';
import type { RunStore } from '../../src/ports/run-store.ts';
import { ownRecord } from '../../src/node/files/owner-record.ts';
import { parseStoreAddress } from '../../src/store-postgres/address.ts';
import type { PostgresStoreOptions } from '../../src/store-postgres/open-store.ts';
import { openPostgresStore } from '../../src/store-postgres/open-store.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram, firstLine, modules } from '../support/child-program.ts';
import type { CuttingProxy, Fate } from '../support/cutting-proxy.ts';
import { createCuttingProxy } from '../support/cutting-proxy.ts';
import type { PostgresServer, TestDatabase } from '../support/postgres.ts';
import { createDatabase, noPostgres, startPostgres } from '../support/postgres.ts';

const runNamed = (at: number): string => `01HF7YAT0000000000000000${String(at).padStart(2, '0')}`;
const kindsOf = async (store: RunStore, run: string): Promise<readonly string[]> =>
  (await store.read(run)).flatMap(({ entry }) => (entry.type === 'trace.added' ? [entry.kind] : []));

/** Appends one after the other, some of them together; gives what was acknowledged. */
async function appendAll(
  store: RunStore,
  run: string,
  count: number,
  onStored?: (at: number) => void,
): Promise<void> {
  const claim = await store.create(run, [started(run)]);
  for (let at = 0; at < count; at += 2) {
    await Promise.all([
      store.append(claim, at + 1, [trace(`${at}`)]),
      store.append(claim, at + 2, [trace(`${at + 1}`)]),
    ]);
    onStored?.(at);
  }
}

const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `${at}`);

describe.skipIf(noPostgres)('a store whose connections break', () => {
  let database: TestDatabase;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    database = await createDatabase();
    proxy = await createCuttingProxy(Number(new URL(database.url).port));
  });
  afterEach(() => {
    proxy.judge = () => 'passes';
  });
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });
  const open = (schema: string, options: Partial<PostgresStoreOptions> = {}): RunStore => {
    const url = new URL(`${database.url}?schema=${schema}`);
    url.port = String(proxy.port);
    return openPostgresStore({ address: parseStoreAddress(url.toString()), ...options }).store;
  };

  it.each(['lost', 'unanswered', 'cut'] as const)(
    'stores each entry once when requests are %s',
    async (fate: Fate) => {
      const store = open(`fate_${fate}`);
      const runs = [0, 1, 2, 3].map(runNamed);
      await store.list({ limit: 1 });
      let requests = 0;
      let cuts = 0;
      proxy.judge = () => {
        requests += 1;
        // Also in the middle of a connect, a beat and a notification.
        if (requests % 7 !== 0) return 'passes';
        cuts += 1;
        return fate;
      };
      await Promise.all(runs.map((run) => appendAll(store, run, 40)));
      proxy.judge = () => 'passes';
      for (const run of runs) expect(await kindsOf(store, run)).toEqual(numbers(40));
      expect(cuts).toBeGreaterThan(3);
      await store.close();
    },
  );

  it('does not double a run that it makes, claims or removes, nor a message', async () => {
    const store = open('others');
    const run = runNamed(0);
    await store.list({ limit: 1 });
    /** The answer to the first statement of this name is lost. */
    const broken = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      let cuts = 0;
      proxy.judge = (request) => {
        if (cuts > 0 || !request.includes(`${name}\0`)) return 'passes';
        cuts += 1;
        return 'unanswered';
      };
      try {
        return await work();
      } finally {
        proxy.judge = () => 'passes';
        expect([name, cuts]).toEqual([name, 1]);
      }
    };
    const claim = await broken('create', () => store.create(run, [started(run)]));
    expect(claim).toEqual({ run, epoch: 1, seq: 1 });
    await broken('post', () => store.post(run, { kind: 'cancel', reason: 'one', by: 'me' }));
    const got: string[] = [];
    const receiving = store.receive(claim, (_id, { kind }) => got.push(kind));
    await receiving.ready;
    expect(got).toEqual(['cancel']);
    receiving.close();
    await broken('release', () => store.release(claim));
    const next = await broken('claim', () => store.claim(run));
    expect(next).toMatchObject({ run, epoch: 2, seq: 2 });
    await store.append(next, 2, [trace('after')]);
    expect((await store.read(run)).map(({ entry }) => entry.type)).toEqual([
      'run.started',
      'owner.claimed',
      'trace.added',
    ]);
    await store.release(next);
    await broken('remove', () => store.remove(run, { force: true }));
    await expect(store.read(run)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    await store.close();
  });

  it('gives up in time, says what to do, and goes on when the server is back', async () => {
    const store = open('gone', { retryMs: 300 });
    const run = runNamed(0);
    const claim = await store.create(run, [started(run)]);
    await store.append(claim, 1, [trace('0')]);
    proxy.judge = () => 'lost';
    proxy.cutAll();
    await expect(store.append(claim, 2, [trace('1')])).rejects.toMatchObject({
      code: 'JOURNAL_WRITE',
      hint: 'the run can be resumed when the server is back',
    });
    proxy.judge = () => 'passes';
    await store.append(claim, 2, [trace('1')]);
    expect(await kindsOf(store, run)).toEqual(['0', '1']);
    await store.close();
  });

  it('tells subscribers and owners of what they missed', async () => {
    const [store, other] = [open('told', { pollMs: 100 }), open('told', { pollMs: 100 })];
    const run = runNamed(0);
    const claim = await store.create(run, [started(run)]);
    const seen: string[] = [];
    const got: string[] = [];
    other.subscribe(run, 0, (entries) => seen.push(...entries.map(({ entry }) => entry.type)));
    const receiving = store.receive(claim, (_id, message) => got.push(message.kind));
    await receiving.ready;
    for (let at = 1; at <= 10; at += 1) {
      if (at % 3 === 0) proxy.cutAll();
      await store.append(claim, at, [trace(`${at}`)]);
      await other.post(run, { kind: 'cancel', reason: `${at}`, by: 'me' });
    }
    await vi.waitFor(() => expect([seen.length, got.length]).toEqual([11, 10]), 15_000);
    await Promise.all([store.close(), other.close()]);
  });
});

describe.skipIf(noPostgres)('a server that restarts', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('loses and doubles nothing that is appended meanwhile', { timeout: 60_000 }, async () => {
    const { store } = openPostgresStore({ address: parseStoreAddress(server.url()) });
    const runs = Array.from({ length: 6 }, (_, at) => runNamed(at));
    let stored = 0;
    const work = Promise.all(runs.map((run) => appendAll(store, run, 400, () => (stored += 1))));
    for (const [after, mode] of [
      [100, 'immediate'],
      [400, 'fast'],
      [700, 'immediate'],
    ] as const) {
      await vi.waitFor(() => expect(stored).toBeGreaterThan(after), { timeout: 30_000, interval: 5 });
      await server.restart(mode);
    }
    await work;
    for (const run of runs) expect(await kindsOf(store, run)).toEqual(numbers(400));
    await store.close();
  });

  it('takes no run away from its owner because it could not beat', { timeout: 30_000 }, async () => {
    const away = { self: { ...ownRecord(), host: 'elsewhere' }, isDead: () => false };
    const leaseMs = 1500;
    const address = parseStoreAddress(`${server.url()}?schema=grace`);
    const { store } = openPostgresStore({ address, leaseMs, owners: away });
    const { store: other } = openPostgresStore({ address, leaseMs, owners: { ...away, self: ownRecord() } });
    const run = runNamed(0);
    const claim = await store.create(run, [started(run)]);
    await other.list({ limit: 1 });
    // Down for longer than a lease: the row of the owner is old when the server is back.
    await server.end('immediate');
    await new Promise((resolve) => setTimeout(resolve, leaseMs * 1.5));
    await server.start();
    await expect(other.claim(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
    await store.append(claim, 1, [trace('mine')]);
    await Promise.all([store.close(), other.close()]);
  });
});

describe.skipIf(noPostgres)('an owner that is silent', () => {
  let database: TestDatabase;
  let program: ChildProgram;
  beforeAll(async () => {
    database = await createDatabase();
    program = await childProgram('own-postgres-run', modules);
  });
  afterAll(async () => {
    program.close();
    await database.drop();
  });
  const address = (schema: string): string => `${database.url}?schema=${schema}`;

  it(
    'is stopped past its lease, loses the run, and none of its appends are taken',
    { timeout: 60_000 },
    async () => {
      const leaseMs = 600;
      const run = runNamed(0);
      const child = program.start(address('stopped'), run, String(leaseMs));
      let printed = '';
      child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      const ended = once(child, 'close');
      await firstLine(child);
      await vi.waitFor(() => expect(printed.split('\n').length).toBeGreaterThan(20), 10_000);
      const { store } = openPostgresStore({ address: parseStoreAddress(address('stopped')), leaseMs });
      await expect(store.claim(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
      child.kill('SIGSTOP');
      const claim = await vi.waitFor(() => store.claim(run), { timeout: 20_000, interval: 50 });
      expect(claim.epoch).toBe(2);
      await store.append(claim, claim.seq, [trace('second 0')]);
      child.kill('SIGCONT');
      await ended;
      await store.append(claim, claim.seq + 1, [trace('second 1')]);
      expect(printed.trim().split('\n').at(-1)).toBe('refused OWNER_LOST');
      const entries = (await store.read(run)).map(({ entry }) =>
        entry.type === 'trace.added' ? entry.kind : entry.type,
      );
      const claimedAt = entries.indexOf('owner.claimed');
      expect(entries.slice(claimedAt)).toEqual(['owner.claimed', 'second 0', 'second 1']);
      // Everything that it was told to be stored is stored.
      const told = printed.trim().split('\n').slice(0, -1).map(Number);
      expect(Math.max(...told)).toBeLessThanOrEqual(claimedAt);
      expect(entries.slice(1, claimedAt)).toEqual(
        Array.from({ length: claimedAt - 1 }, (_, at) => `first ${at + 1}`),
      );
      await store.close();
    },
  );

  it('is taken for dead at once where its process is gone', async () => {
    const run = runNamed(0);
    const child = program.start(address('killed'), run, '60000');
    await firstLine(child);
    child.kill('SIGKILL');
    await once(child, 'close');
    const { store } = openPostgresStore({ address: parseStoreAddress(address('killed')) });
    expect((await store.list({ limit: 1 })).runs).toMatchObject([{ run, status: 'interrupted' }]);
    expect((await store.claim(run)).epoch).toBe(2);
    await store.close();
  });

  it('keeps its run as long as it beats, however long it appends nothing', { timeout: 30_000 }, async () => {
    const leaseMs = 300;
    const away = { self: { ...ownRecord(), host: 'elsewhere' }, isDead: () => false };
    const at = parseStoreAddress(address('beats'));
    const { store } = openPostgresStore({ address: at, leaseMs, owners: away });
    const { store: other } = openPostgresStore({ address: at, leaseMs, owners: away });
    const run = runNamed(0);
    const claim = await store.create(run, [started(run)]);
    for (let look = 0; look < 6; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, leaseMs));
      await expect(other.claim(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
    }
    await store.append(claim, 1, [trace('still mine')]);
    await Promise.all([store.close(), other.close()]);
  });
});
