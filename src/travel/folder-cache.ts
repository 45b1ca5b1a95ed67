// Folders of files that are the same on every worker, by the digest of their manifest.
//
//   digest -> manifest and files from the blob store -> a read-only folder, verified each time it is opened
//
//   CACHE/sets/HEX/{manifest.json, used, files/…}     CACHE/sets/.new-…: under construction
//
// A folder appears by one rename, so another process sees all of it or nothing, whatever is killed. What is not as its
// manifest says is moved away and made anew. A folder that was not opened for a long time, or is too many, is removed; one
// that was opened in the last hour is not.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { TechneError } from '../base/error.ts';
import { codeOf } from '../node/files/file-fault.ts';
import { nodeSha256 } from '../node/environment.ts';
import type { BlobDigest, Blobs } from '../ports/blobs.ts';
import type { TravelFile, TravelManifest } from './manifest.ts';
import { bytesOf, parseManifest } from './manifest.ts';

export interface FolderCacheOptions {
  /** Such as `~/.cache/techne`. */
  readonly folder: string;
  readonly blobs: Pick<Blobs, 'get'>;
  readonly nowMs: () => number;
  /** Default: 64 folders, 2 GiB, 14 days. */
  readonly limits?: CacheLimits;
}

export interface CacheLimits {
  readonly folders: number;
  readonly bytes: number;
  readonly ageMs: number;
}

export interface CachedFolder {
  readonly path: string;
  readonly manifest: TravelManifest;
}

const usualLimits: CacheLimits = { folders: 64, bytes: 2 * 1024 ** 3, ageMs: 14 * 86_400_000 };
/** What was opened less long ago may be in use. */
const usedMs = 3_600_000;
const fetchesAtOnce = 8;

export class FolderCache {
  readonly #options: FolderCacheOptions;
  readonly #sets: string;
  readonly #opening = new Map<string, Promise<CachedFolder>>();
  /** Hashes of files by what identifies a version of them. */
  readonly #hashes = new Map<string, string>();

  constructor(options: FolderCacheOptions) {
    this.#options = options;
    this.#sets = join(options.folder, 'sets');
  }

  /** Throws BLOB_MISSING, BLOB_CORRUPT, MANIFEST_INVALID, ENVIRONMENT. */
  open(digest: BlobDigest): Promise<CachedFolder> {
    const known = this.#opening.get(digest);
    if (known !== undefined) return known;
    const opening = this.#open(digest).finally(() => this.#opening.delete(digest));
    this.#opening.set(digest, opening);
    return opening;
  }

  /** Says that this folder is in use. */
  async touch(digest: BlobDigest): Promise<void> {
    const now = this.#options.nowMs() / 1000;
    await fs.utimes(join(this.#sets, hexOf(digest), 'used'), now, now).catch(ignoreMissing);
  }

  /** Removes what is old, over a limit, or was left behind. */
  async clean(): Promise<void> {
    const { limits = usualLimits, nowMs } = this.#options;
    const now = nowMs();
    const kept: { readonly path: string; readonly usedAt: number; readonly bytes: number }[] = [];
    for (const name of await namesIn(this.#sets)) {
      const path = join(this.#sets, name);
      const usedAt = await modifiedAt(name.startsWith('.') ? path : join(path, 'used'));
      if (now - usedAt < usedMs) {
        if (!name.startsWith('.')) kept.push({ path, usedAt, bytes: await sizeOf(path) });
      } else if (name.startsWith('.') || now - usedAt > limits.ageMs) await this.#discard(path);
      else kept.push({ path, usedAt, bytes: await sizeOf(path) });
    }
    kept.sort((a, b) => b.usedAt - a.usedAt);
    let [folders, bytes] = [0, 0];
    for (const each of kept) {
      folders += 1;
      bytes += each.bytes;
      const isOver = folders > limits.folders || bytes > limits.bytes;
      if (isOver && now - each.usedAt >= usedMs) await this.#discard(each.path);
    }
  }

  async #open(digest: BlobDigest): Promise<CachedFolder> {
    try {
      const path = join(this.#sets, hexOf(digest));
      for (let tries = 0; tries < 3; tries += 1) {
        const manifest = await this.#look(path, digest);
        if (manifest !== null) {
          await this.touch(digest);
          return { path: join(path, 'files'), manifest };
        }
        await this.#make(path, digest);
      }
      throw new TechneError('ENVIRONMENT', `"${path}" changes while it is made`, {
        hint: 'find out what else writes there, or name another folder with --cache',
      });
    } catch (error) {
      if (error instanceof TechneError || codeOf(error) === '') throw error;
      throw new TechneError(
        'ENVIRONMENT',
        `the cache "${this.#options.folder}" cannot be used: ${(error as Error).message}`,
        { hint: 'name another folder with --cache', cause: error },
      );
    }
  }

  /** `null`: it is not there, or not as its manifest says; then it is away. */
  async #look(path: string, digest: BlobDigest): Promise<TravelManifest | null> {
    const text = await fs.readFile(join(path, 'manifest.json')).catch(nullIfMissing);
    if (text === null) {
      await this.#discard(path);
      return null;
    }
    if (`sha256:${nodeSha256(text)}` === digest) {
      const manifest = parseManifest(text);
      if (await this.#isAs(join(path, 'files'), manifest)) return manifest;
    }
    await this.#discard(path);
    return null;
  }

  async #make(path: string, digest: BlobDigest): Promise<void> {
    const { blobs } = this.#options;
    await fs.mkdir(this.#sets, { recursive: true, mode: 0o700 });
    const bytes = await blobs.get(digest);
    const manifest = parseManifest(bytes);
    const fresh = join(this.#sets, `.new-${randomBytes(8).toString('hex')}`);
    await fs.mkdir(fresh, { mode: 0o755 });
    try {
      await fs.writeFile(join(fresh, 'manifest.json'), bytes, { flag: 'wx', mode: 0o444 });
      await fs.writeFile(join(fresh, 'used'), '', { flag: 'wx', mode: 0o644 });
      const files = join(fresh, 'files');
      await fs.mkdir(files, { mode: 0o755 });
      await writeFiles(files, manifest, blobs, { file: 0o444, program: 0o555 });
      await closeFolders(files);
      await fs.rename(fresh, path);
    } catch (error) {
      await this.#discard(fresh);
      const code = codeOf(error);
      // Another process was faster.
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    }
  }

  async #isAs(folder: string, manifest: TravelManifest): Promise<boolean> {
    const wanted = new Map(manifest.files.map((file) => [file.path, file]));
    const links = new Map(manifest.links.map((link) => [link.path, link]));
    const walk = async (prefix: string): Promise<boolean> => {
      const entries = await fs.readdir(join(folder, prefix), { withFileTypes: true }).catch(nullIfMissing);
      if (entries === null) return false;
      for (const entry of entries) {
        const path = prefix + entry.name;
        if (entry.isDirectory()) {
          if (!(await walk(`${path}/`))) return false;
        } else if (entry.isSymbolicLink()) {
          if (links.get(path)?.target !== (await fs.readlink(join(folder, path)))) return false;
          links.delete(path);
        } else {
          const file = wanted.get(path);
          if (file === undefined || !(await this.#isFile(join(folder, path), file))) return false;
          wanted.delete(path);
        }
      }
      return true;
    };
    return (await walk('')) && wanted.size === 0 && links.size === 0;
  }

  async #isFile(path: string, { digest, size, executable }: TravelFile): Promise<boolean> {
    const stat = await fs.lstat(path, { bigint: true });
    if (!stat.isFile() || Number(stat.size) !== size) return false;
    if ((stat.mode & 0o222n) !== 0n || ((stat.mode & 0o100n) !== 0n) !== executable) return false;
    const signature = `${path} ${stat.dev}.${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
    const known = this.#hashes.get(signature);
    if (known !== undefined) return known === digest;
    const found = `sha256:${nodeSha256(await readPlain(path))}`;
    if (this.#hashes.size > 100_000) this.#hashes.clear();
    this.#hashes.set(signature, found);
    return found === digest;
  }

  /** Out of sight at once, then removed. */
  async #discard(path: string): Promise<void> {
    const away = join(dirname(path), `.gone-${randomBytes(8).toString('hex')}`);
    const moved = await fs.rename(path, away).then(() => true, nullIfMissing);
    if (moved !== null) await removeFolder(away);
  }
}

/** Writes what a manifest names into a folder that is empty. */
export async function writeFiles(
  folder: string,
  { files, links }: TravelManifest,
  blobs: Pick<Blobs, 'get'>,
  modes: { readonly file: number; readonly program: number },
): Promise<void> {
  const made = new Set<string>();
  for (const { path } of [...files, ...links]) {
    const parent = dirname(path);
    if (parent === '.' || made.has(parent)) continue;
    made.add(parent);
    await fs.mkdir(join(folder, parent), { recursive: true, mode: 0o755 });
  }
  let next = 0;
  const work = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const bytes = await blobs.get(file.digest);
      const mode = file.executable ? modes.program : modes.file;
      const at = join(folder, file.path);
      await fs.writeFile(at, bytes, { flag: 'wx', mode });
      // The mask of the process may have taken something away.
      await fs.chmod(at, mode);
    }
  };
  await Promise.all(Array.from({ length: fetchesAtOnce }, work));
  for (const { path, target } of links) await fs.symlink(target, join(folder, path));
}

/** Also folders that may not be written to. */
export async function removeFolder(path: string): Promise<void> {
  const open = async (folder: string): Promise<void> => {
    await fs.chmod(folder, 0o700);
    for (const entry of await fs.readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await open(join(folder, entry.name));
  };
  // What another process removes at the same time need not be removed here.
  await open(path).catch(ignoreMissing);
  await fs.rm(path, { recursive: true, force: true });
}

async function closeFolders(folder: string): Promise<void> {
  for (const entry of await fs.readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await closeFolders(join(folder, entry.name));
  await fs.chmod(folder, 0o555);
}

async function readPlain(path: string): Promise<Uint8Array> {
  const handle = await fs.open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await fs.readdir(folder).catch(nullIfMissing)) ?? [];
}

/** 0 where it is not there. */
async function modifiedAt(path: string): Promise<number> {
  return (await fs.stat(path).catch(nullIfMissing))?.mtimeMs ?? 0;
}

/** What its files should have; nothing where that cannot be read. */
async function sizeOf(path: string): Promise<number> {
  const text = await fs.readFile(join(path, 'manifest.json')).catch(nullIfMissing);
  try {
    return text === null ? 0 : bytesOf(parseManifest(text));
  } catch (error) {
    if (error instanceof TechneError) return 0;
    throw error;
  }
}

function hexOf(digest: BlobDigest): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new TechneError('MANIFEST_INVALID', `${JSON.stringify(digest)} is not the digest of a manifest`);
  return digest.slice('sha256:'.length);
}

function nullIfMissing(error: unknown): null {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

function ignoreMissing(error: unknown): void {
  nullIfMissing(error);
}
