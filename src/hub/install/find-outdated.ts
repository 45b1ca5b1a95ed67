// The lock -> which sources have something else than what is installed.
import { TechneError } from '../../base/error.ts';
import type { LockEntry } from '../lock/lock.ts';
import type { Resolved } from '../source/source.ts';
import { digestOf, groupBySource, sameSkill } from './choose-packages.ts';
import type { Installation } from './installation.ts';
import { gone } from './refusals.ts';

export interface OutdatedSkill {
  readonly entry: LockEntry;
  /** `null`: the source has what is installed. */
  readonly latest: Resolved | null;
  /** Why it could not be found out. */
  readonly fault: TechneError | null;
}

export async function findOutdated(
  at: Installation,
  names: readonly string[] | null,
): Promise<readonly OutdatedSkill[]> {
  const entries = names === null ? (await at.lock()).skills : await at.entries(names);
  const found = new Map<LockEntry, OutdatedSkill>();
  for (const [text, group] of groupBySource(entries)) {
    try {
      const source = at.ports.parseSource(text, at.place.root);
      const { packages } = await at.ports.fetch({ ...source, skills: [] }, at.ports.tell, at.ports.signal);
      for (const entry of group) {
        const skill = sameSkill(packages, entry);
        if (skill === null) found.set(entry, { entry, latest: null, fault: gone(entry) });
        else
          found.set(entry, {
            entry,
            latest: digestOf(skill) === entry.digest ? null : skill.resolved,
            fault: null,
          });
      }
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      for (const entry of group) found.set(entry, { entry, latest: null, fault: error });
    }
  }
  return entries.map((entry) => found.get(entry) as OutdatedSkill);
}
