// The file calls of the run store as one argument, so that tests can drop, reorder and tear what was not synced.
//
// Written bytes are durable after `sync`; the name of a new, renamed or removed file after `syncFolder`. Until then a
// crash may leave any part of it. No call blocks the event loop for a disk; `exists` looks up a name in a folder that
// is in use, so in memory.

export interface JournalFile {
  /** All of `bytes`, from `at` on. */
  write(bytes: Uint8Array, at: number): Promise<void>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

export interface JournalFiles {
  /** With the missing ones above it, all durable. */
  makeFolders(path: string): Promise<void>;
  /** `false` when there is one. */
  makeFolder(path: string): Promise<boolean>;
  /** The names in a folder; `null` when it does not exist. */
  list(path: string): Promise<readonly string[] | null>;
  /** The bytes from `from` to the end; `null` when there is no such file. With `sync` they are durable. */
  read(path: string, from: number, sync: boolean): Promise<Uint8Array | null>;
  /** A whole file that others may have put there: `null` when there is none, `unfit` when it is not a plain file or has more bytes. Never blocks. */
  readSmall(path: string, maxBytes: number): Promise<Uint8Array | 'unfit' | null>;
  /** Another text whenever the file has other bytes; `null` when there is no such file. */
  stamp(path: string): Promise<string | null>;
  /** `null` when there is a file of this name. */
  create(path: string): Promise<JournalFile | null>;
  /** `null` when there is none. */
  open(path: string): Promise<JournalFile | null>;
  exists(path: string): Promise<boolean>;
  /** Replaces what is there. */
  rename(from: string, to: string): Promise<void>;
  /** Nothing happens when there is none. */
  remove(path: string): Promise<void>;
  /** With everything in it. */
  removeFolder(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}
