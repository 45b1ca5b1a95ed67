// What is different between an installed skill and its entry in the lock.
//
//   entry, folder on the disk -> Drift: files that changed, were added or are gone
//
// The whole folder counts, also what manifests leave out (`__pycache__` and the like): that is named, and is no drift,
// since it is never executed and a restore removes it.
import { join } from 'node:path';
import type { LockEntry } from '../lock/lock.ts';
import type { HubPlace } from '../install/place.ts';
import type { HubCalls } from '../stage/held-folder.ts';
import type { Tree, TreeLimits } from '../stage/tree.ts';
import { readTree } from '../stage/tree.ts';

export interface FileDrift {
  readonly path: string;
  readonly what: 'changed' | 'mode' | 'added' | 'missing' | 'not-a-file';
}

export interface Drift {
  /** The folder is not there at all. */
  readonly isMissing: boolean;
  /** By path; empty: it is as locked. */
  readonly files: readonly FileDrift[];
  /** Left out of manifests; no drift. */
  readonly excluded: readonly string[];
}

export async function findDrift(
  place: HubPlace,
  entry: LockEntry,
  limits: TreeLimits,
  calls: HubCalls,
): Promise<Drift> {
  const tree = await readTree(calls, join(place.skills, entry.name), limits);
  return compareTree(entry, tree);
}

function compareTree(entry: LockEntry, tree: Tree | null): Drift {
  if (tree === null) return { isMissing: true, files: [], excluded: [] };
  const locked = new Map(entry.files.map((file) => [file.path, file]));
  const files: FileDrift[] = [];
  for (const { path, sha256, executable } of tree.files) {
    const wanted = locked.get(path);
    if (wanted === undefined) files.push({ path, what: 'added' });
    else if (wanted.sha256 !== sha256) files.push({ path, what: 'changed' });
    else if (wanted.executable !== executable) files.push({ path, what: 'mode' });
    locked.delete(path);
  }
  for (const path of tree.strange) {
    files.push({ path, what: 'not-a-file' });
    locked.delete(path);
  }
  for (const path of locked.keys()) files.push({ path, what: 'missing' });
  return {
    isMissing: false,
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    excluded: tree.excluded,
  };
}

export function hasDrifted({ isMissing, files }: Drift): boolean {
  return isMissing || files.length > 0;
}

const words: { readonly [what in FileDrift['what']]: string } = {
  changed: 'changed',
  mode: 'is executable now, or no longer',
  added: 'was added',
  missing: 'is gone',
  'not-a-file': 'is a link or no file',
};

/** One line for each file, `most` of them. Paths are not yet printable. */
export function describeDrift({ isMissing, files }: Drift, most = 20): readonly string[] {
  if (isMissing) return ['its folder is gone'];
  const lines = files.slice(0, most).map(({ path, what }) => `${path} ${words[what]}`);
  return files.length > most ? [...lines, `and ${files.length - most} more`] : lines;
}
