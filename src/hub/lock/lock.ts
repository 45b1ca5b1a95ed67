// The lock: which skills were installed from where, and the exact bytes.
//
//   techne-lock.json (beside techne.json of a workspace; ~/.techne/techne-lock.json for the user) <-> Lock
//
// Sorted by name, one field a line, so that two branches merge; no times that change without a change of content. A lock
// that is not exactly as it must be is an error that names the line; it is never overwritten or half-read (lock-text.ts).
import type { Verdict } from '../../guard/report.ts';
import type { ManifestFile } from '../../skill/resources.ts';
import type { Resolved } from '../source/source.ts';

/** One installed skill: where it is from, and its exact files. */
export interface LockEntry {
  readonly name: string;
  /** What `update` asks for again: what the person wrote; a folder, file or repository of this machine by its path from the folder of the lock. */
  readonly source: string;
  readonly resolved: Resolved;
  /** The folder of the skill inside the source; '' for its root. */
  readonly path: string;
  /** `pin` keeps `update` from changing it. */
  readonly pinned: boolean;
  /** A person accepted local changes (`adopt`), so the files are not those of the source: they cannot be restored from it. */
  readonly adopted: boolean;
  /** The digest of the manifest of `files` (skill/resources.ts). */
  readonly digest: string;
  /** By path, in code units. */
  readonly files: readonly ManifestFile[];
  readonly verdict: Verdict;
  readonly rulesVersion: string;
  /** Whether whoever installed it let it be executed. For people to read: only the user's own trust file lets anything run. */
  readonly trusted: boolean;
}

/** What is installed, by name. */
export interface Lock {
  readonly version: 1;
  /** By name, in code units. */
  readonly skills: readonly LockEntry[];
}

export const emptyLock: Lock = { version: 1, skills: [] };

export const lockFileName = 'techne-lock.json';

export function findEntry(lock: Lock, name: string): LockEntry | null {
  return lock.skills.find((entry) => entry.name === name) ?? null;
}

/** The lock with the entries of these names put in place, or taken out where they are `null`. */
export function withEntries(lock: Lock, changes: ReadonlyMap<string, LockEntry | null>): Lock {
  const kept = lock.skills.filter(({ name }) => !changes.has(name));
  const put = [...changes.values()].filter((entry) => entry !== null);
  return { version: 1, skills: [...kept, ...put].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

// The name of an installed skill is a folder name on every system, and never a path.

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

export function isSkillName(name: string): boolean {
  return namePattern.test(name) && !name.includes('--') && !deviceName.test(name);
}
