// The Blobs port as a table. `put` of what is there and whole sends no bytes again: the server compares the digest. What this process
// has put a moment ago is not asked for again: it is too young to be swept.
import { TechneError } from '../base/error.ts';
import type { BlobDigest, SweptBlobs } from '../ports/blobs.ts';
import type { Sha256 } from '../ports/environment.ts';
import { blobCorrupt, blobMissing, isWhole, mustBeDigest } from '../ports/memory-blobs.ts';
import type { Database } from './database.ts';
import type { Queries } from './queries.ts';

/** As in files; the server takes up to 1 GB. */
const maxBlobBytes = 256 * 1024 * 1024;

/** How long a blob counts as put a moment ago: a sixth of the grace of a sweep, as that in the statement `renew_blob`. */
const youngMs = 600_000;
const mostKnown = 1_000;

export function createPostgresBlobs(database: Database, queries: Queries, sha256: Sha256): SweptBlobs {
  /** When this process put it. */
  const young = new Map<string, number>();
  return {
    async put(bytes) {
      if (bytes.length > maxBlobBytes)
        throw new TechneError(
          'FILE_LIMIT',
          `a blob of ${bytes.length} bytes is over the limit of ${maxBlobBytes}`,
        );
      // Hashed and sent from one copy: the caller may continue to write into its buffer.
      const content = Buffer.from(bytes);
      const hex = sha256(content);
      const digest = `sha256:${hex}` as const;
      // Of the day: one that counts from the start stands still while a machine sleeps, and a sweep elsewhere does not.
      const now = Date.now();
      const age = now - (young.get(digest) ?? -Infinity);
      if (age >= 0 && age < youngMs) return digest;
      const known = await database.ask(queries.renewBlob, [digest, Buffer.from(hex, 'hex')], true);
      if (known.length === 0) await database.ask(queries.putBlob, [digest, content], true);
      if (young.size >= mostKnown) young.clear();
      young.set(digest, now);
      return digest;
    },
    async get(digest) {
      const [found] = await database.ask<{ bytes: Buffer }>(queries.getBlob, [mustBeDigest(digest)]);
      // What a person removed or damaged must be put again.
      if (found === undefined || !isWhole(found.bytes, digest, sha256)) young.delete(digest);
      if (found === undefined) throw blobMissing(digest);
      if (!isWhole(found.bytes, digest, sha256)) throw blobCorrupt(digest, database.address.shown);
      return new Uint8Array(found.bytes);
    },
    async has(digest) {
      return (await database.ask(queries.hasBlob, [mustBeDigest(digest)])).length > 0;
    },
    async list() {
      const rows = await database.ask<{ digest: BlobDigest; bytes: number; put_at_ms: string }>(
        queries.listBlobs,
        [],
      );
      return rows.map(({ digest, bytes, put_at_ms: putAtMs }) => ({
        digest,
        bytes,
        putAtMs: Number(putAtMs),
      }));
    },
    async remove(digests, beforeMs) {
      for (const digest of digests) young.delete(digest);
      const rows = await database.ask<{ bytes: number }>(queries.removeBlobs, [digests, beforeMs], true);
      return { blobs: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
  };
}
