// What stays read-only inside a folder that a sandboxed command may write to.
//
//   write root -> names at its top (protected-names.ts) and places that are named besides, such as folders of skills, that
//                 are bound read-only; those that are missing are held by an empty folder
//
// G1. A name that is not there is held by an empty folder for as long as the command runs, since only what exists can be
//     mounted over. git does not see empty folders. It is taken away by rmdir, which cannot remove anything else.
// G2. A folder that is held for a command of another process stays: taking it away would lift the mount there. Whoever
//     ends last takes it away, also what a process left behind that was killed.
// G3. A name that is a link cannot be held: the folder is refused as a write root.
// G4. Of names only those at the top of a write root are protected: a repository that a command makes further down is the
//     command's.
// G5. Of a place whose folders are missing, too, the first that is missing is held. One that is a link is protected where it
//     leads to; the link itself can be replaced.
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../registry/is-inside.ts';
import { codeOf } from './file-fault.ts';
import { procText } from './node-shell-processes.ts';
import { protectedNames } from './protected-names.ts';
import { lstat, realPath } from './sandbox-view.ts';

/** Why `root` cannot be written to safely, or `null`. */
export function protectionFault(root: string): string | null {
  const link = protectedNames.find((name) => lstat(join(root, name))?.isSymbolicLink() === true);
  return link === undefined ? null : `"${join(root, link)}" is a link, which cannot be kept from being replaced; so "${root}" cannot be a write root of the sandbox`;
}

export interface HeldNames {
  /** To be bound read-only. */
  readonly paths: readonly string[];
  /** Takes away what was put there. */
  release(): void;
}

/** In use by commands of this process: path -> how many. */
const held = new Map<string, number>();

/** `places` are absolute; those that lie in no root, or hold one, are left alone. */
export function holdNames(roots: readonly string[], places: readonly string[] = []): HeldNames | { readonly fault: string } {
  const paths: string[] = [];
  const mine: string[] = [];
  const named = roots.flatMap((root) => protectedNames.map((name) => join(root, name)));
  const further = places.map(firstMissing).filter((place) => roots.some((root) => place !== root && isInside(place, root)) && !roots.some((root) => isInside(root, place)) && !named.some((path) => isInside(place, path)));
  for (const path of [...named, ...new Set(further)]) {
    const state = hold(path);
    if (typeof state === 'object') {
      release(mine);
      return state;
    }
    if (state === 'closed') continue;
    paths.push(path);
    if (state === 'there') continue;
    mine.push(path);
    held.set(path, (held.get(path) ?? 0) + 1);
  }
  return { paths, release: () => release(mine) };
}

/** Where `place` really is; else the first folder on the way to it that is not there, or only holds a name. */
function firstMissing(place: string): string {
  let missing: string | null = null;
  for (let at = place; ; at = dirname(at)) {
    if (realPath(at) === null || isPlaceholder(at)) missing = at;
    if (dirname(at) === at) break;
  }
  if (missing === null) return realPath(place) ?? place;
  return join(realPath(dirname(missing)) ?? dirname(missing), basename(missing));
}

/** `closed`: nobody without more rights than ours can make it. */
function hold(path: string): 'there' | 'empty' | 'closed' | { readonly fault: string } {
  try {
    fs.mkdirSync(path, placeholderMode);
    fs.chmodSync(path, placeholderMode);
    return 'empty';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return isPlaceholder(path) ? 'empty' : 'there';
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return 'closed';
    if (code === '') throw error;
    return { fault: `"${path}" cannot be kept from being written to (${code}), so the command is not started` };
  }
}

// Nothing can be put into it by accident, and nobody makes an empty folder like this by hand.
const placeholderMode = 0o555;

function isPlaceholder(path: string): boolean {
  const stat = lstat(path);
  return stat !== null && stat.isDirectory() && (stat.mode & 0o7777) === placeholderMode && isEmpty(path);
}

/** Not what is gone meanwhile. */
function isEmpty(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length === 0;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}

function release(mine: readonly string[]): void {
  const last = mine.filter((path) => {
    const left = (held.get(path) ?? 1) - 1;
    if (left > 0) held.set(path, left);
    else held.delete(path);
    return left <= 0;
  });
  if (last.length === 0) return;
  const elsewhere = mountsOfSandboxes();
  for (const path of last) {
    if (elsewhere.some((mounts) => mounts.includes(` ${escaped(path)} `))) continue;
    try {
      fs.rmdirSync(path);
    } catch (error) {
      // Somebody outside has put something there meanwhile, or taken it away.
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'EROFS'].includes(codeOf(error))) throw error;
    }
  }
}

/** The mount tables of every sandbox that is open now. */
function mountsOfSandboxes(): readonly string[] {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    if (procText(`/proc/${pid}/comm`) !== 'bwrap\n') return [];
    const mounts = procText(`/proc/${pid}/mountinfo`);
    return mounts === null ? [] : [mounts];
  });
}

/** As the kernel writes a path into a mount table; read as bytes, so compared as bytes. */
function escaped(path: string): string {
  return Buffer.from(path).toString('latin1').replace(/[ \t\n\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
