// kill -9 of the built command at random moments of add, update, remove and restore, and in the middle of its change: what is
// installed is the old or the new, whole, and the next command heals. A sample here; `TECHNE_SOAK=1 npm test --
// test/hub/kill-binary.test.ts` kills 240 times. kill.test.ts kills at every file call of the transaction itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { hubPlace } from '../../src/hub/install/place.ts';
import type { HubPlace } from '../../src/hub/install/place.ts';
import { installed, leftovers, lockText } from '../support/hub-scene.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld, skillText } from '../support/run-cli.ts';
import { skipUnless } from '../support/skip-unless.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
/** Gives a program a terminal, which `--yes` needs for a source that can change. */
const terminal = '/usr/bin/script';
const kills = process.env['TECHNE_SOAK'] === '1' ? 60 : 3;

let world: World;
let place: HubPlace;
afterEach(() => world.remove());

const commands: { readonly [name: string]: readonly string[] } = {
  add: ['add', '../team', '--yes'],
  update: ['update', '--yes'],
  remove: ['remove', 'tides'],
  restore: ['restore', '--yes'],
};

/** What is there before the command. */
async function prepare(command: string): Promise<void> {
  const texts = (version: string): { readonly [path: string]: string } => ({
    'team/tides/SKILL.md': skillText('tides', `Tells the tides, ${version}.`),
    'team/tides/scripts/go.sh': `echo ${version}\n`,
    'team/tides/references/long.md': `${version} `.repeat(5000),
    'team/winds/SKILL.md': skillText('winds', `Tells the winds, ${version}.`),
  });
  world = createWorld(texts('one'));
  place = hubPlace('workspace', world.workspace, world.home);
  if (command === 'add') return;
  expect((await world.run(['add', '../team'], { typed: 'y\n' })).code).toBe(0);
  if (command === 'update') world.write(texts('two'));
  if (command === 'restore') {
    writeFileSync(join(place.skills, 'tides/scripts/go.sh'), 'echo other\n');
    rmSync(join(place.skills, 'winds'), { recursive: true });
  }
}

interface Started {
  readonly ended: Promise<unknown>;
  /** `null`: it does not run yet, or no longer. */
  readonly pid: () => number | null;
}

function start(words: readonly string[]): Started {
  const pidFile = join(world.folder, 'pid');
  rmSync(pidFile, { force: true });
  const line = `echo $$ > '${pidFile}'; exec '${process.execPath}' '${bin}' ${words.join(' ')}`;
  const child = spawn(terminal, ['-qec', line, '/dev/null'], {
    cwd: world.workspace,
    env: { PATH: process.env['PATH'], HOME: world.home, SHELL: '/bin/sh' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return {
    ended: once(child, 'exit'),
    pid: () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) || null : null),
  };
}

/** Kills it after a time, or a moment after it began to change what is installed. Gives whether it was still there. */
async function killed({ ended, pid }: Started, afterMs: number, inChange: boolean): Promise<boolean> {
  const state = { over: false };
  void ended.then(() => (state.over = true));
  if (inChange) while (!state.over && !existsSync(place.intentFile)) await pause(0);
  await pause(afterMs);
  const id = state.over ? null : pid();
  let wasThere = false;
  if (id !== null)
    try {
      process.kill(id, 'SIGKILL');
      wasThere = true;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error;
    }
  await ended;
  return wasThere;
}

const now = (): { readonly files: object; readonly lock: string | null } => ({
  files: installed(place),
  lock: lockText(place),
});

describe
  .skipIf(skipUnless(existsSync(terminal), `${terminal} gives commands a terminal`))
  .each(Object.entries(commands))('techne %s', (name, words) => {
  it('that is killed leaves the old or the new, and the next command heals', async () => {
    await prepare(name);
    const saved = `${world.folder}-saved`;
    cpSync(world.folder, saved, { recursive: true });
    const again = (): void => {
      rmSync(world.folder, { recursive: true });
      cpSync(saved, world.folder, { recursive: true });
    };
    try {
      const before = now();
      const began = Date.now();
      await start(words).ended;
      const tookMs = Date.now() - began;
      const after = now();
      expect(after).not.toEqual(before);
      const problems: string[] = [];
      let hit = 0;
      for (let at = 0; at < kills; at += 1) {
        again();
        const inChange = at % 3 !== 0;
        // Spread over the whole command, and over the moments of the change.
        const delay = inChange ? (at * 7) % 12 : tookMs * (0.2 + (0.8 * at) / kills);
        if (await killed(start(words), delay, inChange)) hit += 1;
        // Any command that looks at skills heals.
        await world.run(['list']);
        const healed = now();
        const isOne = isDeepStrictEqual(healed, before) || isDeepStrictEqual(healed, after);
        if (!isOne) problems.push(`kill ${at}: neither old nor new: ${JSON.stringify(healed)}`);
        const repeated = isDeepStrictEqual(healed, after) && name !== 'restore' ? null : start(words);
        await repeated?.ended;
        if (!isDeepStrictEqual(now(), after)) problems.push(`kill ${at}: it cannot be repeated`);
        if (leftovers(place).some((left) => left === 'intent.json'))
          problems.push(`kill ${at}: an intent is left`);
      }
      expect(problems).toEqual([]);
      expect(hit).toBeGreaterThan(0);
      if (kills > 3) process.stderr.write(`techne ${name}: ${hit} of ${kills} kills hit a running command\n`);
    } finally {
      rmSync(saved, { recursive: true, force: true });
    }
  }, 900_000);
});
