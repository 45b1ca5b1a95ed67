// The empty folders that hold a name while a sandboxed command runs, and taking them away.
//
// P1. A placeholder is an empty folder that nobody may write to: nothing can be put into it by accident. It is taken away by
//     rmdir, which cannot remove anything else.
// P2. One that a sandbox has mounted over stays: taking it away would lift the mount there.
// P3. Looking like one is not enough to be taken away, since people have such folders, too: it must be the very folder that was
//     made, by device, number and time of its last change. The time tells it from a later one that was given the number again.
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

/** P3, as `stat -c %d:%i:%Y` prints it; `null` for what is not there. */
export function idOf(path: string): string | null {
  return looked(() => {
    const { dev, ino, mtimeNs } = fs.lstatSync(path, { bigint: true });
    return `${dev}:${ino}:${mtimeNs / 1_000_000_000n}`;
  });
}

/** Gives those that are still there, because a sandbox uses them or the file system refuses. */
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
      // Somebody outside has put something there meanwhile, or taken it away.
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
