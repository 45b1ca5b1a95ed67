// The Watching port moved by hand.
import type { FolderWatch, Watching } from '../../src/ports/watching.ts';
import { FileFault } from '../../src/ports/files.ts';

export interface FakeWatching extends Watching {
  /** Watches that the system has; fewer than are asked for is a shortage. */
  limit: number;
  /** Folders watched now, sorted. */
  readonly watched: readonly string[];
  /** Milliseconds of the timers that are set, sorted. */
  readonly timers: readonly number[];
  notify(folder: string): void;
  /** Ends the watch of `folder` as the system would. */
  lose(folder: string): void;
  /** Lets every timer of at most `ms` run, and what they set going. */
  run(ms?: number): Promise<void>;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

export function createFakeWatching(): FakeWatching {
  const watches = new Set<{
    readonly folder: string;
    readonly onChange: () => void;
    readonly onLost: (reason: string) => void;
  }>();
  const timers = new Set<{ readonly ms: number; readonly task: () => void }>();
  return {
    limit: Number.POSITIVE_INFINITY,
    get watched() {
      return [...watches].map(({ folder }) => folder).sort();
    },
    get timers() {
      return [...timers].map(({ ms }) => ms).sort((a, b) => a - b);
    },
    watchFolder(folder, onChange, onLost): FolderWatch {
      if (watches.size >= this.limit) throw new FileFault('busy', folder, 'no watches left');
      const watch = { folder, onChange, onLost };
      watches.add(watch);
      return { close: () => watches.delete(watch) };
    },
    after(ms, task): FolderWatch {
      const timer = { ms, task };
      timers.add(timer);
      return { close: () => timers.delete(timer) };
    },
    notify(folder) {
      for (const watch of watches) if (watch.folder === folder) watch.onChange();
    },
    lose(folder) {
      for (const watch of watches) {
        if (watch.folder !== folder) continue;
        watches.delete(watch);
        watch.onLost('the folder went away');
      }
    },
    async run(ms = 100) {
      for (let round = 0; round < 20; round += 1) {
        await settle();
        const due = [...timers].filter((timer) => timer.ms <= ms);
        if (due.length === 0) return;
        for (const timer of due) {
          timers.delete(timer);
          timer.task();
        }
        await settle();
        if (ms > 100) return; // polls set themselves again
      }
    },
  };
}
