import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { serveOverStdio } from './serve-stdio.ts';
import type { StdioServing } from './serve-stdio.ts';
import type { McpService } from './service.ts';

const service = {
  runs: false,
  createConversation: () => ({}),
  onListChanged: () => () => undefined,
  resources: { attach: () => undefined },
  onBug: () => undefined,
} as unknown as McpService;
const message = (method: string, more: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method, ...more })}\n`;
const opening = message('initialize', {
  id: 0,
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const opened: StdioServing[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

function serve(stdout: PassThrough): {
  readonly stdin: PassThrough;
  readonly serving: StdioServing;
  readonly faults: readonly string[];
} {
  const stdin = new PassThrough();
  const faults: string[] = [];
  const serving = serveOverStdio({
    service,
    stdin,
    stdout,
    onFault: ({ message: text }) => void faults.push(text),
    maxMessageBytes: 1_000,
  });
  opened.push(serving);
  return { stdin, serving, faults };
}

describe('serveOverStdio', () => {
  it('ends in order when the host closes the input', async () => {
    const { stdin, serving, faults } = serve(new PassThrough().resume());
    stdin.end(opening);
    await serving.ended;
    expect(faults).toEqual([]);
  });

  /** What is replied to each line, and a ping after all of them. */
  const repliesTo = async (...lines: readonly string[]) => {
    const stdout = new PassThrough();
    const { stdin, faults } = serve(stdout);
    let out = '';
    stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    stdin.write(opening);
    stdin.write(message('notifications/initialized', {}));
    for (const line of lines) {
      // In pieces, as a pipe gives it.
      const half = Math.floor(line.length / 2);
      stdin.write(line.slice(0, half));
      stdin.write(line.slice(half));
    }
    stdin.write(message('ping', { id: 'last' }));
    await expect.poll(() => out).toContain('"last"');
    const replies = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number; message: string } })
      .filter(({ id }) => id !== 0 && id !== 'last')
      .map(({ id, error }) => [id, error?.code, error?.message]);
    return { replies, faults };
  };

  it('refuses a message that is too long, and goes on (serve-stdio#D2)', async () => {
    const long = { name: 'skill_load', arguments: { name: 'x'.repeat(20_000), id: 99 } };
    const { replies, faults } = await repliesTo(
      message('tools/call', { id: 7, params: long }),
      `${JSON.stringify({ method: 'tools/call', params: long, jsonrpc: '2.0', id: 'eight' })}\n`,
      message('notifications/progress', { params: long }),
      `${'x'.repeat(30_000)}\n`,
    );
    const why = 'the message is longer than 1000 bytes';
    expect(replies).toEqual([
      [7, -32600, why],
      ['eight', -32600, why],
    ]);
    expect(faults).toEqual([
      `a message from the host was ignored: ${why}`,
      `a message from the host was ignored: ${why}`,
    ]);
  });

  it('replies to a malformed request that has an id, and reports the others', async () => {
    const { replies, faults } = await repliesTo(
      '{"jsonrpc":"2.0","id":1,"method":5}\n',
      '{"id":2,"method":"ping"}\n',
      '{"jsonrpc":"2.0","id":"three","method":"tools/list","params":[1]}\n',
      '{"jsonrpc":"2.0","id":4,"method":"ping",}\n',
      '[{"jsonrpc":"2.0","id":5,"method":"ping"}]\n',
      '\n',
      'not json\n',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}\n',
      '"text"\n',
      '{"id":007,"method":"x"}\n',
      '{"id":"\\q","method":"x"}\n',
      '{"id":"a\tb","method":"x"}\n',
    );
    expect(replies.map(([id, code]) => [id, code])).toEqual([
      [1, -32600],
      [2, -32600],
      ['three', -32600],
      [4, -32700],
      [5, -32600],
    ]);
    for (const [, , text] of replies) expect(text).toMatch(/^the message is not (?:JSON|a valid request)/);
    expect(faults).toHaveLength(6);
  });

  it('warns of no leak where results come faster than they are read', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', hear);
    try {
      const stdout = new PassThrough({ highWaterMark: 1 });
      const { stdin } = serve(stdout);
      stdin.write(opening);
      for (let id = 1; id <= 30; id += 1) stdin.write(message('ping', { id }));
      await expect.poll(() => stdout.listenerCount('drain')).toBeGreaterThan(20);
      await sleep(20);
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', hear);
    }
  });
});
