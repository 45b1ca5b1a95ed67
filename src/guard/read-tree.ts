// The folder of a skill -> the files that a scan gets, and what tells whether the folder is still the same.
//
// Links are named and never followed; nothing is left out, also not what an ignore file or a manifest leaves out. A file that cannot be
// read, or is too large to be, has no bytes. The walk ends behind `maxFiles`: the scan then says so.
import type { FileSignature, FileStat, Files } from '../ports/files.ts';
import { FileFault } from '../ports/files.ts';
import type { GuardFile } from './detector.ts';

/** What was there, and which version of it: `path`, '' for the folder itself -> signature. */
export type TreeSignature = readonly (readonly [path: string, signature: string])[];

export interface ReadTree {
  readonly files: readonly GuardFile[];
  readonly signature: TreeSignature;
  /** The latest change of anything in it. */
  readonly newestNs: bigint;
}

export interface ReadTreeLimits {
  /** Default: 16 MiB. */
  readonly maxFileBytes?: number;
  /** Default: 64 MiB. */
  readonly maxBytes?: number;
  /** Default: 2,000. */
  readonly maxFiles?: number;
}

const mebibyte = 1024 * 1024;
const maxDepth = 40;

export async function readTree(files: Files, folder: string, limits: ReadTreeLimits = {}): Promise<ReadTree> {
  const maxFileBytes = limits.maxFileBytes ?? 16 * mebibyte;
  const maxFiles = limits.maxFiles ?? 2000;
  let left = limits.maxBytes ?? 64 * mebibyte;
  const found: GuardFile[] = [];
  const signature: [string, string][] = [];
  let newestNs = 0n;
  const sign = (path: string, stat: FileStat | null): void => {
    signature.push([path, signatureText(stat)]);
    if (stat !== null && stat.ctimeNs > newestNs) newestNs = stat.ctimeNs;
    if (stat !== null && stat.mtimeNs > newestNs) newestNs = stat.mtimeNs;
  };
  await walk('', 0);
  return { files: found, signature, newestNs };

  async function walk(path: string, depth: number): Promise<void> {
    const place = path === '' ? folder : `${folder}/${path}`;
    sign(
      path,
      attempt(() => files.lstat(place)),
    );
    const entries = depth > maxDepth ? null : attempt(() => files.list(place));
    if (entries === null) {
      found.push({
        path: path === '' ? '.' : `${path}/`,
        kind: 'other',
        size: 0,
        executable: false,
        bytes: null,
      });
      return;
    }
    for (const { name, kind } of entries) {
      if (found.length > maxFiles) return;
      const inner = path === '' ? name : `${path}/${name}`;
      if (kind === 'folder') await walk(inner, depth + 1);
      else await add(inner, kind);
    }
  }

  async function add(path: string, kind: GuardFile['kind']): Promise<void> {
    const place = `${folder}/${path}`;
    const stat = attempt(() => files.lstat(place));
    sign(path, stat);
    const base = {
      path,
      kind,
      size: Number(stat?.size ?? 0n),
      executable: ((stat?.mode ?? 0n) & 0o100n) !== 0n,
    };
    if (kind === 'link') {
      found.push({
        ...base,
        size: 0,
        executable: false,
        bytes: null,
        target: targetOf(files, folder, place),
      });
      return;
    }
    const bytes = kind === 'file' && base.size <= left ? await read(place, maxFileBytes) : null;
    left -= bytes?.length ?? 0;
    found.push({ ...base, bytes });
  }

  async function read(place: string, maxBytes: number): Promise<Uint8Array | null> {
    try {
      return (await files.read(place, maxBytes))?.bytes ?? null;
    } catch (error) {
      if (error instanceof FileFault) return null;
      throw error;
    }
  }
}

/** Whether everything is as it was signed. `known`: what was looked at already. */
export function isSameTree(
  files: Files,
  folder: string,
  signature: TreeSignature,
  known: { readonly path: string; readonly signature: string } | null = null,
): boolean {
  return signature.every(([path, was]) => {
    if (path === known?.path) return known.signature === was;
    return was === signatureText(attempt(() => files.lstat(path === '' ? folder : `${folder}/${path}`)));
  });
}

export function signatureText(stat: FileSignature | null): string {
  // The mode is not part of it: changing it changes ctime.
  return stat === null ? '' : `${stat.dev}.${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
}

/** As in a manifest (registry/snapshot.ts). */
function targetOf(files: Files, folder: string, place: string): string {
  const real = attempt(() => files.realPath(place));
  if (real === null) return 'nowhere';
  return real.startsWith(`${folder}/`) ? `in:${real.slice(folder.length + 1)}` : 'out';
}

/** What cannot be looked at counts as not there: the scan then says that it could not be read. */
function attempt<T>(look: () => T | null): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof FileFault) return null;
    throw error;
  }
}
