// The lock -> what its sources have now.
import type { LockEntry } from '../../lock/lock.ts';
import type { Fetched, SkillPackage, Source } from '../../source/source.ts';
import { groupBySource, joined, sameSkill } from '../choose-packages.ts';
import type { Installation } from '../installation.ts';
import type { NotProposed, Proposal } from '../proposal.ts';
import { proposePackages } from './packages.ts';
import { gone, notProposed } from '../refusals.ts';
import { isPinnedSource } from '../source-text.ts';

/** `names: null`: every skill of the lock that is not pinned. */
export async function proposeUpdate(at: Installation, names: readonly string[] | null): Promise<Proposal> {
  await at.tidy();
  const lock = await at.lock();
  const entries = names === null ? lock.skills.filter(({ pinned }) => !pinned) : await at.entries(names);
  const held: NotProposed[] = [];
  for (const entry of entries)
    if (entry.pinned)
      held.push({
        name: entry.name,
        code: 'INSTALL_REFUSED',
        message: 'it is pinned',
        hint: `techne unpin ${entry.name}`,
      });
  const free = entries.filter(({ pinned }) => !pinned);
  const packages: { readonly skill: SkillPackage; readonly entry: LockEntry; readonly source: Source }[] = [];
  const parts: Fetched[] = [];
  for (const [text, group] of groupBySource(free)) {
    try {
      const source = at.ports.parseSource(text, at.place.root);
      const fetched = await at.ports.fetch({ ...source, skills: [] }, at.ports.tell, at.ports.signal);
      parts.push(fetched);
      for (const entry of group) {
        const skill = sameSkill(fetched.packages, entry);
        if (skill === null) throw gone(entry);
        packages.push({ skill: { ...skill, name: entry.name }, entry, source });
      }
    } catch (error) {
      for (const entry of group)
        if (!packages.some((one) => one.entry === entry)) held.push(notProposed(entry.name, error));
    }
  }
  const proposal = await proposePackages(
    at.place,
    at.ports,

    joined(parts),
    packages.map(({ skill }) => skill),
    async (skill) => {
      const { entry, source } = packages.find((one) => one.skill === skill) as (typeof packages)[number];
      return { before: entry, source: entry.source, isPinned: isPinnedSource(source), pinned: false };
    },
  );
  return { ...proposal, notProposed: [...held, ...proposal.notProposed] };
}
