// Prompts, a model and a judge -> how results with a skill compare to results without it.
import type { Abort } from '../../base/abort.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { Arm } from './judge.ts';
import { judgeOutput } from './judge.ts';
import type { Pair, Produced } from './measure-pair.ts';
import { measurePair } from './measure-pair.ts';
import type { ModelBudget } from './model-budget.ts';
import type { OutputCase } from './output-case.ts';
import type { Attempt } from './plan-attempts.ts';
import { planAttempts, planOrders } from './plan-attempts.ts';
import type { OutputReport } from './score-output.ts';
import { scoreOutput } from './score-output.ts';
import type { Stop } from './work-through.ts';
import { workThrough } from './work-through.ts';

interface MeasureOutputOptions {
  readonly cases: readonly OutputCase[];
  /** One result of a prompt, with the skill or without it. Rejects when it is stopped. */
  readonly produce: (one: OutputCase, arm: Arm) => Promise<Produced>;
  /** Within the budget. */
  readonly judge: ChatModel;
  readonly budget: ModelBudget;
  readonly runs: number;
  readonly seed: number;
  readonly parallel: number;
  readonly bothOrders: boolean;
  /** Why a model cannot be reached; null while none is known. */
  readonly refusal: () => string | null;
  readonly signal: Abort;
  readonly keep: (name: string, transcript: unknown) => void;
  readonly onProgress: (done: number, total: number) => void;
}

interface MeasuredOutput {
  readonly pairs: readonly Pair[];
  readonly report: OutputReport;
  /** Why it ended early; null when it did not. */
  readonly stopped: Stop | null;
}

export async function measureOutput(options: MeasureOutputOptions): Promise<MeasuredOutput> {
  const { cases, budget, runs, seed, bothOrders, refusal, signal } = options;
  const plan = planAttempts(cases.length, { runs, seed, distractors: null, others: [] });
  const ordersOf = planOrders(cases.length, seed, bothOrders);
  const measure = async ({ at, run }: Attempt): Promise<Pair | null> => {
    const one = cases[at] as OutputCase;
    const pair = await measurePair({
      at,
      run,
      one,
      orders: ordersOf(at, run),
      produce: options.produce,
      judge: (each, texts, first) => judgeOutput(each, texts, first, { model: options.judge, signal }),
      stopped: () => signal.aborted,
    });
    if (pair !== null) options.keep(`${one.skill}-${at + 1}-${one.name}-run-${run}`, { case: one, ...pair });
    return pair;
  };
  options.onProgress(0, plan.length);
  const { results: pairs, stop } = await workThrough({
    items: plan,
    parallel: options.parallel,
    measure,
    stopped: () => (signal.aborted ? 'interrupted' : refusal() === null ? budget.exhausted() : 'refused'),
    isError: isFailure,
    onResult: (_pair, done) => options.onProgress(done, plan.length),
  });
  return {
    pairs,
    report: scoreOutput(cases, pairs, bothOrders),
    // The last turn may have been refused, too.
    stopped: stop ?? (refusal() === null ? null : 'refused'),
  };
}

/** A model that gives nothing at all; an invalid judgement was at least given. */
function isFailure({ results, judgements }: Pair): boolean {
  return !results.with.ok || !results.without.ok || judgements.some(({ status }) => status === 'error');
}
