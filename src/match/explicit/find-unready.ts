// A message that calls a skill by name that is there and cannot be used -> a result that says so.
//
// A skill beside it, of nearly the same name, is not what was asked for: nothing is suggested for its words, and no
// spelling is corrected. What else the message calls by name stays.
import { judgeMessage } from '../guard/judge-message.ts';
import type { Match, MatchResult } from '../match.ts';
import { findExplicit, spellingKey } from './find-explicit.ts';

export interface UnreadySkills {
  readonly names: ReadonlySet<string>;
  /** Why it cannot be used. */
  readonly reasonOf: (name: string) => string;
}

export function tellUnready(result: MatchResult, message: string, unready: UnreadySkills): MatchResult {
  // Judging takes long, and nearly no message names one.
  const folded = spellingKey(message.slice(0, 20_000));
  const near = [...unready.names].filter((name) => folded.includes(spellingKey(name)));
  if (near.length === 0) return result;
  // One verb may call several, of which others are ready.
  const names = [...near, ...result.matches.filter(isNamed).map(({ skill }) => skill)];
  const called = findExplicit(judgeMessage(message.slice(0, 20_000)), {
    has: (name) => names.includes(name),
    hasCommand: (name) => names.includes(name),
    spelled: (key) => names.find((name) => spellingKey(name) === key),
  }).find(({ skill }) => unready.names.has(skill));
  if (called === undefined) return result;
  const { misspelt: _, ...rest } = result;
  const why = unready.reasonOf(called.skill);
  return {
    ...rest,
    matches: result.matches.filter(isNamed),
    candidates: [...result.matches.filter((match) => !isNamed(match)), ...result.candidates],
    abstained: result.matches.some(isNamed) ? result.abstained : `"${called.skill}" cannot be used: ${why}`,
    unready: { skill: called.skill, reason: why },
  };
}

function isNamed({ mode }: Match): boolean {
  return mode === 'explicit';
}
