// Deliveries over a real Postgres to a real receiver, by a clock of the test: what is sent again, what is given up, what is kept.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import type { Receiver } from '../../test/support/webhook-receiver.ts';
import { isSigned, openReceiver } from '../../test/support/webhook-receiver.ts';
import type { NewWebhook, StoredEvent, Webhook } from '../ports/webhooks.ts';
import { postWebhook } from '../techne/webhooks/receiver.ts';
import { deliveryId } from '../techne/webhooks/webhooks.ts';
import type { DeliveryEvent } from '../worker/webhook/deliver-webhooks.ts';
import { WebhookDeliveries } from '../worker/webhook/deliver-webhooks.ts';
import { mostAttempts } from '../worker/webhook/judge-attempt.ts';
import { newWebhookSecret, signPayload } from '../worker/webhook/signature.ts';
import { parseStoreAddress } from './address.ts';
import type { PostgresStore } from './open-store.ts';
import { openPostgresStore } from './open-store.ts';

const dayMs = 86_400_000;

describe.skipIf(noPostgres)('webhooks', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let schema = '';
  let schemas = 0;
  let stores: readonly [PostgresStore, PostgresStore];
  let nowMs: number;
  const said: DeliveryEvent[] = [];
  const faults: unknown[] = [];
  const workers: WebhookDeliveries[] = [];
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    nowMs = Date.parse('2026-05-01T03:00Z');
    schema = `s${(schemas += 1)}`;
    const address = parseStoreAddress(`${database.url}?schema=${schema}`);
    const open = (): PostgresStore => openPostgresStore({ address, nowMs: () => nowMs });
    stores = [open(), open()];
    await stores[0].check();
    receiver = await openReceiver();
    said.length = 0;
    faults.length = 0;
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop();
    for (const { store } of stores) await store.close();
    await receiver.close();
    if (faults.length > 0) throw new Error('a look failed', { cause: faults[0] });
  });

  const secret = newWebhookSecret();
  const add = (name: string, more: Partial<NewWebhook> = {}): Promise<Webhook> =>
    stores[0].webhooks.add(name.toUpperCase(), {
      name,
      url: `${receiver.url}/${name}`,
      events: ['run.ended'],
      statuses: [],
      audiences: [],
      skills: [],
      include: [],
      server: null,
      secret,
      by: 'ada',
      ...more,
    });
  const describeAll = async (event: StoredEvent, all: readonly Webhook[]) =>
    all.map(({ id }) => ({
      id: deliveryId(id, `run.ended ${event.run}`),
      webhook: id,
      type: 'run.ended',
      run: event.run,
      question: null,
      body: JSON.stringify({ type: 'run.ended', data: { run: event.run } }),
    }));
  const worker = ({ webhooks }: PostgresStore, timeoutMs = 2_000): WebhookDeliveries => {
    const made = new WebhookDeliveries({
      webhooks,
      describe: describeAll,
      send: ({ id, body, secrets, url }, signal) =>
        postWebhook(
          url,
          { body, headers: signPayload({ id, body, secrets }, nowMs) },
          { allowHosts: ['127.0.0.1'], signal, timeoutMs },
        ),
      sweep: () => webhooks.sweep(7 * dayMs, 30 * dayMs),
      onSay: (event) => said.push(event),
      onFault: (error) => faults.push(error),
    });
    workers.push(made);
    return made;
  };
  /** As the statement that ends a run does it. */
  const endRun = async (run: string): Promise<void> => {
    await database.query(
      `insert into ${schema}.run (run, epoch, seq, status, skill, started_at) values ($1, 1, 1, 'running', 'tides', 1)`,
      [run],
    );
    await database.query(
      `update ${schema}.run set status = 'completed', ended_at = 2, seq = 2 where run = $1`,
      [run],
    );
  };
  const until = async <T>(look: () => Promise<T | null>): Promise<T> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const found = await look();
      if (found !== null) return found;
      await new Promise((resolve) => setTimeout(resolve, 25));
      // A look passes over a webhook that the worker is still busy with.
      for (const each of workers) await each.look();
    }
    throw new Error('it did not come about');
  };
  const deliveries = async (id: string) =>
    (await stores[0].webhooks.deliveries(id, { state: null, limit: 100 })).map(
      ({ state, attempts, status, fault }) => ({ state, attempts, status, fault }),
    );
  const attempted = (id: string, attempts: number) =>
    until(async () => {
      const [one] = await deliveries(id);
      return one !== undefined && one.attempts >= attempts ? one : null;
    });

  it('are kept as they were made, under a name that is taken once, and never with their secret', async () => {
    const made = await add('ci', { statuses: ['failed'], skills: ['tides'], include: ['body'] });
    expect(made).toEqual({
      id: 'CI',
      name: 'ci',
      url: `${receiver.url}/ci`,
      events: ['run.ended'],
      statuses: ['failed'],
      audiences: [],
      skills: ['tides'],
      include: ['body'],
      server: null,
      by: 'ada',
      madeAt: nowMs,
      state: 'active',
      rotatesUntil: null,
      pending: 0,
      dead: 0,
    });
    await expect(stores[1].webhooks.add('OTHER', { ...made, secret })).rejects.toMatchObject({
      code: 'USAGE',
    });
    expect(await stores[1].webhooks.list()).toEqual([made]);
    expect(JSON.stringify(await stores[1].webhooks.find('ci'))).not.toContain(secret);
  });

  it('hear of a change with the statement that makes it, once, however many workers look', async () => {
    await add('ci');
    await endRun('R1');
    // Neither a change that is rolled back nor a change of something else is an event.
    await database.query('begin');
    await endRun('R2');
    await database.query('rollback');
    await database.query(`update ${schema}.run set seq = 3 where run = 'R1'`);
    expect(await database.query(`select run, kind from ${schema}.event`)).toEqual([
      { run: 'R1', kind: 'status' },
    ]);
    const [a, b] = [worker(stores[0]), worker(stores[1])];
    await Promise.all([a.look(), b.look()]);
    await Promise.all([a.look(), b.look()]);
    await attempted('CI', 1);
    expect(await deliveries('CI')).toEqual([{ state: 'delivered', attempts: 1, status: 204, fault: null }]);
    expect(receiver.received.length).toBe(1);
    const [got] = receiver.received;
    expect(got?.headers['webhook-id']).toBe(deliveryId('CI', 'run.ended R1'));
    expect([
      got !== undefined && isSigned(got, secret),
      got !== undefined && isSigned(got, newWebhookSecret()),
    ]).toEqual([true, false]);
    expect(await database.query(`select * from ${schema}.event`)).toEqual([]);
  });

  it('cost nothing where there is none', async () => {
    await endRun('R1');
    expect(await database.query(`select * from ${schema}.event`)).toEqual([]);
  });

  it('are sent the same id again after a worker died with it, and not before', async () => {
    await add('ci');
    await endRun('R1');
    // It dies after it took the event, and after it took the delivery.
    expect((await stores[0].webhooks.takeEvents(30_000, 10)).length).toBe(1);
    const second = worker(stores[1]);
    await second.look();
    expect(await deliveries('CI')).toEqual([]);
    nowMs += 30_001;
    const [event] = await stores[0].webhooks.takeEvents(30_000, 10);
    await stores[0].webhooks.enqueue(
      await describeAll(event as StoredEvent, await stores[0].webhooks.list()),
    );
    const [taken] = await stores[0].webhooks.take('CI', 30_000, 10);
    nowMs += 29_000;
    await second.look();
    expect(receiver.received).toEqual([]);
    nowMs += 1_001;
    await second.look();
    await attempted('CI', 1);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([taken?.id]);
    // The first worker was only slow: what it says now does not undo the delivery.
    await stores[0].webhooks.settle(taken?.id as string, {
      state: 'pending',
      waitMs: 0,
      status: null,
      fault: 'late',
      disables: false,
    });
    expect(await deliveries('CI')).toMatchObject([{ state: 'delivered' }]);
  });

  it('are tried for about three days, then dead, and sent again when someone says so', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    await add('ci');
    await endRun('R1');
    const one = worker(stores[0]);
    const begun = nowMs;
    const early: number[] = [];
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      await one.look();
      await attempted('CI', attempt);
      const [{ at } = { at: 0 }] = await stores[0].webhooks.deliveries('CI', { state: null, limit: 1 });
      if (attempt === mostAttempts) break;
      nowMs = at - 1;
      await one.look();
      early.push(receiver.received.length - attempt);
      nowMs = at;
    }
    expect(early).toEqual(Array.from({ length: mostAttempts - 1 }, () => 0));
    expect(await deliveries('CI')).toEqual([
      { state: 'dead', attempts: mostAttempts, status: 500, fault: 'it answered 500' },
    ]);
    expect((nowMs - begun) / dayMs).toBeGreaterThan(2.3);
    expect((nowMs - begun) / dayMs).toBeLessThan(3.8);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await stores[0].webhooks.find('ci')).toMatchObject({ pending: 0, dead: 1, state: 'active' });
    receiver.answer = (response) => response.writeHead(200).end('ok');
    expect(await stores[0].webhooks.resend('CI', null)).toBe(1);
    await one.look();
    await until(async () => ((await deliveries('CI'))[0]?.state === 'delivered' ? true : null));
    expect(await stores[0].webhooks.resend('CI', null)).toBe(0);
    expect(await stores[0].webhooks.resend('CI', 'msg_unknown')).toBe(0);
  });

  it('do not follow redirects, do not read floods, do not wait for ever', async () => {
    await add('ci');
    const one = worker(stores[0], 500);
    const outcome = async (run: string, answer: Receiver['answer']) => {
      receiver.answer = answer;
      await endRun(run);
      await one.look();
      return until(async () => {
        const [found] = await stores[0].webhooks
          .deliveries('CI', { state: null, limit: 100 })
          .then((all) => all.filter((each) => each.run === run && each.attempts > 0));
        return found === undefined ? null : { state: found.state, fault: found.fault };
      });
    };
    const at = receiver.received.length;
    expect(
      await outcome('R1', (response) =>
        response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end(),
      ),
    ).toEqual({ state: 'pending', fault: 'it answered 302, and redirects are not followed' });
    expect(receiver.received.length - at).toBe(1);
    let sent = 0;
    expect(
      await outcome('R2', (response) => {
        response.writeHead(200);
        const piece = Buffer.alloc(65_536);
        const more = (): void => {
          while (!response.destroyed && sent < 1e9 && response.write(piece)) sent += piece.length;
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      }),
    ).toEqual({ state: 'delivered', fault: null });
    expect(sent).toBeLessThan(5e7);
    expect(await outcome('R3', () => undefined)).toEqual({
      state: 'pending',
      fault: 'the receiver took longer than 0.5 s',
    });
    expect(await outcome('R4', (response) => response.destroy())).toMatchObject({
      state: 'pending',
      fault: expect.stringMatching(/^the receiver cannot be reached: /) as string,
    });
  });

  it('do not wait for each other', async () => {
    await add('hangs');
    await add('works');
    receiver.answer = (response, { path }) => {
      if (path.endsWith('works')) response.writeHead(204).end();
    };
    const one = worker(stores[0], 60_000);
    for (const run of ['R1', 'R2', 'R3', 'R4', 'R5', 'R6']) await endRun(run);
    await one.look();
    await until(async () => {
      await one.look();
      return (await deliveries('WORKS')).filter(({ state }) => state === 'delivered').length === 6
        ? true
        : null;
    });
    expect(await deliveries('HANGS')).toMatchObject(Array.from({ length: 6 }, () => ({ attempts: 0 })));
    // And a worker that stops does not wait for the one that hangs.
    await one.stop();
  });

  it('are disabled by 410 until someone resumes them', async () => {
    await add('ci');
    receiver.answer = (response) => response.writeHead(410).end();
    await endRun('R1');
    const one = worker(stores[0]);
    await one.look();
    await attempted('CI', 1);
    expect(await stores[0].webhooks.find('ci')).toMatchObject({ state: 'disabled', dead: 1 });
    await endRun('R2');
    await one.look();
    expect([receiver.received.length, await stores[0].webhooks.find('ci')]).toMatchObject([
      1,
      { pending: 1 },
    ]);
    receiver.answer = (response) => response.writeHead(204).end();
    await stores[0].webhooks.resume('CI');
    await one.look();
    await until(async () => (receiver.received.length === 2 ? true : null));
  });

  it('keep what happens while they are paused', async () => {
    await add('ci');
    await stores[0].webhooks.pause('CI');
    await endRun('R1');
    const one = worker(stores[0]);
    await one.look();
    expect([receiver.received.length, await stores[0].webhooks.find('ci')]).toMatchObject([
      0,
      { pending: 1 },
    ]);
    await stores[0].webhooks.resume('CI');
    await one.look();
    await attempted('CI', 1);
    await stores[0].webhooks.remove('CI');
    expect(await database.query(`select id from ${schema}.delivery`)).toEqual([]);
  });

  it('have the signatures of both secrets while one is rotated', async () => {
    await add('ci');
    const next = newWebhookSecret();
    await stores[0].webhooks.rotate('CI', next, 3_600_000);
    const one = worker(stores[0]);
    const sentFor = async (run: string) => {
      await endRun(run);
      await one.look();
      const got = await until(
        async () => receiver.received.find(({ json }) => json.data['run'] === run) ?? null,
      );
      return [isSigned(got, secret), isSigned(got, next)];
    };
    expect(await sentFor('R1')).toEqual([true, true]);
    nowMs += 3_600_001;
    expect(await sentFor('R2')).toEqual([false, true]);
  });

  it('forget what was over long ago', async () => {
    await add('ci');
    await endRun('R1');
    const one = worker(stores[0]);
    await one.look();
    await attempted('CI', 1);
    nowMs += 7 * dayMs - 1;
    await stores[0].webhooks.sweep(7 * dayMs, 30 * dayMs);
    expect((await deliveries('CI')).length).toBe(1);
    nowMs += 2;
    await stores[0].webhooks.sweep(7 * dayMs, 30 * dayMs);
    expect(await deliveries('CI')).toEqual([]);
  });
});
