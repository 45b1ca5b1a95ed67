// The Blobs port as files: sha256/ab/cdef…, one per blob.
//
// B4. A blob is written beside its place and renamed into it, so that a reader sees all of it or none.
//     Two writers of one blob write the same bytes; whoever is last changes nothing.
// B5. `put` looks at what is there before it relies on it: a corrupt blob is replaced.
// B6. What `put` found is durable when it resolves, too: whoever wrote it may have been killed before it could sync the
//     blob or the names above it.
import { dirname, join } from 'node:path';
import { TechneError } from '../base/error.ts';
import { blobCorrupt, blobMissing, isWhole, mustBeDigest } from '../registry/memory-blobs.ts';
import type { Blobs } from './ports/blobs.ts';
import type { Sha256 } from './ports/environment.ts';
import type { Files } from './ports/files.ts';
import { FileFault } from './ports/files.ts';

/** Over this a file in the store cannot be a blob that was put there. */
const maxBlobBytes = 256 * 1024 * 1024;

export function createFileBlobs(folder: string, files: Files, sha256: Sha256): Blobs {
  const placeOf = (digest: string): string => {
    const hex = mustBeDigest(digest).slice('sha256:'.length);
    return join(folder, 'sha256', hex.slice(0, 2), hex.slice(2));
  };
  /** Blobs, and folders of blobs, that this process knows to be durable with the names above them. */
  const durable = new Set<string>();
  const above = dirname(folder);
  return {
    async put(bytes) {
      if (bytes.length > maxBlobBytes) {
        throw new TechneError('FILE_LIMIT', `a blob of ${bytes.length} bytes is over the limit of ${maxBlobBytes}`);
      }
      // Hashed and written from one copy: the caller may go on writing into its buffer.
      const content = new Uint8Array(bytes);
      const digest = `sha256:${sha256(content)}` as const;
      const path = placeOf(digest);
      const stored = await readBlob(files, path, content.length);
      if (isWhole(stored ?? undefined, digest, sha256)) {
        if (durable.has(path)) return digest;
        if (await files.syncUpTo(path, above)) {
          durable.add(path).add(dirname(path));
          return digest;
        }
      }
      await files.writeAtomic(path, content, 0o600);
      if (!durable.has(dirname(path))) await files.syncUpTo(dirname(path), above);
      durable.add(path).add(dirname(path));
      return digest;
    },
    async get(digest) {
      const path = placeOf(digest);
      const stored = await files.read(path, maxBlobBytes);
      if (stored === null) throw blobMissing(digest);
      if (!isWhole(stored.bytes, digest, sha256)) throw blobCorrupt(digest, `"${path}"`);
      return stored.bytes;
    },
    async has(digest) {
      return files.stat(placeOf(digest))?.isFile() ?? false;
    },
  };
}

/** What is stored at `path`, or `null` when it cannot be the blob. */
async function readBlob(files: Files, path: string, maxBytes: number): Promise<Uint8Array | null> {
  try {
    return (await files.read(path, maxBytes))?.bytes ?? null;
  } catch (error) {
    if (error instanceof FileFault && (error.kind === 'too-large' || error.kind === 'changed')) return null;
    throw error;
  }
}
