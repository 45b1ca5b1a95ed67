import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeSha256 } from '../node/environment.ts';
import { createPostgresBlobs } from './blobs.ts';
import type { Database } from './database.ts';
import { createQueries } from './queries.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('createPostgresBlobs', () => {
  it('asks again for what it put before the machine slept, or before its clock was set back', async () => {
    const ask = vi.fn<() => Promise<readonly unknown[]>>(async () => [{}]);
    const blobs = createPostgresBlobs({ ask } as unknown as Database, createQueries('s'), nodeSha256);
    const asked = async (afterMs: number): Promise<number> => {
      vi.setSystemTime(Date.now() + afterMs);
      ask.mockClear();
      await blobs.put(new Uint8Array([1]));
      return ask.mock.calls.length;
    };
    expect(await asked(0)).toBe(1);
    expect(await asked(60_000)).toBe(0);
    expect(await asked(2 * 3_600_000)).toBe(1);
    expect(await asked(-3_600_000)).toBe(1);
  });
});
