// The workspace of a run, on the worker that drives it.
//
//   kept files, else the files it was started with, else nothing -> a folder -> kept files, after each effect that may write
//
//   CACHE/work/WORKER/RUN/
//
// W1. The folder is made anew each time a worker takes the run, from what is kept: two workers never share one, so one that
//     was taken for dead cannot write into the folder of the other.
// W2. Files are kept before the outcome of what wrote them is recorded. A worker that dies loses only what belongs to effects
//     whose outcome is unknown anyway.
// W3. What cannot be kept (too large, a link out of the folder, a pipe) does not stop the run here. It is remembered, and
//     no other worker continues the run without those files.
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { TechneError } from '../base/error.ts';
import { codeOf } from '../node/files/file-fault.ts';
import type { BlobDigest, Blobs } from '../ports/blobs.ts';
import type { KeptFiles, RunTravel, SharedFiles } from '../ports/shared-files.ts';
import { removeFolder, writeFiles } from './folder-cache.ts';
import type { TravelLink, TravelManifest } from './manifest.ts';
import { parseManifest } from './manifest.ts';
import { packFolder } from './pack-folder.ts';
import type { KnownFiles } from './pack-folder.ts';

export interface WorkFolderOptions {
  /** `CACHE/work/WORKER`. */
  readonly parent: string;
  readonly run: string;
  readonly travel: RunTravel;
  readonly forkedFrom: string | null;
  readonly blobs: Blobs;
  readonly shared: SharedFiles;
}

export class WorkFolder {
  readonly path: string;
  readonly #options: WorkFolderOptions;
  readonly #known: KnownFiles = new Map();
  #kept: KeptFiles = { digest: null, fault: null };
  #keeping: Promise<void> | null = null;
  #again: Promise<void> | null = null;

  private constructor(options: WorkFolderOptions, path: string) {
    this.#options = options;
    this.path = path;
  }

  /** Throws FILES_LOST, BLOB_MISSING, BLOB_CORRUPT, MANIFEST_INVALID, ENVIRONMENT. */
  static async open(options: WorkFolderOptions): Promise<WorkFolder> {
    const { parent, run, travel, forkedFrom, blobs, shared } = options;
    // A fork has done what the run before it did, so it has its files.
    const kept = (await shared.keptOf(run)) ?? (forkedFrom === null ? null : await shared.keptOf(forkedFrom));
    if (kept !== null && kept.fault !== null) throw filesLost(run, kept.fault);
    const digest = kept?.digest ?? travel.files;
    const manifest = digest === null ? nothing : parseManifest(await blobs.get(digest));
    const path = join(parent, run);
    try {
      await removeFolder(path);
      await fs.mkdir(path, { recursive: true, mode: 0o700 });
      await writeFiles(path, manifest, blobs, { file: 0o644, program: 0o755 });
    } catch (error) {
      if (error instanceof TechneError || codeOf(error) === '') throw error;
      throw new TechneError(
        'ENVIRONMENT',
        `the workspace of run ${run} cannot be made: ${(error as Error).message}`,
        {
          hint: 'name another folder with --cache',
          cause: error,
        },
      );
    }
    const folder = new WorkFolder(options, await fs.realpath(path));
    folder.#kept = { digest, fault: null };
    // From now on only what differs is read.
    await packFolder(folder.path, folder.#known, null);
    return folder;
  }

  /** Keeps the files as they are now, or remembers why they cannot be. Throws OWNER_LOST, and what the store throws. */
  keep(): Promise<void> {
    // Whoever comes while files are read waits for a look that begins after they came.
    if (this.#keeping === null) return this.#start();
    this.#again ??= this.#keeping
      .catch(() => undefined)
      .then(() => {
        this.#again = null;
        return this.#start();
      });
    return this.#again;
  }

  /** The run has left this worker. */
  remove(): Promise<void> {
    return removeFolder(this.path);
  }

  #start(): Promise<void> {
    this.#keeping = this.#keep().finally(() => {
      this.#keeping = null;
    });
    return this.#keeping;
  }

  async #keep(): Promise<void> {
    const { run, blobs, shared } = this.#options;
    let now: KeptFiles;
    try {
      const packed = await packFolder(this.path, this.#known, this.#kept.digest);
      if (packed === null) now = { digest: this.#kept.digest, fault: null };
      else now = { digest: await storePacked(this.path, packed, { blobs, shared }), fault: null };
    } catch (error) {
      // Also a file that may not be read, or that something still writes to.
      const isOfFiles = error instanceof TechneError ? faults.has(error.code) : codeOf(error).startsWith('E');
      if (!isOfFiles) throw error;
      now = { digest: this.#kept.digest, fault: (error as Error).message };
    }
    if (now.digest === this.#kept.digest && now.fault === this.#kept.fault) return;
    await shared.keep(run, now);
    this.#kept = now;
  }
}

/** Puts the content of a packed folder, then its manifest. Throws STALE for a file that changes meanwhile. */
export async function storePacked(
  folder: string,
  { manifest, bytes }: { readonly manifest: TravelManifest; readonly bytes: Uint8Array },
  { blobs, shared }: Pick<WorkFolderOptions, 'blobs' | 'shared'>,
): Promise<BlobDigest> {
  const byDigest = new Map(manifest.files.map(({ digest, path }) => [digest, path]));
  for (const digest of await shared.missing([...byDigest.keys()])) {
    const path = byDigest.get(digest) as string;
    if ((await blobs.put(await fs.readFile(join(folder, path)))) !== digest)
      throw new TechneError('STALE', `"${path}" changed while it was read`, { hint: 'try again' });
  }
  return shared.putManifest(bytes, [...byDigest.keys()]);
}

const faults: ReadonlySet<string> = new Set(['FILE_LIMIT', 'MANIFEST_INVALID', 'STALE']);

const nothing: TravelManifest = { files: [], links: [] as readonly TravelLink[] };

function filesLost(run: string, why: string): TechneError {
  return new TechneError(
    'FILES_LOST',
    `the worker that had the files of run ${run} is gone, and they could not be kept: ${why}`,
    { hint: `start it anew, or go on without what was written since: techne store files forget ${run}` },
  );
}
