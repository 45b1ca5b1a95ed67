// Where a command finds the runs of this user, and which workspace "last" and `--workspace` mean.
import { resolve } from 'node:path';
import type { ArchivePlace } from '../techne/open-archive.ts';
import type { CommandContext } from './context.ts';

export function archivePlace({ io, args }: CommandContext): ArchivePlace {
  const named = args.value('workspace');
  return {
    homeFolder: io.homeFolder,
    cwd: io.cwd,
    ...(named === null ? {} : { workspace: resolve(io.cwd, named) }),
  };
}
