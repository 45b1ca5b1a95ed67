// Prompts, repeats and a seed -> which result the judge sees first in each pair.
//
// O1. Balanced, not drawn: within a prompt the order alternates from repeat to repeat, and within a round from prompt to
//     prompt. So each result comes first equally often, but for one, over the pairs of a prompt, of a round and of all: a judge
//     that goes by the order alone gives half of the pairs to either.
// O2. The seed says which prompt begins with which, and so also who has the odd one.
import type { Arm } from './judge.ts';
import { mixSeed, shuffled } from './plan-attempts.ts';
import { seededRandom } from './random.ts';

/** Apart from what else is drawn by the same seed. */
const salt = 0x5bd1e995;

/** Of prompt `at` (from 0) in repeat `run` (from 1): one order, or both. */
export type OrdersOf = (at: number, run: number) => readonly Arm[];

export function planOrders(prompts: number, seed: number, isBoth: boolean): OrdersOf {
  const random = seededRandom(mixSeed(seed ^ salt, 0, 0));
  const start = random() < 0.5 ? 0 : 1;
  const places = shuffled(
    Array.from({ length: prompts }, (_, at) => at),
    random,
  );
  return (at, run) => {
    const first: Arm = (start + (places[at] as number) + run) % 2 === 0 ? 'with' : 'without';
    return isBoth ? [first, first === 'with' ? 'without' : 'with'] : [first];
  };
}
