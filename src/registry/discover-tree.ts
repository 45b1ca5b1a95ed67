// A skill that exists only in memory, found the way skills on disk are.
import { TechneError } from '../base/error.ts';
import type { Config } from '../config/types.ts';
import type { DecodeUtf8 } from '../host/ports/environment.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import { isSafeRelativePath } from '../skill/resources.ts';
import type { Candidates } from './discover.ts';
import { discover } from './discover.ts';
import { createMemoryFiles } from './memory-files.ts';
import type { Root, SkillTree } from './types.ts';

let trees = 0;

/** Throws PATH_UNSAFE when the name or a path would lead out of the tree. */
export function discoverTree(tree: SkillTree, deps: { readonly decodeUtf8: DecodeUtf8; readonly parseFull: ParseFull; readonly config: Config }): Candidates {
  if (!isSafeRelativePath(tree.name) || tree.name.includes('/')) throw new TechneError('PATH_UNSAFE', `"${tree.name}" cannot be the name of a skill folder`);
  // A path of its own for each tree, so that what was read of one is never taken for another's.
  trees += 1;
  const path = `/memory/${trees}`;
  const initial: Record<string, Uint8Array> = {};
  for (const [relativePath, bytes] of tree.files) {
    if (!isSafeRelativePath(relativePath)) throw new TechneError('PATH_UNSAFE', `"${relativePath}" is not a path inside the skill "${tree.name}"`);
    initial[`${path}/${tree.name}/${relativePath}`] = bytes;
  }
  const files = createMemoryFiles(initial);
  const root: Root = { source: 'workspace', path, host: 'memory', origin: tree.origin };
  const { depth } = deps.config.limits;
  return discover([root], { files, clock: files.clock, decodeUtf8: deps.decodeUtf8, parseFull: deps.parseFull, index: null }, { depth, precedence: ['workspace'] });
}
