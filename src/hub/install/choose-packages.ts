// Which of the skills of a source are meant.
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { isExcluded } from '../../skill/resources.ts';
import type { LockEntry } from '../lock/lock.ts';
import type { Fetched, SkillPackage } from '../source/source.ts';
import { manifestOfFiles } from '../stage/tree.ts';

/** More skills than a person looks at by accident. */
const mostUnnamed = 20;

/** Throws SKILL_UNKNOWN and SOURCE_AMBIGUOUS. */
export function choose(
  packages: readonly SkillPackage[],
  wanted: readonly string[],
  source: string,
): readonly SkillPackage[] {
  const names = packages.map(({ name }) => name);
  const isAll = wanted.length === 0 || wanted.includes('*');
  for (const name of isAll ? [] : wanted)
    if (!names.includes(name)) {
      const close = nearest(name, names);
      throw new TechneError('SKILL_UNKNOWN', `"${source}" has no skill "${name}"`, {
        hint: close === null ? `it has: ${names.slice(0, 20).join(', ')}` : `did you mean "${close}"?`,
      });
    }
  if (wanted.length === 0 && packages.length > mostUnnamed)
    throw new TechneError('SOURCE_AMBIGUOUS', `"${source}" has ${packages.length} skills`, {
      hint: `name those you want with --skill, or all with --skill '*': ${names.slice(0, 20).join(', ')} …`,
    });
  const chosen = isAll ? packages : packages.filter(({ name }) => wanted.includes(name));
  const twice = chosen.find(({ name }, at) => chosen.findIndex((other) => other.name === name) !== at);
  if (twice !== undefined)
    throw new TechneError('SOURCE_AMBIGUOUS', `"${source}" has two skills of the name "${twice.name}"`, {
      hint: 'name the folder of one of them in the source',
    });
  return chosen;
}

/** By its folder in the source, else by its name. */
export function sameSkill(packages: readonly SkillPackage[], { name, path }: LockEntry): SkillPackage | null {
  return (
    packages.find((skill) => skill.path === path && skill.name === name) ??
    packages.find((skill) => skill.name === name) ??
    null
  );
}

export function groupBySource(entries: readonly LockEntry[]): ReadonlyMap<string, readonly LockEntry[]> {
  const groups = new Map<string, LockEntry[]>();
  for (const entry of entries) groups.set(entry.source, [...(groups.get(entry.source) ?? []), entry]);
  return groups;
}

export function joined(parts: readonly Fetched[]): Fetched {
  return {
    packages: [],
    pluginParts: parts.flatMap(({ pluginParts }) => pluginParts),
    refused: parts.flatMap(({ refused }) => refused),
  };
}

export function digestOf(skill: SkillPackage): string {
  const files = new Map([...skill.files].filter(([path]) => !isExcluded(path)));
  return manifestOfFiles(files).digest;
}
