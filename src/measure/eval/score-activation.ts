// What a model chose in each attempt -> figures.
//
// An attempt is right if the first skill before the model is the expected one; if none is expected, none may come, or,
// where the case names the skill it is about, not that one. A wrong attempt is a false negative (no skill), a false
// positive (a skill for nothing) or another skill, as for matching. A failed attempt is an error, counted apart and in
// no rate. A case without a complete attempt is unmeasured and in no figure.
//
// score-activation#A5. The interval of a case is over its repeats. That of all is over the messages, each of which
//   counts once: repeats of one message show little about another, and never more than another message would. With a
//   single message it is over its repeats.
import type { Usage } from '../../ports/answerer.ts';
import type { Interval } from './confidence.ts';
import { meanOf, rateInterval } from './confidence.ts';
import type { CaseKind, EvalCase } from './eval-case.ts';
import { caseKinds } from './eval-case.ts';
import type { Attempt } from './plan-attempts.ts';
import type { CaseOutcome } from './score-cases.ts';

/** How a skill came: the person named it, the model loaded it (or used it), or wanted to run it. */
export type ActivationWay = 'mention' | 'load' | 'run';

/** What was seen in one conversation. */
export interface Observed {
  /** The first one; null: none came. */
  readonly skill: string | null;
  readonly way: ActivationWay | null;
  readonly turns: number;
  readonly usage: Usage;
}

export type Tried = Attempt &
  (({ readonly ok: true } & Observed) | { readonly ok: false; readonly message: string });

interface ScoredAttempt {
  readonly run: number;
  readonly outcome: CaseOutcome | 'error';
  readonly found: string | null;
  readonly way: ActivationWay | null;
  readonly turns: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly distractors: readonly string[] | null;
  /** Of an error. */
  readonly message: string | null;
}

export interface ScoredCase {
  readonly message: string;
  readonly kind: CaseKind;
  readonly expected: string | null;
  /** Whole attempts, and of those: the ones in which any skill came, and the right ones. */
  readonly measured: number;
  readonly activated: number;
  readonly right: number;
  readonly errors: number;
  /** Activated of the measured; null when there are none. */
  readonly activationRate: number | null;
  /** Right of the measured. */
  readonly rate: number | null;
  readonly interval: Interval | null;
  readonly attempts: readonly ScoredAttempt[];
}

export interface ActivationReport {
  readonly cases: readonly ScoredCase[];
  /** Of kind `rubric`. */
  readonly skipped: number;
  readonly measured: number;
  readonly right: number;
  /** Right of all that was measured, 0 to 1; null when nothing was. */
  readonly accuracy: number | null;
  /** Of the accuracy, over the messages. */
  readonly interval: Interval | null;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly wrongSkill: number;
  readonly errors: number;
  /** Cases of which nothing was measured. */
  readonly unmeasured: number;
  /** Of the attempts in which the model was asked. */
  readonly meanTurns: number | null;
  readonly meanTokens: number | null;
  readonly kinds: readonly { readonly kind: CaseKind; readonly measured: number; readonly right: number }[];
  /** Which skill came in place of which, most frequent first; null stands for none. */
  readonly confusions: readonly {
    readonly expected: string | null;
    readonly found: string | null;
    readonly count: number;
  }[];
}

export function scoreActivation(
  cases: readonly EvalCase[],
  tried: readonly Tried[],
  skipped: number,
): ActivationReport {
  const scored = cases.map((one, at) =>
    scoreCase(
      one,
      tried.filter((each) => each.at === at),
    ),
  );
  const attempts = scored.flatMap(({ attempts: all }) => all);
  const whole = attempts.filter(({ outcome }) => outcome !== 'error');
  const count = (wanted: CaseOutcome): number => whole.filter(({ outcome }) => outcome === wanted).length;
  const right = count('right');
  const asked = whole.filter(({ turns }) => turns !== 0);
  return {
    cases: scored,
    skipped,
    measured: whole.length,
    right,
    accuracy: whole.length === 0 ? null : right / whole.length,
    interval: intervalOfAll(scored, right, whole.length),
    falsePositives: count('false-positive'),
    falseNegatives: count('false-negative'),
    wrongSkill: count('wrong-skill'),
    errors: attempts.length - whole.length,
    unmeasured: scored.filter(({ measured }) => measured === 0).length,
    meanTurns: meanOf(asked.map(({ turns }) => turns ?? 0)),
    meanTokens: meanOf(
      asked.map(({ inputTokens, outputTokens }) => (inputTokens ?? 0) + (outputTokens ?? 0)),
    ),
    kinds: caseKinds.flatMap((kind) => {
      const of = scored.filter((one) => one.kind === kind);
      return of.length === 0
        ? []
        : [
            {
              kind,
              measured: sum(of.map(({ measured }) => measured)),
              right: sum(of.map(({ right: number }) => number)),
            },
          ];
    }),
    confusions: confusionsOf(scored),
  };
}

function intervalOfAll(scored: readonly ScoredCase[], right: number, measured: number): Interval | null {
  const messages = new Set(scored.flatMap((one) => (one.measured === 0 ? [] : [one.message]))).size;
  return messages < 2 ? rateInterval(right, measured) : rateInterval((right / measured) * messages, messages);
}

function scoreCase(one: EvalCase, tried: readonly Tried[]): ScoredCase {
  const attempts = tried.toSorted((a, b) => a.run - b.run).map((each) => scoreAttempt(one, each));
  const whole = attempts.filter(({ outcome }) => outcome !== 'error');
  const right = whole.filter(({ outcome }) => outcome === 'right').length;
  const activated = whole.filter(({ found }) => found !== null).length;
  const { message, kind, expected } = one;
  return {
    message,
    kind,
    expected,
    measured: whole.length,
    activated,
    right,
    errors: attempts.length - whole.length,
    activationRate: whole.length === 0 ? null : activated / whole.length,
    rate: whole.length === 0 ? null : right / whole.length,
    interval: rateInterval(right, whole.length),
    attempts,
  };
}

function scoreAttempt(one: EvalCase, tried: Tried): ScoredAttempt {
  const { run, distractors } = tried;
  if (!tried.ok)
    return {
      run,
      outcome: 'error',
      found: null,
      way: null,
      turns: null,
      inputTokens: null,
      outputTokens: null,
      distractors,
      message: tried.message,
    };
  const {
    skill,
    way,
    turns,
    usage: { inputTokens, outputTokens },
  } = tried;
  return {
    run,
    outcome: outcomeOf(one, skill),
    found: skill,
    way,
    turns,
    inputTokens,
    outputTokens,
    distractors,
    message: null,
  };
}

function outcomeOf({ expected, about }: EvalCase, found: string | null): CaseOutcome {
  if (expected === null)
    return found === null || (about !== undefined && found !== about) ? 'right' : 'false-positive';
  if (found === null) return 'false-negative';
  return found === expected ? 'right' : 'wrong-skill';
}

function confusionsOf(scored: readonly ScoredCase[]): ActivationReport['confusions'] {
  const pairs = new Map<string, { expected: string | null; found: string | null; count: number }>();
  for (const { expected, attempts } of scored) {
    for (const { outcome, found } of attempts) {
      if (outcome === 'right' || outcome === 'error') continue;
      const key = JSON.stringify([expected, found]);
      const known = pairs.get(key);
      if (known === undefined) pairs.set(key, { expected, found, count: 1 });
      else known.count += 1;
    }
  }
  return [...pairs.values()].sort(
    (a, b) => b.count - a.count || compareNames(a.expected, b.expected) || compareNames(a.found, b.found),
  );
}

function compareNames(a: string | null, b: string | null): number {
  const [x, y] = [a ?? '', b ?? ''];
  return x < y ? -1 : x > y ? 1 : 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
