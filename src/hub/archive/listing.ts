// The common view of a folder, a repository and an archive: entries with their facts, and a way to read one.
//
// An entry is as the source has it; nothing about it was judged yet (judge-entries.ts).

export interface ListedEntry {
  /** With `/`, without a leading `./` and a trailing `/`. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** In bytes; 0 for what is no file. */
  readonly size: number;
  readonly executable: boolean;
  /** Why the source itself makes it unusable, such as a name that is not UTF-8; `null`: nothing. */
  readonly fault: string | null;
}

export interface Listing {
  readonly entries: readonly ListedEntry[];
  /** The bytes of a file of `entries`: as many as its size. */
  read(entry: ListedEntry): Promise<Uint8Array>;
}

/** The name of an entry as a tool wrote it -> its path; '' for the root itself. */
export function plainPath(name: string): string {
  return name
    .replace(/^(?:\.\/+)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** `null`: the bytes are not UTF-8. */
export function decodeName(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

/** Bytes that are not UTF-8, for a person. */
export function showBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 200);
}
