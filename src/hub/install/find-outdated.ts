// The lock -> which sources have something else than what is installed.
import { TechneError } from '../../base/error.ts';
import type { LockEntry } from '../lock/lock.ts';
import type { Resolved } from '../source/source.ts';
import { askSource, fetchNamed } from './ask-source.ts';
import { digestOf, groupBySource, sameSkill } from './choose-packages.ts';
import type { Installation } from './installation.ts';
import { gone } from './refusals.ts';

/** A skill of the lock, and what its source has now. */
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
      const { source, latest } = await askSource(at, text, group);
      const unknown: LockEntry[] = [];
      for (const entry of group) {
        const answer = latest.get(entry) ?? { kind: 'unknown' };
        if (answer.kind === 'unknown') unknown.push(entry);
        else if (answer.kind === 'gone') found.set(entry, { entry, latest: null, fault: gone(entry) });
        else {
          const resolved = answer.kind === 'same' ? null : answer.resolved;
          found.set(entry, { entry, latest: resolved, fault: null });
        }
      }
      if (unknown.length === 0) continue;
      const { packages } = await fetchNamed(
        at,
        source,
        unknown.map(({ name }) => name),
      );
      for (const entry of unknown) {
        const skill = sameSkill(packages, entry);
        const isSame = skill !== null && digestOf(skill) === entry.digest;
        found.set(entry, {
          entry,
          latest: skill === null || isSame ? null : skill.resolved,
          fault: skill === null ? gone(entry) : null,
        });
      }
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      for (const entry of group)
        if (!found.has(entry)) found.set(entry, { entry, latest: null, fault: error });
    }
  }
  return entries.map((entry) => found.get(entry) as OutdatedSkill);
}
