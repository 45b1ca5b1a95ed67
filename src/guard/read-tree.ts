// The folder of a skill -> the files that a scan gets, and what tells whether the folder is still the same.
//
// Links are named and never followed; nothing is left out, also not what an ignore file or a manifest leaves out. A file that cannot be
// read, or is too large to be, has no bytes. The walk ends behind `maxFiles`: a folder that was not wholly listed is then named as unreadable.
// Bytes are read in the order of a scan (scan-order.ts), so that many other files do not use up the place of SKILL.md.
import type { FileStat, Files } from '../ports/files.ts';
import { FileFault, signatureText } from '../ports/files.ts';
import type { GuardFile } from './detector.ts';
import { inScanOrder } from './scan-order.ts';

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
  /** Entries that are named. Default: 20,000. */
  readonly maxFiles?: number;
}

const mebibyte = 1024 * 1024;
const maxDepth = 40;

export async function readTree(files: Files, folder: string, limits: ReadTreeLimits = {}): Promise<ReadTree> {
  const maxFileBytes = limits.maxFileBytes ?? 16 * mebibyte;
  const maxFiles = limits.maxFiles ?? 20_000;
  let left = limits.maxBytes ?? 64 * mebibyte;
  const found: GuardFile[] = [];
  const signature: [string, string][] = [];
  let newestNs = 0n;
  const sign = (path: string, stat: FileStat | null): void => {
    signature.push([path, signatureText(stat)]);
    if (stat !== null && stat.ctimeNs > newestNs) newestNs = stat.ctimeNs;
    if (stat !== null && stat.mtimeNs > newestNs) newestNs = stat.mtimeNs;
  };
  walk('', 0);
  const bytes = new Map<string, Uint8Array | null>();
  for (const { path, kind, size } of inScanOrder(found)) {
    if (kind !== 'file' || size > left) continue;
    const content = await read(`${folder}/${path}`, maxFileBytes);
    left -= content?.length ?? 0;
    bytes.set(path, content);
  }
  return {
    files: found.map((file) => ({ ...file, bytes: bytes.get(file.path) ?? null })),
    signature,
    newestNs,
  };

  function walk(path: string, depth: number): void {
    const place = path === '' ? folder : `${folder}/${path}`;
    sign(
      path,
      attempt(() => files.lstat(place)),
    );
    const entries = depth > maxDepth ? null : attempt(() => files.list(place));
    if (entries === null) {
      notListed(path);
      return;
    }
    // Files before folders: a large folder must not hide the files beside it.
    for (const { name, kind } of [
      ...entries.filter((entry) => entry.kind !== 'folder'),
      ...entries.filter((entry) => entry.kind === 'folder'),
    ]) {
      if (found.length >= maxFiles && !(depth === 0 && /^skill\.md$/i.test(name))) {
        notListed(path);
        if (depth > 0) return;
        continue;
      }
      const inner = path === '' ? name : `${path}/${name}`;
      if (kind === 'folder') walk(inner, depth + 1);
      else add(inner, kind);
    }
  }

  function notListed(path: string): void {
    const name = path === '' ? '.' : `${path}/`;
    if (found.at(-1)?.path !== name)
      found.push({ path: name, kind: 'other', size: 0, executable: false, bytes: null });
  }

  function add(path: string, kind: GuardFile['kind']): void {
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
    found.push({ ...base, bytes: null });
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
