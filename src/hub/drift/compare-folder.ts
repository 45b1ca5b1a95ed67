// Whether the folder of an installed skill holds what its lock says, and nothing else.
//
//   folder on the disk + locked files -> the first difference, or null
//
// Names, modes and sizes are compared each time. A file is hashed when it is first seen, and again when its signature
// differs (inode, size, mode, times): writing to a file changes its ctime, which a program cannot set. What manifests leave out
// (`__pycache__` and the like) is passed over, as in find-drift.ts.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readdirSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { codeOf } from '../../node/files/file-fault.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { ManifestFile } from '../../skill/resources.ts';
import { isExcluded } from '../../skill/resources.ts';

export interface FolderDifference {
  readonly path: string;
  /** What follows the path in a sentence. */
  readonly what: string;
}

export const difference = {
  added: 'was added after the skill was installed',
  changed: 'was changed after the skill was installed',
  gone: 'is gone',
  noFile: 'is a link, or no file',
  madeExecutable: 'was made executable',
  notExecutable: 'is no longer executable',
} as const;

/** Entries that a folder may have besides those of the lock, such as empty folders. */
const mostOthers = 10_000;

/** Of files that were compared, by path: the signature of each, with the hash that it had. */
export type SeenFiles = Map<string, { readonly signature: string; readonly sha256: string }>;

/** Must not throw. `judged`: a file whose bytes were compared just now. */
export function compareFolder(
  folder: string,
  locked: ReadonlyMap<string, ManifestFile>,
  seen: SeenFiles,
  judged: string | null,
): FolderDifference | null {
  const missing = new Set(locked.keys());
  let left = mostOthers + locked.size;
  const walk = (prefix: string): FolderDifference | null => {
    for (const entry of readdirSync(folder + (prefix === '' ? '' : `/${prefix}`), { withFileTypes: true })) {
      const path = prefix + entry.name;
      left -= 1;
      if (left < 0) return { path: prefix === '' ? '.' : prefix, what: 'holds too many entries' };
      if (isExcluded(path)) continue;
      const found = entry.isDirectory() ? walk(`${path}/`) : compareFile(path);
      if (found !== null) return found;
    }
    return null;
  };
  const compareFile = (path: string): FolderDifference | null => {
    const wanted = locked.get(path);
    if (wanted === undefined) return { path, what: difference.added };
    missing.delete(path);
    const full = `${folder}/${path}`;
    const stat = lstatSync(full, { bigint: true });
    if (!stat.isFile()) return { path, what: difference.noFile };
    const mode = modeDifference(wanted, (stat.mode & 0o100n) !== 0n);
    if (mode !== null) return { path, what: mode };
    if (stat.size !== BigInt(wanted.size)) return { path, what: difference.changed };
    if (path === judged) return null;
    const known = seen.get(path);
    const sha256 = known?.signature === signatureOf(stat) ? known.sha256 : hash(full, path, seen);
    return sha256 === wanted.sha256 ? null : { path, what: difference.changed };
  };
  try {
    const found = walk('');
    if (found !== null) return found;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return { path: '.', what: `cannot be compared with the lock: ${codeOf(error)}` };
  }
  const [first] = missing;
  return first === undefined ? null : { path: first, what: difference.gone };
}

/** Windows has no such mode. */
export function modeDifference(wanted: ManifestFile, executable: boolean): string | null {
  if (wanted.executable === executable || process.platform === 'win32') return null;
  return wanted.executable ? difference.notExecutable : difference.madeExecutable;
}

function hash(full: string, path: string, seen: SeenFiles): string {
  const handle = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const signature = signatureOf(fstatSync(handle, { bigint: true }));
    const sha256 = nodeSha256(readFileSync(handle));
    // A file that is written to meanwhile has another signature next time.
    if (signatureOf(fstatSync(handle, { bigint: true })) === signature) seen.set(path, { signature, sha256 });
    return sha256;
  } finally {
    closeSync(handle);
  }
}

function signatureOf({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`;
}
