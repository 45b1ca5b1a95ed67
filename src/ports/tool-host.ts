// Tools by name: the built-in ones, and those of MCP servers, under the policy of the host.
//
// `judge` decides and performs nothing. `call` is made once for each attempt, after an `allow` and after its
// `effect.started` is durable. The result of a tool is data, and a failure is an outcome, not an exception. ToolOutcome is
// not a ToolResult: a run must know whether a failed call may have been done.
import type { Abort } from '../base/abort.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Approval, CommandCaller, CommandVerdict } from './command-host.ts';
import type { ToolDescription } from './tool.ts';

/** A tool as a host lists it. */
export interface HostTool extends ToolDescription {
  readonly repeatable: boolean;
  /** `built-in`, or the name of the MCP server. */
  readonly from: string;
}

export interface ToolCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly timeoutMs: number;
}

export type ToolOutcome =
  /** `text` is what a model or a template is shown; `value` is structured when the tool gave structure, else null. */
  | { readonly ok: true; readonly text: string; readonly value: Json }
  | {
      readonly ok: false;
      readonly message: string;
      /** It may have been done all the same. */
      readonly timedOut: boolean;
      /** Whether it was done is unknown, for example because the connection was lost. Default: it was not done, or only as the message says. */
      readonly isUncertain?: boolean;
    };

export interface ToolContext {
  readonly signal: Abort;
  /** What the operator approved (command-host.ts). Default: no operator was asked. */
  readonly terms?: string;
  /** Whether a file tool may touch a path, relative to the workspace. Default: every path. */
  readonly mayTouch?: (path: string) => boolean;
}

/** The tools that runs may call. */
export interface ToolHost {
  /** Starts servers when it must; a server that cannot be reached is a name without tools and a reason in `faults`. */
  list(): Promise<{
    readonly tools: readonly HostTool[];
    readonly faults: readonly { readonly server: string; readonly message: string }[];
  }>;
  find(name: string): Promise<HostTool | null>;
  judge(call: ToolCall, caller: CommandCaller, approval: Approval | null): Promise<CommandVerdict>;
  call(call: ToolCall, caller: CommandCaller, context: ToolContext): Promise<ToolOutcome>;
  close(): Promise<void>;
}
