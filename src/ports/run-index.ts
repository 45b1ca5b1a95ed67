// What a store can say about its runs without reading all of their journals.

/** Runs found by name, workspace and family. */
export interface RunIndex {
  /** Newest first. */
  names(limit: number): Promise<readonly string[]>;
  /** The run of this id alone; else those whose id begins or ends so. Upper and lower case count as the same. */
  matching(given: string, limit: number): Promise<readonly string[]>;
  /** The newest run of the workspace that no other run started; one that names no workspace is of every one. */
  last(workspace: string): Promise<string | null>;
  /** The runs inside of it, at any depth, by id. */
  nested(run: string): Promise<readonly string[]>;
  /** Whether old runs have not been looked for since a day; then the day begins. Shared by all processes. */
  beginExpiry(nowMs: number): Promise<boolean>;
  /**
   * Removes those of the runs that have ended and that no process owns, and gives which; and blobs that no run names and that were
   * not put since `beforeMs`. Only in a store that can do so without reading journals.
   */
  readonly bulk?: {
    removeEnded(runs: readonly string[]): Promise<readonly string[]>;
    removeUnnamedBlobs(beforeMs: number): Promise<{ readonly blobs: number; readonly bytes: number }>;
  };
  /** The folder of a journal, or the address of the database. */
  placeOf(run: string): string;
}
