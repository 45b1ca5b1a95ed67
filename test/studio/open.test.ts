// `techne studio --open` goes on where the desktop has no browser (open-link.test.ts: what a browser gets).
import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const cli = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

describe.skipIf(process.platform !== 'linux')('techne studio --open', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld();
  });
  afterEach(() => world.remove());

  /** Starts it with this program as the desktop's, until `isThere`; gives what it printed. */
  async function studio(opener: string, isThere: (said: string) => boolean): Promise<string> {
    world.write({ 'bin/xdg-open': `#!/bin/sh\n${opener}\n` });
    chmodSync(join(world.folder, 'bin/xdg-open'), 0o755);
    const child = spawn(process.execPath, [cli, 'studio', '--open', '--port', '0', '--json'], {
      cwd: world.workspace,
      env: {
        PATH: `${join(world.folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
        HOME: world.home,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += String(piece)));
    try {
      await expect.poll(() => isThere(said), { timeout: 30_000 }).toBe(true);
    } finally {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.on('exit', resolve));
    }
    return said;
  }

  it('goes on where no browser can be started', async () => {
    expect(await studio('exit 3', (text) => text.includes('open the link yourself'))).toContain('"link"');
  }, 60_000);
});
