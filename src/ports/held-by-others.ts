// Whether another user could have written or replaced a file that grants something: then it proves nothing.
//
// The file, and every folder above it, must belong to this user, to root, or to the owner of the root folder (which is
// root, also where a container shows it by another number), and no other user may write to them. In a folder with the
// sticky bit others cannot replace what is not theirs.
import type { Files } from './files.ts';

export interface HeldByOthers {
  /** The file or folder. */
  readonly path: string;
  /** `other users can write "…"`. */
  readonly reason: string;
  readonly hint: string;
}

/** `null` if no other user can have changed the file; always on Windows, whose modes say nothing. Links are looked at with what they lead to. */
export function heldByOthers(files: Files, path: string): HeldByOthers | null {
  if (files.userId === null) return null;
  const real = files.realPath(path) ?? path;
  const owners = new Set([files.userId, 0n, files.stat('/')?.uid ?? 0n]);
  for (const at of new Set([real, ...foldersAbove(path), ...foldersAbove(real), path])) {
    const stat = files.stat(at);
    if (stat === null) continue;
    const isSticky = stat.isDirectory() && (stat.mode & 0o1000n) !== 0n;
    if ((stat.mode & 0o022n) !== 0n && !isSticky)
      return {
        path: at,
        reason: `other users can write "${at}"`,
        hint: `look at what it holds, then: chmod go-w "${at}"`,
      };
    if (!owners.has(stat.uid) || !owners.has(files.lstat(at)?.uid ?? 0n))
      return {
        path: at,
        reason: `another user owns "${at}"`,
        hint: `look at what it holds, then: sudo chown "$(id -un)" "${at}"`,
      };
  }
  return null;
}

/** The nearest first. */
function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    folders.push(path.slice(0, at));
  return [...folders, '/'];
}
