// Blobs that name other blobs: the manifests of what travels with runs, and the workspaces that have a name.
//
// What a manifest names is kept for as long as the manifest is, and a manifest for as long as a run or a workspace
// names it.
import type { BlobDigest } from './blobs.ts';

/** What travels with a run; its first entry says it. */
export interface RunTravel {
  /** The manifest of the skills. */
  readonly skills: BlobDigest;
  /** The manifest of the files that its workspace begins with; null: it begins empty. */
  readonly files: BlobDigest | null;
  /** The name that the files have in the store; null: they have none. */
  readonly name: string | null;
}

/** Files under a name, for the workspaces of runs. */
export interface NamedFiles {
  readonly name: string;
  readonly digest: BlobDigest;
  readonly files: number;
  readonly bytes: number;
  /** Where they came from, for people. */
  readonly source: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The files of the workspace of a run, as they were after its last effect that could change them. */
export interface KeptFiles {
  readonly digest: BlobDigest | null;
  /** Why files that were written since could not be kept; null: all were. */
  readonly fault: string | null;
}

export interface SharedFiles {
  /** Keeps a manifest whose content is there already. Makes it young, as `Blobs.put` does. */
  putManifest(bytes: Uint8Array, names: readonly BlobDigest[]): Promise<BlobDigest>;
  /** Whether the manifest is there, with all that it names; then it is young. */
  renewManifest(digest: BlobDigest): Promise<boolean>;
  /** Those of them that are not there. The others are young. */
  missing(digests: readonly BlobDigest[]): Promise<readonly BlobDigest[]>;
  /** What travels with a run, and the run that it was forked from. null: nothing does. Throws RUN_UNKNOWN. */
  travelOf(run: string): Promise<{ readonly travel: RunTravel; readonly forkedFrom: string | null } | null>;
  /** null: nothing was kept yet. */
  keptOf(run: string): Promise<KeptFiles | null>;
  /** Only for the process that owns the run: throws OWNER_LOST for any other. */
  keep(run: string, kept: KeptFiles): Promise<void>;
  /** The run continues with what was kept, without what could not be. */
  forgetFault(run: string): Promise<void>;
  /** The name stands for these files from now on. */
  nameFiles(named: Omit<NamedFiles, 'at'>): Promise<void>;
  /** The newest of this name. */
  findFiles(name: string): Promise<NamedFiles | null>;
  /** The newest of every name, by name. */
  listFiles(): Promise<readonly NamedFiles[]>;
  /** Whether there was such a name. Runs keep what they began with. */
  removeFiles(name: string): Promise<boolean>;
}
