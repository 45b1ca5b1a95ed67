// Which trusted folder covers a place.
//
//   trust records, trusted folders -> TrustIndex;   a trusted folder and a place below it -> whether it covers the place
//
// A trusted folder covers one workspace: the folder itself, or the one around it. A workspace further down is another
// one, which anything with write access to the folder could create, such as a sandboxed command (only names at the top
// are read-only to it). So a skill is not covered when its workspace is below the folder, nor when a skills folder of
// another workspace is on the way to it, except at the top. A root that is configured for the trusted workspace itself
// is covered wherever it is in that workspace: a workspace can name roots only once it is trusted (config/narrow.ts), and
// nothing may write to them while a skill runs there (techne/skill-places.ts). Upper and lower case are the same, as on
// some disks. Of several folders that cover a place the nearest counts. Lookups go by the folders around a place, so many
// records cost no more than few.
import { hostFolders } from '../discover/default-roots.ts';
import { isInside } from '../../base/is-inside.ts';
import type { DigestTrust, TrustRecords } from './trust-records.ts';

/** `.techne`, `.agents`, `.claude` …: where workspaces keep skills. */
const places: ReadonlySet<string> = new Set([
  '.techne',
  '.agents',
  ...hostFolders.flatMap(({ workspace }) =>
    workspace === null ? [] : [workspace.slice(0, workspace.indexOf('/'))],
  ),
]);

/** Whose a place is. All real paths. */
export interface Belonging {
  /** Whose skill it is; `null` when that is not known, or it belongs to none. */
  readonly workspace: string | null;
  /** The root it was found in, where one is configured, and for which workspace. */
  readonly configured: { readonly root: string; readonly workspace: string } | null;
}

export const unknownBelonging: Belonging = { workspace: null, configured: null };

/** All real paths. */
export function trustReaches(folder: string, place: string, { workspace, configured }: Belonging): boolean {
  if (!isInside(place, folder)) return false;
  if (workspace !== null && !isInside(folder, workspace)) return false;
  const [top = '', ...below] = partsBelow(folder, place);
  if (places.has(top) || !below.some((part) => places.has(part))) return true;
  // A root that is configured for the trusted workspace itself.
  if (
    configured === null ||
    !isSame(configured.workspace, folder) ||
    !isInside(configured.root, folder) ||
    !isInside(place, configured.root)
  )
    return false;
  return !partsBelow(configured.root, place).some((part) => places.has(part));
}

function partsBelow(folder: string, place: string): readonly string[] {
  return place
    .slice(folder.length)
    .split(/[\\/]+/)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

function isSame(one: string, other: string): boolean {
  return isInside(one, other) && isInside(other, one);
}

export interface TrustIndex {
  /** The trusted folder that speaks for what lies there, or `null`. */
  folderFor(place: string, belonging: Belonging): string | null;
  /** The nearest trusted folder around a place, however far its trust reaches, or `null`. */
  folderAround(place: string): string | null;
  isTrustedFolder(path: string): boolean;
  digestAt(path: string): DigestTrust | null;
}

/** All real paths. */
export function indexTrust(
  { digests }: Pick<TrustRecords, 'digests'>,
  folders: readonly string[],
): TrustIndex {
  const byPath = new Map<string, DigestTrust>();
  for (const each of digests) if (!byPath.has(each.path)) byPath.set(each.path, each);
  const trusted = new Set(folders.map((path) => path.replace(path.startsWith('/') ? /\/+$/ : /[\\/]+$/, '')));
  return {
    folderFor(place, belonging) {
      for (const folder of foldersAround(place, trusted))
        if (trustReaches(folder, place, belonging)) return folder;
      return null;
    },
    folderAround: (place) => foldersAround(place, trusted).next().value ?? null,
    isTrustedFolder: (path) => trusted.has(path),
    digestAt: (path) => byPath.get(path) ?? null,
  };
}

/** Those of `folders` that `place` is or lies in (is-inside.ts), the nearest first. */
function* foldersAround(place: string, folders: ReadonlySet<string>): Generator<string, undefined> {
  if (folders.size === 0) return undefined;
  if (folders.has(place)) yield place;
  const posix = place.startsWith('/');
  for (let at = place.length - 1; at > 0; at -= 1) {
    if (place[at] !== '/' && (posix || place[at] !== '\\')) continue;
    const folder = place.slice(0, at);
    if (folders.has(folder)) yield folder;
  }
  return undefined;
}
