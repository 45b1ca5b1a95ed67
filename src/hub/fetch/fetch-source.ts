// The door of fetching: a source, or content that was resolved before -> its skills in memory.
//
//   Source -> Fetched          Resolved -> the same content again, or SOURCE_CHANGED
//
// Everything is bounded, checked and in memory; nothing of it was judged by the guard yet, and nothing is executed.
import { TechneError, unreachable } from '../../base/error.ts';
import { show } from '../source/git-words.ts';
import type { Fetched, Resolved } from '../source/source.ts';
import { fetchArchive } from './archive.ts';
import { contextOf } from './context.ts';
import type { FetchContext } from './context.ts';
import { fetchFolder } from './folder.ts';
import { fetchGit } from './git/fetch-git.ts';
import { fetchMcp } from './mcp/fetch-mcp.ts';
import { fetchNpm } from './npm/fetch-npm.ts';
import type { FetchResolved, FetchSource, PinnedSkill } from './options.ts';
import { fetchPinnedArtifact, fetchWellKnown } from './well-known/fetch-well-known.ts';

export const fetchSource: FetchSource = async (source, options, onProgress, signal) => {
  const context = contextOf(options, onProgress, signal);
  switch (source.kind) {
    case 'folder':
      return fetchFolder(source, context);
    case 'git':
      return fetchGit(source, context);
    case 'archive':
      return fetchArchive(source, context);
    case 'npm':
      return fetchNpm(source, context);
    case 'well-known':
      return fetchWellKnown(source, context);
    case 'mcp':
      return fetchMcp(source, context);
    default:
      return unreachable(source);
  }
};

export const fetchResolved: FetchResolved = async (pinned, options, onProgress, signal) => {
  const { resolved } = pinned;
  const fetched = await again(pinned, contextOf(options, onProgress, signal));
  for (const { resolved: now, name } of fetched.packages)
    if (identityOf(now) !== identityOf(resolved))
      throw new TechneError(
        'SOURCE_CHANGED',
        `the source of "${name}" now has ${identityOf(now)}, not ${identityOf(resolved)}`,
        {
          hint: 'its publisher replaced what was pinned; find out why, then "techne update" takes the new content',
        },
      );
  return fetched;
};

function again({ name, resolved, path }: PinnedSkill, context: FetchContext): Promise<Fetched> {
  switch (resolved.kind) {
    case 'folder':
      return fetchFolder({ kind: 'folder', path: resolved.path, skills: [] }, context, path);
    case 'git':
      return fetchGit(
        {
          kind: 'git',
          url: resolved.url,
          ref: resolved.commit,
          path: path === '' ? null : path,
          treePath: null,
          skills: [],
        },
        context,
      );
    case 'archive': {
      const { location, digest } = resolved;
      return fetchArchive({ kind: 'archive', location, digest, skills: [] }, context, path);
    }
    case 'npm':
      return fetchNpm(
        { kind: 'npm', name: resolved.name, range: resolved.version, skills: [] },
        context,
        path,
      );
    case 'well-known':
      return fetchPinnedArtifact(resolved, name, context);
    case 'mcp':
      return fetchMcp({ kind: 'mcp', server: resolved.server, skills: [] }, context, resolved.uri);
    default:
      return unreachable(resolved);
  }
}

/** What cannot change; '' for a folder, whose content the lock itself compares. */
export function identityOf(resolved: Resolved): string {
  switch (resolved.kind) {
    case 'folder':
      return '';
    case 'git':
      return `the commit ${resolved.commit}`;
    case 'npm':
      return `${resolved.version} with ${show(resolved.integrity)}`;
    case 'archive':
    case 'well-known':
    case 'mcp':
      return show(resolved.digest);
    default:
      return unreachable(resolved);
  }
}
