import { createMemoryRuns, createMemoryRunStore } from './memory-run-store.ts';
import { runStoreContract } from '../ports/run-store.contract.ts';

runStoreContract('in memory', async () => {
  const runs = createMemoryRuns();
  const store = createMemoryRunStore({ runs, owner: 'a' });
  const other = createMemoryRunStore({ runs, owner: 'b' });
  return {
    store,
    other,
    lagMs: 0,
    killOwner: () => store.die(),
    close: async () => {
      await store.close();
      await other.close();
    },
  };
});
