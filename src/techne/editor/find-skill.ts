// A file -> the skill it belongs to: the nearest folder around it with a SKILL.md.
import { basename, dirname, relative, sep } from 'node:path';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { checkLimits } from '../check/check-skill.ts';

export interface SkillPlace {
  /** Of the skill. */
  readonly folder: string;
  /** Inside of the skill, with `/`. A SKILL.md is called so in whatever case it is written. */
  readonly inside: string;
  /** As the file is called there. */
  readonly main: string;
}

/** `null`: no skill is around it. */
export function findSkill(files: Files, path: string): SkillPlace | null {
  if (isSkillFile(path)) return { folder: dirname(path), inside: 'SKILL.md', main: path };
  let folder = dirname(path);
  for (let depth = 0; depth <= checkLimits.depth; depth += 1) {
    const main = skillFileIn(files, folder);
    if (main !== null)
      return {
        folder,
        inside: relative(folder, path).split(sep).join('/'),
        main: `${folder}${folder.endsWith(sep) ? '' : sep}${main}`,
      };
    if (dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
  return null;
}

function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === 'skill.md';
}

function skillFileIn(files: Files, folder: string): string | null {
  try {
    if (files.stat(`${folder}${sep}SKILL.md`)?.isFile() === true) return 'SKILL.md';
    return (files.list(folder) ?? []).find(({ name }) => name.toLowerCase() === 'skill.md')?.name ?? null;
  } catch (error) {
    // A folder that cannot be listed is no skill that could be checked.
    if (error instanceof FileFault) return null;
    throw error;
  }
}
