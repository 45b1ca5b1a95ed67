// The lock -> what is missing or drifted, fetched again as it was locked.
import { hasDrifted } from '../../drift/find-drift.ts';
import type { LockEntry } from '../../lock/lock.ts';
import type { SkillPackage } from '../../source/source.ts';
import { digestOf, sameSkill } from '../choose-packages.ts';
import type { Installation } from '../installation.ts';
import type { NotProposed, Proposal } from '../proposal.ts';
import { proposePackages } from './packages.ts';
import { changedSource, notRestored } from '../refusals.ts';
import { fullResolved, isPinnedResolved } from '../source-text.ts';

/** `names: null`: all of the lock. */
export async function proposeRestore(at: Installation, names: readonly string[] | null): Promise<Proposal> {
  await at.tidy();
  const held: NotProposed[] = (await at.lost()).filter(({ name }) => names === null || names.includes(name));
  const known = names?.filter((name) => !held.some((lost) => lost.name === name)) ?? null;
  const entries = known === null ? (await at.lock()).skills : await at.entries(known);
  const packages: { readonly skill: SkillPackage; readonly entry: LockEntry }[] = [];
  for (const entry of entries) {
    const drift = await at.driftOf(entry);
    // What was added to a skill that was adopted is not removed: nothing of it can be fetched.
    if (!hasDrifted(drift) && (drift.excluded.length === 0 || entry.adopted)) continue;
    try {
      const resolved = fullResolved(entry.resolved, at.place.root);
      const fetched = await at.ports.fetchResolved(
        { name: entry.name, path: entry.path, resolved },
        at.ports.tell,
        at.ports.signal,
      );
      const skill = sameSkill(fetched.packages, entry);
      if (skill === null || digestOf(skill) !== entry.digest) throw changedSource(entry, drift);
      packages.push({ skill: { ...skill, name: entry.name }, entry });
    } catch (error) {
      held.push(notRestored(entry, drift, error));
    }
  }
  const proposal = await proposePackages(
    at.place,
    at.ports,

    { packages: [], pluginParts: [], refused: [] },
    packages.map(({ skill }) => skill),
    async (skill, staged) => {
      const { entry } = packages.find((one) => one.skill === skill) as (typeof packages)[number];
      // The private copy is what is installed; it was written just now from what was compared.
      if (staged.manifest.digest !== entry.digest) throw changedSource(entry, await at.driftOf(entry));
      const { source, resolved, pinned } = entry;
      return { before: entry, source, isPinned: isPinnedResolved(resolved), pinned, restores: entry };
    },
  );
  return { ...proposal, notProposed: [...held, ...proposal.notProposed] };
}
