// Cases, repeats and a seed -> which case is tried when, among which skills.
//
// P1. Round by round: every case once before any is tried again, each round in an order of its own. What is stopped early has
//     measured all cases about equally often.
// P2. Without `distractors` the model has the whole index. With them it has the skills that the cases are about, and so many
//     others of the library, drawn anew for each attempt.
// P3. The same seed gives the same attempts; one attempt does not depend on how many there are of others.
import { seededRandom } from './random.ts';

export interface Attempt {
  /** Which of the cases, from 0. */
  readonly at: number;
  /** Which repeat, from 1. */
  readonly run: number;
  /** Drawn from the library, in the order of the draw; null: the whole index is there. */
  readonly distractors: readonly string[] | null;
}

export interface AttemptOptions {
  readonly runs: number;
  readonly seed: number;
  /** null: the whole index (P2). */
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
