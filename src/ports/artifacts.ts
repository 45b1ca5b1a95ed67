// Files that a run says it has made, looked at after the fact.
//
// A1. Only inside the workspace, links resolved; what lies elsewhere is not there, with the reason.
// A2. Never rejects for what a path is or leads to.

export interface ArtifactFact {
  readonly exists: boolean;
  readonly bytes: number | null;
  /** Why it counts as missing: `does not exist`, `is empty`, `lies outside the workspace`. */
  readonly reason: string | null;
}

/** Looks at the files that a plan names as its artifacts. */
export interface Artifacts {
  /** `path` is relative to the workspace, or absolute within it. */
  look(path: string): Promise<ArtifactFact>;
}
