// The lock: which skills were installed from where, and the exact bytes.
//
//   techne-lock.json (beside techne.json of a workspace; ~/.techne/techne-lock.json for the user) <-> Lock
//
// Sorted by name, one field a line, so that two branches merge; no times that change without a change of content. A lock
// that is not exactly as it must be is an error that names the line; it is never overwritten or half-read.
import type { Verdict } from '../../guard/report.ts';
import type { ManifestFile } from '../../skill/resources.ts';
import type { Resolved } from '../source/source.ts';

export interface LockEntry {
  readonly name: string;
  /** What the person wrote, so that `update` can ask for it again. */
  readonly source: string;
  readonly resolved: Resolved;
  /** The folder of the skill inside the source; '' for its root. */
  readonly path: string;
  /** `pin` keeps `update` from changing it. */
  readonly pinned: boolean;
  /** The digest of the manifest of `files` (skill/resources.ts). */
  readonly digest: string;
  readonly files: readonly ManifestFile[];
  readonly verdict: Verdict;
  readonly rulesVersion: string;
  /** Whether its content was trusted to be executed when it was installed; the record itself is the user's trust file. */
  readonly trusted: boolean;
}

export interface Lock {
  readonly version: 1;
  readonly skills: readonly LockEntry[];
}
