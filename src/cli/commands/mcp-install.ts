// techne mcp install
//
// JSON: {host, file, realFile, change: added|replaced|same|fault, message, snippet, written}
//
// W1. A link of the project that leads out of it may be anybody's: a person decides whether the file there is changed, also
//     with --write.
import { join, resolve } from 'node:path';
import { printable, printableLine } from '../../base/printable.ts';
import { createNodeEnvironment } from '../../node/environment.ts';
import { packageFolder } from '../../node/package-info.ts';
import type { Command, HostName, Scope } from '../../mcp/install/hosts.ts';
import type { InstallPlan } from '../../mcp/install/plan-install.ts';
import { planInstall, writeInstall } from '../../mcp/install/plan-install.ts';
import { askPerson, isAtTerminal, requirePerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { displayPath } from '../../node/display-path.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';

export async function runMcpInstall(context: CommandContext): Promise<number> {
  const { args, io, out, json } = context;
  const {
    loaded: { workspace },
  } = await openLibrary(context);
  const host = args.positionals[0] as HostName;
  const plan = await planInstall({
    host,
    scope: args.value('scope') as Scope | null,
    places: {
      workspace: workspace ?? io.cwd,
      homeFolder: io.homeFolder,
      platform: io.platform,
      variables: io.env,
    },
    command: ownCommand(io.env),
    // The host starts the server wherever it likes, so folders are named as they are from anywhere.
    named: {
      workspace: args.value('workspace') === null ? null : resolve(io.cwd, args.value('workspace') as string),
      roots: args.values('root').map((root) => resolve(io.cwd, root)),
    },
    name: args.value('name') ?? 'techne',
  });
  const { change, file, realFile, snippet } = plan;
  if (!json) show(context, plan);
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
  else if (written) out.line(`Written to ${placeOf(context, plan)}. ${plan.afterwards}`);
  else if (change.kind === 'added' || change.kind === 'replaced')
    out.line(`Nothing was written${plan.leavesProject ? '' : '; --write writes it'}.`);
  if (!json && plan.advice !== null) out.line(plan.advice);
  return change.kind === 'fault' ? exitCodes.files : exitCodes.fine;
}

/** With the file that is really changed. */
function placeOf({ io }: Pick<CommandContext, 'io'>, { file, realFile, isLinked }: InstallPlan): string {
  return `${displayPath(file, io)}${isLinked ? ` (a link to ${displayPath(realFile, io)})` : ''}`;
}

function show({ io, out, err }: CommandContext, plan: InstallPlan): void {
  const { title, before, change, snippet } = plan;
  const shown = placeOf({ io }, plan);
  switch (change.kind) {
    case 'same':
      out.line(`${title} has techne already: ${shown}`);
      return;
    case 'fault':
      err.line(
        `techne: ${shown} is left alone: ${printableLine(change.message)}. ${change.isThere === true ? 'Put this in its place' : 'Put this into it'}:`,
      );
      out.write(snippet);
      return;
    case 'added':
    case 'replaced':
      out.line(`${title}: ${shown}${before === null ? ' (a new file)' : ''}`);
      out.write(printable(changedLines(before ?? '', change.text)));
  }
}

/** What was taken out and put in, between what stays the same. */
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
  if (args.flag('write') && !plan.leavesProject) return true;
  // W1.
  if (args.flag('write'))
    requirePerson(
      io,
      `${placeOf(context, plan)} lies outside the project: it is changed`,
      'run it in a terminal, or put a file in the place of the link',
    );
  else if (json || !isAtTerminal(io)) return false;
  await out.flush();
  return askPerson(
    context,
    `Write this to ${placeOf(context, plan)}${plan.leavesProject ? ', outside the project' : ''}?`,
  );
}

/** As the shell would find it, or this very one. */
function ownCommand(variables: CommandContext['io']['env']): Command {
  if (createNodeEnvironment({ variables }).findProgram('techne') !== null)
    return { command: 'techne', args: ['mcp'] };
  return { command: process.execPath, args: [join(packageFolder(), 'bin', 'techne.mjs'), 'mcp'] };
}
