// `techne studio --open` gives its link to the browser of the desktop, as one word, and goes on without one.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
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

  it('opens the link that it prints', async () => {
    const file = join(world.folder, 'opened');
    const said = await studio(
      `printf '%s|' "$#" "$1" > ${file}.part && mv ${file}.part ${file}`,
      (text) => text.includes('"link"') && existsSync(file),
    );
    const { link } = JSON.parse(said.slice(said.indexOf('{'), said.indexOf('}') + 1)) as {
      readonly link: string;
    };
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=/);
    expect(readFileSync(file, 'utf8')).toBe(`1|${link}|`);
  }, 60_000);

  it('goes on where no browser can be started', async () => {
    expect(await studio('exit 3', (text) => text.includes('open the link yourself'))).toContain('"link"');
  }, 60_000);
});
