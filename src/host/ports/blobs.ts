// Content by its digest.
//
// B1. A key is the SHA-256 of the bytes: `put` of the same bytes twice is one blob.
// B2. `get` verifies: bytes that do not match their key are BLOB_CORRUPT, never returned.
// B3. A blob is visible only when whole, also after a crash and with two writers at once.

/** `sha256:` and 64 lower-case hex digits. */
export type BlobDigest = `sha256:${string}`;

export interface Blobs {
  put(bytes: Uint8Array): Promise<BlobDigest>;
  /** Throws BLOB_MISSING or BLOB_CORRUPT. */
  get(digest: BlobDigest): Promise<Uint8Array>;
  has(digest: BlobDigest): Promise<boolean>;
}
