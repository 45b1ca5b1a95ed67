// techne studio --open: the one-time link reaches the browser, and is in no list of processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorld } from '../support/run-cli.ts';

const cli = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

describe.skipIf(process.platform !== 'linux')('techne studio --open', () => {
  const world = createWorld({
    'bin/xdg-open':
      '#!/bin/sh\nprintf "%s\\n" "$*" "$(stat -c %a "$1")" "$(cat "$1")" > "$HOME/opened.part"\nmv "$HOME/opened.part" "$HOME/opened"\n',
    'work/.keep': '',
  });
  const bin = join(world.home, '..', 'bin');
  afterAll(() => world.remove());

  it('gives the browser a page that this user alone can read, and removes it', async () => {
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const server = spawn(process.execPath, [cli, 'studio', '--open', '--port', '0', '--json', '--quiet'], {
      cwd: world.workspace,
      env: { PATH: `${bin}:${process.env['PATH']}`, HOME: world.home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      const [line] = (await once(server.stdout, 'data')) as [Buffer];
      const { link } = JSON.parse(String(line)) as { readonly link: string };
      const seen = join(world.home, 'opened');
      await expect.poll(() => existsSync(seen), { timeout: 20_000 }).toBe(true);
      const [page = '', mode, ...text] = readFileSync(seen, 'utf8').split('\n');
      expect(page).not.toContain('login');
      expect(mode).toBe('600');
      expect(text.join('\n')).toContain(`url=${link}`);
    } finally {
      server.kill('SIGTERM');
      await ended;
    }
    expect(readdirSync(world.home).filter((name) => name.endsWith('.html'))).toEqual([]);
  }, 60_000);
});
