// The words for a source: as the lock keeps them, and as people read them.
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Resolved, Source } from '../source/source.ts';

/** Paths as `parseSource` takes them for local ones. */
const local = /^(?:\/|~\/|~$|\.{1,2}(?:[\\/]|$)|[A-Za-z]:[\\/])/;

/** What a person wrote in the folder `cwd`, for a lock in the folder `root`: paths inside it are relative to it. */
export function lockSource(text: string, cwd: string, root: string, homeFolder: string): string {
  const given = text.trim();
  if (!local.test(given)) return given;
  const hash = given.indexOf('#');
  const path = hash === -1 ? given : given.slice(0, hash);
  const full = path === '~' || path.startsWith('~/') ? join(homeFolder, path.slice(1)) : resolve(cwd, path);
  return lockPath(full, root) + (hash === -1 ? '' : given.slice(hash));
}

function lockPath(full: string, root: string): string {
  const inside = relative(root, full);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? full : inside === '' ? '.' : `./${inside.split(sep).join('/')}`;
}

/** The same for what a source was resolved to. */
export function lockResolved(resolved: Resolved, root: string): Resolved {
  if (resolved.kind === 'folder') return { ...resolved, path: lockPath(resolved.path, root) };
  if (resolved.kind === 'archive' && isAbsolute(resolved.location))
    return { ...resolved, location: lockPath(resolved.location, root) };
  return resolved;
}

/** And back. */
export function fullResolved(resolved: Resolved, root: string): Resolved {
  if (resolved.kind === 'folder') return { ...resolved, path: resolve(root, resolved.path) };
  if (resolved.kind === 'archive' && !/^https?:/i.test(resolved.location))
    return { ...resolved, location: resolve(root, resolved.location) };
  return resolved;
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
