// A name on the command line -> the skill.
import { basename, dirname } from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { TechneError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';

/** Throws SKILL_UNKNOWN, with the diagnostic of a folder of that name, or else with the nearest name. */
export function resolveSkill(snapshot: Pick<Snapshot, 'skills' | 'diagnostics'>, name: string): Skill {
  const found = snapshot.skills.find((skill) => skill.name === name);
  if (found !== undefined) return found;
  const fault = faultAbout(snapshot, name);
  if (fault !== null)
    throw new TechneError(
      'SKILL_UNKNOWN',
      `"${name}" is not a usable skill: ${fault.code} ${fault.message} (${fault.path})`,
      fault.hint === null ? {} : { hint: fault.hint },
    );
  throw new TechneError('SKILL_UNKNOWN', `there is no skill "${name}"`, { hint: meantSkill(snapshot, name) });
}

/** Why a folder of this name gave no skill. */
export function faultAbout(snapshot: Pick<Snapshot, 'diagnostics'>, name: string): Diagnostic | null {
  return faultsAbout(snapshot, name)[0] ?? null;
}

/** Everything that was found wrong with folders of this name, and the skill files in them. */
export function faultsAbout(
  { diagnostics }: Pick<Snapshot, 'diagnostics'>,
  name: string,
): readonly Diagnostic[] {
  return diagnostics.filter((diagnostic) => isAbout(diagnostic, name));
}

function meantSkill(snapshot: Pick<Snapshot, 'skills'>, name: string): string {
  const meant = nearest(
    name,
    snapshot.skills.map((skill) => skill.name),
  );
  return meant === null ? '"techne list" shows every skill' : `did you mean "${meant}"?`;
}

/** About a folder of this name, or the skill file in one. */
function isAbout({ path }: Diagnostic, name: string): boolean {
  return (
    basename(path) === name ||
    (basename(path).toLowerCase() === 'skill.md' && basename(dirname(path)) === name)
  );
}
