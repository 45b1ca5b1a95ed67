// The tools that a model is offered -> what becomes of its calls.
//
// T1. A call to anything else is told so, with the name that was likely meant. What a model writes is checked against the
//     schema of the tool before anything is done.
// T2. What a model can mend is a result; what stops everything is thrown by the tool, and goes through.
import type { JsonObject } from '../../base/json.ts';
import { parseJson } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import type { ModelTool, ToolResult, TurnCall } from '../../ports/model.ts';
import { checkSchema } from '../../base/schema/check-value.ts';

export interface OfferedTool extends ModelTool {
  /** `args` fit the schema. `id`: that of the call. */
  readonly call: (args: JsonObject, id: string) => Promise<{ readonly ok: boolean; readonly text: string }>;
}

export async function callOffered(
  offered: readonly OfferedTool[],
  { id, tool: name, input }: TurnCall,
): Promise<ToolResult> {
  const tool = offered.find((each) => each.name === name);
  const refused = (text: string): ToolResult => ({ id, tool: name, ok: false, text: `error: ${text}` });
  if (tool === undefined)
    return refused(
      unknownTool(
        name,
        offered.map((each) => each.name),
      ),
    );
  const args = argumentsOf(input);
  if (args === null) return refused('the arguments are not a JSON object; call the tool again');
  const faults = checkSchema(tool.parameters, args, 'the call');
  if (faults.length > 0) return refused(faults.join('; '));
  return { id, tool: name, ...(await tool.call(args, id)) };
}

function unknownTool(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return `there is no tool ${JSON.stringify(name)} here; ${names.length === 0 ? 'there are none' : meant === null ? `there are: ${names.join(', ')}` : `did you mean ${meant}?`}`;
}

/** The arguments that a model wrote; null when they are no object. */
export function argumentsOf(input: string): JsonObject | null {
  try {
    // Tools without arguments are called with nothing.
    const value = parseJson(input.trim() === '' ? '{}' : input);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null; // the model is told
  }
}
