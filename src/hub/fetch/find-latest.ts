// What a source has now for skills of a lock, without fetching their files.
//
//   Source × locked skills -> same | other | gone | unknown, for each
//
//   git         the refs of the remote; nothing is asked for a commit that the person named
//   npm         the list of versions
//   well-known  the index, with its digests
//   mcp         the list of skills, with their digests
//
// `unknown` is the honest answer where only the files tell: the caller fetches then.
import { unreachable } from '../../base/error.ts';
import type { FetchContext } from './context.ts';
import { contextOf } from './context.ts';
import { latestOfGit } from './git/fetch-git.ts';
import { latestOfMcp } from './mcp/fetch-mcp.ts';
import { latestOfNpm } from './npm/fetch-npm.ts';
import type { FindLatest, Latest, LockedSkill } from './options.ts';
import type { Source } from '../source/source.ts';
import { latestOfSite } from './well-known/fetch-well-known.ts';

export const findLatest: FindLatest = (source, skills, options, onProgress, signal) =>
  latestOf(source, skills, contextOf(options, onProgress, signal));

async function latestOf(
  source: Source,
  skills: readonly LockedSkill[],
  context: FetchContext,
): Promise<readonly Latest[]> {
  switch (source.kind) {
    case 'folder':
      return skills.map(() => ({ kind: 'unknown' }));
    case 'archive':
      return skills.map(({ resolved }) => ({
        kind: resolved.kind === 'archive' && resolved.digest === source.digest ? 'same' : 'unknown',
      }));
    case 'git':
      return latestOfGit(source, skills, context);
    case 'npm':
      return latestOfNpm(source, skills, context);
    case 'well-known':
      return latestOfSite(source, skills, context);
    case 'mcp':
      return latestOfMcp(source, skills, context);
    default:
      return unreachable(source);
  }
}
