// The tools of this machine, for a conversation: files, commands, and those of MCP servers, each under its policy.
//
// `command` is the only way to run a program; the other built-in tools are for plans. Skills whose files a call may
// have returned are reported to the conversation (trace-skills.ts) before it gets the text. Names of files, as
// `list_files` returns them, are not text of a skill.
import { neverAborted } from '../base/abort.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { commandParameters } from '../ports/command-host.ts';
import type { CommandCall, CommandCaller, CommandHost } from '../ports/command-host.ts';
import type { ToolCall, HostTool, ToolHost } from '../ports/tool-host.ts';
import type { Tool, ToolUse } from '../ports/tool.ts';
import { nameForModel } from '../ports/tool.ts';
import { cutMiddle } from '../base/cut-text.ts';
import type { RunLimits } from '../run/budget/limits.ts';
import { commandValue } from '../run/effect/perform-command.ts';
import type { Permits } from './permit.ts';
import { permit, permitRefusalText } from './permit.ts';
import type { TracedCall } from './trace/trace-skills.ts';
import { textsOfCall } from './trace/trace-skills.ts';

interface HostToolsOptions extends Permits {
  readonly chat: string;
  readonly commands: CommandHost;
  readonly tools: ToolHost;
  readonly limits: Pick<RunLimits, 'commandUnits' | 'commandTimeoutMs' | 'commandTimeoutMaxMs'>;
  /** A path as a grant is compared with: relative to the working folder, links resolved; `null` when it is outside. */
  readonly resolvePath: (path: string) => string | null;
  /** Whether a path leads to the working folder itself. */
  readonly isWorkspace: (path: string) => boolean;
  /** Awaited before a call is carried out: what `trace` must know may be gone afterwards. */
  readonly prepare: () => Promise<void>;
  /** Skills whose files a call may have given. */
  readonly trace: (call: TracedCall) => Promise<readonly string[]>;
  /** Output of a command as it comes. Must not throw. */
  readonly onOutput: (text: string) => void;
}

const fileTools: ReadonlySet<string> = new Set([
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search_files',
]);
const maxResultUnits = 60_000;
/** Not the name of any skill: what is approved for good here holds for conversations only. */
const asSkill = 'techne chat';
const toolTimeoutMs = 120_000;

/** Starts the MCP servers; `onFault` is called for those that cannot be used. */
export async function hostTools(
  options: HostToolsOptions,
  onFault: (message: string) => void,
): Promise<readonly Tool[]> {
  const { tools, faults } = await options.tools.list();
  for (const { server, message } of faults) onFault(`the server "${server}" cannot be used: ${message}`);
  const offered = tools.filter(({ name, from }) => from !== 'built-in' || fileTools.has(name));
  return [...offered.map((fact) => toolOf(fact, options)), commandTool(options)];
}

function callerOf({ chat }: HostToolsOptions, { id = '' }: ToolUse): CommandCaller {
  return { run: chat, key: id, skill: asSkill, digest: asSkill, trusted: true, skillFolder: null };
}

function approvedBy(caller: CommandCaller, by: string | undefined): CommandCaller {
  return by === undefined ? caller : { ...caller, approvedBy: by };
}

function callOf({ id }: ToolUse): { readonly call?: string } {
  return id === undefined ? {} : { call: id };
}

function toolOf(fact: HostTool, options: HostToolsOptions): Tool {
  const { tools, resolvePath, prepare, trace } = options;
  const { name, description, parameters, readOnly } = fact;
  return {
    name: nameForModel(name),
    description: description === '' ? name : description,
    parameters,
    readOnly,
    async call(args, use = {}) {
      const { signal = neverAborted } = use;
      const call: ToolCall = { tool: name, args, timeoutMs: toolTimeoutMs };
      const caller = callerOf(options, use);
      const path =
        fact.from === 'built-in' && typeof args['path'] === 'string'
          ? (resolvePath(args['path']) ?? '/')
          : null;
      const granted = await permit(options, {
        scoped: { tool: name, ...(path === null ? {} : { path }) },
        grantable: true,
        readOnly,
        question: { kind: 'tool', tool: name, args },
        judge: (approval, by) => tools.judge(call, approvedBy(caller, by), approval),
        signal,
        ...callOf(use),
      });
      if (!granted.ok) return { ok: false, text: permitRefusalText(granted) };
      await prepare();
      if (!readOnly) await use.begin?.();
      const outcome = await tools.call(call, caller, {
        signal,
        ...(granted.terms === null ? {} : { terms: granted.terms }),
      });
      const text = outcome.ok ? outcome.text : outcome.message;
      for (const skill of await trace(tracedTool(fact, args, text))) await use.onSkill?.(skill);
      return outcome.ok
        ? { ok: true, text: cutMiddle(outcome.text, maxResultUnits).text }
        : { ok: false, text: `error: ${outcome.message}` };
    },
  };
}

/** What a file tool of techne names is its path, and `search_files` alone gives text with the paths that it is from. */
function tracedTool({ name, from }: HostTool, args: JsonObject, text: string): TracedCall {
  if (from !== 'built-in')
    return { words: textsOfCall(args), from: null, text, given: text, isProgram: true, readsUnseen: true };
  if (name === 'list_files')
    return { words: [], from: null, text: '', given: '', isProgram: false, readsUnseen: false };
  return {
    words: textsOfCall(args['path']),
    from: null,
    text: name === 'search_files' ? text : '',
    given: text,
    isProgram: false,
    readsUnseen: false,
  };
}

function commandTool(options: HostToolsOptions): Tool {
  const { commands, limits, onOutput, isWorkspace, prepare, trace } = options;
  return {
    name: 'command',
    description: 'Runs a program. There is no shell: no pipes, no wildcards, no variables.',
    parameters: commandParameters,
    readOnly: false,
    async call(args, use = {}) {
      const { signal = neverAborted } = use;
      const call = commandCallOf(args, limits);
      const caller = callerOf(options, use);
      const { argv, cwd, stdin } = call;
      const granted = await permit(options, {
        scoped: { tool: 'command', argv },
        grantable: stdin === null && (cwd === null || isWorkspace(cwd)),
        readOnly: false,
        question: {
          kind: 'command',
          argv,
          ...(cwd === null ? {} : { cwd }),
          ...(stdin === null ? {} : { stdin }),
        },
        judge: (approval, by) => commands.judge(call, approvedBy(caller, by), approval),
        signal,
        ...callOf(use),
      });
      if (!granted.ok) return { ok: false, text: permitRefusalText(granted) };
      await prepare();
      await use.begin?.();
      const outcome = await commands.run(call, caller, {
        signal,
        onOutput,
        ...(granted.terms === null ? {} : { terms: granted.terms }),
      });
      const {
        ok,
        exit_code: code,
        result,
      } = commandValue(outcome, call, limits) as {
        readonly ok: Json;
        readonly exit_code: number;
        readonly result: string;
      };
      for (const skill of await trace({
        words: [...argv, ...(stdin === null ? [] : [stdin])],
        from: cwd,
        text: result,
        given: result,
        isProgram: true,
        readsUnseen: true,
      }))
        await use.onSkill?.(skill);
      return { ok: ok === true, text: `exit code: ${code === -1 ? 'none' : code}\n${result}` };
    },
  };
}

function commandCallOf(
  { argv, cwd, stdin, timeout_seconds: seconds }: JsonObject,
  { commandUnits, commandTimeoutMs, commandTimeoutMaxMs }: HostToolsOptions['limits'],
): CommandCall {
  return {
    argv: argv as readonly string[],
    cwd: typeof cwd === 'string' ? cwd : null,
    stdin: typeof stdin === 'string' ? stdin : null,
    timeoutMs:
      typeof seconds === 'number'
        ? Math.min(commandTimeoutMaxMs, Math.ceil(seconds * 1000))
        : commandTimeoutMs,
    maxOutputBytes: commandUnits * 4,
  };
}
