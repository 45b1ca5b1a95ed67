// Several words -> the skills that have them all.
//
// One word gives the result of `searchSkills`. With more, each word must be in the name or the description, and the points add
// up; ties are ordered by name.
import type { Searchable } from '../match/search.ts';
import { searchSkills } from '../match/search.ts';

/** Every hit, best first; without words all skills, by name. */
export function searchWords<S extends Searchable>(
  skills: readonly S[],
  words: readonly string[],
): readonly S[] {
  if (words.length === 0) return skills.toSorted(byName);
  const points = new Map<S, number>(skills.map((skill) => [skill, 0]));
  for (const word of words) {
    for (const [skill, sum] of points) {
      const gained = pointsFor(skill, word);
      if (gained === 0) points.delete(skill);
      else points.set(skill, sum + gained);
    }
  }
  return [...points].sort(([a, x], [b, y]) => y - x || byName(a, b)).map(([skill]) => skill);
}

/** The points of `searchSkills` for one word, found by asking for name and description separately. */
function pointsFor(skill: Searchable, word: string): number {
  const inName = searchSkills([{ name: skill.name, description: '' }], word).length > 0;
  const inDescription = searchSkills([{ name: '', description: skill.description }], word).length > 0;
  return (inName ? 2 : 0) + (inDescription ? 1 : 0);
}

function byName(a: Searchable, b: Searchable): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
