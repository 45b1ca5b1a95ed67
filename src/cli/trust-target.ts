// The argument of `techne trust` and `techne untrust` -> a folder, or a skill.
import { resolve } from 'node:path';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import type { CommandContext } from './context.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import { resolveSkill } from './resolve-skill.ts';

export type TrustTarget =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'skill'; readonly skill: Skill; readonly snapshot: Snapshot };

/** The default is the workspace. A word with a `/`, or `.`, is a path; any other word is a skill, or else a folder of that name. */
export async function trustTarget({ args, io }: CommandContext, library: SkillLibrary): Promise<TrustTarget> {
  const [given] = args.positionals;
  if (given === undefined) return { kind: 'folder', path: library.loaded.workspace };
  const path = resolve(
    io.cwd,
    given === '~' || given.startsWith('~/') ? io.homeFolder + given.slice(1) : given,
  );
  if (/[\\/]|^\.{1,2}$|^~$/.test(given)) return { kind: 'folder', path };
  const snapshot = await library.load();
  const named = snapshot.skills.some((skill) => skill.name === given);
  if (!named && library.files.stat(path)?.isDirectory() === true) return { kind: 'folder', path };
  return { kind: 'skill', skill: resolveSkill(snapshot, given), snapshot };
}
