// The RunIndex of runs in files: names are those of folders; what else is asked is in the first entry of a journal.
import { promises } from 'node:fs';
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { RunStarted } from '../../journal/entry.ts';
import { isRunName } from '../../journal/run-state.ts';
import { isUlid } from '../../journal/ulid.ts';
import type { RunIndex } from '../../ports/run-index.ts';
import type { RunStore } from '../../ports/run-store.ts';

const dayMs = 86_400_000;
/** Beside the runs: its time is that of the last look. */
const expiryMark = '.expired';

export function createFileRunIndex(folder: string, store: Pick<RunStore, 'read'>): RunIndex {
  const names = async (): Promise<readonly string[]> => {
    try {
      return (await promises.readdir(folder)).filter(isRunName).sort().reverse();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new TechneError(
        'ENVIRONMENT',
        `the runs in "${folder}" cannot be listed: ${(error as Error).message}`,
        { cause: error },
      );
    }
  };
  /** Null for a run that is damaged, or was removed meanwhile. */
  const startOf = async (run: string): Promise<RunStarted | null> => {
    try {
      const [first] = await store.read(run);
      return first?.entry.type === 'run.started' ? first.entry : null;
    } catch (error) {
      if (error instanceof TechneError) return null;
      throw error;
    }
  };
  const isOutermost = async (run: string, workspace: string): Promise<boolean> => {
    try {
      const first = (await store.read(run))[0]?.entry;
      return (
        first?.type !== 'run.started' ||
        (first.parent === null && (first.settings['workspace'] ?? workspace) === workspace)
      );
    } catch (error) {
      // A damaged run can be the last one, and reading it reports the fault; one that was never completely created cannot.
      if (error instanceof TechneError) return error.code !== 'RUN_UNKNOWN';
      throw error;
    }
  };
  return {
    names: async (limit) => (await names()).slice(0, limit),
    async matching(given, limit) {
      const all = await names();
      const wanted = given.toUpperCase();
      const exact = all.find((name) => name === given) ?? all.find((name) => name.toUpperCase() === wanted);
      if (exact !== undefined) return [exact];
      return all
        .filter((name) => name.toUpperCase().startsWith(wanted) || name.toUpperCase().endsWith(wanted))
        .slice(0, limit);
    },
    async last(workspace) {
      for (const name of await names()) if (await isOutermost(name, workspace)) return name;
      return null;
    },
    async nested(run) {
      // The name of a nested run begins as that of its outer one, with the time of the outermost.
      const time = isUlid(run) ? run.slice(0, 10) : '';
      const inside = new Map<string, string[]>();
      for (const name of await names()) {
        const outer = name.startsWith(time) ? (await startOf(name))?.parent?.run : undefined;
        if (outer !== undefined) inside.set(outer, [...(inside.get(outer) ?? []), name]);
      }
      const family = new Set([run]);
      for (const member of family) for (const name of inside.get(member) ?? []) family.add(name);
      family.delete(run);
      return [...family].sort();
    },
    async beginExpiry(nowMs) {
      const mark = join(folder, expiryMark);
      if ((await changedMs(mark)) > nowMs - dayMs) return false;
      await promises.writeFile(mark, '');
      return true;
    },
    placeOf: (run) => join(folder, run),
  };
}

async function changedMs(file: string): Promise<number> {
  try {
    return (await promises.stat(file)).mtimeMs;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 0;
    throw error;
  }
}
