// Runs of a list, with those that wait for a worker told apart from those whose process is gone.
import type { RunSummary } from '../ports/run-store.ts';

export type ListedStatus = RunSummary['status'] | 'queued';

export interface ListedRun extends Omit<RunSummary, 'status'> {
  readonly status: ListedStatus;
}

/** Who knows which of these runs workers are to drive. */
interface Queue {
  forWorkers?(runs: readonly string[]): Promise<ReadonlySet<string>>;
}

/** `queue`: `null` where there are no workers. */
export async function listedRuns(
  runs: readonly RunSummary[],
  queue: Queue | null,
): Promise<readonly ListedRun[]> {
  const undriven = runs.filter(({ status }) => status === 'interrupted').map(({ run }) => run);
  const queued = undriven.length === 0 ? null : await queue?.forWorkers?.(undriven);
  if (queued === null || queued === undefined) return runs;
  return runs.map((summary) => (queued.has(summary.run) ? { ...summary, status: 'queued' } : summary));
}

/** What a store must be asked for where a list is to have this status. */
export function storedAs(status: ListedStatus): readonly RunSummary['status'][] {
  // A run that this process is about to drive is running for those who ask it.
  return status === 'queued' || status === 'running' || status === 'interrupted'
    ? ['running', 'interrupted']
    : [status];
}
