// A run of a list -> its form, what it used so far, and whether its answer is there.
import { TechneError } from '../../base/error.ts';
import { foldRun } from '../../journal/run-state.ts';
import type { RunStore } from '../../ports/run-store.ts';
import { Budgets } from '../../run/budget/budgets.ts';
import type { RunUsage } from '../../run/result/result.ts';
import { readFacts } from '../../run/run-facts.ts';

/** `answered`: it is paused, and its answer is recorded. */
export async function lookInto(
  store: Pick<RunStore, 'read'>,
  { run, status }: { readonly run: string; readonly status: string },
): Promise<{ readonly form: string | null; readonly usage: RunUsage | null; readonly answered: boolean }> {
  const unknown = { form: null, usage: null, answered: false };
  if (status === 'corrupt') return unknown;
  try {
    const state = foldRun(await store.read(run));
    const { form } = state.meta.skill;
    if (state.ended !== null)
      return { form, usage: state.ended.usage as unknown as RunUsage, answered: false };
    const { paused, questions } = state;
    const answers = [...questions.values()].map(({ answered }) => answered);
    const answered =
      paused !== null &&
      answers.every((answer) => answer !== null) &&
      answers.some((answer) => answer !== null && answer.at >= paused.at);
    return {
      form,
      usage: Budgets.fromJournal(readFacts(state.meta).limits, state).usage(0, Math.round(state.usedMs), []),
      answered,
    };
  } catch (error) {
    // Removed or damaged after it was listed.
    if (error instanceof TechneError) return unknown;
    throw error;
  }
}
