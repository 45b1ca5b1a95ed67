// kill -9 at every file call of add, update, remove and restore: the skills are the old or the new ones, whole, and the next
// command heals. A sample here; `TECHNE_SOAK=1 npm test -- test/hub/kill.test.ts` takes every call in every way.
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearLeftovers, heal } from '../../src/hub/install/transaction.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram } from '../support/child-program.ts';
import type { HubScene } from '../support/hub-scene.ts';
import {
  asInstalled,
  hubCommands,
  hubScene,
  installTrees,
  installed,
  leftovers,
  lockOf,
  lockText,
  optionsWith,
} from '../support/hub-scene.ts';

const isSoak = process.env['TECHNE_SOAK'] === '1';
const ways = ['before', 'torn', 'after'] as const;

let child: ChildProgram;
beforeAll(async () => {
  child = await childProgram('hub-change');
});
afterAll(() => child.close());

async function prepared(command: string): Promise<HubScene> {
  const scene = hubScene();
  const { from } = hubCommands[command] as (typeof hubCommands)[string];
  if (Object.keys(from).length > 0) await installTrees(scene.place, from);
  return scene;
}

/** What is wrong after a kill at this call; `null`: the call was not reached. */
async function killAt(
  command: string,
  at: number,
  how: (typeof ways)[number],
): Promise<readonly string[] | null> {
  const { from, to } = hubCommands[command] as (typeof hubCommands)[string];
  const { place, workspace, home, remove } = await prepared(command);
  const problems: string[] = [];
  try {
    const started = child.start(command, workspace, home, String(at), how);
    const [, signal] = (await once(started, 'exit')) as [number | null, string | null];
    if (signal !== 'SIGKILL') return null;
    const [old, fresh] = [asInstalled(from), asInstalled(to)];
    // At once: every skill is whole, or waits in the stage (T2 of transaction.ts).
    const now = installed(place);
    for (const name of ['a', 'b']) {
      const only = (files: { readonly [path: string]: string }): object =>
        Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(`${name}/`)));
      const whole = [only(old), only(fresh), {}];
      if (!whole.some((one) => isDeepStrictEqual(one, only(now)))) problems.push(`"${name}" is mixed`);
    }
    await heal(place, optionsWith());
    const isNew = isDeepStrictEqual(installed(place), fresh) && lockText(place) === lockOf(to);
    const isOld =
      isDeepStrictEqual(installed(place), old) && (lockText(place) ?? lockOf({})) === lockOf(from);
    if (!isNew && !isOld) problems.push('it is neither old nor new after healing');
    // The command again, as a person would.
    await clearLeftovers(place, optionsWith());
    if (!isNew || command === 'restore') await installTrees(place, hubCommands[command]?.change ?? {});
    if (!isDeepStrictEqual(installed(place), fresh)) problems.push('the command cannot be repeated');
    // A stage whose owner is not on record yet may be one that is just being made; it goes after a minute.
    const left = leftovers(place).filter(
      (name) => !name.endsWith('.tmp') && !isBeginning(join(place.stages, name)),
    );
    if (left.length > 0) problems.push(`left behind: ${left.join(', ')}`);
    return problems;
  } finally {
    remove();
  }
}

function isBeginning(path: string): boolean {
  return existsSync(path) && !readdirSync(path).includes('new');
}

describe.each(Object.keys(hubCommands))('techne %s, killed', (command) => {
  it('leaves the old or the new skills, whole, and the next command heals', async () => {
    const counting = await prepared(command);
    const calls = Number(await child.run(command, counting.workspace, counting.home, '0', 'before'));
    counting.remove();
    expect(calls).toBeGreaterThan(40);
    const problems: string[] = [];
    let kills = 0;
    // The calls near the end are those that change something; the step is prime, so that all kinds of calls are met.
    for (let at = 1; at <= calls; at += isSoak ? 1 : 17)
      for (const how of isSoak ? ways : [ways[at % 3] as (typeof ways)[number]]) {
        const found = await killAt(command, at, how);
        if (found === null) continue;
        kills += 1;
        problems.push(...found.map((problem) => `call ${at} of ${calls}, ${how}: ${problem}`));
      }
    expect(problems).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(isSoak ? calls * 2 : 2);
    if (isSoak) process.stderr.write(`${command}: ${kills} kills at ${calls} calls\n`);
  }, 1_800_000);
});
