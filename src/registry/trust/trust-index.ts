// Trust records, by path.
//
//   TrustRecords, folders that are trusted besides -> TrustIndex
//
// X1. Who speaks for a place is looked up by the folders around it: many records cost no more than few, for each skill that is
//     asked about.
// X2. Of several folders that reach a place the nearest speaks for it.
import type { DigestTrust, TrustRecords } from './trust-records.ts';
import type { Belonging } from './trust-reach.ts';
import { trustReaches } from './trust-reach.ts';

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
