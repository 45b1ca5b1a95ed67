// techne mcp package
//
// JSON: {folder, change: added|replaced|same, files, commands: [{skill, command}], left: [{skill, reason}], install: {HOST: [argv]}}
import { resolve } from 'node:path';
import { counted, renderTable } from '../../base/render-table.ts';
import { printableLine } from '../../base/printable.ts';
import { hostPrograms, pluginHosts } from '../../mcp/package/host-programs.ts';
import type { HostPackage } from '../../mcp/package/package-files.ts';
import { packageFiles, pluginName } from '../../mcp/package/package-files.ts';
import type { PackagedSkills } from '../../mcp/package/packaged-skills.ts';
import { packagedSkills } from '../../mcp/package/packaged-skills.ts';
import { listPath, writePackage } from '../../mcp/package/write-package.ts';
import type { Command } from '../../mcp/install/hosts.ts';
import { createNodeEnvironment } from '../../node/environment.ts';
import { packageVersion } from '../../node/package-info.ts';
import { openTechne } from '../../techne/create-techne.ts';
import { displayPath } from '../../techne/paths.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { usage } from '../parse-arguments.ts';

export async function runMcpPackage(context: CommandContext): Promise<number> {
  const { args, io, out, err, json, quiet } = context;
  const folder = resolve(io.cwd, args.positionals[0] as string);
  const { made, left } = await makePackage(context, { machineOnly: false, command: shared });
  const change = await writePackage(folder, made.files);
  const install = Object.fromEntries(pluginHosts.map((host) => [host, hostPrograms(host).install(folder)]));
  if (json) {
    out.json({
      folder,
      change,
      files: [...made.files.keys(), listPath].sort(),
      commands: made.commands.map(({ name, stem }) => ({ skill: name, command: `/${pluginName}:${stem}` })),
      left,
      install,
    });
    return exitCodes.fine;
  }
  const shown = printableLine(displayPath(folder, io));
  out.line(
    change === 'same'
      ? `${shown} is up to date.`
      : `${change === 'added' ? 'Made' : 'Replaced'} ${shown}: ${counted(made.files.size + 1, 'file')}, ${counted(made.commands.length, 'slash command')}.`,
  );
  if (quiet) return exitCodes.fine;
  for (const { skill, reason } of left)
    err.line(`techne: no slash command for "${printableLine(skill)}": ${reason}`);
  out.line('\nInstall it:');
  const rows = pluginHosts.flatMap((host) =>
    hostPrograms(host)
      .install(folder)
      .map((argv, at) => [at === 0 ? `  ${hostPrograms(host).title}` : '', commandLine(argv)]),
  );
  out.write(renderTable(rows, null));
  if (createNodeEnvironment({ variables: io.env }).findProgram('techne') === null)
    err.line('techne: the program "techne" is not on the PATH, and the hosts start it by this name');
  return exitCodes.fine;
}

/** By the name that a shell finds, since the folder is for others, too. */
const shared: Command = { command: 'techne', args: [] };

/** `command` starts techne; `machineOnly` leaves the skills of the workspace out. */
export async function makePackage(
  context: CommandContext,
  { machineOnly, command }: { readonly machineOnly: boolean; readonly command: Command },
): Promise<{ readonly made: HostPackage; readonly left: PackagedSkills['left'] }> {
  const { args, io } = context;
  const techne = await openTechne({
    library: await openLibrary(context),
    cwd: io.cwd,
    homeFolder: io.homeFolder,
    variables: io.env,
    origin: null,
  });
  try {
    const { skills, left } = await packagedSkills(techne, machineOnly);
    const workspace = args.value('workspace');
    if (machineOnly && workspace !== null)
      throw usage('a plugin serves every project, so it takes no --workspace', args.command);
    const made = packageFiles({
      version: packageVersion(),
      program: command.command,
      programArgs: command.args,
      folderArgs: [
        ...(workspace === null ? [] : ['--workspace', resolve(io.cwd, workspace)]),
        ...args.values('root').flatMap((root) => ['--root', resolve(io.cwd, root)]),
      ],
      skills,
    });
    return { made, left };
  } finally {
    await techne.close();
  }
}

/** As it is typed in a POSIX shell. */
export function commandLine(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .map(printableLine)
    .join(' ');
}
