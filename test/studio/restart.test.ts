// The server is killed in the middle of a live run and started again: the page recovers by itself, and has every entry of the journal, once.
// Killed in the middle of a command: a person decides what became of it.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/chromium.ts';
import { createWorld, skillText } from '../support/run-cli.ts';
import { accessFaults, cannotBrowse } from './open-studio.ts';

const cli = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

describe.skipIf(cannotBrowse)('a studio whose server is killed', () => {
  const world = createWorld({
    'work/.techne/skills/slow/SKILL.md': skillText(
      'slow',
      'Counts slowly. Use when slow.',
      'metaskill: SKILL.star\n',
    ),
    'work/.techne/skills/pays/SKILL.md': skillText(
      'pays',
      'Pays. Use when to pay.',
      'metaskill: SKILL.star\n',
    ),
    'work/.techne/skills/pays/SKILL.star':
      'def run(input):\n  paid = command(["sleep", "3"])\n  return {"answer": "paid with %s" % paid["stdout"]}\n',
    'work/.techne/skills/slow/SKILL.star':
      'def run(input):\n  for n in range(50):\n    trace("step", {"n": n})\n  first = ask("first?")\n  for n in range(50):\n    trace("step", {"n": n})\n  return {"answer": ask("second?")}\n',
  });
  let server: ChildProcess | null = null;
  let browser: Browser | null = null;
  afterAll(async () => {
    await browser?.close();
    server?.kill('SIGKILL');
    world.remove();
  });

  const start = async (port: number): Promise<string> => {
    server = spawn(
      process.execPath,
      [cli, 'studio', '--port', String(port), '--json', '--answer', 'caller', '--quiet'],
      {
        cwd: world.workspace,
        env: { PATH: process.env['PATH'], HOME: world.home },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const line = await new Promise<string>((resolve) =>
      server?.stdout?.once('data', (data) => resolve(String(data))),
    );
    return (JSON.parse(line) as { readonly link: string }).link;
  };

  it('recovers by itself and misses no entry', async () => {
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        trust: { folders: [world.workspace] },
        commands: { allow: ['sleep *'] },
      }),
    });
    const port = await freePort();
    const link = await start(port);
    browser = await openBrowser();
    const context = await browser.newContext();
    context.setDefaultTimeout(12_000);
    await context.addInitScript(`
      globalThis.seen = [];
      new BroadcastChannel('techne-live').addEventListener('message', ({ data }) => {
        if (data.kind === 'event' && data.event === 'entry') globalThis.seen.push(data.data.seq);
      });
    `);
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`http://127.0.0.1:${port}/run/slow`);
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByLabel('Input as JSON').fill('{"a": 1}');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('first?').first().waitFor();
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    server?.kill('SIGKILL');
    await page.getByText('Disconnected').waitFor();
    // What is typed meanwhile is not lost.
    await page.getByLabel('Your answer').fill('yes');
    await start(port);
    await page.getByRole('status').getByText('Live').waitFor();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByText('second?').first().waitFor();
    server?.kill('SIGKILL');
    await page.getByText('Disconnected').waitFor();
    await start(port);
    await page.getByRole('status').getByText('Live').waitFor();
    await page.getByLabel('Your answer').fill('again');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('header .chip', { hasText: 'Completed' }).waitFor();

    const journal = await page.evaluate(
      `(async () => {
        const entries = [];
        for (let from = 0; from !== null; ) {
          const page = await (await fetch('/v1/runs/${run}/journal?limit=500&from=' + from)).json();
          entries.push(...page.entries.map(({ seq }) => seq));
          from = page.next;
        }
        return entries;
      })()`,
    );
    expect((journal as number[]).length).toBeGreaterThan(100);
    await expect.poll(() => page.evaluate('globalThis.seen')).toEqual(journal);
    await page.getByRole('tab', { name: `Journal${(journal as number[]).length}` }).waitFor();

    // A command was under way: a person says what became of it, and the run goes on.
    await page.goto(`http://127.0.0.1:${port}/run/pays`);
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByLabel('Input as JSON').fill('{"a": 1}');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByRole('row', { name: /command sleep 3/ })
      .getByText('Running')
      .waitFor();
    server?.kill('SIGKILL');
    await page.getByText('Disconnected').waitFor();
    await start(port);
    await page.getByRole('status').getByText('Live').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    const decisions = page.getByRole('region', { name: 'Decisions' });
    await decisions.getByText('sleep').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await decisions.getByText('What it gave, if it happened').click();
    await decisions.getByLabel('What 1 gave, as JSON').fill('{"stdout": ');
    await decisions.getByRole('button', { name: 'It happened' }).hover();
    await decisions
      .getByLabel('What 1 gave, as JSON')
      .fill('{"ok": true, "stdout": "a coin", "stderr": "", "exit_code": 0}');
    await decisions.getByRole('button', { name: 'It happened' }).click();
    await page.locator('header .chip', { hasText: 'Completed' }).waitFor();
    await page.locator('pre', { hasText: 'paid with a coin' }).first().waitFor();
  }, 60_000);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
