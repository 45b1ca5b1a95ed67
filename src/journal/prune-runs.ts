// Finds the runs that are old enough to remove, and removes them.
//
// A run that a process owns is never removed. A run that has not ended is removed only when its status is asked for. The
// newest `keep` runs with such a status stay, however old. A nested run stays as long as its unended outer run does:
// otherwise resuming the outer run would start it again and repeat its effects.
import { TechneError } from '../base/error.ts';
import { listAll } from './each-run.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { RunStore, RunSummary } from '../ports/run-store.ts';

export interface PruneOptions {
  /** Since the end of a run, or since its start when it has none. */
  readonly olderThanMs: number;
  /** Default: 0. */
  readonly keep?: number;
  /** Default: those of runs that have ended. */
  readonly statuses?: readonly RunSummary['status'][];
  /** Default: every skill. */
  readonly skill?: string;
  /** Default: every workspace. */
  readonly workspace?: string;
}

interface PruneResult {
  readonly removed: readonly RunSummary[];
  /** Would have been removed, but a process has claimed them meanwhile. */
  readonly inUse: readonly RunSummary[];
}

const endedStatuses: readonly RunSummary['status'][] = ['completed', 'failed', 'cancelled', 'partial'];

/** `runs` newest first, as `list` gives them. */
export function choosePrunable(
  runs: readonly RunSummary[],
  options: PruneOptions,
  nowMs: number,
): readonly RunSummary[] {
  const statuses = new Set(options.statuses ?? endedStatuses);
  const candidates = runs.filter(
    ({ status, skill, workspace }) =>
      status !== 'running' &&
      statuses.has(status) &&
      (options.skill === undefined || skill === options.skill) &&
      (options.workspace === undefined || workspace === options.workspace),
  );
  const old = candidates
    .slice(options.keep ?? 0)
    .filter(({ startedAt, endedAt }) => (endedAt ?? startedAt) <= nowMs - options.olderThanMs);
  const byName = new Map(runs.map((summary) => [summary.run, summary]));
  const chosen = new Set(old.map(({ run }) => run));
  // A damaged run is never resumed.
  const isHeld = ({ parent }: RunSummary): boolean => {
    const outer = parent === null ? undefined : byName.get(parent);
    return (
      outer !== undefined &&
      ((!chosen.has(outer.run) && outer.status !== 'corrupt' && !endedStatuses.includes(outer.status)) ||
        isHeld(outer))
    );
  };
  return old.filter((summary) => !isHeld(summary));
}

/** `bulk`: of a store that removes many at a time. What it leaves is tried one by one. */
export async function pruneRuns(
  store: Pick<RunStore, 'list' | 'remove'>,
  options: PruneOptions,
  nowMs: number,
  bulk?: RunIndex['bulk'],
): Promise<PruneResult> {
  const removed: RunSummary[] = [];
  const inUse = new Map<string, RunSummary>();
  for (const level of outerFirst(choosePrunable(await listAll(store), options, nowMs))) {
    const isHeld = ({ parent }: RunSummary): boolean => parent !== null && inUse.has(parent);
    const free = level.filter((summary) => !isHeld(summary));
    const together = new Set(
      await bulk?.removeEnded(
        free.filter(({ status }) => endedStatuses.includes(status)).map(({ run }) => run),
      ),
    );
    for (const summary of level) {
      const outcome = isHeld(summary)
        ? 'in use'
        : together.has(summary.run)
          ? 'removed'
          : await removeOne(store, summary);
      if (outcome === 'removed') removed.push(summary);
      if (outcome === 'in use') inUse.set(summary.run, summary);
    }
  }
  return { removed, inUse: [...inUse.values()] };
}

/** By depth: the outer run is checked before a nested one. */
function outerFirst(runs: readonly RunSummary[]): readonly (readonly RunSummary[])[] {
  const byName = new Map(runs.map((summary) => [summary.run, summary]));
  const depthOf = ({ parent }: RunSummary): number => {
    const outer = parent === null ? undefined : byName.get(parent);
    return outer === undefined ? 0 : depthOf(outer) + 1;
  };
  const levels: RunSummary[][] = [];
  for (const summary of runs) (levels[depthOf(summary)] ??= []).push(summary);
  return levels;
}

async function removeOne(
  store: Pick<RunStore, 'remove'>,
  { run, status }: RunSummary,
): Promise<'removed' | 'in use' | 'gone'> {
  try {
    await store.remove(run, { force: !endedStatuses.includes(status) });
    return 'removed';
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    // Claimed, or removed by another prune, since it was listed.
    if (error.code === 'RUN_OWNED' || error.code === 'RUN_UNFINISHED') return 'in use';
    if (error.code === 'RUN_UNKNOWN') return 'gone';
    throw error;
  }
}
