// The empty folders that hold a name while a sandboxed command runs, and their removal.
//
// A placeholder is read-only, so nothing can be put into it by accident, and it is removed by rmdir, which cannot
// remove anything else. A placeholder that a sandbox has mounted stays: its removal would lift the mount.
//
// placeholder#P3. To look like a placeholder is not enough for removal, because people have such folders too: it must
//     be the folder that was made, by device, inode and time of its last change. The time tells it from a later
//     folder with the same inode.
import * as fs from 'node:fs';
import { codeOf, looked } from '../files/file-fault.ts';
import { procText } from '../shell/processes.ts';
import { lstat } from './view.ts';

export const placeholderMode = 0o555;

export interface Placeholder {
  /** Where a sandbox has it mounted. */
  readonly path: string;
  readonly id: string;
  /** Where it is to be found now. */
  readonly at: string;
}

/** The mask of the process may have taken bits away from the mode before it could be set. */
export function isPlaceholder(path: string): boolean {
  const stat = lstat(path);
  return stat !== null && stat.isDirectory() && (stat.mode & 0o222) === 0 && isEmpty(path);
}

/** What identifies a placeholder, as `stat -c %d:%i:%Y` prints it; `null` if it does not exist. */
export function idOf(path: string): string | null {
  return looked(() => {
    const { dev, ino, mtimeNs } = fs.lstatSync(path, { bigint: true });
    return `${dev}:${ino}:${mtimeNs / 1_000_000_000n}`;
  });
}

/** Returns those that still exist, because a sandbox uses them or the file system refuses. */
export function takeAway<T extends Placeholder>(all: readonly T[]): readonly T[] {
  const isThere = ({ at, id }: T): boolean => idOf(at) === id && isPlaceholder(at);
  const there = all.filter(isThere);
  if (there.length === 0) return [];
  const sandboxes = mountsOfSandboxes();
  return there.filter((one) => {
    if (sandboxes.some((mounts) => mounts.includes(` ${asMounted(one.path)} `))) return true;
    try {
      fs.rmdirSync(one.at);
      return false;
    } catch (error) {
      // Another program has put something there or removed it.
      if (
        !['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'EROFS'].includes(
          codeOf(error),
        )
      )
        throw error;
      return isThere(one);
    }
  });
}

/** As the kernel writes a path into a mount table; read as bytes, so compared as bytes. */
export function asMounted(path: string): string {
  return Buffer.from(path)
    .toString('latin1')
    .replace(/[ \t\n\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** The mount tables of every sandbox that is open now. */
function mountsOfSandboxes(): readonly string[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      if (procText(`/proc/${pid}/comm`) !== 'bwrap\n') return [];
      const mounts = procText(`/proc/${pid}/mountinfo`);
      return mounts === null ? [] : [mounts];
    });
}

function isEmpty(folder: string): boolean {
  return looked(() => fs.readdirSync(folder).length === 0) ?? false;
}
