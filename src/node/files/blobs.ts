// The Blobs port as files: sha256/ab/cdef…, one per blob.
//
// A blob is written beside its place and renamed into it, so a reader sees all of it or nothing. `put` verifies an
// existing blob and replaces a corrupt one. It also syncs what it found, because the process that wrote it may have
// been killed before its own sync. The age of a blob is that of its file; `put` rewrites an old one under the lock
// that removal holds, so it stays until the journal names it.
import { dirname, join, isAbsolute } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { blobCorrupt, blobMissing, isWhole, mustBeDigest } from '../../ports/memory-blobs.ts';
import { writeFault } from '../store-file/faults.ts';
import type { BlobDigest, BlobFact, SweptBlobs } from '../../ports/blobs.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { Files, FileStat } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { promises as fs } from 'node:fs';
import { isInside } from '../../base/is-inside.ts';
import { leadsNowhere } from './file-fault.ts';
import type { ArtifactFact, Artifacts } from '../../ports/artifacts.ts';

/** Over this a file in the store cannot be a blob that was put there. */
const maxBlobBytes = 256 * 1024 * 1024;

/** Older than this, a blob that is put again is written again. Far below the age at which blobs are removed. */
const refreshMs = 30 * 60_000;

/** `nowMs` is on the clock of the file system. Default: `Date.now`. */
export function createFileBlobs(
  folder: string,
  files: Files,
  sha256: Sha256,
  nowMs: () => number = Date.now,
): SweptBlobs {
  const placeOf = (digest: string): string => {
    const hex = mustBeDigest(digest).slice('sha256:'.length);
    return join(folder, 'sha256', hex.slice(0, 2), hex.slice(2));
  };
  /** Blobs, and folders of blobs, that this process knows to be durable with the names above them. */
  const durable = new Set<string>();
  const above = dirname(folder);
  const lock = join(folder, 'sweep.lock');
  const write = async (path: string, content: Uint8Array): Promise<void> => {
    await files.writeAtomic(path, content, 0o600);
    if (!durable.has(dirname(path))) await files.syncUpTo(dirname(path), above);
    durable.add(path).add(dirname(path));
  };
  const isOld = (path: string, beforeMs: number): boolean => {
    const stat = files.lstat(path);
    return stat !== null && stat.isFile() && msOf(stat) < beforeMs;
  };
  const keep = async (path: string, digest: BlobDigest, content: Uint8Array): Promise<void> => {
    const stored = await readBlob(files, path, content.length);
    if (!isWhole(stored ?? undefined, digest, sha256)) return write(path, content);
    if (isOld(path, nowMs() - refreshMs)) return files.withLock(lock, () => write(path, content));
    if (durable.has(path)) return;
    if (!(await files.syncUpTo(path, above))) return write(path, content);
    durable.add(path).add(dirname(path));
  };
  return {
    async put(bytes) {
      if (bytes.length > maxBlobBytes) {
        throw new TechneError(
          'FILE_LIMIT',
          `a blob of ${bytes.length} bytes is over the limit of ${maxBlobBytes}`,
        );
      }
      // Hashed and written from one copy: the caller may continue to write into its buffer.
      const content = new Uint8Array(bytes);
      const digest = `sha256:${sha256(content)}` as const;
      const path = placeOf(digest);
      try {
        await keep(path, digest, content);
      } catch (error) {
        throw error instanceof FileFault ? writeFault(path, error) : error;
      }
      return digest;
    },
    async get(digest) {
      const path = placeOf(digest);
      const stored = await files.read(path, maxBlobBytes).catch((error: unknown) => {
        if (error instanceof FileFault)
          throw new TechneError('BLOB_CORRUPT', `the blob ${digest} cannot be read: ${error.message}`, {
            cause: error,
          });
        throw error;
      });
      if (stored === null) throw blobMissing(digest);
      if (!isWhole(stored.bytes, digest, sha256)) throw blobCorrupt(digest, `"${path}"`);
      return stored.bytes;
    },
    async has(digest) {
      return files.stat(placeOf(digest))?.isFile() ?? false;
    },
    async list() {
      const found: BlobFact[] = [];
      for (const { name: begin, kind } of files.list(join(folder, 'sha256')) ?? []) {
        if (kind !== 'folder' || !/^[0-9a-f]{2}$/.test(begin)) continue;
        for (const { name: rest } of files.list(join(folder, 'sha256', begin)) ?? []) {
          if (!/^[0-9a-f]{62}$/.test(rest)) continue;
          const stat = files.lstat(join(folder, 'sha256', begin, rest));
          if (stat?.isFile() === true)
            found.push({ digest: `sha256:${begin}${rest}`, bytes: Number(stat.size), putAtMs: msOf(stat) });
        }
      }
      return found;
    },
    async remove(digests, beforeMs) {
      const freed = { blobs: 0, bytes: 0 };
      for (let at = 0; at < digests.length; at += removedAtOnce) {
        await files.withLock(lock, async () => {
          for (const digest of digests.slice(at, at + removedAtOnce)) {
            const path = placeOf(digest);
            const bytes = Number(files.lstat(path)?.size ?? 0n);
            if (!isOld(path, beforeMs)) continue;
            await files.remove(path);
            durable.delete(path);
            freed.blobs += 1;
            freed.bytes += bytes;
          }
        });
      }
      return freed;
    },
  };
}

/** Under one lock, which is held only briefly. */
const removedAtOnce = 100;

function msOf({ mtimeNs }: FileStat): number {
  return Number(mtimeNs / 1_000_000n);
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

// The Artifacts port: files of the workspace that output contracts name.

export function createArtifacts(workspace: string): Artifacts {
  return {
    async look(path): Promise<ArtifactFact> {
      if (path.trim() === '' || path.includes('\0')) return missing('has no path');
      try {
        const real = await fs.realpath(isAbsolute(path) ? path : join(workspace, path));
        if (!isInside(real, await fs.realpath(workspace))) return missing('lies outside the workspace');
        const stats = await fs.stat(real);
        if (stats.isDirectory()) return { exists: true, bytes: null, reason: null };
        if (!stats.isFile()) return missing('is not a file');
        return stats.size === 0 ? missing('is empty') : { exists: true, bytes: stats.size, reason: null };
      } catch (error) {
        return missing(
          leadsNowhere(error)
            ? 'does not exist'
            : `cannot be looked at (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
        );
      }
    },
  };
}

function missing(reason: string): ArtifactFact {
  return { exists: false, bytes: null, reason };
}
