// The lock -> what its sources have now.
import type { LockEntry } from '../../lock/lock.ts';
import type { Fetched, SkillPackage, Source } from '../../source/source.ts';
import { hasDrifted } from '../../drift/find-drift.ts';
import { askSource, fetchNamed } from '../ask-source.ts';
import { groupBySource, joined, sameSkill } from '../choose-packages.ts';
import type { Installation } from '../installation.ts';
import type { NotProposed, Proposal } from '../proposal.ts';
import { proposePackages } from './packages.ts';
import { gone, hasChanges, notProposed } from '../refusals.ts';
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
        hint: `techne unpin ${entry.name}, and then techne update ${entry.name}`,
      });
  const free = entries.filter(({ pinned }) => !pinned);
  const packages: { readonly skill: SkillPackage; readonly entry: LockEntry; readonly source: Source }[] = [];
  const parts: Fetched[] = [];
  const unchanged: string[] = [];
  for (const [text, group] of groupBySource(free)) {
    const done = new Set<LockEntry>();
    const hold = (entry: LockEntry, error: unknown): void => {
      done.add(entry);
      held.push(notProposed(entry.name, error));
    };
    try {
      const { source, latest } = await askSource(at, text, group);
      for (const entry of group) {
        const kind = latest.get(entry)?.kind;
        if (kind === 'gone') hold(entry, gone(entry));
        if (kind !== 'same') continue;
        const drift = await at.driftOf(entry);
        // What is gone altogether is installed again.
        if (drift.isMissing) continue;
        if (hasDrifted(drift)) hold(entry, hasChanges(entry.name, entry));
        else unchanged.push(entry.name);
        done.add(entry);
      }
      const wanted = group.filter((entry) => !done.has(entry));
      if (wanted.length === 0) continue;
      const fetched = await fetchNamed(
        at,
        source,
        wanted.map(({ name }) => name),
      );
      parts.push(fetched);
      for (const entry of wanted) {
        const skill = sameSkill(fetched.packages, entry);
        if (skill === null) hold(entry, gone(entry));
        else packages.push({ skill: { ...skill, name: entry.name }, entry, source });
        done.add(entry);
      }
    } catch (error) {
      for (const entry of group) if (!done.has(entry)) hold(entry, error);
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
  return { ...proposal, unchanged, notProposed: [...held, ...proposal.notProposed] };
}
