// exec_command: a command line without a shell, under the policy of commands.
//
//   {command, workdir, timeout, stdin} -> CommandCall -> CommandHost -> ToolOutcome
import type { CommandCall, CommandCaller, CommandHost } from '../../ports/command-host.ts';
import type { CommandOutcome } from '../../ports/shell.ts';
import type { ToolCall, ToolContext, HostTool, ToolOutcome } from '../../ports/tool-host.ts';
import { splitCommandLine } from '../../base/split-command-line.ts';

export const execCommandTool: HostTool = {
  name: 'exec_command',
  description:
    'Runs a program in the workspace. There is no shell: no pipes, no redirections, no variables, no wildcards.',
  parameters: {
    type: 'object',
    properties: {
      command: {
        type: ['string', 'array'],
        description: 'A command line, or the program and its arguments as a list.',
      },
      workdir: { type: 'string' },
      cwd: { type: 'string' },
      stdin: { type: 'string' },
      timeout: { type: 'number', exclusiveMinimum: 0, description: 'In seconds.' },
    },
    required: ['command'],
    additionalProperties: false,
  },
  readOnly: false,
  repeatable: false,
  from: 'built-in',
};

const maxOutputBytes = 256 * 1024;

type CommandLine =
  | { readonly ok: true; readonly call: CommandCall }
  | { readonly ok: false; readonly fault: string };

export function commandCallOf({ args, timeoutMs }: ToolCall): CommandLine {
  const { command, workdir, cwd, stdin, timeout } = args;
  const isList = Array.isArray(command) && command.every((word) => typeof word === 'string');
  const words =
    typeof command === 'string'
      ? splitCommandLine(command)
      : isList
        ? (command as readonly string[])
        : 'the command must be text or a list of texts';
  if (typeof words === 'string') return { ok: false, fault: words };
  if (words.length === 0) return { ok: false, fault: 'the command is empty' };
  const place =
    [workdir, cwd].find((folder): folder is string => typeof folder === 'string' && folder !== '') ?? null;
  const wanted = typeof timeout === 'number' ? timeout * 1_000 : timeoutMs;
  return {
    ok: true,
    call: {
      argv: words,
      cwd: place,
      stdin: typeof stdin === 'string' ? stdin : null,
      timeoutMs: Math.min(timeoutMs, wanted),
      maxOutputBytes,
    },
  };
}

export async function execCommand(
  commands: CommandHost,
  call: ToolCall,
  caller: CommandCaller,
  { signal, terms }: ToolContext,
): Promise<ToolOutcome> {
  const line = commandCallOf(call);
  if (!line.ok) return { ok: false, message: line.fault, timedOut: false };
  return outcomeOf(
    await commands.run(line.call, caller, {
      signal,
      onOutput: () => undefined,
      ...(terms === undefined ? {} : { terms }),
    }),
    line.call.timeoutMs,
  );
}

function outcomeOf(
  { started, fault, exitCode, signal, timedOut, aborted, stdout, stderr, combined }: CommandOutcome,
  timeoutMs: number,
): ToolOutcome {
  const output = combined.trim() === '' ? '' : `: ${combined.trim().slice(-1_000)}`;
  const no = (message: string): ToolOutcome => ({ ok: false, message, timedOut });
  if (!started) return no(fault ?? 'it could not be started');
  if (timedOut) return no(`it took longer than ${timeoutMs / 1_000} s${output}`);
  if (aborted) return no('it was stopped');
  if (signal !== null) return no(`it was ended by ${signal}${output}`);
  if (exitCode !== 0) return no(`it ended with exit code ${exitCode}${output}`);
  return { ok: true, text: combined, value: { exit_code: exitCode, stdout, stderr } };
}
