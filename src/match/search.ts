// S2's search over the discovery index.
//
//   +2 when the query is in the name, +1 when it is in the description; no points, no hit
//
// A1. By score, then by name. An empty query lists by name.
// A2. Substrings, lower-cased, the query trimmed: the documented base on which better ranking may build.

export interface Searchable {
  readonly name: string;
  readonly description: string;
}

export const searchLimits = { least: 1, most: 50, usual: 10 } as const;

function byName(a: Searchable, b: Searchable): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The best `limit` skills for `query`; a limit outside 1..50 is taken as the nearest bound. */
export function searchSkills<S extends Searchable>(skills: readonly S[], query: string, limit: number = searchLimits.usual): readonly S[] {
  const count = Number.isNaN(limit) ? searchLimits.usual : Math.min(searchLimits.most, Math.max(searchLimits.least, Math.trunc(limit)));
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [...skills].sort(byName).slice(0, count);
  return skills
    .map((skill) => ({ skill, score: (skill.name.toLowerCase().includes(wanted) ? 2 : 0) + (skill.description.toLowerCase().includes(wanted) ? 1 : 0) }))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score || byName(a.skill, b.skill))
    .slice(0, count)
    .map((hit) => hit.skill);
}

/** Name and description of every skill, by name. */
export function discoveryIndex(skills: readonly Searchable[]): readonly (readonly [name: string, description: string])[] {
  return [...skills].sort(byName).map((skill) => [skill.name, skill.description] as const);
}
