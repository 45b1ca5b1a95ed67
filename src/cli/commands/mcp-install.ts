// techne mcp install, techne mcp uninstall
//
// JSON: {host, file, realFile, change: added|replaced|same|fault, message, snippet, written}; with --link {host, name, link, web}
//
// A project can contain links from an untrusted source: a person confirms a change through a link that leads out of the
// project, even with --write.
import { join, resolve } from 'node:path';
import { printable, printableLine } from '../../base/printable.ts';
import { createNodeEnvironment } from '../../node/environment.ts';
import { packageFolder } from '../../node/package-info.ts';
import type { Command, HostName, InstallScope } from '../../mcp/install/hosts.ts';
import { deepLink, linkedHosts } from '../../mcp/install/deep-link.ts';
import type { InstallPlan } from '../../mcp/install/plan-install.ts';
import { planInstall, writeInstall } from '../../mcp/install/plan-install.ts';
import { askPerson, requirePerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { displayPath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { isAtTerminal } from '../io.ts';
import { usage } from '../parse-arguments.ts';

export function runMcpInstall(context: CommandContext): Promise<number> {
  return changeHost(context, false);
}

export function runMcpUninstall(context: CommandContext): Promise<number> {
  return changeHost(context, true);
}

async function changeHost(context: CommandContext, removes: boolean): Promise<number> {
  const { args, io, out, json } = context;
  if (args.flag('dry-run') && args.flag('write'))
    throw usage('--dry-run and --write contradict each other', args.command);
  const links = !removes && args.flag('link');
  if (args.flag('plugin')) {
    if (links) throw usage('--link and --plugin contradict each other', args.command);
    const { command, args: argv } = ownCommand(io.env);
    const { changePlugin } = await import('./mcp-plugin.ts');
    // The packages name `mcp` themselves.
    return changePlugin(context, { removes, command: { command, args: argv.slice(0, -1) } });
  }
  const {
    loaded: { workspace },
  } = await openLibrary(context);
  const host = args.positionals[0] as HostName;
  const plan = await planInstall({
    host,
    // A link adds to the user's own file, and is for others, too.
    scope: (args.value('scope') ?? (links ? 'user' : null)) as InstallScope | null,
    places: {
      workspace: workspace ?? io.cwd,
      homeFolder: io.homeFolder,
      platform: io.platform,
      variables: io.env,
    },
    command: links ? { command: 'techne', args: ['mcp'] } : ownCommand(io.env),
    ...(links ? {} : { absolute: absoluteCommand() }),
    removes,
    // The host can start the server in any folder, so folders are absolute.
    named: {
      workspace:
        removes || args.value('workspace') === null
          ? null
          : resolve(io.cwd, args.value('workspace') as string),
      roots: args.values('root').map((root) => resolve(io.cwd, root)),
    },
    name: args.value('name') ?? 'techne',
  });
  if (links) return showLink(context, plan, host);
  const { change, file, realFile, snippet } = plan;
  if (!json) show(context, plan, removes);
  const written = (change.kind === 'added' || change.kind === 'replaced') && (await isWanted(context, plan));
  if (written) await writeInstall(plan);
  if (json)
    out.json({
      host,
      file,
      realFile,
      change: change.kind,
      message: change.kind === 'fault' ? change.message : null,
      snippet,
      written,
    });
  else if (written) out.line(`Written to ${placeOf(context, plan)}.${removes ? '' : ` ${plan.afterwards}`}`);
  else if (change.kind === 'added' || change.kind === 'replaced')
    out.line(`Nothing was written${plan.leavesProject ? '' : '; --write writes it'}.`);
  if (!json && plan.advice !== null) out.line(plan.advice);
  return change.kind === 'fault' ? exitCodes.files : exitCodes.fine;
}

function showLink(
  { args, out, err, json, quiet }: CommandContext,
  plan: InstallPlan,
  host: HostName,
): number {
  const linked = linkedHosts.find((one) => one === host);
  if (linked === undefined)
    throw usage(`${plan.title} has no links that add servers: use ${linkedHosts.join(' or ')}`, args.command);
  for (const flag of ['write', 'dry-run'])
    if (args.flag(flag)) throw usage(`--${flag} is not for --link, which writes nothing`, args.command);
  const name = args.value('name') ?? 'techne';
  const { link, web } = deepLink(linked, name, plan.entry);
  if (json) out.json({ host, name, link, web });
  else {
    out.write(`${link}\n${web}\n`);
    if (plan.advice !== null && !quiet) err.line(`techne: ${plan.advice}`);
  }
  return exitCodes.fine;
}

/** Includes the file at the end of the link. */
function placeOf({ io }: Pick<CommandContext, 'io'>, { file, realFile, isLinked }: InstallPlan): string {
  return `${displayPath(file, io)}${isLinked ? ` (a link to ${displayPath(realFile, io)})` : ''}`;
}

function show({ args, io, out, err }: CommandContext, plan: InstallPlan, removes: boolean): void {
  const { title, before, change, snippet } = plan;
  const shown = placeOf({ io }, plan);
  switch (change.kind) {
    case 'same':
      out.line(
        removes
          ? `${title} has no server "${args.value('name') ?? 'techne'}": ${shown}`
          : `${title} already has techne: ${shown}`,
      );
      return;
    case 'fault':
      if (removes) {
        err.line(`techne: ${shown} was not changed: ${printableLine(change.message)}`);
        return;
      }
      err.line(
        `techne: ${shown} was not changed: ${printableLine(change.message)}. ${change.isThere === true ? 'Replace the entry with this' : 'Add this to it'}:`,
      );
      out.write(snippet);
      return;
    case 'added':
    case 'replaced':
      out.line(`${title}: ${shown}${before === null ? ' (a new file)' : ''}`);
      out.write(printable(changedLines(before ?? '', change.text)));
  }
}

/** The removed and added lines between the common ones. */
function changedLines(before: string, after: string): string {
  const [old, made] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < made.length && old[start] === made[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < made.length - start &&
    old[old.length - 1 - end] === made[made.length - 1 - end]
  )
    end += 1;
  const around = 2;
  const lines = [
    ...made.slice(Math.max(0, start - around), start).map((line) => `  ${line}`),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...made.slice(start, made.length - end).map((line) => `+ ${line}`),
    ...made.slice(made.length - end, made.length - end + around).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

async function isWanted(context: CommandContext, plan: InstallPlan): Promise<boolean> {
  const { args, io, json, out } = context;
  if (args.flag('dry-run')) return false;
  if (args.flag('write') && !plan.leavesProject) return true;
  if (args.flag('write'))
    requirePerson(
      io,
      `changing ${placeOf(context, plan)}, which is outside the project,`,
      'run it in a terminal, or replace the link with a file',
    );
  else if (json || !isAtTerminal(io)) return false;
  await out.flush();
  return askPerson(
    context,
    `Write this to ${placeOf(context, plan)}${plan.leavesProject ? ', outside the project' : ''}?`,
  );
}

/** As the shell finds it, or this installation. */
function ownCommand(variables: CommandContext['io']['env']): Command {
  if (createNodeEnvironment({ variables }).findProgram('techne') !== null)
    return { command: 'techne', args: ['mcp'] };
  return absoluteCommand();
}

/** Node and this installation: a script would look for node on a PATH that is not there. */
function absoluteCommand(): Command {
  return { command: process.execPath, args: [join(packageFolder(), 'bin', 'techne.mjs'), 'mcp'] };
}
