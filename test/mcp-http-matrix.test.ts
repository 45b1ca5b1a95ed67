// Who is answered over HTTP: every combination of host, origin, token, path and method, on a real loopback server.
import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HttpServing } from '../src/mcp/http/serve-http.ts';
import { serveOverHttp } from '../src/mcp/http/serve-http.ts';
import type { McpService } from '../src/mcp/service.ts';
import type { World } from './support/run-cli.ts';
import { createWorld, skillText } from './support/run-cli.ts';
import { openServiceOf } from './support/mcp-service.ts';

const token = 'the-right-token-0123456789';
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const bugs: unknown[] = [];
let world: World;
let service: McpService;
let http: HttpServing;

beforeAll(async () => {
  world = createWorld({ 'work/.techne/skills/notes/SKILL.md': skillText('notes') });
  service = await openServiceOf(world, { onBug: (error) => void bugs.push(error) });
  http = await serveOverHttp({
    service,
    token,
    allowedOrigins: ['https://tools.example'],
    maxSessions: 3,
    maxRequests: 4,
    maxBodyBytes: 10_000,
    sessionIdleMs: 400,
    arrivalMs: 1_000,
  });
});
afterAll(async () => {
  agent.destroy();
  await http.close();
  await service.close();
  world.remove();
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers: { readonly [name: string]: string | readonly string[] };
  readonly body?: string;
}

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function send({ method = 'POST', path = '/mcp', headers, body = '' }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: http.port,
        method,
        path,
        agent,
        setHost: false,
        headers: {
          ...(headers as { [name: string]: string | string[] }),
          ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          // A stream goes on: its beginning is enough.
          if (response.headers['content-type'] === 'text/event-stream') response.destroy();
        });
        response.on('close', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'm', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernList = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: { _meta: modernMeta },
});
const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'm', version: '1' } },
});

/** undefined leaves the header out; a list sends it more than once. */
type Value = string | readonly string[] | undefined;
const hosts = (port: number): readonly (readonly [value: Value, passes: boolean])[] => [
  [`127.0.0.1:${port}`, true],
  [`localhost:${port}`, true],
  [`LOCALHOST:${port}`, true],
  [`[::1]:${port}`, true],
  [undefined, false],
  ['', false],
  ['localhost', false],
  ['127.0.0.1', false],
  [`127.0.0.1:${port + 1}`, false],
  [`evil.example:${port}`, false],
  ['evil.example', false],
  [`localhost.evil.example:${port}`, false],
  [`127.0.0.1.evil.example:${port}`, false],
  [`user@127.0.0.1:${port}`, false],
  [`0.0.0.0:${port}`, false],
  [`127.1:${port}`, false],
  [`2130706433:${port}`, false],
  [`localhost:${port},evil.example`, false],
];
const origins = (port: number): readonly (readonly [value: Value, passes: boolean])[] => [
  [undefined, true],
  [`http://127.0.0.1:${port}`, true],
  [`http://localhost:${port}`, true],
  ['https://tools.example', true],
  ['null', false],
  ['', false],
  ['http://evil.example', false],
  [`http://localhost:${port + 1}`, false],
  ['http://localhost', false],
  [`https://localhost:${port}`, false],
  [`http://localhost:${port}.evil.example`, false],
  ['https://tools.example.evil.example', false],
  ['http://tools.example', false],
  ['file://', false],
  ['chrome-extension://abcdef', false],
];
const tokens: readonly (readonly [value: Value, passes: boolean])[] = [
  [`Bearer ${token}`, true],
  [undefined, false],
  [`Bearer ${token}x`, false],
  [`Bearer ${token.slice(0, -1)}`, false],
  ['Bearer ', false],
  [`Basic ${Buffer.from(`a:${token}`).toString('base64')}`, false],
  [token, false],
  [`Bearer ${token} ${token}`, false],
];

function headersOf(given: { readonly [name: string]: Value }): {
  readonly [name: string]: string | readonly string[];
} {
  return Object.fromEntries(
    Object.entries(given).filter(
      (pair): pair is [string, string | readonly string[]] => pair[1] !== undefined,
    ),
  );
}

async function inGroups<T>(all: readonly T[], size: number, work: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += size) await Promise.all(all.slice(at, at + size).map(work));
}

describe('the HTTP server', () => {
  it('answers every host, origin and token as tabled', async () => {
    const cases = hosts(http.port).flatMap(([host, hostPasses]) =>
      origins(http.port).flatMap(([origin, originPasses]) =>
        tokens.map(([authorization, tokenPasses]) => ({
          host,
          origin,
          authorization,
          status: !hostPasses || !originPasses ? 403 : tokenPasses ? 200 : 401,
        })),
      ),
    );
    expect(cases.length).toBeGreaterThan(2_000);
    const wrong: unknown[] = [];
    const tally: { [status: number]: number } = {};
    await inGroups(cases, 4, async ({ status, ...given }) => {
      const got = await send({
        headers: headersOf({ ...jsonHeaders, ...modernHeaders, ...given }),
        body: modernList,
      });
      tally[got.status] = (tally[got.status] ?? 0) + 1;
      if (got.status !== status || Object.keys(got.headers).some((name) => name.startsWith('access-control')))
        wrong.push({ ...given, status, got: got.status });
      // Who is refused learns nothing about what is here.
      if (status !== 200 && got.text.includes('skill')) wrong.push({ ...given, text: got.text });
    });
    expect(wrong).toEqual([]);
    expect(tally).toEqual({ 200: 4 * 4, 401: 4 * 4 * 7, 403: cases.length - 4 * 4 * 8 });
  }, 60_000);

  it('answers every path and method as tabled', async () => {
    const wrong: unknown[] = [];
    const rows = [
      '/mcp',
      '/',
      '/mcp/',
      '/MCP',
      '/mcp?x=1',
      '//mcp',
      '/mcp/../mcp',
      '/%6dcp',
      '/.well-known/oauth-authorization-server',
      'http://evil.example/mcp',
    ].flatMap((path) =>
      ['POST', 'GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'].flatMap((method) =>
        tokens.slice(0, 2).map(([authorization, passes]) => ({ path, method, authorization, passes })),
      ),
    );
    await inGroups(rows, 4, async ({ path, method, authorization, passes }) => {
      const got = await send({
        path,
        method,
        headers: headersOf({
          ...jsonHeaders,
          ...(method === 'POST' ? modernHeaders : {}),
          host: `127.0.0.1:${http.port}`,
          authorization,
        }),
        ...(method === 'POST' ? { body: modernList } : {}),
      });
      // Without a session there is nothing to get or to delete.
      const known = method === 'POST' ? 200 : method === 'GET' || method === 'DELETE' ? 400 : 405;
      const status = path.startsWith('http:') ? 403 : !passes ? 401 : path === '/mcp' ? known : 404;
      if (got.status !== status) wrong.push({ path, method, authorization, status, got: got.status });
    });
    expect(wrong).toEqual([]);
  });

  it('refuses headers that are there twice', async () => {
    const right = {
      ...jsonHeaders,
      ...modernHeaders,
      host: `127.0.0.1:${http.port}`,
      authorization: `Bearer ${token}`,
    };
    const twice = async (name: string, values: readonly [string, string]): Promise<number> => {
      const lines = Object.entries(right)
        .filter(([other]) => other !== name)
        .map(([other, value]) => `${other}: ${value}`);
      return raw(
        [
          'POST /mcp HTTP/1.1',
          ...lines,
          ...values.map((value) => `${name}: ${value}`),
          `content-length: ${modernList.length}`,
          'connection: close',
          '',
          modernList,
        ].join('\r\n'),
      );
    };
    expect(await twice('host', [`127.0.0.1:${http.port}`, 'evil.example'])).toBe(403);
    expect(await twice('host', ['evil.example', `127.0.0.1:${http.port}`])).toBe(403);
    expect(await twice('origin', [`http://127.0.0.1:${http.port}`, 'http://evil.example'])).toBe(403);
    expect(await twice('authorization', ['Bearer wrong', `Bearer ${token}`])).toBe(401);
    expect(await twice('content-type', ['application/json', 'text/plain'])).toBe(415);
  });

  it('refuses what a browser marks as coming from another site', async () => {
    const right = {
      ...jsonHeaders,
      ...modernHeaders,
      host: `127.0.0.1:${http.port}`,
      authorization: `Bearer ${token}`,
    };
    for (const [site, status] of [
      ['cross-site', 403],
      ['same-site', 403],
      ['same-origin', 200],
      ['none', 200],
    ] as const)
      expect((await send({ headers: { ...right, 'sec-fetch-site': site }, body: modernList })).status).toBe(
        status,
      );
  });

  it('takes JSON alone, whole and of a bounded size', async () => {
    const right = {
      ...modernHeaders,
      host: `127.0.0.1:${http.port}`,
      authorization: `Bearer ${token}`,
      accept: jsonHeaders.accept,
    };
    for (const kind of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
    ])
      expect(
        (await send({ headers: headersOf({ ...right, 'content-type': kind }), body: modernList })).status,
      ).toBe(415);
    const typed = { ...right, 'content-type': 'application/json; charset=utf-8' };
    expect((await send({ headers: typed, body: modernList })).status).toBe(200);
    expect((await send({ headers: typed, body: '{"jsonrpc":' })).status).toBe(400);
    const large = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: modernMeta, more: 'x'.repeat(20_000) },
    });
    expect((await send({ headers: typed, body: large })).status).toBe(413);
    // Whoever does not say how long it is finds out on the way.
    const head = [
      'POST /mcp HTTP/1.1',
      ...Object.entries(typed).map(([name, value]) => `${name}: ${value}`),
      'transfer-encoding: chunked',
      '',
      '',
    ].join('\r\n');
    expect(await raw(`${head}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`)).toBe(413);
  });

  it('lets a request take so long and no longer to arrive', async () => {
    const began = performance.now();
    expect([0, 408]).toContain(
      await raw(
        `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${http.port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
      ),
    );
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('bounds the sessions of the older protocol, in number and in time', async () => {
    const right = { ...jsonHeaders, host: `127.0.0.1:${http.port}`, authorization: `Bearer ${token}` };
    const begin = (): Promise<Got> => send({ headers: right, body: initialize });
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });
    const use = async (session: string): Promise<number> =>
      (await send({ headers: { ...right, 'mcp-session-id': session }, body: list })).status;
    const begun: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const got = await begin();
      expect(got).toMatchObject({
        status: 200,
        headers: { 'mcp-session-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
      });
      begun.push(got.headers['mcp-session-id'] as string);
    }
    const [first = '', second = '', third = ''] = begun;
    expect(await use(first)).toBe(200);
    // Clients leave without a word: the one that was not used for longest makes room.
    expect((await begin()).status).toBe(200);
    expect([await use(first), await use(second), await use(third), await use('another')]).toEqual([
      200, 404, 200, 404,
    ]);
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(await use(first)).toBe(404);
    expect((await begin()).status).toBe(200);
  });

  it('ends no session that has something under way for a new one', async () => {
    const right = { ...jsonHeaders, host: `127.0.0.1:${http.port}`, authorization: `Bearer ${token}` };
    const begin = (): Promise<Got> => send({ headers: right, body: initialize });
    const streams: ClientRequest[] = [];
    for (let at = 0; at < 3; at += 1) {
      const session = (await begin()).headers['mcp-session-id'] as string;
      await new Promise<void>((resolve, reject) => {
        const stream = request(
          {
            host: '127.0.0.1',
            port: http.port,
            method: 'GET',
            path: '/mcp',
            agent: false,
            setHost: false,
            headers: { ...right, 'mcp-session-id': session },
          },
          (response) => {
            response.resume();
            response.on('error', () => undefined);
            resolve();
          },
        );
        stream.on('error', reject);
        stream.end();
        streams.push(stream);
      });
    }
    expect(await begin()).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    for (const stream of streams) {
      stream.on('error', () => undefined);
      stream.destroy();
    }
    await vi.waitFor(async () => expect((await begin()).status).toBe(200), { timeout: 5_000, interval: 50 });
  });

  it('bounds what is under way', async () => {
    const right = { ...jsonHeaders, host: `127.0.0.1:${http.port}`, authorization: `Bearer ${token}` };
    // Heads without their bodies keep a place each.
    const open = Array.from({ length: 4 }, () => {
      const socket = connect(http.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        [
          'POST /mcp HTTP/1.1',
          ...Object.entries(right).map(([name, value]) => `${name}: ${value}`),
          'content-length: 10',
          '',
          '',
        ].join('\r\n'),
      );
      return socket;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await send({ headers: { ...right, ...modernHeaders }, body: modernList })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
    });
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await send({ headers: { ...right, ...modernHeaders }, body: modernList })).status).toBe(200);
  });
});

describe('what was our own fault', () => {
  it('is nothing, after all of that', () => {
    expect(bugs).toEqual([]);
  });
});

/** The status of what comes back; 0 when the connection ends without an answer. */
function raw(text: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(http.port, '127.0.0.1');
    let got = '';
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString();
      if (got.includes('\r\n')) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(got)?.[1] ?? 0)));
    socket.write(text);
  });
}
