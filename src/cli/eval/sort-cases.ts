// Cases -> those that a model can be asked about, and those that expect what it cannot choose.
//
// S1. A skill that is not open to the model comes only when the message names it. Whether it does is tried with nobody to ask,
//     so that it costs nothing.
import type { EvalCase } from '../../measure/eval/eval-case.ts';
import { BudgetSpent } from '../../measure/eval/model-budget.ts';
import type { tryCase } from './try-case.ts';

/** Those that can be measured; and those that expect a skill which is not open to the model, and do not name it. */
export async function sortCases(
  all: readonly EvalCase[],
  open: ReadonlySet<string>,
  tryFree: (one: EvalCase) => ReturnType<typeof tryCase>,
): Promise<{ readonly cases: readonly EvalCase[]; readonly barred: readonly EvalCase[] }> {
  const [cases, barred]: [EvalCase[], EvalCase[]] = [[], []];
  for (const one of all) {
    const isOpen = one.expected === null || open.has(one.expected);
    (isOpen || (await isNamed(() => tryFree(one))) ? cases : barred).push(one);
  }
  return { cases, barred };
}

async function isNamed(tryFree: () => ReturnType<typeof tryCase>): Promise<boolean> {
  try {
    return (await tryFree())?.ok === true;
  } catch (error) {
    if (error instanceof BudgetSpent) return false;
    throw error;
  }
}

export interface Unreachable {
  readonly skill: string;
  readonly because: string;
  readonly cases: number;
}

export function countBarred(
  barred: readonly EvalCase[],
  barOf: (name: string) => string | null,
): readonly Unreachable[] {
  const counts = new Map<string, number>();
  for (const { expected } of barred)
    if (expected !== null) counts.set(expected, (counts.get(expected) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([skill, cases]) => ({ skill, cases, because: barOf(skill) ?? 'it is not in the index' }));
}
