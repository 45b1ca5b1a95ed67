// techne mcp install HOST --plugin, techne mcp uninstall HOST --plugin
//
// The package is made in the folder of techne, and the program of the host installs it from there: its commands are shown first.
//
// JSON: {host, folder, change: added|replaced|same|null, commands: [argv], done, message}
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import { printable, printableLine } from '../../base/printable.ts';
import { hostPrograms, pluginHosts } from '../../mcp/package/host-programs.ts';
import type { PluginHost } from '../../mcp/package/host-programs.ts';
import { writePackage } from '../../mcp/package/write-package.ts';
import type { Command } from '../../mcp/install/hosts.ts';
import { createNodeEnvironment } from '../../node/environment.ts';
import { displayPath } from '../../techne/paths.ts';
import { askPerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { isAtTerminal } from '../io.ts';
import { usage } from '../parse-arguments.ts';
import { commandLine, makePackage } from './mcp-package.ts';

const limitMs = 120_000;

export async function changePlugin(
  context: CommandContext,
  { removes, command }: { readonly removes: boolean; readonly command: Command },
): Promise<number> {
  const { args, io, out, json } = context;
  const host = args.positionals[0] as string;
  if (!isPluginHost(host))
    throw usage(`${host} has no plugins of techne: use ${pluginHosts.join(', ')}`, args.command);
  for (const name of ['scope', 'name'])
    if (args.value(name) !== null) throw usage(`--${name} is not for --plugin`, args.command);
  const { title, install, remove, afterwards } = hostPrograms(host);
  const folder = join(io.homeFolder, '.techne', 'host-plugins');
  const commands = removes ? remove : install(folder);
  const program = createNodeEnvironment({ variables: io.env }).findProgram(commands[0]?.[0] as string);
  if (program === null)
    throw new TechneError('ENVIRONMENT', `the program "${commands[0]?.[0]}" of ${title} is not on the PATH`, {
      hint: `install ${title} first, or take the folder of "techne mcp package" to it`,
    });
  if (!json) {
    out.line(
      removes
        ? `${title}: these commands remove the plugin.`
        : `${title}: the plugin is made in ${printableLine(displayPath(folder, io))}, and these commands install it.`,
    );
    for (const argv of commands) out.line(`  ${commandLine(argv)}`);
  }
  const isWanted =
    args.flag('write') ||
    (!args.flag('dry-run') &&
      !json &&
      isAtTerminal(io) &&
      (await out.flush(), await askPerson(context, removes ? 'Remove it?' : 'Install it?')));
  if (!isWanted) {
    if (json) out.json({ host, folder, change: null, commands, done: false, message: null });
    else out.line(`Nothing was done; --write does it.`);
    return exitCodes.fine;
  }
  const change = removes
    ? null
    : await writePackage(folder, (await makePackage(context, { machineOnly: true, command })).made.files);
  const faults: string[] = [];
  for (const [, ...argv] of commands) {
    const { code, output } = await run(program, argv, context);
    // What is removed already is no fault of removing.
    if (code !== 0) faults.push(`${commandLine([commands[0]?.[0] as string, ...argv])} failed: ${output}`);
    if (code !== 0 && !removes) break;
  }
  const message = faults.length === 0 ? null : faults.join('\n');
  if (json) out.json({ host, folder, change, commands, done: message === null, message });
  else if (message !== null) context.err.line(`techne: ${printable(message)}`);
  else out.line(removes ? 'Removed.' : `Installed. ${afterwards}`);
  return message === null ? exitCodes.fine : exitCodes.files;
}

function isPluginHost(host: string): host is PluginHost {
  return (pluginHosts as readonly string[]).includes(host);
}

/** Its output is of interest only if it fails. */
function run(
  program: string,
  argv: readonly string[],
  { io }: CommandContext,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((settle, fail) => {
    const child = spawn(program, argv, {
      cwd: io.cwd,
      env: io.env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = cutText(output + chunk.toString(), maxMessageUnits).text;
      });
    child.on('error', (error) =>
      fail(
        new TechneError('ENVIRONMENT', `"${program}" cannot be started: ${error.message}`, { cause: error }),
      ),
    );
    child.on('close', (code, signal) =>
      settle({
        code,
        output:
          signal === null ? output.trim() : `ended by ${signal} after ${limitMs / 1_000} seconds at most`,
      }),
    );
  });
}
