// Where the bytes of a skill come from, and whether that is what its source says.
//
//   Resolved -> words;   Source × Resolved -> whether they name one place
//
// A lock holds both, and whoever writes it can write a source that has nothing to do with what is fetched. People are shown
// what is fetched.
import { TechneError, unreachable } from '../../base/error.ts';
import type { LockEntry } from '../lock/lock.ts';
import type { Resolved, Source } from '../source/source.ts';
import type { HubPlace } from './place.ts';
import type { HubPorts } from './ports.ts';
import { fullResolved } from './source-text.ts';

/** The place itself: an address, or a path as the lock has it. Not yet printable. */
export function originWords(resolved: Resolved): string {
  switch (resolved.kind) {
    case 'folder':
      return resolved.path;
    case 'git':
      return resolved.url;
    case 'archive':
      return resolved.location;
    case 'npm':
      return `npm:${resolved.name}`;
    case 'well-known':
      return resolved.url;
    case 'mcp':
      return `${resolved.server} (${resolved.uri})`;
    default:
      return unreachable(resolved);
  }
}

/** Whether an entry of a lock says that it is from another place than its bytes; also where its source cannot be understood. */
export function hasOtherSource(
  { source, resolved }: LockEntry,
  { root }: HubPlace,
  parseSource: HubPorts['parseSource'],
): boolean {
  try {
    return !isSamePlace(parseSource(source, root), fullResolved(resolved, root));
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return true;
  }
}

/** `resolved` with full paths. */
function isSamePlace(source: Source, resolved: Resolved): boolean {
  switch (resolved.kind) {
    case 'folder':
      return source.kind === 'folder' && source.path === resolved.path;
    case 'git':
      return source.kind === 'git' && source.url === resolved.url;
    case 'archive':
      return source.kind === 'archive' && source.location === resolved.location;
    case 'npm':
      return source.kind === 'npm' && source.name === resolved.name;
    case 'well-known':
      return (
        source.kind === 'well-known' &&
        isSameSite(source.url, resolved.index) &&
        isSameSite(source.url, resolved.url)
      );
    case 'mcp':
      return source.kind === 'mcp' && source.server === resolved.server;
    default:
      return unreachable(resolved);
  }
}

/** Of the same host; of a hub in a folder, in that folder. */
function isSameSite(site: string, other: string): boolean {
  if (!URL.canParse(site) || !URL.canParse(other)) return false;
  const [one, two] = [new URL(site), new URL(other)];
  return one.protocol === 'file:' ? two.href.startsWith(one.href) : one.origin === two.origin;
}
