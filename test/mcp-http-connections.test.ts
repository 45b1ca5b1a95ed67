// Connections that have no right to be there do not keep out those that have, on a real loopback server.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HttpServing } from '../src/mcp/http/serve-http.ts';
import { serveOverHttp } from '../src/mcp/http/serve-http.ts';
import type { McpService } from '../src/mcp/service.ts';
import type { World } from './support/run-cli.ts';
import { createWorld, skillText } from './support/run-cli.ts';
import { openServiceOf } from './support/mcp-service.ts';

const token = 'the-right-token-0123456789';
const bugs: unknown[] = [];
const maxConnections = 256;
let world: World;
let service: McpService;
let http: HttpServing;
const open: Socket[] = [];

beforeAll(async () => {
  world = createWorld({ 'work/.techne/skills/notes/SKILL.md': skillText('notes') });
  service = await openServiceOf(world, { onBug: (error) => void bugs.push(error) });
  http = await serveOverHttp({ service, token, maxConnections });
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});
afterAll(async () => {
  await http.close();
  await service.close();
  world.remove();
});

/** A connection that stays, and keeps what it is sent. */
async function dial(): Promise<Socket & { got: string }> {
  const socket = Object.assign(connect(http.port, '127.0.0.1'), { got: '' });
  open.push(socket);
  socket.on('error', () => undefined).on('data', (chunk) => (socket.got += chunk.toString()));
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket & { got: string }, bearer: string): Promise<string> {
  socket.got = '';
  socket.write(
    `GET /other HTTP/1.1\r\nhost: 127.0.0.1:${http.port}\r\nauthorization: Bearer ${bearer}\r\n\r\n`,
  );
  await vi.waitFor(() => expect(socket.got !== '' || socket.destroyed).toBe(true), 5_000);
  return socket.got.slice(9, 12);
}

describe('serveOverHttp', () => {
  it('closes a connection that it refused', async () => {
    const socket = await dial();
    expect(await ask(socket, 'wrong')).toBe('401');
    await vi.waitFor(() => expect(socket.destroyed).toBe(true), 5_000);
    expect(socket.got).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('keeps a connection with the token, whatever it asks for', async () => {
    const socket = await dial();
    expect([await ask(socket, token), await ask(socket, token)]).toEqual(['404', '404']);
    expect(socket.destroyed).toBe(false);
  });

  it('answers a client with the token behind any number of connections without one', async () => {
    const before = await dial();
    expect(await ask(before, token)).toBe('404');
    const idle = await Promise.all(Array.from({ length: maxConnections + 44 }, dial));
    const wrong = await Promise.all(Array.from({ length: 20 }, dial));
    await Promise.all(wrong.map((socket) => ask(socket, 'wrong')));
    const later = await dial();
    expect(await ask(later, token)).toBe('404');
    // The connection that had proved itself is still there.
    expect(await ask(before, token)).toBe('404');
    await vi.waitFor(
      () => expect(idle.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(64),
      5_000,
    );
    expect(bugs).toEqual([]);
  });

  it('refuses more connections with the token than there is room for, and keeps answering the others', async () => {
    const few = await serveOverHttp({ service, token, maxConnections: 8 });
    const [all, kept]: [string[], (Socket & { got: string })[]] = [[], []];
    const main = http;
    http = few;
    try {
      for (let count = 0; count < 10; count += 1) {
        const socket = await dial();
        all.push(await ask(socket, token));
        kept.push(socket);
      }
      expect(all).toEqual([...Array<string>(6).fill('404'), ...Array<string>(4).fill('503')]);
      expect(await ask(kept[0] as Socket & { got: string }, token)).toBe('404');
    } finally {
      http = main;
      await few.close();
    }
  });
});
