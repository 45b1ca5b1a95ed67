// `kill -9` while a sandboxed command runs: the folders that held names are gone (protected#G6).
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeShell } from '../../src/node/shell/shell.ts';
import { heldFolder, openSkills } from '../../src/techne/open-skills.ts';
import { holdNames } from '../../src/node/sandbox/protected.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram, firstLine } from '../support/child-program.ts';
import { skipUnlessTool } from '../support/skip-unless.ts';

const { sandbox } = createNodeShell();
const noSandbox = skipUnlessTool(
  sandbox.available,
  `nothing can be confined here, so no command was killed in a sandbox: ${sandbox.detail}`,
);

let top: string;
let program: ChildProgram;
beforeAll(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-killed-')));
  program = await childProgram('hold-names');
});
afterAll(() => {
  program.close();
  rmSync(top, { recursive: true, force: true });
});

interface Place {
  readonly folder: string;
  readonly home: string;
  readonly names: () => readonly string[];
  readonly start: () => Promise<ChildProcess>;
}

function place(name: string): Place {
  const [folder, home] = [join(top, name, 'my work'), join(top, name, 'home')];
  mkdirSync(folder, { recursive: true });
  mkdirSync(home);
  return {
    folder,
    home,
    names: () => readdirSync(folder).sort(),
    async start() {
      const child = program.start(folder, heldFolder(home));
      expect(await firstLine(child)).toBe('runs');
      return child;
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Empty and read-only, as a placeholder is, but somebody's own. */
function ownFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o555);
}

/** What `look` gives as soon as that is `wanted`, else at the end of five seconds. */
async function settled<T>(look: () => T, wanted: T): Promise<T> {
  for (let tries = 0; tries < 100 && JSON.stringify(look()) !== JSON.stringify(wanted); tries += 1)
    await sleep(50);
  return look();
}

/** The cleaners that know of a folder. */
function cleanersOf(folder: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return (
          words[3] === 'techne-cleaner' &&
          words.some((word) => word.startsWith(`${folder.replaceAll(' ', '\\040')}/`))
        );
      } catch {
        return false;
      }
    });
}

describe.skipIf(noSandbox)('kill -9 while a sandboxed command runs', () => {
  it('leaves nothing in the workspace, no record and no process', async () => {
    const { folder, home, names, start } = place('once');
    writeFileSync(join(folder, '.envrc'), 'mine');
    const child = await start();
    expect(names()).toEqual(expect.arrayContaining(['.git', '.github', '.mcp.json', 'techne.json']));
    expect(readdirSync(heldFolder(home))).toHaveLength(1);
    await kill(child);
    expect(await settled(names, ['.envrc'])).toEqual(['.envrc']);
    expect(readFileSync(join(folder, '.envrc'), 'utf8')).toBe('mine');
    expect(
      await settled<readonly unknown[]>(() => [...readdirSync(heldFolder(home)), ...cleanersOf(folder)], []),
    ).toEqual([]);
  });

  it('leaves alone what somebody has put there meanwhile', async () => {
    const { folder, names, start } = place('meanwhile');
    const child = await start();
    execFileSync('chmod', ['755', join(folder, '.vscode'), join(folder, '.idea')]);
    writeFileSync(join(folder, '.vscode', 'tasks.json'), '{}');
    await kill(child);
    expect(await settled(names, ['.idea', '.vscode'])).toEqual(['.idea', '.vscode']);
  });

  it('leaves alone an empty read-only folder that was there before (placeholder#P3)', async () => {
    const { folder, home, names, start } = place('before');
    ownFolder(join(folder, '.idea'));
    await kill(await start());
    expect(await settled(() => [...names(), ...readdirSync(heldFolder(home))], ['.idea'])).toEqual(['.idea']);
  });

  it('cleans up a workspace where it was moved to, and nothing through the link that took its place (cleaner#X5)', async () => {
    const { folder, home, start } = place('moved');
    const [moved, other] = [join(top, 'moved', 'away'), join(top, 'moved', 'other')];
    ownFolder(join(other, '.husky'));
    const child = await start();
    renameSync(folder, moved);
    symlinkSync(other, folder);
    await kill(child);
    expect(await settled(() => [...readdirSync(moved), ...readdirSync(heldFolder(home))], [])).toEqual([]);
    expect(readdirSync(other)).toEqual(['.husky']);
  });

  it('leaves nothing when it hits right after the folders were made (cleaner#X2)', async () => {
    const { folder, names } = place('early');
    const dying = await childProgram('hold-and-die');
    const child = dying.start(folder);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(names()).toContain('.git');
    expect(await settled(names, [])).toEqual([]);
    dying.close();
  });

  it('keeps what a command of another process still needs, which takes it away in turn', async () => {
    const { names, start } = place('two');
    const [first, second] = [await start(), await start()];
    await kill(first);
    await sleep(1000);
    expect(names()).toEqual(expect.arrayContaining(['.git', '.mcp.json', 'techne.json']));
    await kill(second);
    expect(await settled(names, [])).toEqual([]);
  });

  it('leaves nothing when two processes that share a workspace are killed at once', async () => {
    const { home, names, start } = place('both');
    const children = [await start(), await start()];
    await Promise.all(children.map(kill));
    expect(await settled(() => [...names(), ...readdirSync(heldFolder(home))], [])).toEqual([]);
  });

  it('ends a sandbox that was only just being made, and does not die by itself yet', async () => {
    const cleaning = await childProgram('start-cleaner');
    const bubblewrap = join(top, 'bwrap');
    copyFileSync(realpathSync('/bin/sleep'), bubblewrap);
    const [young, other] = ['bwrap-young', 'bwrap-other'].map((argv0) =>
      spawn(bubblewrap, ['60'], { argv0, stdio: 'ignore' }),
    ) as [ChildProcess, ChildProcess];
    const child = cleaning.start('bwrap-young');
    expect(await firstLine(child)).toBe('ready');
    const ended = once(young, 'exit');
    await kill(child);
    expect([await ended, other.exitCode, other.signalCode]).toEqual([[null, 'SIGKILL'], null, null]);
    await kill(other);
    cleaning.close();
  });

  it('cleans up at the next start, where the cleaner was killed, too', async () => {
    const { folder, home, names, start } = place('cleaner');
    const child = await start();
    const [cleaner] = cleanersOf(folder);
    process.kill(cleaner as number, 'SIGKILL');
    // Alive, it keeps what it holds.
    await openSkills({ cwd: folder, homeFolder: home });
    expect(names()).toContain('.mcp.json');
    await kill(child);
    await sleep(500);
    expect(names()).toContain('.mcp.json');
    const { loaded } = await openSkills({ cwd: folder, homeFolder: home });
    expect([loaded.workspace, loaded.diagnostics, names()]).toEqual([folder, [], []]);
    expect(readdirSync(heldFolder(home))).toEqual([]);
  });

  it('keeps the record of a workspace that was moved, until it is back, where the cleaner was killed, too (leftovers#H4)', async () => {
    const { folder, home, names, start } = place('back');
    const [moved, other] = [join(top, 'back', 'away'), join(top, 'back', 'other')];
    ownFolder(join(other, '.husky'));
    const child = await start();
    process.kill(cleanersOf(folder)[0] as number, 'SIGKILL');
    renameSync(folder, moved);
    symlinkSync(other, folder);
    await kill(child);
    await sleep(500);
    await openSkills({ cwd: home, homeFolder: home });
    expect([readdirSync(other), readdirSync(heldFolder(home)).length]).toEqual([['.husky'], 1]);
    unlinkSync(folder);
    renameSync(moved, folder);
    await openSkills({ cwd: home, homeFolder: home });
    expect([names(), readdirSync(heldFolder(home))]).toEqual([[], []]);
  });
});

describe.skipIf(noSandbox)('the end of a command', () => {
  it('leaves what a sandbox of somebody else has mounted to the cleaner, which waits for it', async () => {
    const { folder, names, start } = place('mounted');
    const records = join(top, 'mounted', 'records');
    const held = holdNames([folder], { recordFolder: records });
    if ('fault' in held) throw new Error(held.fault);
    // It has its records elsewhere, so it knows nothing of whose the folders are.
    const child = await start();
    await held.release();
    await sleep(500);
    expect([names().includes('.git'), readdirSync(records).length]).toEqual([true, 1]);
    await kill(child);
    expect(await settled(() => [...names(), ...readdirSync(records)], [])).toEqual([]);
  });
});
