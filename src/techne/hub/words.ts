// What surfaces say about installed skills, in the same words everywhere.
import { hasDrifted, describeDrift } from '../../hub/drift/find-drift.ts';
import type { Drift } from '../../hub/drift/find-drift.ts';
import { versionWords } from '../../hub/install/source-text.ts';
import type { LockEntry } from '../../hub/lock/lock.ts';
import type { Resolved } from '../../hub/source/source.ts';

/** Lines about what differs; none: it is as locked. Not yet printable. */
export function driftLines(drift: Drift, most?: number): readonly string[] {
  return hasDrifted(drift) ? describeDrift(drift, most) : [];
}

export function versionText(resolved: Resolved): string {
  return versionWords(resolved);
}

/** For JSON: everything but the list of files. `trusted` is what the user's own records say, not the lock. */
export function entryFacts(
  entry: LockEntry,
  trusted: boolean,
): Omit<LockEntry, 'files'> & { readonly files: number } {
  return { ...entry, files: entry.files.length, trusted };
}
