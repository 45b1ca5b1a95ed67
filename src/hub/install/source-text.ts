// The words for a source: as the lock keeps them, and as people read them.
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Resolved, Source } from '../source/source.ts';
import type { HubPlace } from './place.ts';

/** Paths as `parseSource` takes them for local ones. */
const local = /^(?:\/|~\/|~$|\.{1,2}(?:[\\/]|$)|[A-Za-z]:[\\/])/;

/**
 * What a person wrote in the folder `cwd`, for the lock of a place. A path of this machine becomes one that starts at the lock:
 * a repository and its sources can move together, and others can have them elsewhere.
 */
export function lockSource(text: string, cwd: string, place: LockFolder, homeFolder: string): string {
  const given = text.trim();
  const repository = /^file:\/\/(\/[^#]*)(#.*)?$/is.exec(given);
  if (repository !== null) {
    const path = fileURLToPath(`file://${repository[1]}`);
    // A folder without a ref would be taken as it is, not as a repository.
    return path.includes('#') ? given : lockPath(path, place) + (repository[2] ?? '#HEAD');
  }
  if (!local.test(given)) return given;
  const hash = given.indexOf('#');
  const path = hash === -1 ? given : given.slice(0, hash);
  const full = path === '~' || path.startsWith('~/') ? join(homeFolder, path.slice(1)) : resolve(cwd, path);
  return lockPath(full, place) + (hash === -1 ? '' : given.slice(hash));
}

/** Where paths of a lock start. */
export type LockFolder = Pick<HubPlace, 'root' | 'scope'>;

/** The user's own lock stays on this machine: paths outside its folder are whole there. */
function lockPath(full: string, { root, scope }: LockFolder): string {
  const from = relative(root, full);
  const isOutside = from === '..' || from.startsWith(`..${sep}`);
  // On another drive there is no way from here to there.
  if (isAbsolute(from) || (isOutside && scope === 'user')) return full;
  const path = from.split(sep).join('/');
  return path === '' ? '.' : isOutside ? path : `./${path}`;
}

/** The same for what a source was resolved to. */
export function lockResolved(resolved: Resolved, place: LockFolder): Resolved {
  const ofUrl = (url: string): string => (isFileUrl(url) ? lockPath(fileURLToPath(url), place) : url);
  switch (resolved.kind) {
    case 'folder':
      return { ...resolved, path: lockPath(resolved.path, place) };
    case 'archive':
      return isAbsolute(resolved.location)
        ? { ...resolved, location: lockPath(resolved.location, place) }
        : resolved;
    case 'git':
      return { ...resolved, url: ofUrl(resolved.url) };
    case 'well-known':
      return { ...resolved, index: ofUrl(resolved.index), url: ofUrl(resolved.url) };
    case 'npm':
    case 'mcp':
      return resolved;
  }
}

/** And back. */
export function fullResolved(resolved: Resolved, root: string): Resolved {
  const ofPath = (path: string): string =>
    local.test(path) ? pathToFileURL(resolve(root, path)).href + (path.endsWith('/') ? '/' : '') : path;
  switch (resolved.kind) {
    case 'folder':
      return { ...resolved, path: resolve(root, resolved.path) };
    case 'archive':
      return /^https?:/i.test(resolved.location)
        ? resolved
        : { ...resolved, location: resolve(root, resolved.location) };
    case 'git':
      return { ...resolved, url: ofPath(resolved.url) };
    case 'well-known':
      return { ...resolved, index: ofPath(resolved.index), url: ofPath(resolved.url) };
    case 'npm':
    case 'mcp':
      return resolved;
  }
}

function isFileUrl(text: string): boolean {
  return /^file:\/\/\//i.test(text);
}

/** Whether a source names one content: a full commit id, or a digest that the bytes must have. */
export function isPinnedSource(source: Source): boolean {
  switch (source.kind) {
    case 'git':
      return source.ref !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(source.ref);
    case 'archive':
      return source.digest !== null;
    case 'folder':
    case 'npm':
    case 'well-known':
    case 'mcp':
      return false;
  }
}

/** Whether what a source was resolved to names one content. A folder has what it has now. */
export function isPinnedResolved({ kind }: Resolved): boolean {
  return kind !== 'folder';
}

/** Which content it is, in a few words: `v1.2.0 (3f2a91c)`, `1.4.2`, `sha256:1f0c…`. */
export function versionWords(resolved: Resolved): string {
  switch (resolved.kind) {
    case 'folder':
      return 'a folder';
    case 'git':
      return `${resolved.ref === null || resolved.ref === resolved.commit ? '' : `${resolved.ref} `}${resolved.commit.slice(0, 12)}`;
    case 'npm':
      return resolved.version;
    case 'archive':
      return resolved.digest.slice(0, 19);
    case 'well-known':
      return resolved.version ?? resolved.digest.slice(0, 19);
    case 'mcp':
      return resolved.digest.slice(0, 19);
  }
}
