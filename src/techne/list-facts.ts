// The facts of skills as a conversation sees them.
//
// A skill that conversations exclude because of its name (prompt/describe-skill.ts) is not visible, and its facts have the
// reason. A plain name is never excluded, so most lists check no trust.
import type { SkillLibrary } from './open-skills.ts';
import { barredNameReason, isPlainSkillName } from '../prompt/describe-skill.ts';
import { withheld } from '../registry/facts/facts.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Facts, Skill } from '../registry/types.ts';
import { isPlainName, nameLimit } from '../skill/parse-head.ts';

/** `about`: the skills in question. Default: all. */
export async function listFacts(
  library: Pick<SkillLibrary, 'findTrusted'>,
  snapshot: Snapshot,
  about: readonly Skill[] = snapshot.skills,
): Promise<(skill: Skill) => Facts> {
  // Only skills of a workspace can be untrusted (techne/untrusted-check.ts).
  const odd = about.filter(
    ({ name, source }) => source === 'workspace' && (!isPlainName(name) || name.length > nameLimit),
  );
  if (odd.length === 0) return (skill) => snapshot.facts(skill);
  const barrable = odd.filter(({ name }) => !isPlainSkillName(name));
  const trusted = barrable.length === 0 ? new Set() : await library.findTrusted(snapshot, barrable);
  const barred = new Set(barrable.filter((skill) => !trusted.has(skill)));
  return (skill) => {
    const facts = snapshot.facts(skill);
    return barred.has(skill)
      ? withheld(facts, { code: 'NOT_TRUSTED', message: barredNameReason, hint: null })
      : facts;
  };
}
