// What keeps a git that a command starts from a repository that was planted for it.
//
//   environment × folder -> the same, with safe.bareRepository and a ceiling
//
// A folder with HEAD, objects and refs is a repository for git, and the configuration in it names programs that git
// starts. With safe.bareRepository=explicit (git 2.38 and later) such a folder counts only where a command names it. The
// ceiling is the folder above the repository that `folder` lies in now: git looks no further up.
import * as fs from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { looked } from '../files/file-fault.ts';

type Variables = { readonly [name: string]: string };

export function withGitGuards(environment: Variables, folder: string): Variables {
  const given = Number(environment['GIT_CONFIG_COUNT'] ?? 0);
  const count = Number.isSafeInteger(given) && given >= 0 ? given : 0;
  const ceiling = dirname(repositoryOf(folder) ?? folder);
  return {
    ...environment,
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
