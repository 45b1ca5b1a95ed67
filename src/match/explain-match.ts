// What was found of each skill in a message -> the signs that a person looks at: places, triggers, guards, shared words.
import type { Match, MatchResult, MatchSigns, MatchSpan } from './match.ts';
import type { Ranked } from './rank/ranker.ts';
import type { Asked } from './read-asked.ts';

interface Found {
  readonly asked: Asked;
  readonly ranked: readonly Ranked[];
  /** Whether places in what was read are places in the message. */
  readonly isWhole: boolean;
}

/** The same result, with signs. */
export function explainMatch(result: MatchResult, { asked, ranked, isWhole }: Found): MatchResult {
  const byName = new Map(ranked.map((one) => [one.skill, one]));
  const withSigns = (match: Match): Match => ({
    ...match,
    signs: signsOf(asked, byName.get(match.skill), match.skill, isWhole),
  });
  return {
    ...result,
    matches: result.matches.map(withSigns),
    candidates: result.candidates.map(withSigns),
  };
}

function signsOf(
  { traces, near }: Asked,
  ranked: Ranked | undefined,
  skill: string,
  isWhole: boolean,
): MatchSigns {
  const trace = traces.get(skill);
  const guard = trace?.guard ?? null;
  return {
    spans: isWhole ? (trace?.spans ?? []).toSorted(bySpan) : [],
    trigger: trace?.trigger ?? near.get(skill) ?? null,
    guard: guard === null ? null : { kind: guard.guard, outcome: guard.outcome, reason: guard.reason },
    words: (ranked?.shared ?? []).map(({ word, synonym, place }) => ({
      word,
      synonym,
      place,
      kept: ranked?.verdicts.get(word.toLowerCase())?.reason ?? null,
    })),
  };
}

function bySpan(a: MatchSpan, b: MatchSpan): number {
  return a.start - b.start || b.end - a.end;
}
