// The Blobs port in memory, for skills in memory and for tests.
import { TechneError } from '../base/error.ts';
import type { BlobDigest, SweptBlobs } from './blobs.ts';
import type { Sha256 } from './environment.ts';

interface MemoryBlobControls {
  /** Replaces what is stored under `digest`, as a fault of the disk would. */
  corrupt(digest: string, bytes: Uint8Array): void;
}

/** `nowMs` is how old blobs are told by. Default: all are of 1970. */
export function createMemoryBlobs(
  sha256: Sha256,
  nowMs: () => number = () => 0,
): SweptBlobs & MemoryBlobControls {
  const stored = new Map<string, Uint8Array>();
  const putAt = new Map<string, number>();
  /** Only `corrupt` can damage what is kept here: nothing else has to be hashed again. */
  const corrupted = new Set<string>();
  return {
    async put(bytes) {
      const digest = `sha256:${sha256(bytes)}` as const;
      // A copy, since the caller may go on writing into its buffer.
      if (!stored.has(digest) || corrupted.delete(digest)) stored.set(digest, new Uint8Array(bytes));
      putAt.set(digest, nowMs());
      return digest;
    },
    async get(digest) {
      const bytes = stored.get(mustBeDigest(digest));
      if (bytes === undefined) throw blobMissing(digest);
      if (!isWhole(bytes, digest, sha256)) throw blobCorrupt(digest, 'memory');
      return new Uint8Array(bytes);
    },
    async has(digest) {
      return stored.has(mustBeDigest(digest));
    },
    async list() {
      return [...stored].map(([digest, bytes]) => ({
        digest: digest as BlobDigest,
        bytes: bytes.length,
        putAtMs: putAt.get(digest) ?? 0,
      }));
    },
    async remove(digests, beforeMs) {
      const freed = { blobs: 0, bytes: 0 };
      for (const digest of digests) {
        const bytes = stored.get(digest);
        if (bytes === undefined || (putAt.get(digest) ?? 0) >= beforeMs) continue;
        stored.delete(digest);
        freed.blobs += 1;
        freed.bytes += bytes.length;
      }
      return freed;
    },
    corrupt(digest, bytes) {
      stored.set(digest, bytes);
      corrupted.add(digest);
    },
  };
}

export function isWhole(bytes: Uint8Array | undefined, digest: string, sha256: Sha256): boolean {
  return bytes !== undefined && `sha256:${sha256(bytes)}` === digest;
}

/** A digest becomes a path in the file store, so its shape is checked at the door. */
export function mustBeDigest(digest: string): string {
  if (/^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  throw new TechneError('BLOB_MISSING', `"${digest.slice(0, 100)}" is not a digest`, {
    hint: 'a digest is "sha256:" and 64 lower-case hex digits',
  });
}

export function blobMissing(digest: string): TechneError {
  return new TechneError('BLOB_MISSING', `no blob ${digest} is stored`);
}

export function blobCorrupt(digest: string, where: string): TechneError {
  return new TechneError('BLOB_CORRUPT', `the blob ${digest} in ${where} does not match its digest`, {
    hint: 'storing the content again repairs it',
  });
}
