// The name of a candidate among all others: unique, not a look-alike, and not needed by somebody who would lose it.
import { printableLine } from '../../base/printable.ts';
import { skillNamePattern } from '../../proposals/change-tree.ts';
import { skillsNamedIn } from '../check/plan-world.ts';
import type { Checked } from './check-proposal.ts';
import type { Outcome } from './outcome.ts';
import { failed, passed } from './outcome.ts';

export function checkNames({ proposal, name, current, changed }: Checked): Outcome {
  const { kind, skill, folder } = proposal;
  const faults: string[] = [];
  const all = [...current.skills, ...current.shadowed.map((one) => one.skill), ...current.refused];
  const others = all.filter((one) => one.folder !== folder);
  if (kind !== 'delete') {
    if (!skillNamePattern.test(name))
      faults.push(`"${printableLine(name)}" is not a name that the standard allows`);
    for (const other of others) {
      if (other.name === name) {
        if (kind !== 'edit')
          faults.push(
            `"${name}" is the name of a skill in ${printableLine(other.folder)}, which it would hide`,
          );
      } else if (
        (kind === 'create' || kind === 'rename') &&
        lookOf(other.name) === lookOf(name) &&
        other.name !== skill
      )
        faults.push(`"${name}" looks like "${printableLine(other.name)}"`);
    }
  }
  if (kind === 'delete' || kind === 'rename')
    for (const other of changed.skills)
      if (other.name !== name && skillsNamedIn(other.head).has(skill))
        faults.push(`the skill "${printableLine(other.name)}" runs "${skill}"`);
  return faults.length === 0
    ? passed(
        kind === 'delete'
          ? 'no other skill runs it'
          : 'no other skill has this name, or one that looks like it',
      )
    : failed(faults[0] as string, faults);
}

/** Equal for names that a hurried reader takes for the same. */
function lookOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll(/[1il]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('5', 's')
    .replaceAll(/[-_]/g, '')
    .replace(/s$/, '');
}
