// How the skills that were found are, without a list of all of them: counts, and what somebody should look at.
//
//   Snapshot, Guard -> { counts, looks }     worst first: what is refused, has errors, is refused by the guard, gave no skill
import type { Snapshot } from '../registry/snapshot.ts';
import { listFacts } from './list-facts.ts';
import type { SkillLibrary } from './open-skills.ts';
import { brokenIn, standingsOf } from './skill-standings.ts';

export interface SkillHealth {
  readonly used: number;
  readonly executable: number;
  readonly notReady: number;
  /** The worst of each kind in turn; `total` counts all of them. */
  readonly looks: readonly SkillLook[];
  readonly total: number;
}

export interface SkillLook {
  readonly what: 'guard' | 'unsound' | 'refused' | 'broken';
  /** `null`: a file that gave no skill. */
  readonly skill: string | null;
  readonly path: string;
  readonly says: string;
}

/** `most`: how many of them are named. */
export async function skillHealth(
  library: Pick<SkillLibrary, 'findTrusted' | 'openGuard'>,
  snapshot: Snapshot,
  most: number,
): Promise<SkillHealth> {
  const [factsOf, guard] = await Promise.all([listFacts(library, snapshot), library.openGuard()]);
  await guard.lookAt(snapshot.skills);
  const looks: Record<SkillLook['what'], SkillLook[]> = { guard: [], unsound: [], refused: [], broken: [] };
  let [notReady, executable] = [0, 0];
  for (const skill of snapshot.skills) {
    const { sound, ready } = factsOf(skill);
    if (!ready.ok) notReady += 1;
    if (skill.card.form !== 'instructions' && sound.ok) executable += 1;
    const about = { skill: skill.name, path: skill.file };
    const held = guard.known(skill);
    if (held !== null) looks.guard.push({ what: 'guard', ...about, says: held.message });
    else if (!sound.ok)
      looks.unsound.push({ what: 'unsound', ...about, says: sound.reasons[0]?.message ?? 'has errors' });
  }
  for (const { skill, standing, why } of standingsOf(snapshot))
    if (standing === 'refused')
      looks.refused.push({
        what: 'refused',
        skill: skill.name,
        path: skill.file,
        says: why ?? 'is not used',
      });
  const seen = new Set<string>();
  for (const { path, message, severity } of brokenIn(snapshot))
    if (severity === 'error' && !seen.has(path)) {
      seen.add(path);
      looks.broken.push({ what: 'broken', skill: null, path, says: message });
    }
  const kinds = Object.values(looks);
  const total = kinds.reduce((sum, { length }) => sum + length, 0);
  return {
    used: snapshot.skills.length,
    executable,
    notReady,
    looks: inTurn(kinds).slice(0, most),
    total,
  };
}

/** The first of each list, then the second of each: a long one hides none of the others. */
function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
