// A few seconds of bench/studio/load.mjs: many clients that follow live runs get every entry of the journals, each once.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../bench/studio/load.mjs', import.meta.url));

describe('a server with many clients', () => {
  it('tells each of them every event of its run, as the journal has it', async () => {
    const bench = spawn(
      process.execPath,
      [script, '--seconds', '2', '--clients', '16', '--runs', '4', '--pause', '20', '--asks', '5', '--json'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let text = '';
    bench.stdout.on('data', (piece) => (text += String(piece)));
    const status = await new Promise((resolve) => bench.on('exit', resolve));
    const report = JSON.parse(text) as { readonly [name: string]: unknown };
    expect(report).toMatchObject({ differing: 0, fault: null });
    expect(status).toBe(0);
    expect(report['streams']).toBeGreaterThanOrEqual(16);
    expect(report['events']).toBeGreaterThan(400);
  }, 120_000);
});
