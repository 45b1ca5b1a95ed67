// Which skills are a stranger's.
//
// Those of a workspace that nobody vouches for. What they say of themselves is text of whoever made the workspace, in every
// prompt: it is kept short, and what they wish for is not heeded (prompt/skill-session.ts, S6).
import type { SkillReads } from '../prompt/read-skill.ts';
import { placeOf } from '../prompt/skill-loaded.ts';
import type { Skill } from '../registry/types.ts';
import type { SkillLibrary } from './open-skills.ts';

/**
 * For one session. By the snapshot that it reads, and as of the first question about that: who vouches for what is on disk by now
 * does not vouch for what was.
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
        snapshot.skills.filter(({ source }) => placeOf(source) === 'workspace'),
      );
    known.set(snapshot, trusted);
    return trusted;
  };
  return async ({ name, source }, snapshot) =>
    placeOf(source) === 'workspace' &&
    !(snapshot.has(name) && (await trustedIn(snapshot)).has(snapshot.get(name)));
}
