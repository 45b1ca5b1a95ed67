// Which skills of a session are untrusted.
//
// These are the skills of a workspace that the user has not trusted. Their descriptions are texts of the author of
// the workspace in every prompt: they are kept short, and their other settings have no effect
// (prompt/skill-session.ts).
import type { SkillReads } from '../prompt/read-skill.ts';
import { skillPlaceOf } from '../prompt/skill-loaded.ts';
import type { Skill } from '../registry/types.ts';
import type { SkillLibrary } from './open-skills.ts';

/**
 * For one session. Trust is looked up once per snapshot, at the first question about it: trust in newer content on disk does not
 * extend to the content of the snapshot.
 */
export function createUntrustedCheck(
  library: Pick<SkillLibrary, 'findTrusted'>,
): (skill: Skill, snapshot: SkillReads) => Promise<boolean> {
  const known = new WeakMap<SkillReads, Promise<ReadonlySet<Skill>>>();
  const trustedIn = (snapshot: SkillReads): Promise<ReadonlySet<Skill>> => {
    const trusted =
      known.get(snapshot) ??
      library.findTrusted(
        snapshot,
        snapshot.skills.filter(({ source }) => skillPlaceOf(source) === 'workspace'),
      );
    known.set(snapshot, trusted);
    return trusted;
  };
  return async ({ name, source }, snapshot) =>
    skillPlaceOf(source) === 'workspace' &&
    !(snapshot.has(name) && (await trustedIn(snapshot)).has(snapshot.get(name)));
}
