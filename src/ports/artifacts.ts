// Checks the files that a run claims to have made.
//
// Only inside the workspace, links resolved; a file elsewhere counts as missing, with the reason. It never rejects
// because of what a path is or leads to.

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
