// The tools of one ask: those that the model is offered, and their calls as recorded parts of the ask.
//
// Only tools that the fence of the ask allows, and neither the boundary nor the capabilities of the skill refuse, are
// offered. File and skill tools are called through `child`; commands, other skills and tools of MCP servers through the
// engine. A fault that the model can correct is a failed part and a result; an error that stops the run is thrown.
import { commandParameters } from '../../ports/command-host.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { PartFailed } from '../../run/effect/ask-parts.ts';
import type { OfferedSkill } from '../../run/tools/run-metaskill.ts';
import { runMetaskillTool, unknownArgument } from '../../run/tools/run-metaskill.ts';
import type { AgentToolName, ToolFence } from '../../skill/tools/tool-fence.ts';
import { allowsPath, allowsTool } from '../../skill/tools/tool-fence.ts';
import type { Tool, ToolDescription, ToolUse } from '../../ports/tool.ts';
import { callNamed, nameForModel } from '../../ports/tool.ts';
import type { AskContext } from '../../ports/answerer.ts';
import type { CallResult, TurnCall } from '../../ports/model.ts';
import type { HostTool } from '../../ports/tool-host.ts';

interface ToolBoxOptions {
  readonly tools: readonly Tool[];
  /** Of MCP servers; those that the fence lets through. Default: none. */
  readonly hostTools?: readonly HostTool[];
  /** Those that can be run as a tool. */
  readonly skills: readonly OfferedSkill[];
  readonly fence: ToolFence | null;
  readonly context: Pick<AskContext, 'child' | 'command' | 'runSkill' | 'signal' | 'refusal'> &
    Partial<Pick<AskContext, 'tool'>>;
}

export class ToolBox {
  readonly #offered: readonly Tool[];

  constructor({ tools, hostTools = [], skills, fence, context }: ToolBoxOptions) {
    const own = tools
      .filter(({ name }) => allowsTool(fence, name as AgentToolName))
      .filter(({ name, readOnly }) => context.refusal({ tool: name, readOnly }) === null)
      .map((tool) => recordedTool(tool, fence, context));
    const isOffered = (tool: 'command' | 'run_metaskill'): boolean =>
      allowsTool(fence, tool) && context.refusal({ tool, readOnly: false }) === null;
    const command = isOffered('command') ? [commandTool(fence, context)] : [];
    const run = isOffered('run_metaskill') ? runTool(skills, context) : [];
    const others = hostTools.filter(
      ({ name, readOnly }) => context.refusal({ tool: name, readOnly }) === null,
    );
    this.#offered = [...own, ...command, ...run, ...others.flatMap((tool) => hostTool(tool, context))];
  }

  get definitions(): readonly ToolDescription[] {
    return this.#offered;
  }

  call(call: TurnCall): Promise<CallResult> {
    return callNamed(this.#offered, call);
  }
}

/** The tool, with each of its steps as a part of the ask. */
function recordedTool(
  tool: Tool,
  fence: ToolFence | null,
  { child, signal, refusal }: ToolBoxOptions['context'],
): Tool {
  const { name, description, parameters, accepts = parameters, readOnly, prepare } = tool;
  const use: ToolUse = {
    signal,
    mayTouch: (path) =>
      allowsPath(fence, name as AgentToolName, path) && refusal({ tool: name, path, readOnly }) === null,
  };
  return {
    name,
    description,
    parameters,
    accepts,
    readOnly,
    async call(args, { id } = {}) {
      const mine: ToolUse = id === undefined ? use : { ...use, id };
      const part = (request: JsonObject, work: () => Promise<Json>): Promise<Recorded> =>
        recorded(() =>
          child('tool', request, true, async () => ({ value: { ok: true, value: await work() } })),
        );
      let prepared: Json = null;
      if (prepare !== undefined) {
        const found = await part({ tool: name, step: 'look', arguments: args }, () => prepare(args, mine));
        if (!found.ok) return { ok: false, text: `error: ${found.value as string}` };
        prepared = found.value;
      }
      const done = await part(
        { tool: name, arguments: args },
        async () => (await tool.call(args, { ...mine, prepared })).text,
      );
      return { ok: done.ok, text: done.ok ? (done.value as string) : `error: ${done.value as string}` };
    },
  };
}

interface Recorded {
  readonly ok: boolean;
  readonly value: Json;
}

/** A fault that the model can correct has failed the part. Journals of earlier versions hold it as a value. */
async function recorded(work: () => Promise<Json>): Promise<Recorded> {
  let held: Json;
  try {
    held = await work();
  } catch (error) {
    if (!(error instanceof PartFailed) || error.code !== 'TOOL_FAILED') throw error;
    return { ok: false, value: error.message };
  }
  if (!isJsonObject(held) || typeof held['ok'] !== 'boolean')
    throw new Error('the journal holds an invalid tool result');
  return { ok: held['ok'], value: held['value'] ?? null };
}

function commandTool(fence: ToolFence | null, { command }: ToolBoxOptions['context']): Tool {
  const patterns = fence?.get('command') ?? null;
  return {
    name: 'command',
    description: `Runs a program. There is no shell: no pipes, no wildcards, no variables.${patterns === null ? '' : ` Only these: ${patterns.join(', ')}`}`,
    parameters: commandParameters,
    readOnly: false,
    async call({ argv, cwd, stdin, timeout_seconds: seconds }) {
      const outcome = await command({
        argv: argv as readonly string[],
        ...(typeof cwd === 'string' ? { cwd } : {}),
        ...(typeof stdin === 'string' ? { stdin } : {}),
        ...(typeof seconds === 'number' ? { timeoutMs: Math.ceil(seconds * 1000) } : {}),
      });
      const {
        ok,
        exit_code: code,
        result,
      } = outcome as { readonly ok?: Json; readonly exit_code?: number; readonly result?: string };
      return { ok: ok === true, text: `exit code: ${code ?? 'none'}\n${result ?? ''}` };
    },
  };
}

/** Judged, journaled and carried out by the engine, like a tool of a plan. */
function hostTool(
  { name, description, parameters, readOnly }: HostTool,
  { tool }: ToolBoxOptions['context'],
): readonly Tool[] {
  if (tool === undefined) return [];
  return [
    {
      name: nameForModel(name),
      description: description === '' ? name : description,
      parameters,
      readOnly,
      async call(args) {
        const { ok, text } = (await tool({ tool: name, args })) as {
          readonly ok?: Json;
          readonly text?: Json;
        };
        return { ok: ok === true, text: typeof text === 'string' ? text : '' };
      },
    },
  ];
}

function runTool(skills: readonly OfferedSkill[], { runSkill }: ToolBoxOptions['context']): readonly Tool[] {
  const definition = runMetaskillTool(skills, { asks: 1, commands: 1 });
  if (definition === null) return [];
  // Budgets are those of the run around it.
  const {
    max_ask_calls: _asks,
    max_command_calls: _commands,
    ...properties
  } = definition.parameters['properties'] as JsonObject;
  return [
    {
      ...definition,
      // A missing input reaches the run, which answers with what it needs.
      parameters: { ...definition.parameters, properties, required: ['name'] },
      async call(args) {
        const unknown = unknownArgument(args, Object.keys(properties));
        if (unknown !== null) return { ok: false, text: unknown };
        const { name, input = null } = args;
        const text = await runSkill(name as string, input);
        return { ok: !text.startsWith('error:'), text };
      },
    },
  ];
}
