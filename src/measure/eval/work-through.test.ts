import { describe, expect, it } from 'vitest';
import type { Stop, Work } from './work-through.ts';
import { workThrough } from './work-through.ts';

const work = (changes: Partial<Work<number, string>>): Work<number, string> => ({
  items: [1, 2, 3, 4, 5, 6, 7, 8],
  parallel: 1,
  stopped: () => null,
  measure: async (item) => `r${item}`,
  isError: (result) => result.startsWith('error'),
  onResult: () => undefined,
  ...changes,
});

describe('workThrough', () => {
  it('keeps the order of the list, however long each takes', async () => {
    let underWay = 0;
    let most = 0;
    const { results, stop } = await workThrough(
      work({
        parallel: 3,
        measure: async (item) => {
          underWay += 1;
          most = Math.max(most, underWay);
          await new Promise((resolve) => setTimeout(resolve, 9 - item));
          underWay -= 1;
          return `r${item}`;
        },
      }),
    );
    expect([results, stop, most]).toEqual([['r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8'], null, 3]);
  });

  it('begins nothing more once it is stopped, and leaves out what was not whole', async () => {
    let stopped: Stop | null = null;
    const measure = async (item: number): Promise<string | null> => {
      if (item < 3) return `r${item}`;
      stopped = 'tokens';
      return null;
    };
    expect(await workThrough(work({ measure, stopped: () => stopped }))).toEqual({
      results: ['r1', 'r2'],
      stop: 'tokens',
    });
  });

  it('is not called stopped when everything was done', async () => {
    expect(await workThrough(work({ items: [1], stopped: () => null }))).toEqual({
      results: ['r1'],
      stop: null,
    });
    let done = false;
    expect(
      await workThrough(
        work({ items: [1], stopped: () => (done ? 'calls' : null), onResult: () => (done = true) }),
      ),
    ).toEqual({ results: ['r1'], stop: null });
  });

  it('gives up on a model that only fails', async () => {
    const failing = await workThrough(work({ measure: async (item) => `error ${item}` }));
    expect([failing.results.length, failing.stop]).toEqual([5, 'errors']);
    const flaky = await workThrough(
      work({ measure: async (item) => (item % 4 === 0 ? 'fine' : `error ${item}`) }),
    );
    expect([flaky.results.length, flaky.stop]).toEqual([8, null]);
  });
});
