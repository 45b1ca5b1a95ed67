// A name on the command line -> the skill.
import { TechneError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';

/** Throws SKILL_UNKNOWN with the nearest name. */
export function resolveSkill(snapshot: Snapshot, name: string): Skill {
  const found = snapshot.skills.find((skill) => skill.name === name);
  if (found !== undefined) return found;
  const meant = nearest(name, snapshot.skills.map((skill) => skill.name));
  throw new TechneError('SKILL_UNKNOWN', `there is no skill "${name}"`, {
    hint: meant === null ? '"techne list" shows every skill' : `did you mean "${meant}"?`,
  });
}
