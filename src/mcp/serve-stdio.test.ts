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
    expect([await serving.ended, faults]).toEqual([null, []]);
  });

  it('says why it ends when a message is too long (serve-stdio#D2)', async () => {
    const { stdin, serving, faults } = serve(new PassThrough().resume());
    stdin.write('x'.repeat(2_000));
    expect([await serving.ended, faults]).toEqual([
      'a message of the host is longer than 1000 bytes, so the server ends',
      [],
    ]);
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
