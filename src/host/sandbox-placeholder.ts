// The empty folders that hold a name while a sandboxed command runs, and taking them away.
//
// P1. A placeholder is an empty folder that nobody may write to: nothing can be put into it by accident, and nobody makes one
//     by hand. It is taken away by rmdir, which cannot remove anything else.
// P2. One that a sandbox has mounted over stays: taking it away would lift the mount there.
import * as fs from 'node:fs';
import { codeOf } from './file-fault.ts';
import { procText } from './node-shell-processes.ts';
import { lstat } from './sandbox-view.ts';

export const placeholderMode = 0o555;

/** The mask of the process may have taken bits away from the mode before it could be set. */
export function isPlaceholder(path: string): boolean {
  const stat = lstat(path);
  return stat !== null && stat.isDirectory() && (stat.mode & 0o222) === 0 && isEmpty(path);
}

/** Gives those that were left because a sandbox uses them. */
export function takeAway(paths: readonly string[]): readonly string[] {
  const there = paths.filter(isPlaceholder);
  if (there.length === 0) return [];
  const sandboxes = mountsOfSandboxes();
  return there.filter((path) => {
    if (sandboxes.some((mounts) => mounts.includes(` ${asMounted(path)} `))) return true;
    try {
      fs.rmdirSync(path);
    } catch (error) {
      // Somebody outside has put something there meanwhile, or taken it away.
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'EROFS'].includes(codeOf(error))) throw error;
    }
    return false;
  });
}

/** As the kernel writes a path into a mount table; read as bytes, so compared as bytes. */
export function asMounted(path: string): string {
  return Buffer.from(path).toString('latin1').replace(/[ \t\n\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** The mount tables of every sandbox that is open now. */
function mountsOfSandboxes(): readonly string[] {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    if (procText(`/proc/${pid}/comm`) !== 'bwrap\n') return [];
    const mounts = procText(`/proc/${pid}/mountinfo`);
    return mounts === null ? [] : [mounts];
  });
}

/** Not what is gone meanwhile, or may not be looked at. */
function isEmpty(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length === 0;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}
