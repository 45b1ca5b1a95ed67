// Cases and the result of matching for each -> figures.
//
// A case is right if the expected skill comes first; if none is expected, none may come, or, where the case names the
// skill it is about, not that one. A wrong case is a false negative (no skill), a false positive (a skill for nothing)
// or another skill. What is only suggested for its words, since its trigger may not be meant, counts as nothing where
// no skill is expected. Cases of kind `rubric` do not test matching and count as skipped.
import type { MatchResult } from '../../match/match.ts';
import type { CaseKind, EvalCase } from './eval-case.ts';
import { caseKinds } from './eval-case.ts';

export type CaseOutcome = 'right' | 'false-negative' | 'false-positive' | 'wrong-skill';

export interface CaseFailure {
  readonly message: string;
  readonly kind: CaseKind;
  readonly outcome: CaseOutcome;
  readonly expected: string | null;
  /** What came first, or must not have come. */
  readonly found: string | null;
  /** Where the expected skill stood, from 1; null when it did not come. */
  readonly rank: number | null;
  readonly reason: string | null;
}

/** One that is right says so. */
export interface JudgedCase extends CaseFailure {
  /** The skill that it tests, where it is known. */
  readonly about: string | null;
}

export interface EvalReport {
  readonly cases: number;
  readonly skipped: number;
  readonly right: number;
  /** Right of all, 0 to 1; null of no cases. */
  readonly accuracy: number | null;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly wrongSkill: number;
  /** Of the cases that expect a skill: it is among the first three; null where none does. */
  readonly hitAt3: number | null;
  readonly kinds: readonly { readonly kind: CaseKind; readonly cases: number; readonly right: number }[];
  /** Which skill came in place of which, most frequent first; null stands for none. */
  readonly confusions: readonly {
    readonly expected: string | null;
    readonly found: string | null;
    readonly count: number;
  }[];
  readonly failures: readonly CaseFailure[];
}

export async function scoreCases(
  cases: readonly EvalCase[],
  match: (message: string) => Promise<MatchResult> | MatchResult,
  onJudged: (judged: JudgedCase) => void = () => undefined,
): Promise<EvalReport> {
  const kinds = new Map<CaseKind, { cases: number; right: number }>();
  const confusions = new Map<string, { expected: string | null; found: string | null; count: number }>();
  const failures: CaseFailure[] = [];
  const counts: Record<CaseOutcome, number> = {
    right: 0,
    'false-negative': 0,
    'false-positive': 0,
    'wrong-skill': 0,
  };
  let skipped = 0;
  let expecting = 0;
  let inThree = 0;
  for (const one of cases) {
    if (one.kind === 'rubric') {
      skipped += 1;
      continue;
    }
    const failure = judge(one, await match(one.message));
    onJudged({ ...failure, about: one.expected ?? one.about ?? null });
    counts[failure.outcome] += 1;
    const kind = kinds.get(one.kind) ?? { cases: 0, right: 0 };
    kinds.set(one.kind, { cases: kind.cases + 1, right: kind.right + (failure.outcome === 'right' ? 1 : 0) });
    if (one.expected !== null) {
      expecting += 1;
      if (failure.rank !== null && failure.rank <= 3) inThree += 1;
    }
    if (failure.outcome === 'right') continue;
    failures.push(failure);
    const key = JSON.stringify([failure.expected, failure.found]);
    const known = confusions.get(key);
    if (known === undefined)
      confusions.set(key, { expected: failure.expected, found: failure.found, count: 1 });
    else known.count += 1;
  }
  const total = cases.length - skipped;
  return {
    cases: total,
    skipped,
    right: counts.right,
    accuracy: total === 0 ? null : counts.right / total,
    falsePositives: counts['false-positive'],
    falseNegatives: counts['false-negative'],
    wrongSkill: counts['wrong-skill'],
    hitAt3: expecting === 0 ? null : inThree / expecting,
    kinds: caseKinds.flatMap((kind) =>
      kinds.has(kind) ? [{ kind, ...(kinds.get(kind) as { cases: number; right: number }) }] : [],
    ),
    confusions: [...confusions.values()].sort(
      (a, b) => b.count - a.count || compareNames(a.expected, b.expected) || compareNames(a.found, b.found),
    ),
    failures,
  };
}

/** S1, S2; the failure of a case that is right says so. */
function judge(
  { message, kind, expected, about }: EvalCase,
  { matches, abstained }: MatchResult,
): CaseFailure {
  const first = matches[0] ?? null;
  const at = matches.findIndex(({ skill }) => skill === expected);
  const isFired = (match: (typeof matches)[number]): boolean => match.demoted !== true;
  const unwanted =
    about === undefined
      ? (matches.find(isFired) ?? null)
      : (matches.find((match) => match.skill === about && isFired(match)) ?? null);
  const shown = expected === null ? unwanted : first;
  const outcome: CaseOutcome =
    expected === null
      ? unwanted === null
        ? 'right'
        : 'false-positive'
      : first === null
        ? 'false-negative'
        : at === 0
          ? 'right'
          : 'wrong-skill';
  return {
    message,
    kind,
    outcome,
    expected,
    found: shown?.skill ?? null,
    rank: expected === null || at < 0 ? null : at + 1,
    reason: shown?.reason ?? abstained,
  };
}

function compareNames(a: string | null, b: string | null): number {
  const [x, y] = [a ?? '', b ?? ''];
  return x < y ? -1 : x > y ? 1 : 0;
}
