import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ended, started } from '../../journal/sample-entries.ts';
import { countUses } from '../../measure/health/count-uses.ts';
import { withArchive } from '../open-archive.ts';
import { readUses } from './read-uses.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'techne-health-'));
  mkdirSync(join(home, 'work/.git'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('readUses', () => {
  it('counts runs with what they cost, and those that failed; those before the time only show how far back it is known', async () => {
    const read = await withArchive({ homeFolder: home, cwd: join(home, 'work') }, async (archive) => {
      const add = async (run: string, at: number, status: 'completed' | 'failed', costMicros: number) => {
        const claim = await archive.store.create(run, [
          { ...started(run), at },
          { ...ended(), at: at + 1, status, usage: { ...ended().usage, costMicros } },
        ]);
        await archive.store.release(claim);
      };
      await add('01KAAAAAAAAAAAAAAAAAAAAAA1', 1_000, 'completed', 7);
      await add('01KAAAAAAAAAAAAAAAAAAAAAA2', 5_000, 'completed', 1_500);
      await add('01KAAAAAAAAAAAAAAAAAAAAAA3', 6_000, 'failed', 500);
      return readUses({ homeFolder: home, archive, sinceMs: 2_000 });
    });
    expect([read.runs, read.recordedSinceMs, read.faults]).toEqual([2, 1_000, []]);
    expect(countUses(read.events)).toMatchObject([
      { skill: 'tides', uses: 2, runs: 2, failures: 1, costMicros: 2_000, lastUsed: 6_000 },
    ]);
  });
});
