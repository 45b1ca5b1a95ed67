// The current view of a run: its journal, and whether a process drives it.
//
// The journal does not know whether a process drives the run; the store does. If the process is gone, unfinished calls need a
// decision, even if the process could not record that.
import type { GivenRecord, GivenTrust } from '../ports/given-trust.ts';
import type { RunStore, RunSummary } from '../ports/run-store.ts';
import type { RunView } from '../run/history/inspect.ts';
import type { Runner } from '../run/runner.ts';

export type SeenRun = Omit<RunView, 'status'> & { readonly status: RunView['status'] | 'interrupted' };

export async function seenRun(
  { runner, store }: { readonly runner: Pick<Runner, 'inspect'>; readonly store: RunStore },
  run: string,
): Promise<SeenRun> {
  const view = await runner.inspect(run);
  if (view.status !== 'running' || (await summaryOf(store, run))?.status !== 'interrupted') return view;
  return { ...(await runner.inspect(run, { isAbandoned: true })), status: 'interrupted' };
}

/** The summary of the run in the list of runs. */
export async function summaryOf(store: RunStore, run: string): Promise<RunSummary | null> {
  // The first id at or below this one is the run itself.
  const [summary] = (await store.list({ cursor: `${run}~`, limit: 1 })).runs;
  return summary?.run === run ? summary : null;
}

/** Of a run that travels: the trust in its skill that workers rely on. Undefined: its machine judges. */
export async function trustOf(
  { settings, skill }: Pick<RunView, 'settings' | 'skill'>,
  serving: { readonly trust: Pick<GivenTrust, 'reliedOn'> } | null,
): Promise<GivenRecord | null | undefined> {
  return settings.travel === null || serving === null ? undefined : serving.trust.reliedOn(skill.digest);
}

/** The run itself, or the outermost of those that it is nested in. */
export async function outermost(runner: Pick<Runner, 'inspect'>, run: string): Promise<RunView> {
  let view = await runner.inspect(run);
  while (view.parent !== null) view = await runner.inspect(view.parent.run);
  return view;
}
