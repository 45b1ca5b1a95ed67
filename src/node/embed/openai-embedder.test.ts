import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiEmbedder } from './openai-embedder.ts';

interface Asked {
  readonly path: string;
  readonly key: string | null;
  readonly input: readonly string[];
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(
  answer: (asked: Asked, response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ readonly baseUrl: string; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += String(chunk)));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        key: request.headers.authorization ?? null,
        input: (JSON.parse(body) as { input: string[] }).input,
      };
      asked.push(one);
      answer(one, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
/** In reverse, since only the index tells which is which. */
const vectors = (input: readonly string[]): unknown => ({
  data: input.map((text, index) => ({ index, embedding: [text.length, 1] })).reverse(),
});
const signal = new AbortController().signal;

/** Settles when the socket is closed, also when the other side reset it. */
const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined));

describe('createOpenAiEmbedder', () => {
  it('asks for all texts together, and puts the answers in order', async () => {
    const { baseUrl, asked } = await serve(({ input }, response) => json(response, vectors(input)));
    const embedder = createOpenAiEmbedder({ baseUrl: `${baseUrl}/`, model: 'small', apiKey: 'key-1' });
    expect(embedder.name).toMatch(/^small at 127\.0\.0\.1:\d+$/);
    expect((await embedder.embed(['a', 'bb', 'ccc'], signal)).map(([first]) => first)).toEqual([1, 2, 3]);
    await createOpenAiEmbedder({ baseUrl, model: 'm' }).embed(['a'], signal);
    expect(asked).toEqual([
      { path: '/v1/embeddings', key: 'Bearer key-1', input: ['a', 'bb', 'ccc'] },
      { path: '/v1/embeddings', key: null, input: ['a'] },
    ]);
  });
  it('tells a failure without the key, and rests after it', async () => {
    let now = 0;
    let ok = false;
    const { baseUrl, asked } = await serve(({ input }, response) =>
      ok ? json(response, vectors(input)) : json(response, { error: 'bad key-12345678\u001b[2J' }, 500),
    );
    const embedder = createOpenAiEmbedder({
      baseUrl,
      model: 'm',
      apiKey: 'key-12345678',
      restMs: 1000,
      nowMs: () => now,
    });
    await expect(embedder.embed(['a'], signal)).rejects.toThrow(
      /^m at [\d.:]+ failed: it answered HTTP 500: \{"error":"bad \[key\]/,
    );
    await expect(embedder.embed(['a'], signal)).rejects.toThrow(/failed a moment ago/);
    expect(asked.length).toBe(1);
    now = 1001;
    ok = true;
    expect((await embedder.embed(['a'], signal)).length).toBe(1);
  });
  it.each<readonly [string, unknown]>([
    ['no data', {}],
    ['too few', { data: [] }],
    ['a wrong index', { data: [{ index: 7, embedding: [1] }] }],
    ['a name for an index', { data: [{ index: 'constructor', embedding: [1] }] }],
    ['no vector', { data: [{ index: 0, embedding: 'AAAA' }] }],
    ['no numbers', { data: [{ index: 0, embedding: [1, null] }] }],
    ['an empty vector', { data: [{ index: 0, embedding: [] }] }],
    ['far too long a vector', { data: [{ index: 0, embedding: Array.from({ length: 20_000 }, () => 1) }] }],
  ])('refuses an answer with %s', async (_, answer) => {
    const { baseUrl } = await serve((_asked, response) => json(response, answer));
    await expect(createOpenAiEmbedder({ baseUrl, model: 'm' }).embed(['a'], signal)).rejects.toThrow(
      /failed: /,
    );
  });
  it('gives up after its time, on a redirect, and when the connection is refused', async () => {
    const silent = await serve(() => undefined);
    await expect(
      createOpenAiEmbedder({ baseUrl: silent.baseUrl, model: 'm', timeoutMs: 50 }).embed(['a'], signal),
    ).rejects.toThrow('no answer within 50 ms');
    const elsewhere = await serve(
      (_asked, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    );
    await expect(
      createOpenAiEmbedder({ baseUrl: elsewhere.baseUrl, model: 'm' }).embed(['a'], signal),
    ).rejects.toThrow(/failed: /);
    await expect(
      createOpenAiEmbedder({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }).embed(['a'], signal),
    ).rejects.toThrow(/failed: /);
  });
  it.each<readonly [string, (response: ServerResponse) => void]>([
    ['nothing comes', () => undefined],
    [
      'only the head comes',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":'),
    ],
  ])(
    'gives up after its time where %s and memory is collected meanwhile, and ends the request',
    async (_, answer) => {
      setFlagsFromString('--expose_gc');
      const collect = runInNewContext('gc') as () => void;
      let collecting: NodeJS.Timeout | undefined;
      let isOver: Promise<unknown> | null = null;
      const { baseUrl } = await serve((_asked, response, request) => {
        isOver = closed(request.socket);
        answer(response);
        // Only now: in a process with much memory it takes longer than the request takes to arrive.
        collecting = setInterval(collect, 50);
      });
      try {
        const asking = createOpenAiEmbedder({ baseUrl, model: 'm', timeoutMs: 2_000 }).embed(['a'], signal);
        await expect(Promise.race([asking, sleep(20_000, 'nothing came')])).rejects.toThrow(
          'no answer within 2000 ms',
        );
        expect(
          await Promise.race([
            (isOver as unknown as Promise<unknown>).then(() => 'over'),
            sleep(20_000, 'under way'),
          ]),
        ).toBe('over');
      } finally {
        clearInterval(collecting);
      }
    },
  );
  it('ends what is under way when it is closed, and sends nothing after that (openai-embedder#B4)', async () => {
    let isOver: Promise<unknown> | null = null;
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const { baseUrl, asked } = await serve((_asked, _response, request) => {
      isOver = closed(request.socket);
      arrive();
    });
    const embedder = createOpenAiEmbedder({ baseUrl, model: 'm' });
    const asking = embedder.embed(['a'], signal);
    asking.catch(() => undefined);
    await arrived;
    await embedder.close?.();
    await expect(asking).rejects.toThrow(/^m at [\d.:]+ is closed$/);
    await (isOver as unknown as Promise<unknown>);
    await expect(embedder.embed(['b'], signal)).rejects.toThrow('is closed');
    expect(asked.length).toBe(1);
  });
  it('stops when it is aborted, and does not rest for that', async () => {
    const { baseUrl, asked } = await serve(
      ({ input }, response) => void setTimeout(() => json(response, vectors(input)), 100),
    );
    const embedder = createOpenAiEmbedder({ baseUrl, model: 'm' });
    const controller = new AbortController();
    const asking = embedder.embed(['a'], controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(asking).rejects.toThrow(/abort/i);
    expect((await embedder.embed(['a'], signal)).length).toBe(1);
    expect(asked.length).toBe(2);
  });
});
