// The file system, as the core sees it.
//
// Discovery is synchronous on purpose: on a warm cache, reading 10,000 file heads through promises takes three to four
// times as long as reading them in a row. A path that leads nowhere (also one below a file) is `null`; every other fault
// is a thrown FileFault. The implementations for Node and in memory pass one contract suite (files.contract.ts).

/** What identifies one version of a file. Changes whenever the bytes may have changed. */
export interface FileSignature {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** As text, to be kept and compared; '' for what is not there. The mode is not part of it: changing it changes ctime. */
export function signatureText(stat: FileSignature | null): string {
  return stat === null ? '' : `${stat.dev}.${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
}

/** Shaped like Node's BigIntStats, so that no copy is made in the hot path. */
export interface FileStat extends FileSignature {
  readonly mode: bigint;
  /** Of the owner. */
  readonly uid: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface FolderEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface FileRead {
  readonly bytes: Uint8Array;
  /**
   * Of the open file. `read` compares it before and after; `readHead` takes it before reading, so that
   * a write in between makes the next look see another signature, never this one with other bytes.
   */
  readonly stat: FileStat;
}

export type FaultKind =
  | 'denied'
  | 'not-a-folder'
  | 'not-a-file'
  | 'loop'
  | 'too-large'
  | 'changed'
  | 'busy'
  | 'io';

export class FileFault extends Error {
  readonly kind: FaultKind;
  readonly path: string;

  constructor(kind: FaultKind, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FileFault';
    this.kind = kind;
    this.path = path;
  }
}

/** The file system. What is not there is `null`; other faults throw `FileFault`. */
export interface Files {
  /** The user that this process acts as; `null` where files have no such owners (Windows). */
  readonly userId: bigint | null;
  /** Follows links. */
  stat(path: string): FileStat | null;
  /** Does not follow a link at the end of the path. */
  lstat(path: string): FileStat | null;
  realPath(path: string): string | null;
  /** The entries of a folder sorted by name (code units). */
  list(path: string): readonly FolderEntry[] | null;
  /** Up to `maxBytes` from the start. The bytes are the caller's only until the next call for the same `slot` (default 0; few and small numbers). */
  readHead(path: string, maxBytes: number, slot?: number): FileRead | null;
  /** The whole file; `too-large` over `maxBytes`, `changed` if it was written to meanwhile. */
  read(path: string, maxBytes: number): Promise<FileRead | null>;
  /** Whole or not at all: a temporary file beside it, synced, then renamed. Makes missing folders. */
  writeAtomic(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  /**
   * Makes durable what another process may have written and not lived to sync: the file, and its name and those of the
   * folders above it up to `root`, one of them. `false` when the path leads nowhere.
   */
  syncUpTo(path: string, root: string): Promise<boolean>;
  remove(path: string): Promise<void>;
  /** Runs `work` while holding `path` as a lock that other processes respect; a dead owner's lock is taken over. */
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
}
