// A tool of a nested agent: what the model is told of it, and what it does.
//
// T1. `prepare` looks and changes nothing; what it found is recorded before `run` acts. So `run` can be done again after a
//     crash: it sees from what was found whether it has been done.
// T2. What a model can mend (a wrong path, a text that is not there) is a ToolFault: it becomes the result of the call.
import type { Abort } from '../base/abort.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { cutText } from '../base/cut-text.ts';
import type { AgentToolName } from '../skill/tools/tool-fence.ts';

export interface AgentTool {
  readonly name: AgentToolName;
  readonly description: string;
  /** JSON Schema of the arguments; they are checked against it before anything else. */
  readonly parameters: JsonObject;
  /** Absent for tools that only look. */
  readonly prepare?: (args: JsonObject, use: ToolUse) => Promise<Json>;
  /** The text for the model. */
  readonly run: (args: JsonObject, use: ToolUse, prepared: Json) => Promise<string>;
}

export interface ToolUse {
  readonly signal: Abort;
  /** Whether the fence of the ask lets the tool touch a path, relative to the working folder. */
  readonly mayTouch: (path: string) => boolean;
}

const maxUnits = 60_000;

/** As much of a text as a model is given at once; that something is missing is said. */
export function cutForModel(text: string): string {
  const { text: kept, truncated } = cutText(text, maxUnits);
  return truncated
    ? `${kept}\n[cut here: ${text.length - kept.length} of ${text.length} characters are left out]`
    : kept;
}

/** A schema of an object with these properties; those in `required` must be there, and no others may. */
export function objectSchema(
  properties: { readonly [name: string]: JsonObject },
  required: readonly string[],
): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}
