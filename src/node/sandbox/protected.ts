// What stays read-only inside a folder that a sandboxed command may write to.
//
//   write root -> names at its top (protected-names.ts) and places that are named besides, such as folders of skills, that
//                 are bound read-only; those that are missing are held by an empty folder
//
// Only an existing place can be mounted over, so a missing name is held by an empty folder while the command runs;
// git does not see empty folders. If folders above it are missing too, the first missing one is held. A name at the
// top that is a link cannot be held, so its folder is refused as a write root; another place that is a link is
// protected at its target. Names deeper in a write root are not protected.
//
// protected#G1. Instructions for agents may be links, such as CLAUDE.md to AGENTS.md: the target is protected, and a link
//     that the command has replaced is put back when it has ended; what it put there stays beside it as NAME.replaced.
// protected#G2. A folder that another process holds as well stays, because its removal would lift the mount there;
//     the last one to end removes it, also what a killed process left. Only folders that are on record as made by
//     techne are removed (placeholder#P3): any other empty folder is bound read-only like everything that exists.
// protected#G6. Nothing stays when this process is killed: a cleaner outside removes the folders (cleaner.ts), and if
//     that is killed too, the next start does (leftovers.ts). There is no way without folders: a mount needs a place
//     in the real folder, an overlay would have to be merged back, and git would see a file.
// protected#G7. Folders are made and removed through the folder above them, which is held open: its path may lead
//     elsewhere by then (cleaner#X5).
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../base/is-inside.ts';
import { codeOf } from '../files/file-fault.ts';
import { nodeCrypto } from '../environment.ts';
import { bareParts, mayBeLink, protectedNames } from './protected-names.ts';
import { startCleaner } from './cleaner.ts';
import type { HeldFolder } from './leftovers.ts';
import { createHold, folderId, heldByLiving, onRecord } from './leftovers.ts';
import type { HeldPlace } from './parents.ts';
import { isClosed, notKept, openParents } from './parents.ts';
import type { Placeholder } from './placeholder.ts';
import { idOf, isPlaceholder, placeholderMode, takeAway } from './placeholder.ts';
import { lstat, realPath } from './view.ts';

/** Why `root` cannot be written to safely, or `null`. */
export function protectionFault(root: string): string | null {
  const link = protectedNames.find(
    (name) => isLink(join(root, name)) && !(mayBeLink(name) && realPath(join(root, name)) !== null),
  );
  return link === undefined
    ? null
    : `"${join(root, link)}" is a link, which cannot be kept from being replaced; so "${root}" cannot be a write root of the sandbox`;
}

export interface HeldNames {
  /** To be bound read-only. */
  readonly paths: readonly string[];
  /** The `argv0` of the sandbox, by which it is found if this process is killed. */
  readonly mark: string;
  /** Removes the placeholders before it returns; resolves when the cleaner has ended, too. */
  release(): Promise<void>;
}

/** In use by commands of this process: id -> how many. */
const held = new Map<string, number>();

export interface HoldOptions {
  /** Places that are held besides names, absolute; those that lie in no root, or hold one, are left alone. Default: none. */
  readonly places?: readonly string[];
  /** The folder of the records. Default: none. */
  readonly recordFolder?: string | null;
}

export function holdNames(
  roots: readonly string[],
  { places: further = [], recordFolder = null }: HoldOptions = {},
): HeldNames | { readonly fault: string } {
  const all = roots.flatMap((root) => namesAt(root).map((name) => join(root, name)));
  const named = all.filter((path) => !isLink(path));
  const links = all.filter(isLink).map((path) => ({ path, target: fs.readlinkSync(path) }));
  const inside = [...further, ...links.map(({ path }) => path)]
    .map(firstMissing)
    .filter(
      (place) =>
        roots.some((root) => place !== root && isInside(place, root)) &&
        !roots.some((root) => isInside(root, place)) &&
        !named.some((path) => isInside(place, path)),
    );
  const wanted = [...named, ...new Set(inside)];
  const candidates = wanted.filter((path) => lstat(path) === null || isPlaceholder(path));
  const parents = openParents(candidates);
  if ('fault' in parents) return parents;
  const places = candidates.flatMap(parents.placeOf);
  const mark = `bwrap-${nodeCrypto().randomBytes(12).toString('hex')}`;
  const record = recordFolder === null ? null : createHold(recordFolder);
  const cleaner = startCleaner(mark, places, record?.file ?? null);
  const isOurs = knownIds(recordFolder);
  const mine: Mine[] = [];
  const release = async (): Promise<void> => {
    links.forEach(putBack);
    record?.end();
    const left = letGo(mine, recordFolder === null ? new Set() : heldByLiving(recordFolder));
    parents.close();
    // Without a record others cannot announce that they will use a folder, so what they have mounted counts as theirs.
    if (left.length > 0 && record !== null) return cleaner.leave();
    record?.remove();
    await cleaner.dismiss();
  };
  const keep = (number: number, { path, parent, at }: HeldPlace, id: string): void => {
    cleaner.tell(number, id);
    mine.push({ path, at, id, parent: folderId(parent) ?? '' });
    held.set(id, (held.get(id) ?? 0) + 1);
  };
  // Recorded before the command relies on them.
  const shared = places.flatMap(({ path, at, parent }) => {
    const id = idOf(at);
    return id !== null && isOurs(id) ? [{ path, id, parent: folderId(parent) ?? '' }] : [];
  });
  if (shared.length > 0) record?.write(shared);
  const closed = new Set(candidates.filter((path) => !places.some((place) => place.path === path)));
  for (const [number, place] of places.entries()) {
    const state = make(place, (id) => keep(number, place, id), isOurs);
    if (typeof state === 'object') {
      void release();
      return state;
    }
    if (state === 'closed') closed.add(place.path);
  }
  if (mine.length > 0) record?.write(mine.map(({ path, id, parent }) => ({ path, id, parent })));
  return { paths: wanted.filter((path) => !closed.has(path)), mark, release };
}

function namesAt(root: string): readonly string[] {
  const head = join(root, 'HEAD');
  return lstat(head) === null || isPlaceholder(head) ? protectedNames : [...protectedNames, ...bareParts];
}

function isLink(path: string): boolean {
  return lstat(path)?.isSymbolicLink() === true;
}

interface KnownLink {
  readonly path: string;
  readonly target: string;
}

/** Also where the command has removed it. */
function putBack({ path, target }: KnownLink): void {
  if (isLink(path) && fs.readlinkSync(path) === target) return;
  try {
    if (lstat(path) !== null) fs.renameSync(path, `${path}.replaced`);
    fs.symlinkSync(target, path);
  } catch (error) {
    // The folder was taken away, or somebody else was faster.
    if (codeOf(error) === '') throw error;
  }
}

type Mine = Placeholder & HeldFolder;

/** Whether a folder was made by this process or is on a record; records are read when they are needed. */
function knownIds(recordFolder: string | null): (id: string) => boolean {
  let known: ReadonlySet<string> | null = null;
  return (id) =>
    held.has(id) || (known ??= recordFolder === null ? new Set() : onRecord(recordFolder)).has(id);
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

/** `closed`: a process with our rights cannot make it. `keep` is called as soon as it exists, if it is ours. */
function make(
  { path, at }: HeldPlace,
  keep: (id: string) => void,
  isOurs: (id: string) => boolean,
): 'there' | 'closed' | { readonly fault: string } {
  try {
    fs.mkdirSync(at, placeholderMode);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return isClosed(error) ? 'closed' : notKept(path, error);
    const id = idOf(at);
    if (id !== null && isOurs(id)) keep(id);
    return 'there';
  }
  const id = idOf(at);
  if (id !== null) keep(id);
  try {
    fs.chmodSync(at, placeholderMode);
    return 'there';
  } catch (error) {
    return notKept(path, error);
  }
}

/** Folders that commands of this process or `others` hold stay; returns the rest that still exists. */
function letGo(mine: readonly Mine[], others: ReadonlySet<string>): readonly Mine[] {
  return takeAway(
    mine.filter(({ id }) => {
      const left = (held.get(id) ?? 1) - 1;
      if (left > 0) held.set(id, left);
      else held.delete(id);
      return left <= 0 && !others.has(id);
    }),
  );
}
