// The files of a folder -> the manifest that names them.
//
// What was read before and is the same file still is not read again: by place, size, times and number. Empty folders, owners
// and times are not part of it. A link counts as it is; nothing is read through one.
import * as fs from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { TechneError } from '../base/error.ts';
import { codeOf } from '../node/files/file-fault.ts';
import { nodeSha256 } from '../node/environment.ts';
import type { BlobDigest } from '../ports/blobs.ts';
import type { TravelFile, TravelLimits, TravelLink, TravelManifest } from './manifest.ts';
import { renderManifest, travelLimits } from './manifest.ts';

const tickMs = 100;

/** By path: what a file was when it was read. */
export type KnownFiles = Map<string, { readonly signature: string; readonly digest: BlobDigest }>;

export interface PackedFolder {
  readonly manifest: TravelManifest;
  /** The text of the manifest. */
  readonly bytes: Uint8Array;
  readonly digest: BlobDigest;
}

export interface PackFolderOptions {
  /** Paths to leave out; a folder that is left out is not looked into. Default: none. */
  readonly isLeftOut?: (path: string) => boolean;
  readonly limits?: TravelLimits;
}

/** `null`: it is what `before` names. Throws FILE_LIMIT, MANIFEST_INVALID. */
export async function packFolder(
  folder: string,
  known: KnownFiles,
  before: BlobDigest | null,
  { isLeftOut = () => false, limits = travelLimits }: PackFolderOptions = {},
): Promise<PackedFolder | null> {
  const files: TravelFile[] = [];
  const links: TravelLink[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  const walk = async (prefix: string): Promise<void> => {
    // A folder that a process removes meanwhile is not there.
    const entries = (await fs.readdir(join(folder, prefix), { withFileTypes: true }).catch(nullIfGone)) ?? [];
    for (const entry of entries) {
      const path = prefix + entry.name;
      if (isLeftOut(path)) continue;
      if (files.length + links.length > limits.files)
        throw new TechneError('FILE_LIMIT', `more than ${limits.files} files are over the limit`);
      if (entry.isDirectory()) await walk(`${path}/`);
      else if (entry.isSymbolicLink()) {
        const target = await fs.readlink(join(folder, path)).catch(nullIfGone);
        if (target !== null) links.push({ path, target });
      } else if (entry.isFile()) {
        const file = await fileAt(folder, path, known, limits.bytes - bytes);
        if (file === null) continue;
        seen.add(path);
        bytes += file.size;
        files.push(file);
      } else
        throw new TechneError('MANIFEST_INVALID', `${JSON.stringify(path)} is neither a file nor a folder`);
    }
  };
  await walk('');
  for (const path of known.keys()) if (!seen.has(path)) known.delete(path);
  if (files.length + links.length === 0 && before === null) return null;
  const text = renderManifest({ files, links }, limits);
  const digest = `sha256:${nodeSha256(text)}` as const;
  return digest === before ? null : { manifest: { files, links }, bytes: text, digest };
}

async function fileAt(
  folder: string,
  path: string,
  known: KnownFiles,
  room: number,
): Promise<TravelFile | null> {
  const at = join(folder, path);
  const handle = await fs
    .open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    .catch(nullIfGone);
  if (handle === null) return null;
  try {
    const stat = await handle.stat({ bigint: true });
    const size = Number(stat.size);
    if (size > room)
      throw new TechneError(
        'FILE_LIMIT',
        `the files up to ${JSON.stringify(path)} are over the limit of bytes`,
      );
    const signature = `${stat.dev}.${stat.ino}.${size}.${stat.mtimeNs}.${stat.ctimeNs}`;
    const executable = (stat.mode & 0o100n) !== 0n;
    const before = known.get(path);
    if (before?.signature === signature) return { path, digest: before.digest, size, executable };
    const content = await handle.readFile();
    const digest = `sha256:${nodeSha256(content)}` as const;
    // A file that is written again within one tick of the clock of the disk would look the same.
    if (Date.now() - Number(stat.mtimeMs) > tickMs) known.set(path, { signature, digest });
    else known.delete(path);
    return { path, digest, size: content.length, executable };
  } finally {
    await handle.close();
  }
}

/** Also what became a link, or something else, between two looks. */
function nullIfGone(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))) return null;
  throw error;
}
