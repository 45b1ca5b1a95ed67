// Cases, repeats and a seed -> which case is tried when, among which skills, and in which order its results are judged.
//
// Round by round: every case once before any is tried again, each round in an order of its own, so that an evaluation
// which is stopped early has measured all cases about equally often. The same seed gives the same plan; one attempt does
// not depend on how many others there are.
import type { Arm } from './judge.ts';
import { seededRandom } from './random.ts';

export interface Attempt {
  /** Which of the cases, from 0. */
  readonly at: number;
  /** Which repeat, from 1. */
  readonly run: number;
  /** Drawn from the library, in the order of the draw; null: the whole index is there. */
  readonly distractors: readonly string[] | null;
}

interface AttemptOptions {
  readonly runs: number;
  readonly seed: number;
  /** How many other skills are offered, drawn anew for each attempt; null: the whole index. */
  readonly distractors: number | null;
  /** The skills to draw from: none of those that the cases are about. */
  readonly others: readonly string[];
}

export function planAttempts(
  cases: number,
  { runs, seed, distractors, others }: AttemptOptions,
): readonly Attempt[] {
  const rounds = Array.from({ length: runs }, (_, index) => index + 1);
  return rounds.flatMap((run) => {
    const order = shuffled(
      Array.from({ length: cases }, (_, at) => at),
      seededRandom(mixSeed(seed, 0, run)),
    );
    return order.map((at) => ({
      at,
      run,
      distractors:
        distractors === null
          ? null
          : shuffled(others, seededRandom(mixSeed(seed, at + 1, run))).slice(0, distractors),
    }));
  });
}

/** Fisher and Yates. */
export function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
  }
  return mixed;
}

/** A seed of its own for each place. */
export function mixSeed(seed: number, a: number, b: number): number {
  return (
    (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^
      Math.imul(a + 1, 0xc2b2ae35) ^
      Math.imul(b + 1, 0x27d4eb2f)) >>>
    0
  );
}

/** Keeps this draw apart from the others of the same seed. */
const salt = 0x5bd1e995;

/** Of prompt `at` (from 0) in repeat `run` (from 1): one order, or both. */
type OrdersOf = (at: number, run: number) => readonly Arm[];

/**
 * Which result the judge sees first in each pair. Balanced, not drawn: within a prompt the order alternates from repeat to
 * repeat, and within a round from prompt to prompt. So each result comes first equally often, but for one, over the pairs
 * of a prompt, of a round and of all: a judge that follows the order alone gives half of the pairs to either. The seed
 * decides which prompt begins with which.
 */
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
