import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../node/environment.ts';
import { createMemoryBlobs } from '../ports/memory-blobs.ts';
import { createMemoryRunStore } from './memory-run-store.ts';
import type { RunStore } from '../ports/run-store.ts';
import { JournalCorrupt } from './read-journal.ts';
import { ended, started } from './sample-entries.ts';
import { graceMs, sweepBlobs } from './sweep-blobs.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function world(): { store: RunStore; blobs: ReturnType<typeof createMemoryBlobs>; clock: { ms: number } } {
  const clock = { ms: 0 };
  return { store: createMemoryRunStore(), blobs: createMemoryBlobs(nodeSha256, () => clock.ms), clock };
}

describe('sweepBlobs', () => {
  it('frees what no journal names any more', async () => {
    const { store, blobs, clock } = world();
    const [program, input, lone] = [
      await blobs.put(bytes('program')),
      await blobs.put(bytes('input')),
      await blobs.put(bytes('lone one')),
    ];
    const claim = await store.create('A', [
      { ...started('A'), files: { 'SKILL.star': program }, input: { blob: input, bytes: 5 } },
      ended(),
    ]);
    await store.release(claim);
    clock.ms = graceMs + 1;
    expect(await sweepBlobs(store, blobs, clock.ms)).toEqual({ blobs: 1, bytes: 8, damaged: [] });
    expect(await Promise.all([program, input, lone].map((one) => blobs.has(one)))).toEqual([
      true,
      true,
      false,
    ]);
    await store.remove('A');
    expect(await sweepBlobs(store, blobs, clock.ms)).toEqual({ blobs: 2, bytes: 12, damaged: [] });
    expect(await blobs.list()).toEqual([]);
  });

  it('keeps what a run that is being started has put, also when it was there before', async () => {
    const { store, blobs, clock } = world();
    await blobs.put(bytes('old'));
    clock.ms = graceMs + 1;
    await blobs.put(bytes('new'));
    await blobs.put(bytes('old'));
    expect(await sweepBlobs(store, blobs, clock.ms + graceMs)).toEqual({ blobs: 0, bytes: 0, damaged: [] });
    // Put again after it was listed, and before it would be removed.
    const late = {
      list: () => blobs.list(),
      remove: async (...given: Parameters<typeof blobs.remove>) => (
        await blobs.put(bytes('old')),
        blobs.remove(...given)
      ),
    };
    clock.ms += graceMs + 1;
    expect((await sweepBlobs(store, late, clock.ms)).blobs).toBe(1);
    expect((await blobs.list()).length).toBe(1);
  });

  it('frees nothing as long as a journal is damaged', async () => {
    const { store, blobs, clock } = world();
    await blobs.put(bytes('lone'));
    await store.create('A', [started('A')]);
    clock.ms = 2 * graceMs;
    const broken: Pick<RunStore, 'list' | 'read'> = {
      list: (options) => store.list(options),
      read: () =>
        Promise.reject(
          new JournalCorrupt('A', { file: 'journal.1', record: 1, offset: 0, reason: 'damaged' }),
        ),
    };
    expect(await sweepBlobs(broken, blobs, clock.ms)).toEqual({ blobs: 0, bytes: 0, damaged: ['A'] });
    expect((await blobs.list()).length).toBe(1);
  });
});
