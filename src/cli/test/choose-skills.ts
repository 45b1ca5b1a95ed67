// The arguments of `techne test` -> the skills to test.
import { dirname, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { namedRoot } from '../../techne/open-skills.ts';
import { isInside } from '../../base/is-inside.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { CommandContext } from '../context.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';
import { rootsOfFolder } from '../../techne/roots-of-folder.ts';

interface ChosenSkills {
  readonly snapshot: Snapshot;
  readonly skills: readonly Skill[];
  /** Skills that steps can name: beside the tested skill, then in the library. */
  readonly elsewhere: (name: string) => Promise<Snapshot | null>;
}

/** One group per argument. Throws SKILL_UNKNOWN, FILE_MISSING. */
export async function chooseSkills(
  { args, io }: CommandContext,
  library: SkillLibrary,
): Promise<readonly ChosenSkills[]> {
  const given = args.positionals;
  const all = await library.load();
  if (given.length === 0) {
    const skills = args.flag('all') ? all.skills : all.skills.filter(({ source }) => source === 'workspace');
    return [{ snapshot: all, skills, elsewhere: nowhere }];
  }
  const chosen: ChosenSkills[] = [];
  for (const word of given) {
    const folder = resolve(io.cwd, word);
    const isFolder = library.files.stat(folder)?.isDirectory() === true;
    // A word without a slash is a skill, or else a folder.
    const isName = !/[\\/]|^\.{1,2}$/.test(word) && (all.has(word) || !isFolder);
    if (isName) {
      chosen.push({ snapshot: all, skills: [resolveSkill(all, word)], elsewhere: nowhere });
      continue;
    }
    if (!isFolder)
      throw new TechneError('FILE_MISSING', `"${word}" is not a folder`, {
        hint: `techne looked for it at "${folder}"`,
      });
    chosen.push(await skillsIn(folder, word, library, all, io.homeFolder));
  }
  return chosen;
}

const nowhere = async (): Promise<null> => null;

async function besideOrIn(
  parent: string,
  name: string,
  library: SkillLibrary,
  all: Snapshot,
): Promise<Snapshot> {
  const isBeside =
    /^[\w-][\w.-]*$/.test(name) && library.files.stat(`${parent}/${name}/SKILL.md`)?.isFile() === true;
  return isBeside ? library.load([namedRoot(`${parent}/${name}`)]) : all;
}

async function skillsIn(
  folder: string,
  word: string,
  library: SkillLibrary,
  all: Snapshot,
  homeFolder: string,
): Promise<ChosenSkills> {
  const real = library.files.realPath(folder) ?? folder;
  const isSkill = library.files.stat(`${folder}/SKILL.md`)?.isFile() === true;
  const snapshot = await library.load(
    isSkill ? [namedRoot(folder)] : rootsOfFolder(folder, library, homeFolder),
  );
  const skills = snapshot.skills.filter(({ realFolder }) =>
    isSkill ? realFolder === real : isInside(realFolder, real),
  );
  if (skills.length > 0)
    return { snapshot, skills, elsewhere: (name) => besideOrIn(dirname(folder), name, library, all) };
  const fault = snapshot.diagnostics.find(
    ({ severity, path }) => severity !== 'info' && isInside(path, folder),
  );
  throw new TechneError(
    'SKILL_UNKNOWN',
    `"${word}" has no skill${fault === undefined ? '' : `: ${fault.code} ${fault.message} (${fault.path})`}`,
    { hint: 'a skill is a folder with a SKILL.md; "techne check" shows what is wrong' },
  );
}
