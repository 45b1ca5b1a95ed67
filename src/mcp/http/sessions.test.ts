// Sessions of the older protocol, with a clock that is moved by hand; the server around them is in serve-http.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';
import type { McpService } from '../service.ts';
import { Sessions } from './sessions.ts';
import { openServiceOf } from '../../../test/support/mcp-service.ts';

let world: World;
let service: McpService;
let nowMs = 0;
const opened: Sessions[] = [];

beforeAll(async () => {
  world = createWorld({ 'work/.techne/skills/notes/SKILL.md': skillText('notes') });
  service = await openServiceOf(world);
});
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));
afterAll(async () => {
  await service.close();
  world.remove();
});

function open(maxSessions = 2, idleMs = 3_600_000): Sessions {
  nowMs = 1_000;
  const sessions = new Sessions({ service, maxSessions, idleMs, nowMs: () => nowMs });
  opened.push(sessions);
  return sessions;
}

function ask(method: string, id: string | null, body?: unknown): Request {
  return new Request('http://127.0.0.1/mcp', {
    method,
    headers: {
      'content-type': 'application/json',
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(id === null ? {} : { 'mcp-session-id': id }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'm', version: '1' } },
};

/** The name of a new session, after its first response was read. */
async function begin(sessions: Sessions): Promise<string> {
  const response = await sessions.handle(ask('POST', null, initialize), initialize);
  if (!(response instanceof Response)) throw new Error(response.message);
  await response.text();
  return response.headers.get('mcp-session-id') as string;
}

async function list(sessions: Sessions, id: string): Promise<number> {
  const body = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
  const response = await sessions.handle(ask('POST', id, body), body);
  if (response instanceof Response) await response.text();
  return response.status;
}

async function stream(sessions: Sessions, id: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = await sessions.handle(ask('GET', id), undefined);
  if (!(response instanceof Response) || response.body === null) throw new Error('there is no stream');
  return response.body.getReader();
}

describe('Sessions', () => {
  it('end when they are closed, with their streams', async () => {
    const sessions = open();
    const id = await begin(sessions);
    const reader = await stream(sessions, id);
    expect(sessions.count).toBe(1);
    await sessions.close();
    let chunk = await reader.read();
    while (!chunk.done) chunk = await reader.read();
    expect([sessions.count, await list(sessions, id)]).toEqual([0, 404]);
  });

  it('end by the word of their client', async () => {
    const sessions = open();
    const id = await begin(sessions);
    expect((await sessions.handle(ask('DELETE', id), undefined)).status).toBe(200);
    expect([sessions.count, await list(sessions, id)]).toEqual([0, 404]);
  });

  it('begin with "initialize" alone', async () => {
    const sessions = open();
    const other = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const body of [undefined, other, [other], []])
      expect(await sessions.handle(ask('POST', null), body)).toEqual({
        status: 400,
        message: 'a session starts with "initialize"',
      });
    expect(sessions.count).toBe(0);
  });

  it('end after the time without use, not before', async () => {
    const sessions = open(5, 1_000);
    const [first, second] = [await begin(sessions), await begin(sessions)];
    nowMs += 999;
    expect(await list(sessions, first)).toBe(200);
    nowMs += 1;
    // A new one looks at the others first.
    await begin(sessions);
    expect([sessions.count, await list(sessions, first), await list(sessions, second)]).toEqual([
      2, 200, 404,
    ]);
  });

  it('count as used until their response is read', async () => {
    const sessions = open(5, 1_000);
    const id = await begin(sessions);
    const reader = await stream(sessions, id);
    nowMs += 5_000;
    await begin(sessions);
    expect(sessions.count).toBe(2);
    await reader.cancel();
    nowMs += 999;
    expect(await list(sessions, id)).toBe(200);
  });

  it('make room by the one that was idle longest', async () => {
    const sessions = open(3);
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      ids.push(await begin(sessions));
      nowMs += 10;
    }
    const [first = '', second = '', third = ''] = ids;
    await list(sessions, first);
    await begin(sessions);
    expect(sessions.count).toBe(3);
    expect([await list(sessions, second), await list(sessions, first), await list(sessions, third)]).toEqual([
      404, 200, 200,
    ]);
  });

  it('are no more than allowed when all of them are in use', async () => {
    const sessions = open(2);
    for (let at = 0; at < 2; at += 1) await stream(sessions, await begin(sessions));
    expect(await sessions.handle(ask('POST', null, initialize), initialize)).toEqual({
      status: 503,
      message: '2 sessions are open already; try again later',
      headers: { 'retry-after': '30' },
    });
    expect(sessions.count).toBe(2);
  });

  it('hear of changed lists, each of those that changed', async () => {
    const heard = async (changes: Parameters<Sessions['tell']>[0]): Promise<string> => {
      const sessions = open();
      const reader = await stream(sessions, await begin(sessions));
      sessions.tell(changes);
      const text = new Promise<string>((resolve) => {
        let all = '';
        const next = async (): Promise<void> => {
          const { done, value } = await reader.read();
          if (value !== undefined) all += new TextDecoder().decode(value);
          if (done) resolve(all);
          else await next();
        };
        void next();
      });
      await new Promise((resolve) => setImmediate(resolve));
      await sessions.close();
      return [...(await text).matchAll(/notifications\/(\w+)\/list_changed/g)]
        .map(([, what]) => what)
        .join(' ');
    };
    const none = { tools: false, prompts: false, resources: false };
    expect([
      await heard({ ...none, tools: true }),
      await heard({ ...none, prompts: true }),
      await heard({ ...none, resources: true }),
      await heard(none),
    ]).toEqual(['tools', 'prompts', 'resources', '']);
  });
});
