// The machine around the process, as the core sees it. Everything here is read once and passed in.

export interface Environment {
  /** Node's name: linux, darwin, win32 … */
  readonly platform: string;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** The full path of a program on PATH, or `null`. */
  findProgram(name: string): string | null;
}

export interface Clock {
  /** Nanoseconds since 1970 on the clock that file systems use. */
  nowNs(): bigint;
}

/** SHA-256 in lower-case hex; text is hashed as UTF-8. */
export type Sha256 = (content: Uint8Array | string) => string;

/** Writes `text` as UTF-8 at the start of `into`, which has room for it, and gives the bytes it took. Half a surrogate pair becomes U+FFFD. */
export type EncodeUtf8 = (text: string, into: Uint8Array) => number;

/** Decodes the first `end` bytes, or all, as UTF-8; `valid` is false when bytes had to be replaced. A byte order mark is kept as U+FEFF. */
export type DecodeUtf8 = (
  bytes: Uint8Array,
  end?: number,
) => { readonly text: string; readonly valid: boolean };
