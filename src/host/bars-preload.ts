// Which bodies do not come into every prompt by themselves.
//
// `always: true` is a wish of the skill. In a workspace that nobody vouches for, it is a stranger's: such a body comes only where
// the configuration of the person names it (`prompt.preload`).
import type { SkillReads } from '../prompt/read-skill.ts';
import { placeOf } from '../prompt/skill-loaded.ts';
import type { Skill } from '../registry/types.ts';
import type { SkillLibrary } from './open-skills.ts';

/**
 * Whether a skill is of a workspace and nobody vouches for it: a stranger's. By the snapshot that the session reads: who vouches
 * for what is on disk by now does not vouch for what was.
 */
export function createStrangerCheck(library: Pick<SkillLibrary, 'isTrusted'>): (skill: Skill, snapshot: SkillReads) => Promise<boolean> {
  return async ({ name, source }, snapshot) => placeOf(source) === 'workspace' && !(snapshot.has(name) && (await library.isTrusted(snapshot, snapshot.get(name))));
}

/** Why not, or null. */
export function createPreloadBar(library: Pick<SkillLibrary, 'isTrusted'>): (skill: Skill, snapshot: SkillReads) => Promise<string | null> {
  const isStranger = createStrangerCheck(library);
  return async (skill, snapshot) => ((await isStranger(skill, snapshot)) ? `nobody vouches for it; "techne trust ${skill.name}" does, and prompt.preload can name it` : null);
}
