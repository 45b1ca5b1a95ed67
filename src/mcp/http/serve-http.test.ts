// What the server does as a whole; who is answered is in test/mcp-http-matrix.test.ts.
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';
import type { ListChanges, McpService } from '../service.ts';
import type { HttpServing } from './serve-http.ts';
import { isLoopback } from '../../http/server/open-server.ts';
import { serveOverHttp } from './serve-http.ts';
import { openServiceOf } from '../../../test/support/mcp-service.ts';

const token = 'the-right-token-0123456789';
let world: World;
let service: McpService;
let tell: (changes: ListChanges) => void = () => undefined;
const bugs: unknown[] = [];

beforeAll(async () => {
  world = createWorld({ 'work/.techne/skills/notes/SKILL.md': skillText('notes') });
  const opened = await openServiceOf(world, { onBug: (error) => void bugs.push(error) });
  service = {
    ...opened,
    onListChanged: (listener) => {
      tell = listener;
      return () => (tell = () => undefined);
    },
  };
});
afterAll(async () => {
  await service.close();
  world.remove();
});

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'm', version: '1' } },
});

function send(
  http: HttpServing,
  method: string,
  more: { readonly [name: string]: string } = {},
  body = '',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: http.port,
        method,
        path: '/mcp',
        agent: false,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          ...more,
        },
      },
      resolve,
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) text += chunk.toString();
  } catch {
    text += '(cut off)';
  }
  return text;
}

/** A session, and the stream on which the server speaks to it. */
async function openStream(http: HttpServing): Promise<IncomingMessage> {
  const begun = await send(http, 'POST', {}, initialize);
  await textOf(begun);
  return send(http, 'GET', { 'mcp-session-id': begun.headers['mcp-session-id'] as string });
}

describe('serveOverHttp', () => {
  it('ends its sessions and their streams when it is closed', async () => {
    const http = await serveOverHttp({ service, token });
    const text = textOf(await openStream(http));
    await http.close();
    expect(await text).toBe('');
    await expect(send(http, 'GET')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('tells sessions of changed lists until it is closed', async () => {
    const http = await serveOverHttp({ service, token });
    const text = textOf(await openStream(http));
    tell({ tools: true, prompts: false, resources: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await http.close();
    expect([...(await text).matchAll(/notifications\/\w+/g)].map(([name]) => name)).toEqual([
      'notifications/tools',
      'notifications/resources',
    ]);
    tell({ tools: true, prompts: true, resources: true });
  });

  it('says that its port is in use', async () => {
    const http = await serveOverHttp({ service, token });
    await expect(serveOverHttp({ service, token, port: http.port })).rejects.toMatchObject({
      code: 'ENVIRONMENT',
      message: `cannot listen on 127.0.0.1:${http.port}: the port is in use`,
      hint: 'choose another port with --http PORT; 0 is any free port',
    });
    await expect(serveOverHttp({ service, token, host: '192.0.2.1' })).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot listen on 192\.0\.2\.1:0: .*EADDRNOTAVAIL/) as string,
    });
    expect(http.url).toBe(`http://127.0.0.1:${http.port}/mcp`);
    await http.close();
  });

  it('takes heads of up to 16 KB, bodies of up to 4 MB, and no tunnels', async () => {
    const http = await serveOverHttp({ service, token });
    const status = async (
      ...given: [{ readonly [name: string]: string }, string?]
    ): Promise<number | undefined> => {
      const response = await send(http, 'POST', ...given);
      response.resume();
      return response.statusCode;
    };
    expect(await status({ 'x-more': 'x'.repeat(15_000) }, initialize)).toBe(200);
    expect(await status({ 'x-more': 'x'.repeat(16_384) }, initialize)).toBe(431);
    expect(await status({ 'content-length': String(4 * 1024 * 1024 + 1) })).toBe(413);
    const large = `${initialize}${' '.repeat(4 * 1024 * 1024 - initialize.length)}`;
    expect(await status({}, large)).toBe(200);
    const refused = await send(http, 'POST', {}, '{');
    expect([refused.statusCode, JSON.parse(await textOf(refused))]).toEqual([
      400,
      { jsonrpc: '2.0', error: { code: -32_700, message: 'the body is not JSON' }, id: null },
    ]);
    expect(refused.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(http.port, '127.0.0.1', () =>
        socket.write('CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n'),
      );
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    await http.close();
    expect(bugs).toEqual([]);
  });

  it('answers a fault of its own with 500, and keeps it for the log', async () => {
    const http = await serveOverHttp({
      service: {
        ...service,
        createConversation: () => {
          throw new Error('a bug');
        },
      },
      token,
    });
    const response = await send(http, 'POST', {}, initialize);
    expect([response.statusCode, await textOf(response)]).toEqual([
      500,
      expect.stringContaining('internal error in techne; see the log of the server'),
    ]);
    expect(bugs.map((error) => (error as Error).message)).toEqual(['a bug']);
    await http.close();
  });
});

describe('isLoopback', () => {
  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['127.0.0.1.example', false],
    ['example.org', false],
  ])('%s: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
