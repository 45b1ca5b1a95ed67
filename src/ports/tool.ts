// A tool: a function that a model can call. What a model is shown of it, how it is called, and what it gives.
//
//   Tool, the arguments that a model wrote -> ToolResult
//
// A tool throws a ToolFault for what its caller can correct: a wrong path, an unknown name. `callTool` is the one place
// that checks arguments and turns such a fault into a failed result; `failedResult` does so for a TechneError, too, where
// it does not stop more than the call.
import type { Abort } from '../base/abort.ts';
import { TechneError } from '../base/error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { ownToolName } from '../base/own-tool-name.ts';
import { checkSchema } from '../base/schema/check-value.ts';
import type { Usage } from './answerer.ts';
import type { CallResult, TurnCall } from './model.ts';

/** A tool as a model or a host is shown it. */
export interface ToolDescription {
  readonly name: string;
  /** A few words for people. Default: the name. */
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** It changes nothing, so no approval is needed. */
  readonly readOnly: boolean;
  /** It may be called again when the outcome of a call is unknown. Default: as `readOnly`. */
  readonly repeatable?: boolean;
  /** It may reach beyond this machine. Default: false. */
  readonly openWorld?: boolean;
}

/** A tool that can be called. */
export interface Tool extends ToolDescription {
  /** What is accepted, where that is more than `parameters` show. Default: `parameters`. */
  readonly accepts?: JsonObject;
  /** Looks and changes nothing. What it finds can be recorded before `call`, so that `call` sees after a crash whether it was done. */
  readonly prepare?: (args: JsonObject, use: ToolUse) => Promise<Json>;
  /** Throws a ToolFault for what the caller can correct. The tools of an `AgentSession` give a failed result instead. */
  call(args: JsonObject, use?: ToolUse): Promise<ToolResult>;
}

/** Who is behind a call, as far as the surface that makes it knows. */
export interface ToolCaller {
  /** The id of the conversation. */
  readonly conversation?: string;
  readonly model?: string;
  /** The run that the call is part of. */
  readonly run?: string;
  /** The program that calls, with its version. */
  readonly client?: string;
}

/** One call of a tool: what the surface that makes it knows and allows. */
export interface ToolUse {
  /** The id that the model gave its call, for events. */
  readonly id?: string;
  /** Default: as the session was opened with. */
  readonly caller?: ToolCaller;
  /** Aborts the call; a run that is under way is detached. Default: never. */
  readonly signal?: Abort;
  /** What `prepare` found. */
  readonly prepared?: Json;
  /** Whether the tool may touch a path, relative to the working folder. Default: every path. */
  readonly mayTouch?: (path: string) => boolean;
  /** Awaited after all approvals and before anything is changed: from then on the outcome may be unknown. */
  readonly begin?: () => Promise<void>;
  /** Awaited before text of this skill is given. */
  readonly onSkill?: (skill: string) => Promise<void>;
  /** The call started a run. */
  readonly onRun?: (run: string, skill: string) => Promise<void>;
  /** The call ended or detached its run. */
  readonly onRunDetached?: (run: string, status: string, usage: RunSpent | null) => Promise<void>;
}

/** What a run used from its beginning, also before it was resumed, and with the runs inside it. */
export interface RunSpent extends Usage {
  readonly asks: number;
}

/** What a tool gives. */
export interface ToolResult {
  readonly ok: boolean;
  /** For the model: what was asked for, or `error: …` with what to try instead. */
  readonly text: string;
  /** For programs: the structured value of a tool that gives one. */
  readonly value?: Json;
  /** For programs, not for the model: names, versions, sizes; of a run its result as data, with the questions that it waits for. */
  readonly metadata?: JsonObject;
}

/** What the caller of a tool can correct. */
export class ToolFault extends Error {
  /** What to try instead. */
  readonly hint: string | null;
  readonly metadata: JsonObject;

  constructor(
    message: string,
    { hint = null, metadata = {} }: { readonly hint?: string | null; readonly metadata?: JsonObject } = {},
  ) {
    super(message);
    this.name = 'ToolFault';
    this.hint = hint;
    this.metadata = metadata;
  }

  /** The message, and the hint in a line of its own. */
  get text(): string {
    return this.hint === null ? this.message : `${this.message}\n${this.hint}`;
  }
}

/** Calls a tool with the arguments that a model wrote. A ToolFault is a failed result; every other error is thrown. */
export async function callTool(tool: Tool, args: Json, use: ToolUse = {}): Promise<ToolResult> {
  try {
    return await prepareAndCall(tool, checkArguments(tool, args), use);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return failedResult(error);
  }
}

/** By its name, or by another name of it. */
export function findTool<T extends ToolDescription>(tools: readonly T[], name: string): T | undefined {
  return tools.find((each) => each.name === name) ?? tools.find((each) => each.name === ownToolName(name));
}

/** Calls the one of `tools` that a turn of a model names. */
export async function callNamed(
  tools: readonly Tool[],
  { id, tool: name, input }: TurnCall,
  use: ToolUse = {},
): Promise<CallResult> {
  const tool = findTool(tools, name);
  const args = argumentsOf(input);
  const { ok, text } =
    tool === undefined
      ? failedResult(unknownTool(name, tools))
      : args === null
        ? failedResult(new ToolFault('the arguments are not a JSON object; call the tool again'))
        : await callTool(tool, args, { ...use, id });
  return { id, tool: name, ok, text };
}

/** For arguments that are checked already. Throws a ToolFault. */
export async function prepareAndCall(tool: Tool, args: JsonObject, use: ToolUse): Promise<ToolResult> {
  if (tool.prepare === undefined) return tool.call(args, use);
  return tool.call(args, { ...use, prepared: await tool.prepare(args, use) });
}

/** Throws a ToolFault unless the arguments fit the schema of the tool. */
export function checkArguments(
  { parameters, accepts = parameters }: Pick<Tool, 'parameters' | 'accepts'>,
  args: Json,
): JsonObject {
  if (!isJsonObject(args)) throw new ToolFault('the arguments must be an object');
  const faults = checkSchema(accepts, args, 'the call');
  if (faults.length > 0) throw new ToolFault(faults.join('; '));
  return args;
}

/** A ToolFault or a TechneError as a model is shown it. Throws every other error. */
export function failedResult(error: unknown): ToolResult {
  if (error instanceof ToolFault)
    return { ok: false, text: `error: ${error.text}`, metadata: error.metadata };
  if (!(error instanceof TechneError)) throw error;
  return failedResult(new ToolFault(error.message, { hint: error.hint, metadata: { code: error.code } }));
}

export function unknownTool(name: string, tools: readonly ToolDescription[]): ToolFault {
  const names = tools.map((tool) => tool.name);
  const meant = nearest(name, names);
  const known =
    names.length === 0
      ? 'there are none'
      : meant === null
        ? `there are: ${names.join(', ')}`
        : `did you mean ${meant}?`;
  return new ToolFault(`there is no tool ${JSON.stringify(name)} here; ${known}`);
}

/** The arguments that a model wrote; `null` when they are not an object. */
export function argumentsOf(input: string): JsonObject | null {
  try {
    // Tools without arguments are called with nothing.
    const value = parseJson(input.trim() === '' ? '{}' : input);
    return isJsonObject(value) ? value : null;
  } catch {
    return null; // the model is told
  }
}

/** A name that models take: they know letters, digits, "_" and "-" only. */
export function nameForModel(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 64);
}

/** A schema of an object with these properties; those in `required` must be there, and no others may. */
export function objectSchema(
  properties: { readonly [name: string]: JsonObject },
  required: readonly string[],
): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A boundary for tools: what one list allows, and what another takes away (skill/tools/tool-scope.ts). */
export interface ToolScope {
  /** `null`: everything. */
  readonly allowed: readonly string[] | null;
  readonly disallowed: readonly string[];
}

/** A call as it is about to be made. */
export interface ScopedCall {
  /** One of ours, or `server__tool` of an MCP server. */
  readonly tool: string;
  /** Of a command. */
  readonly argv?: readonly string[];
  /** Of a file tool: relative to the working folder, links resolved. */
  readonly path?: string;
}
