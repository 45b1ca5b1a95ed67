// A folder that was named -> the roots to look at so that every skill in it is seen.
import type { SkillLibrary } from './open-skills.ts';
import { namedRoot } from './open-skills.ts';
import { defaultRoots } from '../registry/discover/roots.ts';
import { isInside } from '../base/is-inside.ts';
import type { Root } from '../registry/types.ts';

/**
 * The folder itself and, since walks do not enter dot folders, those in it where a workspace keeps its skills.
 * For the workspace these are all its configured roots, wherever they are.
 */
export function rootsOfFolder(folder: string, { loaded }: SkillLibrary, homeFolder: string): readonly Root[] {
  const usual = defaultRoots({
    homeFolder,
    workspace: folder,
    packageSkills: null,
    config: loaded.config,
  }).filter(
    ({ source, path }) => source === 'workspace' && (folder === loaded.workspace || isInside(path, folder)),
  );
  return [namedRoot(folder), ...usual];
}
