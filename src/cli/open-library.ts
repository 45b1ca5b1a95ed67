// The skill library that a command line asks for, or that a run was started with.
//
// O1. A run goes on in its own workspace, under the configuration that is there, wherever the command is typed.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import { openSkills } from '../techne/open-skills.ts';
import type { RunView } from '../run/history/inspect.ts';
import type { CommandContext } from './context.ts';

/** O1. Throws ENVIRONMENT when its workspace is gone, USAGE when another one is named. */
export function openLibraryOf(
  context: CommandContext,
  { run, settings: { workspace } }: Pick<RunView, 'run' | 'settings'>,
): Promise<SkillLibrary> {
  const { args, io } = context;
  const named = args.value('workspace');
  // A run of an older techne says nothing about it.
  if (workspace === '') return openLibrary(context);
  if (named !== null && resolve(io.cwd, named) !== workspace)
    throw new TechneError(
      'USAGE',
      `run ${run} works in "${printableLine(workspace)}", not in "${printableLine(named)}"`,
      { hint: 'omit --workspace: the run continues in its own workspace' },
    );
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new TechneError(
      'ENVIRONMENT',
      `run ${run} works in "${printableLine(workspace)}", which no longer exists`,
      { hint: `restore the folder, or cancel the run: techne runs cancel ${run}` },
    );
  }
  return openLibrary(context, workspace);
}

export function openLibrary(
  { io, args }: CommandContext,
  workspace: string | null = args.value('workspace'),
): Promise<SkillLibrary> {
  const roots = args.values('root');
  return openSkills({
    cwd: io.cwd,
    homeFolder: io.homeFolder,
    variables: io.env,
    platform: io.platform,
    cache: !args.flag('no-cache'),
    ...(workspace === null ? {} : { workspace }),
    ...(roots.length === 0 ? {} : { roots }),
  });
}
