import { createFileRunIndex } from '../node/store-file/run-index.ts';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../../test/support/run-cli.ts';
import { createWorld } from '../../test/support/run-cli.ts';

const skill =
  '---\nname: hello\ndescription: Says hello. Use to say hello.\nmetaskill: SKILL.star\n---\nSays hello.\n';

describe('runs.expireDays', () => {
  let world: World;
  const runs = (): readonly string[] =>
    readdirSync(join(world.home, '.techne/runs')).filter((name) => !name.startsWith('.'));
  const configure = (expireDays: number): void =>
    world.write({
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        runs: { expireDays },
        trust: { folders: [world.workspace] },
      }),
    });
  beforeEach(() => {
    world = createWorld({
      'work/.techne/skills/hello/SKILL.md': skill,
      'work/.techne/skills/hello/SKILL.star': 'def run(input):\n  return "hello"\n',
    });
  });
  afterEach(() => world.remove());

  it('removes what ended long ago, once a day, and nothing by default', async () => {
    configure(0);
    expect((await world.run(['run', 'hello'])).code).toBe(0);
    configure(0);
    expect((await world.run(['run', 'hello'])).code).toBe(0);
    expect(runs()).toHaveLength(2);
    const { expireRuns } = await import('./expire-runs.ts');
    const { withArchive } = await import('./open-archive.ts');
    const expire = (days: number, nowMs: number): Promise<readonly string[]> =>
      withArchive({ homeFolder: world.home, cwd: world.workspace }, ({ index, store, blobs }) =>
        expireRuns({ index, store, blobs, days, nowMs }),
      );
    const inDays = (days: number): number => Date.now() + days * 86_400_000;
    expect(await expire(0, inDays(400))).toEqual([]);
    expect(await expire(30, inDays(20))).toEqual([]);
    // The mark of that look is from now, so the same day looks at nothing.
    expect(await expire(30, Date.now())).toEqual([]);
    expect((await expire(30, inDays(40))).length).toBe(2);
    expect(runs()).toEqual([]);
  });

  it('lets a run start where the runs cannot be written to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'techne-expire-'));
    try {
      mkdirSync(join(folder, '.expired'));
      const { expireRuns } = await import('./expire-runs.ts');
      utimesSync(join(folder, '.expired'), 0, 0);
      writeFileSync(join(folder, 'x'), '');
      const never = (): never => {
        throw new Error('not asked');
      };
      expect(
        await expireRuns({
          index: createFileRunIndex(folder, { read: never }),
          store: { list: never } as never,
          blobs: {} as never,
          days: 1,
          nowMs: Date.now(),
        }),
      ).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
