// Which runs are old enough to go, and taking them away.
//
// P1. A run that someone owns is never removed. One that has not ended is removed only when its status is asked for.
// P2. The newest `keep` of the runs with such a status stay, however old.
import { TechneError } from '../base/error.ts';
import type { RunStore, RunSummary } from './run-store.ts';

export interface PruneOptions {
  /** Since the end of a run, or since its start when it has none. */
  readonly olderThanMs: number;
  /** Default: 0. */
  readonly keep?: number;
  /** Default: those of runs that have ended. */
  readonly statuses?: readonly RunSummary['status'][];
}

export interface PruneResult {
  readonly removed: readonly RunSummary[];
  /** Were to go, but someone has claimed them meanwhile. */
  readonly inUse: readonly RunSummary[];
}

export const endedStatuses: readonly RunSummary['status'][] = ['completed', 'failed', 'cancelled', 'partial'];

/** `runs` newest first, as `list` gives them. */
export function choosePrunable(runs: readonly RunSummary[], options: PruneOptions, nowMs: number): readonly RunSummary[] {
  const statuses = new Set(options.statuses ?? endedStatuses);
  const candidates = runs.filter(({ status }) => status !== 'running' && statuses.has(status));
  return candidates.slice(options.keep ?? 0).filter(({ startedAt, endedAt }) => (endedAt ?? startedAt) <= nowMs - options.olderThanMs);
}

export async function pruneRuns(store: Pick<RunStore, 'list' | 'remove'>, options: PruneOptions, nowMs: number): Promise<PruneResult> {
  const removed: RunSummary[] = [];
  const inUse: RunSummary[] = [];
  for (const summary of choosePrunable(await listAll(store), options, nowMs)) {
    const outcome = await removeOne(store, summary);
    if (outcome === 'removed') removed.push(summary);
    if (outcome === 'in use') inUse.push(summary);
  }
  return { removed, inUse };
}

async function listAll(store: Pick<RunStore, 'list'>): Promise<readonly RunSummary[]> {
  const all: RunSummary[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<RunStore['list']>> = await store.list(cursor === null ? { limit: 100 } : { cursor, limit: 100 });
    all.push(...page.runs);
    ({ cursor } = page);
  } while (cursor !== null);
  return all;
}

async function removeOne(store: Pick<RunStore, 'remove'>, { run, status }: RunSummary): Promise<'removed' | 'in use' | 'gone'> {
  try {
    await store.remove(run, { force: !endedStatuses.includes(status) });
    return 'removed';
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    // Claimed by someone, or removed by another prune, since it was listed.
    if (error.code === 'RUN_OWNED' || error.code === 'RUN_UNFINISHED') return 'in use';
    if (error.code === 'RUN_UNKNOWN') return 'gone';
    throw error;
  }
}
