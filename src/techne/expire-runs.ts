// `runs.expireDays`: removes runs that ended longer ago, at most once a day.
//
// The day is that of a mark in the store, so several processes share it. What cannot be removed or read is left for the next
// day: expiry never disturbs the run that is about to start.
import { TechneError } from '../base/error.ts';
import { pruneRuns } from '../journal/prune-runs.ts';
import { sweepBlobs } from '../journal/sweep-blobs.ts';
import type { SweptBlobs } from '../ports/blobs.ts';
import type { RunIndex } from '../ports/run-index.ts';
import type { RunStore } from '../ports/run-store.ts';

const dayMs = 86_400_000;

interface ExpireOptions {
  readonly index: Pick<RunIndex, 'beginExpiry' | 'bulk'>;
  readonly store: RunStore;
  readonly blobs: SweptBlobs;
  readonly days: number;
  readonly nowMs: number;
}

/** Resolves to the ids of the runs that were removed. */
export async function expireRuns({
  index,
  store,
  blobs,
  days,
  nowMs,
}: ExpireOptions): Promise<readonly string[]> {
  if (days === 0) return [];
  try {
    if (!(await index.beginExpiry(nowMs))) return [];
    const { removed } = await pruneRuns(store, { olderThanMs: days * dayMs }, nowMs, index.bulk);
    if (removed.length > 0) await sweepBlobs(store, blobs, nowMs, index.bulk);
    return removed.map(({ run }) => run);
  } catch (error) {
    // A full disk, a folder that cannot be written, a damaged run: "techne runs prune" reports them.
    if (error instanceof TechneError || isSystemError(error)) return [];
    throw error;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
