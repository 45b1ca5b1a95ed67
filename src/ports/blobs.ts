// Content by its digest.
//
// A key is the SHA-256 of the bytes, so `put` of the same bytes twice is one blob. `get` verifies: bytes that do not
// match their key are BLOB_CORRUPT and never returned. A blob is visible only when complete, also after a crash and with
// two writers. `put` makes a blob young, also an existing one, so that the removal of old blobs does not take one that a
// journal is about to name.

/** `sha256:` and 64 lower-case hex digits. */
export type BlobDigest = `sha256:${string}`;

/** Content by its digest. */
export interface Blobs {
  /** Throws JOURNAL_FULL or JOURNAL_WRITE when it cannot be kept. */
  put(bytes: Uint8Array): Promise<BlobDigest>;
  /** Throws BLOB_MISSING or BLOB_CORRUPT. */
  get(digest: BlobDigest): Promise<Uint8Array>;
  has(digest: BlobDigest): Promise<boolean>;
}

/** Blobs that can be listed and removed. */
export interface SweptBlobs extends Blobs {
  list(): Promise<readonly BlobFact[]>;
  /** Removes those that have not been put since `beforeMs` (milliseconds since 1970), and gives what that freed. */
  remove(
    digests: readonly BlobDigest[],
    beforeMs: number,
  ): Promise<{ readonly blobs: number; readonly bytes: number }>;
}

export interface BlobFact {
  readonly digest: BlobDigest;
  readonly bytes: number;
  /** When it was put, or put again: some minutes may be missing. */
  readonly putAtMs: number;
}
