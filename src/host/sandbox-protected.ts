// What stays read-only inside a folder that a sandboxed command may write to.
//
//   write root -> names at its top (protected-names.ts) and places that are named besides, such as folders of skills, that
//                 are bound read-only; those that are missing are held by an empty folder
//
// G1. A name that is not there is held by an empty folder for as long as the command runs, since only what exists can be
//     mounted over. git does not see empty folders. It is taken away by rmdir, which cannot remove anything else.
// G2. A folder that another process holds, too, stays: taking it away would lift the mount there. Whoever ends last takes it
//     away, also what a process left behind that was killed.
// G3. A name that is a link cannot be held: the folder is refused as a write root.
// G4. Of names only those at the top of a write root are protected: a repository that a command makes further down is the
//     command's.
// G5. Of a place whose folders are missing, too, the first that is missing is held. One that is a link is protected where it
//     leads to; the link itself can be replaced.
// G6. Nothing stays when this process is killed: a cleaner outside takes the folders away (sandbox-cleaner.ts), and where that is
//     killed as well, the next start does (sandbox-leftovers.ts). Folders that do not appear at all are not to be had: a mount
//     needs a place in the real folder, an overlay would have to be merged back, and a file would stay in git's sight.
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../registry/is-inside.ts';
import { codeOf } from './file-fault.ts';
import { nodeCrypto } from './node-crypto.ts';
import { protectedNames } from './protected-names.ts';
import { startCleaner } from './sandbox-cleaner.ts';
import { heldByLiving, removeHold, writeHold } from './sandbox-leftovers.ts';
import { isPlaceholder, placeholderMode, takeAway } from './sandbox-placeholder.ts';
import { lstat, realPath } from './sandbox-view.ts';

/** Why `root` cannot be written to safely, or `null`. */
export function protectionFault(root: string): string | null {
  const link = protectedNames.find((name) => lstat(join(root, name))?.isSymbolicLink() === true);
  return link === undefined ? null : `"${join(root, link)}" is a link, which cannot be kept from being replaced; so "${root}" cannot be a write root of the sandbox`;
}

export interface HeldNames {
  /** To be bound read-only. */
  readonly paths: readonly string[];
  /** What the sandbox must be called (`argv0`), so that it is found if this process is killed. */
  readonly mark: string;
  /** Takes away what was put there, before it returns; resolves when the cleaner is gone, too. */
  release(): Promise<void>;
}

/** In use by commands of this process: path -> how many. */
const held = new Map<string, number>();

export interface HoldOptions {
  /** Places that are held besides names, absolute; those that lie in no root, or hold one, are left alone. Default: none. */
  readonly places?: readonly string[];
  /** Where it is put on record what is held. Default: nowhere. */
  readonly recordFolder?: string | null;
}

export function holdNames(roots: readonly string[], { places = [], recordFolder = null }: HoldOptions = {}): HeldNames | { readonly fault: string } {
  const named = roots.flatMap((root) => protectedNames.map((name) => join(root, name)));
  const further = places.map(firstMissing).filter((place) => roots.some((root) => place !== root && isInside(place, root)) && !roots.some((root) => isInside(root, place)) && !named.some((path) => isInside(place, path)));
  const wanted = [...named, ...new Set(further)];
  const missing = wanted.filter((path) => lstat(path) === null || isPlaceholder(path));
  const mark = `bwrap-${nodeCrypto().randomBytes(12).toString('hex')}`;
  const net = openNet(mark, missing, recordFolder);
  const paths: string[] = [];
  const mine: string[] = [];
  const release = async (): Promise<void> => {
    letGo(mine, net.onRecordOfOthers());
    await net.close();
  };
  for (const path of wanted) {
    const state = hold(path);
    if (typeof state === 'object') {
      void release();
      return state;
    }
    if (state === 'closed') continue;
    paths.push(path);
    if (state === 'there') continue;
    mine.push(path);
    held.set(path, (held.get(path) ?? 0) + 1);
  }
  return { paths, mark, release };
}

interface Net {
  /** Takes its own record back before it looks: so that two that end at once do not leave a folder to each other. */
  onRecordOfOthers(): ReadonlySet<string>;
  close(): Promise<void>;
}

/** What takes `paths` away, and ends the sandbox, if this process is killed (G6). */
function openNet(mark: string, paths: readonly string[], recordFolder: string | null): Net {
  const record = recordFolder === null || paths.length === 0 ? null : writeHold(recordFolder, paths);
  const cleaner = startCleaner(mark, paths, record);
  return {
    onRecordOfOthers() {
      if (record !== null) removeHold(record);
      return recordFolder === null ? new Set() : heldByLiving(recordFolder);
    },
    close: () => cleaner.dismiss(),
  };
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

/** What commands of this process and `others` hold stays. */
function letGo(mine: readonly string[], others: ReadonlySet<string>): void {
  takeAway(mine.filter((path) => {
    const left = (held.get(path) ?? 1) - 1;
    if (left > 0) held.set(path, left);
    else held.delete(path);
    return left <= 0 && !others.has(path);
  }));
}
