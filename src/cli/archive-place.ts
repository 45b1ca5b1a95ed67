// Where a command finds the runs of this user (--store), and which workspace "last" and `--workspace` mean.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TechneError } from '../base/error.ts';
import type { ArchivePlace } from '../techne/open-archive.ts';
import type { CommandContext } from './context.ts';

export function archivePlace({ io, args }: CommandContext): ArchivePlace {
  const named = args.value('workspace');
  const folder = named === null ? null : statSync(resolve(io.cwd, named), { throwIfNoEntry: false });
  if (folder !== null && folder?.isDirectory() !== true)
    throw new TechneError('FILE_MISSING', `the workspace "${named}" is not a folder`, {
      hint: 'without --workspace, "techne runs list" lists the runs of all workspaces',
    });
  return {
    homeFolder: io.homeFolder,
    cwd: io.cwd,
    ...(named === null ? {} : { workspace: resolve(io.cwd, named) }),
    store: args.value('store'),
  };
}

/** The value of --store; without it, the configuration says where runs are. */
export function storeOf(args: CommandContext['args']): { readonly store?: string } {
  const store = args.value('store');
  return store === null ? {} : { store };
}
