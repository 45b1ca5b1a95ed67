import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Only what hangs: a busy machine takes three times as long as an idle one.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // A process takes many files, one after the other: a process for each, with its own copy of every module, took a third
    // of the time of the suite. So no test may leave behind what another one could see.
    isolate: false,
    // Left alone, it keeps one core free, which is half of a small machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
