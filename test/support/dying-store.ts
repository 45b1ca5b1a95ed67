// A store that is gone in the middle of a run, as when its process is killed.
import type { RunStore } from '../../src/ports/run-store.ts';

export type Death = 'before' | 'after' | 'torn';

/** Gone at its nth append: nothing, a part or all of the entries got there, and nobody is told. */
export function dyingStore(at: number, how: Death, onDeath: () => void): (store: RunStore) => RunStore {
  let appends = 0;
  return (store) => ({
    ...store,
    append: async (claim, seq, entries) => {
      appends += 1;
      if (appends > at) return new Promise(() => {});
      if (appends < at) return store.append(claim, seq, entries);
      if (how === 'after') await store.append(claim, seq, entries);
      if (how === 'torn') await store.append(claim, seq, entries.slice(0, Math.ceil(entries.length / 2)));
      onDeath();
      return new Promise(() => {});
    },
  });
}
