// How skills are used, and what they say -> what a curator would look at: retire, merge, fix, sharpen.
//
// C1. Nothing is suggested from a history that is shorter than the time in question: what was not recorded was not unused.
// C2. Only skills of the person's own folders are retired or merged: others belong to somebody else.
// C3. The same facts give the same suggestions, in the same order.
import { counted } from '../../base/render-table.ts';
import { isCommonWord } from '../../match/text/common-words.ts';
import { stem } from '../../match/text/stem.ts';
import { functionWords } from '../../match/text/stop-words.ts';
import type { SkillUse } from './count-uses.ts';

export interface CuratedSkill {
  readonly name: string;
  readonly description: string;
  readonly triggers: readonly string[];
  /** The person can change it here. */
  readonly isOwn: boolean;
  /** Since when it is as it is now, in milliseconds. */
  readonly changedMs: number;
}

export type Suggestion =
  | { readonly what: 'retire'; readonly skill: string; readonly reason: string }
  /** `skill` goes into `into`, which is used more. */
  | { readonly what: 'merge'; readonly skill: string; readonly into: string; readonly reason: string }
  | { readonly what: 'fix'; readonly skill: string; readonly reason: string }
  | {
      readonly what: 'sharpen';
      readonly skill: string;
      readonly reason: string;
      readonly messages: readonly string[];
    };

export interface CurateOptions {
  readonly nowMs: number;
  /** How long a skill must have been unused. */
  readonly days: number;
  /** The oldest record of any use; `null`: there is none. */
  readonly recordedSinceMs: number | null;
}

const dayMs = 24 * 60 * 60 * 1000;
const leastRuns = 3;
const leastMisses = 3;
const leastWords = 4;
const alike = 0.6;

export function curate(
  skills: readonly CuratedSkill[],
  uses: readonly SkillUse[],
  { nowMs, days, recordedSinceMs }: CurateOptions,
): readonly Suggestion[] {
  const sinceMs = nowMs - days * dayMs;
  const useOf = new Map(uses.map((use) => [use.skill, use]));
  const usesOf = (name: string): number => useOf.get(name)?.uses ?? 0;
  const ordered = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const suggestions: Suggestion[] = [];
  const isRecorded = recordedSinceMs !== null && recordedSinceMs <= sinceMs;
  const merged = new Set<string>();
  for (const { skill, into, share } of alikePairs(ordered, usesOf)) {
    if (merged.has(skill) || merged.has(into)) continue;
    // Neither is retired: it goes, or takes the other one.
    merged.add(skill).add(into);
    suggestions.push({
      what: 'merge',
      skill,
      into,
      reason: `${Math.round(share * 100)} % of their words are the same; "${into}" was used ${counted(usesOf(into), 'time')}, "${skill}" ${counted(usesOf(skill), 'time')}`,
    });
  }
  for (const { name, isOwn, changedMs } of ordered) {
    const use = useOf.get(name);
    if (isRecorded && isOwn && changedMs <= sinceMs && usesOf(name) === 0 && !merged.has(name))
      suggestions.push({ what: 'retire', skill: name, reason: `not used in ${counted(days, 'day')}` });
    if (use !== undefined && use.runs >= leastRuns && use.failures * 2 >= use.runs)
      suggestions.push({
        what: 'fix',
        skill: name,
        reason: `${use.failures} of ${use.runs} runs failed`,
      });
    if (use !== undefined && use.misses >= leastMisses)
      suggestions.push({
        what: 'sharpen',
        skill: name,
        reason: `the model had to look for it ${use.misses} times, since no trigger or word of the message suggested it`,
        messages: use.missed,
      });
  }
  return suggestions;
}

/** The most alike first. */
function alikePairs(
  skills: readonly CuratedSkill[],
  usesOf: (name: string) => number,
): readonly { readonly skill: string; readonly into: string; readonly share: number }[] {
  const own = skills.filter(({ isOwn }) => isOwn).map((skill) => ({ ...skill, words: wordsOf(skill) }));
  const pairs: { skill: string; into: string; share: number }[] = [];
  for (const [at, one] of own.entries())
    for (const other of own.slice(at + 1)) {
      const share = shared(one.words, other.words);
      if (share < alike) continue;
      const [into, skill] = usesOf(other.name) > usesOf(one.name) ? [other, one] : [one, other];
      pairs.push({ skill: skill.name, into: into.name, share });
    }
  return pairs.toSorted((a, b) => b.share - a.share || (a.skill < b.skill ? -1 : 1));
}

/** The telling words of its description and triggers. */
function wordsOf({ description, triggers }: CuratedSkill): ReadonlySet<string> {
  const words =
    [description, ...triggers]
      .join(' ')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !functionWords.has(word) && !isCommonWord(word)).map(stem));
}

/** Words that both have, of the words that one of them has. */
function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - both;
  return Math.min(one.size, other.size) < leastWords ? 0 : both / all;
}
