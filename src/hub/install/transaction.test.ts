import { mkdirSync, promises, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { failingCalls } from '../../../test/support/failing-calls.ts';
import type { HubScene } from '../../../test/support/hub-scene.ts';
import {
  asInstalled,
  entryOf,
  hubCommands,
  hubScene,
  installTrees,
  installed,
  leftovers,
  limits,
  lockOf,
  lockText,
  optionsWith,
  skillTree,
} from '../../../test/support/hub-scene.ts';
import type { HubCalls } from '../stage/held-folder.ts';
import { openStage } from '../stage/stage.ts';
import { renderIntent } from './intent.ts';
import { commit, heal, readReceipts } from './transaction.ts';

/** `TECHNE_SOAK=1` fails every call with every code. */
const everyCall = process.env['TECHNE_SOAK'] === '1';

let scenes: HubScene[] = [];
const scene = (): HubScene => {
  const made = hubScene();
  scenes.push(made);
  return made;
};
afterEach(() => {
  for (const one of scenes) one.remove();
  scenes = [];
});

const [a1, a2] = [skillTree('a', 'one'), skillTree('a', 'two')];
const commands = hubCommands;

/** What is not all or nothing after the Nth call failed, and the next command ran. */
async function tryFailing(
  what: string,
  n: number,
  code: string,
  mode: 'once' | 'dead',
): Promise<{ readonly isReached: boolean; readonly problems: readonly string[] }> {
  const { from, change, to } = commands[what] as (typeof commands)[string];
  const { place, remove } = hubScene();
  const problems: string[] = [];
  try {
    if (Object.keys(from).length > 0) await installTrees(place, from);
    const failing = failingCalls(n, code, mode);
    const fault: unknown = await installTrees(place, change, failing.calls as HubCalls).then(
      () => null,
      (error: unknown) => error,
    );
    const [old, fresh] = [asInstalled(from), asInstalled(to)];
    const now = installed(place);
    for (const path of Object.keys(now))
      if (now[path] !== old[path] && now[path] !== fresh[path])
        problems.push(`"${path}" is neither old nor new`);
    if (mode === 'dead') {
      // The mutex of this process is taken for that of a living one.
      rmSync(place.mutexFile, { force: true });
      await heal(place, optionsWith());
    }
    const isNew = lockText(place) === lockOf(to);
    if ((lockText(place) ?? lockOf({})) !== lockOf(isNew ? to : from))
      problems.push('the lock is neither old nor new');
    if (!isDeepStrictEqual(installed(place), isNew ? fresh : old))
      problems.push('the folders are not as the lock says');
    // A fault that was told is one that took everything back; only tidying up may fail after the change.
    if (fault !== null && !isNew && leftovers(place).includes('intent.json'))
      problems.push('the intent was left');
    if (!failing.failed() && (fault !== null || !isNew))
      problems.push(`it failed by itself: ${String(fault)}`);
    return { isReached: failing.failed(), problems };
  } finally {
    remove();
  }
}

describe('commit', () => {
  it('puts, replaces and takes skills, with the lock and the receipts', async () => {
    for (const { from, change, to } of Object.values(commands)) {
      const { place } = scene();
      if (Object.keys(from).length > 0) await installTrees(place, from);
      await installTrees(place, change);
      expect(installed(place)).toEqual(asInstalled(to));
      expect(lockText(place)).toBe(lockOf(to));
      expect([...(await readReceipts(place, promises)).keys()]).toEqual(Object.keys(to));
      expect(leftovers(place)).toEqual([]);
    }
  });

  it.each(Object.keys(commands))(
    'leaves all or nothing of %s when any call fails, and the next command heals',
    async (what) => {
      const problems: string[] = [];
      for (const [code, mode, step] of [
        ['ENOSPC', 'once', 1],
        ['EIO', 'dead', everyCall ? 1 : 2],
        ['EMFILE', 'once', everyCall ? 1 : 5],
      ] as const) {
        for (let n = 1, isReached = true; isReached; n += step) {
          const tried = await tryFailing(what, n, code, mode);
          isReached = tried.isReached;
          problems.push(...tried.problems.map((problem) => `${code} ${mode} at call ${n}: ${problem}`));
        }
      }
      expect(problems).toEqual([]);
    },
    120_000,
  );

  it('refuses a private copy that another process changed, and changes nothing', async () => {
    const { place } = scene();
    const stage = await openStage(place, limits, promises);
    await stage.add({ name: 'a', files: a1 });
    writeFileSync(join(stage.folder, 'new/a/SKILL.md'), 'other');
    const change = {
      name: 'a',
      act: 'put',
      before: null,
      after: entryOf('a', a1),
      expects: 'nothing',
    } as const;
    await expect(commit(place, stage.id, [change], optionsWith())).rejects.toMatchObject({ code: 'STALE' });
    expect([installed(place), lockText(place)]).toEqual([{}, null]);
    await stage.close();
    expect(leftovers(place)).toEqual([]);
  });

  it('refuses when the lock, or the folder, changed since it was planned', async () => {
    const { place } = scene();
    const stage = await openStage(place, limits, promises);
    await stage.add({ name: 'a', files: a2 });
    const change = {
      name: 'a',
      act: 'put',
      before: null,
      after: entryOf('a', a2),
      expects: 'nothing',
    } as const;
    await installTrees(place, { a: a1 });
    await expect(commit(place, stage.id, [change], optionsWith())).rejects.toMatchObject({ code: 'STALE' });
    const update = { ...change, before: entryOf('a', a1), expects: 'as-locked' } as const;
    writeFileSync(join(place.skills, 'a/SKILL.md'), 'my own words');
    await expect(commit(place, stage.id, [update], optionsWith())).rejects.toMatchObject({ code: 'STALE' });
    await stage.close();
    expect(lockText(place)).toBe(lockOf({ a: a1 }));
  });

  it('follows no link that is put in the place of a folder', async () => {
    const { place, workspace } = scene();
    const outside = join(workspace, 'outside');
    mkdirSync(outside);
    const stage = await openStage(place, limits, promises);
    await stage.add({ name: 'a', files: a1 });
    mkdirSync(place.skills);
    renameSync(place.skills, `${place.skills}-away`);
    symlinkSync(outside, place.skills);
    const change = {
      name: 'a',
      act: 'put',
      before: null,
      after: entryOf('a', a1),
      expects: 'nothing',
    } as const;
    await expect(commit(place, stage.id, [change], optionsWith())).rejects.toMatchObject({
      code: 'PATH_UNSAFE',
    });
    await expect(promises.readdir(outside)).resolves.toEqual([]);
  });
});

describe('heal', () => {
  it('takes a change back whose private copy is gone', async () => {
    const { place } = scene();
    await installTrees(place, { a: a1 });
    const stage = await openStage(place, limits, promises);
    await stage.add({ name: 'a', files: a2 });
    const intent = {
      stage: stage.id,
      changes: [{ name: 'a', act: 'put', before: entryOf('a', a1), after: entryOf('a', a2) }],
    } as const;
    writeFileSync(place.intentFile, renderIntent(intent));
    renameSync(join(place.skills, 'a'), join(stage.folder, 'old/a'));
    writeFileSync(join(stage.folder, 'new/a/SKILL.md'), 'other');
    expect(await heal(place, optionsWith())).toBe(true);
    expect(installed(place)).toEqual(asInstalled({ a: a1 }));
    expect([lockText(place), leftovers(place)]).toEqual([lockOf({ a: a1 }), []]);
  });

  it('refuses a record that is not as techne writes it', async () => {
    const { place } = scene();
    mkdirSync(place.state, { recursive: true });
    writeFileSync(place.intentFile, '{"version":1,"stage":"../../x","acts":[],"before":"","after":""}');
    await expect(heal(place, optionsWith())).rejects.toMatchObject({ code: 'LOCK_INVALID' });
  });
});
