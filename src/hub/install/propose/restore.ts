// The lock -> what is missing or drifted, fetched again as it was locked.
import { hasDrifted } from '../../drift/find-drift.ts';
import type { LockEntry } from '../../lock/lock.ts';
import type { SkillPackage } from '../../source/source.ts';
import { sameSkill } from '../choose-packages.ts';
import type { Installation } from '../installation.ts';
import type { Proposal } from '../proposal.ts';
import { proposePackages } from './packages.ts';
import { cannotRestore, changedSource, gone, notProposed } from '../refusals.ts';
import { fullResolved, isPinnedResolved } from '../source-text.ts';

/** `names: null`: all of the lock. */
export async function proposeRestore(at: Installation, names: readonly string[] | null): Promise<Proposal> {
  await at.tidy();
  const held = (await at.lost()).filter(({ name }) => names === null || names.includes(name));
  const known = names?.filter((name) => !held.some((lost) => lost.name === name)) ?? null;
  const entries = known === null ? (await at.lock()).skills : await at.entries(known);
  const packages: { readonly skill: SkillPackage; readonly entry: LockEntry }[] = [];
  for (const entry of entries) {
    const drift = await at.driftOf(entry);
    if (!hasDrifted(drift) && drift.excluded.length === 0) continue;
    try {
      const resolved = fullResolved(entry.resolved, at.place.root);
      const fetched = await at.ports.fetchResolved(
        { name: entry.name, path: entry.path, resolved },
        at.ports.tell,
        at.ports.signal,
      );
      const skill = sameSkill(fetched.packages, entry);
      if (skill === null) throw gone(entry);
      packages.push({ skill: { ...skill, name: entry.name }, entry });
    } catch (error) {
      held.push(notProposed(entry.name, entry.adopted ? cannotRestore(entry) : error));
    }
  }
  const proposal = await proposePackages(
    at.place,
    at.ports,

    { packages: [], pluginParts: [], refused: [] },
    packages.map(({ skill }) => skill),
    async (skill, staged) => {
      const { entry } = packages.find((one) => one.skill === skill) as (typeof packages)[number];
      if (staged.manifest.digest !== entry.digest)
        throw entry.adopted ? cannotRestore(entry) : changedSource(entry);
      const { source, resolved, pinned } = entry;
      return { before: entry, source, isPinned: isPinnedResolved(resolved), pinned, restores: entry };
    },
  );
  return { ...proposal, notProposed: [...held, ...proposal.notProposed] };
}
