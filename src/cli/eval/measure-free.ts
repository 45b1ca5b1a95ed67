// Attempts that cost nothing: the message names the skill, so that the model is never asked.
//
// F1. Tried with nobody to ask. What comes to asking has not been measured, and is left as it was.
import type { Attempt } from '../../measure/eval/plan-attempts.ts';
import { BudgetSpent } from '../../measure/eval/model-budget.ts';
import type { ChatModel } from '../../ports/model.ts';

export const nobody: ChatModel = {
  name: 'nobody',
  description: 'asked for nothing',
  takeTurn: () => Promise.reject(new BudgetSpent('calls')),
};

/** Of what is left: each case once, and again only where that cost nothing. */
export async function measureFree<R>(
  left: readonly Attempt[],
  measure: (attempt: Attempt) => Promise<R | null>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const costly = new Set<number>();
  for (const attempt of left) {
    if (costly.has(attempt.at)) continue;
    const result = await measure(attempt);
    if (result === null) costly.add(attempt.at);
    else results.push(result);
  }
  return results;
}
