// Cases and the skills that a conversation would suggest for each -> figures, and which skill came in place of which.
//
// A measurement over many cases gives way to other work, and stops when its caller is gone.
import { setImmediate } from 'node:timers/promises';
import type { Abort } from '../base/abort.ts';
import type { EvalCase } from '../measure/eval/eval-case.ts';
import type { MatchResult } from '../match/match.ts';
import type { Unreachable } from '../measure/eval/measure-activation.ts';
import { countUnreachable } from '../measure/eval/measure-activation.ts';
import type { CaseFailure, EvalReport, JudgedCase } from '../measure/eval/score-cases.ts';
import { scoreCases } from '../measure/eval/score-cases.ts';
import type { Suggestions } from './open-suggestions.ts';

export interface TriggerReport extends EvalReport {
  /** Expected skills that a conversation never suggests, with the reason. */
  readonly unreachable: readonly Unreachable[];
}

/** How far down the expected skill is looked for. */
const limit = 10;
/** Cases between two looks at the signal. */
const casesAtOnce = 20;

/** Throws the reason of `signal` when it aborts. */
export async function evalTriggers(
  cases: readonly EvalCase[],
  suggestions: Pick<Suggestions, 'match' | 'barOf'>,
  signal?: Abort,
  onJudged: (judged: JudgedCase) => void = () => undefined,
): Promise<TriggerReport> {
  let matched = 0;
  const match = async (message: string): Promise<MatchResult> => {
    if (signal !== undefined && matched % casesAtOnce === 0) await setImmediate();
    if (signal?.aborted === true) throw signal.reason;
    matched += 1;
    return suggestions.match(message, limit);
  };
  const scored = await scoreCases(cases, match, onJudged);
  // A skill for people alone is found when the message names it: only what was not found cannot be.
  const unreachable = await countUnreachable(
    scored.failures.filter(({ rank }) => rank === null).map(({ expected }) => expected),
    (name) => suggestions.barOf(name),
  );
  return {
    ...scored,
    failures: scored.failures.map((failure) => withBar(failure, unreachable)),
    unreachable,
  };
}

function withBar(failure: CaseFailure, unreachable: readonly Unreachable[]): CaseFailure {
  const bar = failure.rank === null ? unreachable.find(({ skill }) => skill === failure.expected) : undefined;
  return bar === undefined ? failure : { ...failure, reason: `it is never suggested: ${bar.because}` };
}
