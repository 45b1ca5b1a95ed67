// Finds the skills that a conversation would suggest for a message, and the reasons why it does not suggest others.
//
// Matching uses the session of a conversation, with the same snapshot, configuration and matcher. Skills that fit but are not
// offered are found by a second matcher, so that they do not influence the suggestions.
import type { SkillLibrary } from './open-skills.ts';
import { createUntrustedCheck } from './untrusted-check.ts';
import type { Match, Matcher, MatchResult } from '../match/match.ts';
import { barredNameReason } from '../prompt/describe-skill.ts';
import { createSkillSession } from '../prompt/skill-session.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import { openMatcher } from './open-matcher.ts';

export interface NotOffered extends Match {
  /** Why, such as "only you can call it: /deploy". */
  readonly because: string;
}

export interface Suggestions {
  /** `explains`: with signs. Default: false. */
  match(message: string, limit: number, explains?: boolean): Promise<MatchResult>;
  /** Skills that the message would find if they were offered, best first. */
  notOffered(message: string, limit: number, explains?: boolean): Promise<readonly NotOffered[]>;
  /** Why a skill is never suggested; null if it may be, or does not exist. */
  barOf(name: string): string | null;
}

export async function openSuggestions(
  library: Pick<SkillLibrary, 'loaded' | 'environment' | 'findTrusted' | 'wordsFile'>,
  snapshot: Snapshot,
  onNotice: (text: string) => void,
): Promise<Suggestions> {
  const {
    loaded: { config },
    environment,
  } = library;
  const matcher = await openMatcher(snapshot, {
    environment,
    onNotice,
    wordsFile: library.wordsFile('offered'),
  });
  const session = await createSkillSession({
    snapshot,
    matcher,
    prefix: false,
    settings: { ...config.prompt, preload: [] },
    isUntrusted: createUntrustedCheck(library),
  });
  let all: Promise<Matcher> | null = null;
  const barOf = (name: string): string | null =>
    snapshot.has(name)
      ? (barOfSkill(snapshot, snapshot.get(name)) ?? (session.knows(name) ? null : barredNameReason))
      : null;
  return {
    match: (message, limit, explains = false) => session.match(message, { limit, explains }),
    async notOffered(message, limit, explains = false) {
      if (snapshot.skills.every(({ name }) => barOf(name) === null)) return [];
      all ??= openMatcher(snapshot, {
        suggests: 'all',
        environment,
        wordsFile: library.wordsFile('all'),
      });
      const { matches } = await (await all).match(message, { limit, explains });
      return matches.flatMap((match) => {
        const because = match.mode === 'explicit' ? null : barOf(match.skill);
        return because === null ? [] : [{ ...match, because }];
      });
    },
    barOf,
  };
}

function barOfSkill(snapshot: Snapshot, skill: Skill): string | null {
  const { ready, visibleToUser, visibleToModel } = snapshot.facts(skill);
  if (visibleToModel.ok) return null;
  if (!ready.ok) return 'it is not ready here, see techne doctor';
  if (visibleToUser.ok) return `only you can call it: /${skill.name}`;
  const off = visibleToModel.reasons.find(({ code }) => code === 'DISABLED');
  return off?.message ?? 'it is context only: neither people nor the model can start it';
}
