// A tool for the model of an embedding agent.
//
// T1. Every call gives a result: what a model can mend is `ok: false` with a sentence. Mistakes of techne are thrown.
import type { Abort } from '../base/abort.ts';
import { TechneError } from '../base/error.ts';
import type { Json, JsonObject } from '../base/json.ts';

/** What a tool gives back. */
export interface AgentToolResult {
  readonly ok: boolean;
  /** For the model: what was asked for, or `error: …` with what to try instead. */
  readonly text: string;
  /** For programs, not for the model: names, versions, sizes; of a run its result as data, with the questions that it waits for. */
  readonly metadata: JsonObject;
}

/** Of the call that a tool is called for. */
export interface AgentToolUse {
  /** The id that the model gave its call, for events. */
  readonly toolUseId?: string;
  /** Aborts: a run that is under way is left as it is. */
  readonly signal?: Abort;
}

/** A tool for a model: skill_search, skill_load, use_skill, skill_read, and where skills are run run_metaskill and run_answer. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; `call` checks them, too. */
  readonly parameters: JsonObject;
  /** It only looks, so nobody needs to approve it. */
  readonly readOnly: boolean;
  /** What a model can mend is a result, not thrown. */
  call(args: Json, use?: AgentToolUse): Promise<AgentToolResult>;
}

/** T1. */
export function failedCall(error: unknown): AgentToolResult {
  if (!(error instanceof TechneError)) throw error;
  return {
    ok: false,
    text: `error: ${error.message}${error.hint === null ? '' : `\n${error.hint}`}`,
    metadata: { code: error.code },
  };
}
