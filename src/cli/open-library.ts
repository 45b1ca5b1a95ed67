// Opens the skill library for a command line, or the one that a run was started with.
//
// A run continues in its own workspace, with the configuration of that workspace, whatever the current folder is.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import type { OpenSkillsOptions, SkillLibrary } from '../techne/open-skills.ts';
import { openSkills } from '../techne/open-skills.ts';
import type { RunView } from '../run/history/inspect.ts';
import type { CommandContext } from './context.ts';
import { renderDiagnostic } from '../base/render-diagnostic.ts';
import type { LoadedConfig } from '../node/load-config.ts';
import { configText } from '../node/load-config.ts';
import { displayPath } from '../techne/paths.ts';

/** The library of a run. Throws ENVIRONMENT if its workspace is gone, USAGE if --workspace names another one. */
export function openLibraryOf(
  context: CommandContext,
  { run, settings: { workspace } }: Pick<RunView, 'run' | 'settings'>,
): Promise<SkillLibrary> {
  const { args, io } = context;
  const named = args.value('workspace');
  // Journals of older versions do not record the workspace.
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
  { hostTools }: Pick<OpenSkillsOptions, 'hostTools'> = {},
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
    ...(hostTools === undefined ? {} : { hostTools }),
  });
}

/** Prints the diagnostics of the configuration on standard error. */
export function reportConfig({ err, quiet, io, colour }: CommandContext, loaded: LoadedConfig): void {
  for (const diagnostic of loaded.diagnostics) {
    if (quiet && diagnostic.severity !== 'error') continue;
    err.line(
      renderDiagnostic(
        { ...diagnostic, path: displayPath(diagnostic.path, io), hint: quiet ? null : diagnostic.hint },
        configText(loaded, diagnostic),
        { colour: colour && io.stderr.isTTY === true },
      ),
    );
  }
}
