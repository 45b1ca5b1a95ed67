// Which bodies do not come into every prompt by themselves.
//
// `always: true` is a wish of the skill. In a workspace that nobody vouches for, it is a stranger's: such a body comes only where
// the configuration of the person names it (`prompt.preload`).
import { placeOf } from '../prompt/skill-loaded.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import type { SkillLibrary } from './open-skills.ts';

/** Why not, or null. `snapshot`: that of the session at the moment. */
export function createPreloadBar(library: Pick<SkillLibrary, 'isTrusted'>, snapshot: () => Snapshot): (skill: Skill) => Promise<string | null> {
  return async (skill) => {
    const { name, source } = skill;
    if (placeOf(source) !== 'workspace' || !snapshot().has(name) || (await library.isTrusted(snapshot(), skill))) return null;
    return `nobody vouches for it; "techne trust ${name}" does, and prompt.preload can name it`;
  };
}
