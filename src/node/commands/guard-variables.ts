// Variables that keep what a command starts from running what was planted for it, or from planting it.
//
//   environment × folder -> the same, with settings for git and Python
//
// A folder with HEAD, objects and refs is a repository for git, and the configuration in it names programs that git
// starts. With safe.bareRepository=explicit (git 2.38 and later) such a folder counts only where a command names it. The
// ceiling is the folder above the repository that `folder` lies in now: git looks no further up. Python writes no
// compiled modules: they would lie in the folder of a skill, and no digest covers them (uncovered-files.ts).
import * as fs from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { looked } from '../files/file-fault.ts';

type Variables = { readonly [name: string]: string };

export function withGuards(environment: Variables, folder: string): Variables {
  const given = Number(environment['GIT_CONFIG_COUNT'] ?? 0);
  const count = Number.isSafeInteger(given) && given >= 0 ? given : 0;
  const ceiling = dirname(repositoryOf(folder) ?? folder);
  return {
    ...environment,
    PYTHONDONTWRITEBYTECODE: '1',
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
    // A path with the separator in it cannot be written down.
    ...(environment['GIT_CEILING_DIRECTORIES'] !== undefined || ceiling.includes(delimiter)
      ? {}
      : { GIT_CEILING_DIRECTORIES: ceiling }),
  };
}

/** The nearest folder with a `.git`, from `folder` upwards. */
function repositoryOf(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (looked(() => fs.lstatSync(join(at, '.git'))) !== null) return at;
    if (dirname(at) === at) return null;
  }
}
