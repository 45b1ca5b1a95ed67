// Which entries of a source can be files of a skill on every machine.
//
//   ListedEntry[] -> taken, and refused with the reason
//
// E1. A taken path, joined to a folder, names a place inside that folder, on Linux, macOS and Windows.
// E2. Two taken paths never name one place: all names that are equal after normalisation and case folding are refused, so
//     the order of entries decides nothing.
// E3. Links, devices and everything else that is no plain file are refused.
import { isExcluded } from '../../skill/resources.ts';
import type { RefusedEntry } from '../source/source.ts';
import { foldName, nameFault } from '../stage/check-names.ts';
import type { ListedEntry } from './listing.ts';

export interface JudgedEntries {
  /** Files that may be part of a skill, by path. */
  readonly taken: ReadonlyMap<string, ListedEntry>;
  /** Files that tools leave behind, such as `__pycache__/x.pyc`; nothing of `.git` and `node_modules`. */
  readonly leftOut: ReadonlyMap<string, ListedEntry>;
  readonly refused: readonly RefusedEntry[];
}

interface EntryLimits {
  readonly depth: number;
  readonly fileBytes: number;
}

export function judgeEntries(entries: Iterable<ListedEntry>, limits: EntryLimits): JudgedEntries {
  const refused: RefusedEntry[] = [];
  const files: ListedEntry[] = [];
  const places = new Places();
  const foldersLeftOut = new Set<string>();
  for (const entry of entries) {
    const folder = entry.fault === null ? folderLeftOut(entry.path) : null;
    if (folder !== null) {
      if (!foldersLeftOut.has(folder))
        refused.push({ path: `${folder}/`, reason: 'the folder is never part of a skill' });
      foldersLeftOut.add(folder);
      continue;
    }
    const reason = entryFault(entry, limits);
    if (reason !== null) {
      refused.push({ path: entry.path, reason });
      // What is no file, or would be one if its name were composed, still holds its place: a file of its name, or below it,
      // is refused too.
      const composed = entry.path.normalize('NFC');
      const holdsPlace = entry.kind !== 'file' || composed !== entry.path;
      if (holdsPlace && nameFault(composed, limits.depth) === null) places.block(entry.path);
    } else {
      places.add(entry.path, entry.kind === 'file');
      if (entry.kind === 'file') files.push(entry);
    }
  }
  const taken = new Map<string, ListedEntry>();
  const leftOut = new Map<string, ListedEntry>();
  for (const entry of files) {
    const other = places.collision(entry.path);
    if (other !== null) refused.push({ path: entry.path, reason: other });
    else (isExcluded(entry.path) ? leftOut : taken).set(entry.path, entry);
  }
  return { taken, leftOut, refused };
}

function entryFault({ path, kind, size, fault }: ListedEntry, limits: EntryLimits): string | null {
  if (fault !== null) return fault;
  if (kind === 'link') return 'links are not taken';
  if (kind === 'other') return 'it is neither a file nor a folder';
  const name = nameFault(path, limits.depth);
  if (name !== null) return `it ${name}`;
  if (size > limits.fileBytes) return `it has ${size} bytes; the limit for a file is ${limits.fileBytes}`;
  return null;
}

/** The folder of git or of npm that the path lies in, which is refused as one. */
function folderLeftOut(path: string): string | null {
  const segments = path.split('/');
  const at = segments.findIndex((segment) => segment === '.git' || segment === 'node_modules');
  if (at === -1 || (at > 0 && nameFault(segments.slice(0, at).join('/'), at) !== null)) return null;
  return segments.slice(0, at + 1).join('/');
}

/** Which spellings lead to one place. */
class Places {
  readonly #byKey = new Map<
    string,
    { readonly spelled: string; files: number; folders: number; fault: string | null }
  >();

  add(path: string, isFile: boolean): void {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const isWhole = end === -1;
      const spelled = isWhole ? path : path.slice(0, end);
      const key = foldName(spelled);
      let place = this.#byKey.get(key);
      if (place === undefined) {
        place = { spelled, files: 0, folders: 0, fault: null };
        this.#byKey.set(key, place);
      }
      if (isWhole && isFile) place.files += 1;
      else place.folders += 1;
      if (place.spelled !== spelled)
        place.fault ??= `its name is that of another on some machines: "${place.spelled}" and "${spelled}"`;
      else if (place.files > 1) place.fault ??= 'there are two files of this name';
      else if (place.files > 0 && place.folders > 0)
        place.fault ??= 'there is a file and a folder of this name';
      if (isWhole) return;
    }
  }

  block(path: string): void {
    this.add(path, true);
    const place = this.#byKey.get(foldName(path));
    if (place !== undefined) place.fault ??= 'an entry that is not taken has the same name';
  }

  collision(path: string): string | null {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const fault = this.#byKey.get(foldName(end === -1 ? path : path.slice(0, end)))?.fault ?? null;
      if (fault !== null || end === -1) return fault;
    }
  }
}
