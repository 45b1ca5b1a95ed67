// Cases and a model -> which skills the model activates, and how often that is right.
//
// A model is never asked about a skill that it cannot choose: such a case counts only where the message names the skill.
// A message that names a skill costs nothing, so it is measured even after the budget is spent or the model has failed.
import type { Abort } from '../../base/abort.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { ActivationSkills } from './activation-skills.ts';
import type { EvalCase } from './eval-case.ts';
import type { ModelBudget } from './model-budget.ts';
import { BudgetSpent } from './model-budget.ts';
import type { Attempt } from './plan-attempts.ts';
import { planAttempts } from './plan-attempts.ts';
import type { ActivationReport, Tried } from './score-activation.ts';
import { scoreActivation } from './score-activation.ts';
import { tryCase } from './try-case.ts';
import type { WatchedModel } from './watch-refusals.ts';
import type { Stop, Worked } from './work-through.ts';
import { workThrough } from './work-through.ts';

interface ActivationOptions {
  /** Every one expects a skill that exists, or none. */
  readonly cases: readonly EvalCase[];
  readonly skills: ActivationSkills;
  readonly watched: WatchedModel;
  readonly budget: ModelBudget;
  readonly runs: number;
  readonly seed: number;
  readonly parallel: number;
  readonly turns: number;
  /** How many other skills are offered; null: the whole library. */
  readonly distractors: number | null;
  /** The skills that are always offered beside distractors. */
  readonly tested: ReadonlySet<string>;
  readonly workspace: string;
  readonly nowMs: () => number;
  readonly signal: Abort;
  /** Why a skill cannot be chosen by a model; null when the reason is not known. */
  readonly barOf: (name: string) => Promise<string | null>;
  readonly keep: (name: string, transcript: unknown) => void;
  readonly onNotice: (text: string) => void;
  readonly onProgress: (done: number, total: number) => void;
}

/** Cases that expect a skill which cannot be found or chosen. */
export interface Unreachable {
  readonly skill: string;
  readonly because: string;
  readonly cases: number;
}

interface MeasuredActivation {
  /** The cases that can be measured. */
  readonly cases: readonly EvalCase[];
  readonly report: ActivationReport;
  readonly unreachable: readonly Unreachable[];
  /** Why it ended early; null when it did not. */
  readonly stopped: Stop | null;
}

/** `skipped`: how many cases test no activation. */
export async function measureActivation(
  options: ActivationOptions,
  skipped: number,
): Promise<MeasuredActivation> {
  const { skills, watched, budget, runs, seed, parallel, distractors, tested, signal, onNotice } = options;
  const { refusal } = watched;
  const tried = async (
    one: EvalCase,
    model: ChatModel,
    offered: ReadonlySet<string> | null,
  ): ReturnType<typeof tryCase> =>
    tryCase({ ...options, model, runs: skills.runs, skills: await skills.open(offered) }, one.message);
  const listed = skills.all.list().map(({ name }) => name);
  const { cases, barred } = await sortCases(options.cases, new Set(listed), (one) =>
    tried(one, unaskable, null),
  );
  const unreachable = await countUnreachable(
    barred.map(({ expected }) => expected),
    async (name) => (await options.barOf(name)) ?? 'it is not in the index',
  );
  const others = listed.filter((name) => !tested.has(name));
  if (distractors !== null && distractors > others.length)
    onNotice(`there are only ${others.length} other skills to draw from`);

  const plan = planAttempts(cases.length, { runs, seed, distractors, others });
  const measureWith =
    (model: ChatModel) =>
    async (attempt: Attempt): Promise<Tried | null> => {
      const one = cases[attempt.at] as EvalCase;
      const offered = attempt.distractors === null ? null : new Set([...tested, ...attempt.distractors]);
      try {
        const seen = await tried(one, model, offered);
        if (seen === null) return null;
        const { entries, ...result } = seen;
        options.keep(`case-${attempt.at + 1}-run-${attempt.run}`, {
          case: one,
          ...attempt,
          ...result,
          entries,
        });
        return { ...attempt, ...result };
      } catch (error) {
        if (error instanceof BudgetSpent) return null;
        throw error;
      }
    };
  const measureAll = async (): Promise<Worked<Tried>> => {
    const { results, stop } = await workThrough({
      items: plan,
      parallel,
      measure: measureWith(budget.bound(watched.model)),
      stopped: () => (signal.aborted ? 'interrupted' : refusal() === null ? budget.exhausted() : 'refused'),
      isError: ({ ok }) => !ok,
      onResult: (_result, done) => options.onProgress(done, plan.length),
    });
    if (stop === null || stop === 'interrupted') return { results, stop };
    const done = new Set(results.map(({ at, run }) => `${at} ${run}`));
    const free = await measureFree(
      plan.filter(({ at, run }) => !done.has(`${at} ${run}`)),
      measureWith(unaskable),
    );
    return {
      results: [...results, ...free],
      stop: results.length + free.length === plan.length && stop !== 'refused' ? null : stop,
    };
  };
  options.onProgress(0, plan.length);
  const { results, stop } = await measureAll();
  return {
    cases,
    report: scoreActivation(cases, results, skipped),
    unreachable,
    // The last turn may have been refused, too.
    stopped: stop ?? (refusal() === null ? null : 'refused'),
  };
}

/** Stands where no model may be asked: what needs a turn has not been measured. */
const unaskable: ChatModel = {
  name: 'none',
  description: 'takes no turn',
  takeTurn: () => Promise.reject(new BudgetSpent('calls')),
};

/** Those that can be measured; and those that expect a skill which the model cannot choose, and do not name it. */
async function sortCases(
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

/** By name; a skill for which `barOf` has no reason is left out. */
export async function countUnreachable(
  expected: readonly (string | null)[],
  barOf: (name: string) => Promise<string | null> | string | null,
): Promise<readonly Unreachable[]> {
  const counts = new Map<string, number>();
  for (const name of expected) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  const found: Unreachable[] = [];
  for (const [skill, cases] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const because = await barOf(skill);
    if (because !== null) found.push({ skill, because, cases });
  }
  return found;
}

/** Each case that is left once, and again only where that cost nothing. */
async function measureFree<R>(
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
