// Events of runs over server-sent events: nothing is lost and nothing comes twice, whoever disconnects.
import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EventReader } from '../src/api/event-stream.ts';
import type { StreamEvent } from '../src/api/event-stream.ts';
import { TechneError } from '../src/base/error.ts';
import type { JsonObject } from '../src/base/json.ts';
import type { Dispatcher } from '../src/http/dispatcher.ts';
import { FakeAnswerer } from './support/fake-run-host.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';

let scene: ApiScene;
const answerer = new FakeAnswerer('test');
const open = new Set<ClientRequest>();
beforeAll(async () => {
  scene = await openApiScene({ answerer, heartbeatMs: 50 });
});
afterEach(() => {
  for (const one of open) one.destroy();
  open.clear();
});
afterAll(async () => {
  await scene.close();
});

interface Stream {
  readonly status: number;
  readonly events: StreamEvent[];
  readonly text: () => string;
  readonly ended: Promise<void>;
  close(): void;
}

function follow(
  run: string,
  {
    from,
    last,
    as = 'viewer',
    path = `/v1/runs/${run}/events${from === undefined ? '' : `?from=${from}`}`,
  }: { from?: number; last?: string; as?: 'viewer' | 'operator' | 'runner'; path?: string } = {},
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: scene.serving.port,
        path,
        agent: false,
        headers: {
          authorization: `Bearer ${scene.tokens[as]}`,
          ...(last === undefined ? {} : { 'last-event-id': last }),
        },
      },
      (response) => {
        const reader = new EventReader();
        const events: StreamEvent[] = [];
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
          events.push(...reader.read(piece));
        });
        resolve({
          status: response.statusCode ?? 0,
          events,
          text: () => text,
          ended: new Promise((over) => response.on('close', () => over())),
          close: () => asked.destroy(),
        });
      },
    );
    open.add(asked);
    asked.on('error', reject);
    asked.end();
  });
}

function headOf(path: string): Promise<{ readonly status: number; readonly type: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${scene.tokens.viewer}` };
    request({ host: '127.0.0.1', port: scene.serving.port, path, method: 'HEAD', agent: false, headers })
      .on('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '' });
      })
      .on('error', reject)
      .end();
  });
}

interface Promised {
  readonly promise: Promise<string>;
  readonly resolve: (value: string) => void;
}

function promised(): Promised {
  let resolve: (value: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const startMany = async (count: number): Promise<string> =>
  (
    (await scene.get('/v1/runs', {
      as: 'runner',
      body: { skill: 'many', input: { count }, limits: { asks: count } },
    })) as JsonObject
  )['run'] as string;
const idsOf = (events: readonly StreamEvent[]): number[] =>
  events.flatMap(({ id }) => (id === null ? [] : [Number(id)]));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe('the events of a run', () => {
  it('are its journal, in order, with an event at the end', async () => {
    const run = await startMany(3);
    const stream = await follow(run);
    await stream.ended;
    const journal = await scene.techne.withRuns(({ store }) => store.read(run));
    expect(idsOf(stream.events)).toEqual(upTo(journal.length));
    expect(stream.events.at(-1)).toEqual({ id: null, event: 'stream.ended', data: '{"reason":"run.ended"}' });
    expect(stream.events.slice(0, -1).map(({ event }) => event)).toEqual(
      journal.map(({ entry }) => entry.type),
    );
    expect(JSON.parse(stream.events[0]?.data ?? '')).toEqual(journal[0]);
  });

  it('begin at any number, and are over for who has all of them', async () => {
    const run = await startMany(2);
    await scene.get(`/v1/runs/${run}?wait=10`);
    const journal = await scene.techne.withRuns(({ store }) => store.read(run));
    const middle = await follow(run, { from: 3 });
    await middle.ended;
    expect(idsOf(middle.events)).toEqual(upTo(journal.length).slice(3));
    const after = await follow(run, { last: '3' });
    await after.ended;
    expect(idsOf(after.events)).toEqual(upTo(journal.length).slice(4));
    expect((await follow(run, { last: String(journal.length - 1) })).status).toBe(204);
    expect((await follow(run, { from: journal.length })).status).toBe(204);
  });

  it('lose and repeat nothing for a reader that disconnects again and again', async () => {
    let asked = 0;
    answerer.onAsk = async () => {
      asked += 1;
      if (asked % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      return 'so';
    };
    const run = await startMany(40);
    const seen: number[] = [];
    let isOver = false;
    while (!isOver) {
      const stream = await follow(run, seen.length === 0 ? {} : { last: String(seen.at(-1)) });
      if (stream.status === 204) break;
      // Cut off after a few events, wherever that is.
      while (stream.events.length < 7 && !stream.events.some(({ event }) => event === 'stream.ended'))
        await new Promise((resolve) => setTimeout(resolve, 1));
      stream.close();
      const got = [...stream.events];
      seen.push(...idsOf(got));
      isOver = got.some(({ event }) => event === 'stream.ended');
    }
    answerer.onAsk = () => 'so';
    const journal = await scene.techne.withRuns(({ store }) => store.read(run));
    expect(seen).toEqual(upTo(journal.length));
  });

  // `TECHNE_SOAK=1 npm test -- test/http-api-events.test.ts` takes a thousand.
  const followers = process.env['TECHNE_SOAK'] === '1' ? 1_000 : 200;
  it(`reach ${followers} readers, each with everything`, async () => {
    const held = promised();
    answerer.onAsk = () => held.promise;
    const run = await startMany(10);
    const streams: Stream[] = [];
    for (let at = 0; at < followers; at += 50)
      streams.push(...(await Promise.all(upTo(50).map((one) => follow(run, { from: one % 3 })))));
    expect((await scene.send('/metrics')).text).toContain(`techne_event_streams ${followers}\n`);
    answerer.onAsk = () => 'so';
    held.resolve('so');
    await Promise.all(streams.map(({ ended }) => ended));
    const { length } = await scene.techne.withRuns(({ store }) => store.read(run));
    for (const [at, { events }] of streams.entries())
      expect(idsOf(events)).toEqual(upTo(length).slice((at % 50) % 3));
    expect((await scene.send('/metrics')).text).toContain('techne_event_streams 0\n');
  });

  it('keep a silent connection open with comments', async () => {
    const held = promised();
    answerer.onAsk = () => held.promise;
    const run = await startMany(1);
    const stream = await follow(run);
    while (!stream.text().includes(': beat\n\n: beat\n\n'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    held.resolve('so');
    answerer.onAsk = () => 'so';
    await stream.ended;
    expect(stream.events.at(-2)?.event).toBe('run.ended');
  });

  it('have no nonce for those who may not answer', async () => {
    const { run } = (await scene.get('/v1/runs?wait=10', {
      as: 'runner',
      body: { skill: 'touches', input: { a: 1 } },
    })) as JsonObject as { readonly run: string };
    const nonces = await Promise.all(
      (['viewer', 'runner', 'operator'] as const).map(async (as) => {
        const stream = await follow(run, { as });
        while (!stream.events.some(({ event }) => event === 'question.asked'))
          await new Promise((resolve) => setTimeout(resolve, 1));
        const asked = stream.events.find(({ event }) => event === 'question.asked');
        stream.close();
        return (JSON.parse(asked?.data ?? '') as { readonly entry: { readonly nonce: string | null } }).entry
          .nonce;
      }),
    );
    expect(nonces).toEqual([null, null, expect.any(String)]);
  });

  it('leave nothing behind for a HEAD request', async () => {
    const held = promised();
    answerer.onAsk = () => held.promise;
    const run = await startMany(1);
    for (let count = 0; count < 5; count += 1)
      expect(await headOf(`/v1/runs/${run}/events`)).toEqual({
        status: 200,
        type: 'text/event-stream; charset=utf-8',
      });
    const { text } = await scene.send('/metrics');
    held.resolve('so');
    answerer.onAsk = () => 'so';
    expect(/^techne_event_streams .*$/m.exec(text)?.[0]).toBe('techne_event_streams 0');
  });

  it.each([
    (run: string) => `/v1/runs/${run}/./events`,
    (run: string) => `/v1/runs/${run}/x/../events`,
    (run: string) => `/v1/runs/${run}/%65vents`,
    (run: string) => `/v1/runs/${run}/events`,
  ])('take no place of a request, however their path is written: %s', async (pathOf) => {
    const held = promised();
    answerer.onAsk = () => held.promise;
    const [before, small] = [scene, await openApiScene({ answerer, maxRequests: 2, maxStreams: 2 })];
    scene = small;
    try {
      const run = await startMany(1);
      const statuses = [];
      for (let count = 0; count < 3; count += 1)
        statuses.push((await follow(run, { path: pathOf(run) })).status);
      expect(statuses).toEqual([200, 200, 503]);
      expect((await small.send(`/v1/runs/${run}`)).status).toBe(200);
    } finally {
      for (const one of open) one.destroy();
      held.resolve('so');
      answerer.onAsk = () => 'so';
      scene = before;
      await small.close();
    }
  });

  it('take half of the places for one token at most, and give them back', async () => {
    const held = promised();
    answerer.onAsk = () => held.promise;
    const [before, small] = [scene, await openApiScene({ answerer, maxStreams: 6 })];
    scene = small;
    try {
      const run = await startMany(1);
      const first = await follow(run, { as: 'runner' });
      const statuses = [first.status];
      for (let count = 0; count < 3; count += 1) statuses.push((await follow(run, { as: 'runner' })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      const refused = await small.send(`/v1/runs/${run}/events`, { as: 'runner' });
      expect(refused.json).toMatchObject({
        code: 'RATE_LIMITED',
        detail: expect.stringContaining('has 3 streams under way'),
      });
      // Of another token, and of a session of the same one.
      expect((await follow(run, { as: 'viewer' })).status).toBe(200);
      const login = await small.send('/v1/login', { as: null, body: { token: small.tokens.runner } });
      const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? '';
      expect((await small.send(`/v1/runs/${run}/events`, { as: null, headers: { cookie } })).status).toBe(
        429,
      );
      first.close();
      let again = 429;
      while (again === 429) again = (await follow(run, { as: 'runner' })).status;
      expect(again).toBe(200);
    } finally {
      for (const one of open) one.destroy();
      held.resolve('so');
      answerer.onAsk = () => 'so';
      scene = before;
      await small.close();
    }
  });

  it('leave places for others, as requests that wait do', async () => {
    const held = promised();
    answerer.onAsk = () => held.promise;
    const small = await openApiScene({ answerer, maxRequests: 2, maxStreams: 2 });
    try {
      const started = await small.get('/v1/runs', {
        as: 'runner',
        body: { skill: 'asks', input: { what: 'it' } },
      });
      const run = started['run'] as string;
      const waiting = upTo(4).map(() => small.send(`/v1/runs/${run}?wait=60`));
      await Promise.race(waiting);
      expect((await small.send('/healthz', { as: null })).status).toBe(200);
      expect((await small.send(`/v1/runs/${run}`)).status).toBe(200);
      held.resolve('so');
      const statuses = (await Promise.all(waiting)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(2);
      expect(statuses.filter((status) => status === 503)).toHaveLength(2);
    } finally {
      held.resolve('so');
      answerer.onAsk = () => 'so';
      await small.close();
    }
  });

  it('are cut off for a reader that reads nothing, who then continues', async () => {
    const stalled = await openApiScene({ answerer, stallMs: 50 });
    try {
      const long = 'x'.repeat(20_000);
      answerer.onAsk = () => long;
      const { run } = (await stalled.get('/v1/runs?wait=20', {
        as: 'runner',
        body: { skill: 'many', input: { count: 50 }, limits: { asks: 50 } },
      })) as JsonObject as { readonly run: string };
      answerer.onAsk = () => 'so';
      const length = await stalled.techne.withRuns(async ({ store }) => (await store.read(run)).length);
      const readers = upTo(4).map(() => {
        const socket = connect(stalled.serving.port, '127.0.0.1');
        socket.write(
          `GET /v1/runs/${run}/events HTTP/1.1\r\nHost: 127.0.0.1:${stalled.serving.port}\r\nAuthorization: Bearer ${stalled.tokens.viewer}\r\n\r\n`,
        );
        // Nothing is read of it: the kernel keeps what fits into its buffers.
        socket.pause();
        return socket;
      });
      const isQuiet = async (): Promise<boolean> =>
        (await stalled.send('/metrics')).text.includes('techne_event_streams 0\n');
      while (!(await isQuiet())) await new Promise((resolve) => setTimeout(resolve, 20));
      for (const socket of readers) socket.destroy();
      expect(length).toBeGreaterThan(100);
    } finally {
      await stalled.close();
    }
  });
});

describe('a server that stops', () => {
  it('says that it is not ready, and takes no runs, until what is under way has ended', async () => {
    const held = promised();
    const dispatcher: Dispatcher = {
      submit: () => undefined,
      stateOf: () => null,
      faultOf: () => null,
      settled: () => Promise.resolve(),
      counts: () => ({ queued: 0, running: 0 }),
      mustHaveRoom() {
        throw new TechneError('OVERLOADED', 'the server is stopping');
      },
      drain: async () => void (await held.promise),
    };
    const stopping = await openApiScene({ dispatcher });
    expect(await stopping.send('/readyz', { as: null })).toMatchObject({
      status: 200,
      json: { status: 'ready' },
    });
    const closing = stopping.serving.close();
    expect(await stopping.send('/readyz', { as: null })).toMatchObject({
      status: 503,
      json: { code: 'OVERLOADED' },
    });
    expect(await stopping.send('/healthz', { as: null })).toMatchObject({ status: 200 });
    expect(
      await stopping.send('/v1/runs', { as: 'runner', body: { skill: 'echo', input: { word: 'x' } } }),
    ).toMatchObject({ status: 503, json: { code: 'OVERLOADED' } });
    held.resolve('');
    await closing;
    await stopping.techne.close();
    stopping.world.remove();
  });

  it('is not ready, ends streams with an event, and detaches its runs', async () => {
    const held = promised();
    answerer.onAsk = (_request, { signal }) =>
      new Promise((resolve, reject) => {
        void held.promise.then(resolve);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const stopping = await openApiScene({ answerer, concurrency: 1 });
    const started = await Promise.all(
      upTo(3).map(() =>
        stopping.get('/v1/runs', { as: 'runner', body: { skill: 'many', input: { count: 2 } } }),
      ),
    );
    const ids = started.map((one) => (one as JsonObject)['run'] as string);
    const shown = await stopping.get('/v1/runs');
    expect((shown['runs'] as JsonObject[]).map(({ status }) => status as string).toSorted()).toEqual([
      'queued',
      'queued',
      'running',
    ]);
    const before = scene;
    scene = stopping;
    const stream = await follow(ids[0] as string);
    scene = before;
    const closing = stopping.serving.close();
    await stream.ended;
    expect(stream.events.at(-1)).toEqual({
      id: null,
      event: 'stream.ended',
      data: '{"reason":"server.stopping"}',
    });
    await closing;
    held.resolve('so');
    answerer.onAsk = () => 'so';
    // Another server continues them.
    const next = await openApiScene({ answerer, world: stopping.world });
    for (const run of ids) {
      expect((await next.get(`/v1/runs/${run}`))['status']).toMatch(/^(?:running|interrupted)$/);
      expect(
        await next.get(`/v1/runs/${run}/resume?wait=10`, { as: 'runner', method: 'POST' }),
      ).toMatchObject({ status: 'completed', envelope: { said: 2 } });
    }
    await next.close();
    await stopping.techne.close();
    stopping.world.remove();
  });
});
