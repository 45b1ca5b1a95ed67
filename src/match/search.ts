// S2's search over the discovery index.
//
//   +2 when the query is in the name, +1 when it is in the description; no points, no hit
//
// Hits are ordered by score, then by name; an empty query lists by name. Substrings are compared in lower case with the
// query trimmed: the specified base, on which better ranking may build.
//
// search#A3. One word is also in a text that has it in another form: "plants" is in "plant-care". Such a hit comes after all that
//     have the query itself.
import { stem } from './text/stem.ts';

/** What a search looks at. */
export interface Searchable {
  readonly name: string;
  readonly description: string;
}

export const searchLimits = { least: 1, most: 50, usual: 10 } as const;

function byName(a: Searchable, b: Searchable): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The best `limit` skills for `query`; a limit outside 1..50 is taken as the nearest bound. */
export function searchSkills<S extends Searchable>(
  skills: readonly S[],
  query: string,
  limit: number = searchLimits.usual,
): readonly S[] {
  const count = Number.isNaN(limit)
    ? searchLimits.usual
    : Math.min(searchLimits.most, Math.max(searchLimits.least, Math.trunc(limit)));
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [...skills].sort(byName).slice(0, count);
  const isIn = finder(wanted);
  const isItselfIn = (text: string): boolean => text.toLowerCase().includes(wanted);
  return skills
    .map((skill) => ({ skill, own: scoreOf(skill, isItselfIn), score: scoreOf(skill, isIn) }))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.own - a.own || b.score - a.score || byName(a.skill, b.skill))
    .slice(0, count)
    .map((hit) => hit.skill);
}

/** The points of a skill for one word. */
function pointsFor(word: string): (skill: Searchable) => number {
  const isIn = finder(word.trim().toLowerCase());
  return (skill) => scoreOf(skill, isIn);
}

/**
 * The skills that have every word in the name or the description, best first; without words all skills, by name.
 *
 * One word gives the result of `searchSkills`. The points of several words add up; ties are ordered by name.
 */
export function searchWords<S extends Searchable>(
  skills: readonly S[],
  words: readonly string[],
): readonly S[] {
  if (words.length === 0) return skills.toSorted(byName);
  const pointsOf = words.map(pointsFor);
  const hits: { readonly skill: S; readonly points: number }[] = [];
  for (const skill of skills) {
    let points = 0;
    const hasAll = pointsOf.every((of) => {
      const gained = of(skill);
      points += gained;
      return gained > 0;
    });
    if (hasAll) hits.push({ skill, points });
  }
  return hits.sort((a, b) => b.points - a.points || byName(a.skill, b.skill)).map(({ skill }) => skill);
}

/** Whether the skill has the query itself, so that S2 gives it points; an empty query is in every skill. */
export function isSearchHit(skill: Searchable, query: string): boolean {
  const wanted = query.trim().toLowerCase();
  return scoreOf(skill, (text) => text.toLowerCase().includes(wanted)) > 0;
}

function scoreOf({ name, description }: Searchable, isIn: (text: string) => boolean): number {
  return (isIn(name) ? 2 : 0) + (isIn(description) ? 1 : 0);
}

const word = /[a-z]+/g;
const leastLetters = 3;

/** A form of the word begins as its stem does, but for a last letter that changes ("ponies", "pony"): only such words are stemmed. */
function finder(wanted: string): (text: string) => boolean {
  const stemmed = /^[a-z]+$/.test(wanted) && wanted.length >= leastLetters ? stem(wanted) : null;
  if (stemmed === null) return (text) => text.toLowerCase().includes(wanted);
  const beginning = stemmed.slice(0, Math.max(1, stemmed.length - 1));
  const beginsAlike = wanted.startsWith(beginning);
  return (text) => {
    const lower = text.toLowerCase();
    const hasBeginning = lower.includes(beginning);
    if ((hasBeginning || !beginsAlike) && lower.includes(wanted)) return true;
    return (
      hasBeginning &&
      (lower.match(word) ?? []).some((one) => one.startsWith(beginning) && stem(one) === stemmed)
    );
  };
}

/** Name and description of every skill, by name. */
export function discoveryIndex(
  skills: readonly Searchable[],
): readonly (readonly [name: string, description: string])[] {
  return [...skills].sort(byName).map((skill) => [skill.name, skill.description] as const);
}
