// The machine around the process, as the core sees it: read once and passed in.

/** The machine that requirements of skills are checked against. */
export interface Environment {
  /** Node's name: linux, darwin, win32 … */
  readonly platform: string;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** The full path of a program on PATH, or `null`. */
  findProgram(name: string): string | null;
  /** Whether a file or folder is there; it is never opened. Without this, paths that a skill requires are not checked. */
  exists?(path: string): boolean;
}

export interface Clock {
  /** Nanoseconds since 1970 on the clock that file systems use. */
  nowNs(): bigint;
}

/** SHA-256 in lower-case hex; text is hashed as UTF-8. */
export type Sha256 = (content: Uint8Array | string) => string;
