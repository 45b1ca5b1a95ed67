// A run as it is now, to be looked at or decided about.
//
// A journal does not know whether anybody drives the run; the store does. What a run left under way whose process is gone
// waits for a decision, whether that process could say so or not.
import type { RunStore, RunSummary } from '../../ports/run-store.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { RunArchive } from '../../techne/open-archive.ts';

export type SeenRun = Omit<RunView, 'status'> & { readonly status: RunView['status'] | 'interrupted' };

export async function seenRun(
  { runner, store }: Pick<RunArchive, 'runner' | 'store'>,
  run: string,
): Promise<SeenRun> {
  const view = await runner.inspect(run);
  if (view.status !== 'running' || (await summaryOf(store, run))?.status !== 'interrupted') return view;
  return { ...(await runner.inspect(run, { isAbandoned: true })), status: 'interrupted' };
}

/** As `list` has it. */
export async function summaryOf(store: RunStore, run: string): Promise<RunSummary | null> {
  // The first name below this one is the run itself.
  const [summary] = (await store.list({ cursor: `${run}~`, limit: 1 })).runs;
  return summary?.run === run ? summary : null;
}
