// One prompt, once: a result with the skill and one without it, then judged.
//
// If a result fails, that is an error of its arm: nothing is judged, and the pair does not count. Which result the
// judge sees first is balanced over the pairs (plan-attempts.ts); in both orders it sees each of them first once. A
// pair counts when all of its judgements are valid. If the two orders disagree, it is a tie: the order decided, and not
// the result.
import type { Json } from '../../base/json.ts';
import type { Arm, OutputJudgement } from './judge.ts';
import { arms } from './judge.ts';
import { meanOf } from './confidence.ts';
import { BudgetSpent } from './model-budget.ts';
import type { OutputCase } from './output-case.ts';

/** What an arm came to. `transcript` is for people to read. */
export type Produced = (
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }
) & {
  readonly turns: number;
  readonly tokens: number;
  /** The journal of the skill's run, where it was executed. */
  readonly run: string | null;
  readonly transcript: Json;
};

export interface Pair {
  readonly at: number;
  readonly run: number;
  readonly results: { readonly [arm in Arm]: Produced };
  readonly judgements: readonly OutputJudgement[];
  /** Of the skill; null when the pair does not count. */
  readonly outcome: 'win' | 'tie' | 'loss' | null;
  /** The means of all scores, 0 to 10; null when the pair does not count. */
  readonly scores: { readonly [arm in Arm]: number } | null;
}

interface PairParts {
  readonly at: number;
  readonly run: number;
  readonly one: OutputCase;
  /** Which result the judge sees first; one order, or both. */
  readonly orders: readonly Arm[];
  /** Rejects when it was stopped. */
  readonly produce: (one: OutputCase, arm: Arm) => Promise<Produced>;
  readonly judge: (
    one: OutputCase,
    texts: { readonly [arm in Arm]: string },
    first: Arm,
  ) => Promise<OutputJudgement>;
  readonly stopped: () => boolean;
}

/** `null`: stopped before it was whole. */
export async function measurePair({
  at,
  run,
  one,
  orders,
  produce,
  judge,
  stopped,
}: PairParts): Promise<Pair | null> {
  try {
    // The arm that is judged first is also made first: neither always comes second.
    const made = new Map<Arm, Produced>();
    for (const arm of orders[0] === 'without' ? [...arms].reverse() : arms)
      made.set(arm, await produce(one, arm));
    const results = { with: made.get('with') as Produced, without: made.get('without') as Produced };
    if (!results.with.ok || !results.without.ok)
      return { at, run, results, judgements: [], outcome: null, scores: null };
    const texts = { with: results.with.text, without: results.without.text };
    const judgements: OutputJudgement[] = [];
    for (const first of orders) judgements.push(await judge(one, texts, first));
    return { at, run, results, judgements, ...verdictOf(judgements) };
  } catch (error) {
    if (error instanceof BudgetSpent || stopped()) return null;
    throw error;
  }
}

export function verdictOf(judgements: readonly OutputJudgement[]): Pick<Pair, 'outcome' | 'scores'> {
  const valid = judgements.filter((each) => each.status === 'valid');
  const [first] = valid;
  if (first === undefined || valid.length < judgements.length) return { outcome: null, scores: null };
  const agreed = valid.every(({ better }) => better === first.better) ? first.better : 'tie';
  const scoreOf = (arm: Arm): number => meanOf(valid.flatMap(({ scores }) => scores[arm])) ?? 0;
  return {
    outcome: agreed === 'tie' ? 'tie' : agreed === 'with' ? 'win' : 'loss',
    scores: { with: scoreOf('with'), without: scoreOf('without') },
  };
}
