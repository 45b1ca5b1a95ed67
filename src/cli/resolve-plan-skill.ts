// The SKILL argument, a name or a path -> the skill.
import { basename, dirname, resolve, sep } from 'node:path';
import { TechneError } from '../base/error.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import { namedRoot } from '../techne/open-skills.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import { resolveSkill } from './resolve-skill.ts';

/** A word with a slash, or that ends in .md, is a path. */
export async function resolvePlanSkill(
  library: SkillLibrary,
  cwd: string,
  given: string,
): Promise<{ readonly snapshot: Snapshot; readonly skill: Skill }> {
  if (!given.includes('/') && !given.includes(sep) && !given.endsWith('.md')) {
    const snapshot = await library.load();
    return { snapshot, skill: resolveSkill(snapshot, given) };
  }
  const path = resolve(cwd, given);
  const folder = basename(path).toLowerCase() === 'skill.md' ? dirname(path) : path;
  if (library.files.stat(folder) === null)
    throw new TechneError('FILE_MISSING', `"${given}" does not exist`, {
      hint: `techne looked for it at "${path}"`,
    });
  const snapshot = await library.load([namedRoot(folder)]);
  const skill = snapshot.skills.find((one) => one.folder === folder) ?? snapshot.skills[0];
  if (skill === undefined)
    throw new TechneError('SKILL_UNKNOWN', `"${given}" is not a skill`, {
      hint: 'give the name of a skill, its folder or its SKILL.md',
    });
  return { snapshot, skill };
}
