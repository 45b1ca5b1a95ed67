// Asks the person at the terminal for the inputs that a run needs and the command line does not give.
//
// A value that does not fit its schema is asked for again, with the reason. Numbers with a fraction, lists and objects are typed as
// JSON. A workflow or chain is not asked about here: its run opens a form of its own.
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { emptyObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { checkSchema } from '../../base/schema/check-value.ts';
import type { InputFact } from '../../ports/skill-source.ts';
import { fieldOfInput } from '../../run/clarify/form.ts';
import type { CommandContext } from '../context.ts';
import { askFields } from './ask-here.ts';
import { parseValue } from '../../techne/run-input.ts';

/** The input with what was typed; null when the person ends it with Ctrl-D. */
export async function askInputs(
  context: CommandContext,
  name: string,
  needed: readonly InputFact[],
  given: JsonObject | null,
  signal: Abort,
): Promise<JsonObject | null> {
  const input = Object.assign(emptyObject(), given);
  let head = [`"${printableLine(name)}" needs input (Ctrl-D: run nothing).`];
  let open = needed;
  while (open.length > 0) {
    const typed = await askFields(context, open.map(fieldOfInput), {
      head,
      cancelWords: [],
      signal,
    });
    if (typed === null || typeof typed === 'string') return null;
    head = [];
    open = open.filter((fact) => {
      const faults = take(fact, typed[fact.key] as Json, input);
      for (const fault of faults) context.err.line(printableLine(fault));
      return faults.length > 0;
    });
  }
  return input;
}

/** Why a value is not taken; empty where it is. */
function take({ key, schema }: InputFact, typed: Json, input: { [key: string]: Json }): readonly string[] {
  try {
    const value =
      typeof typed === 'string' && isJson(schema) ? parseValue(typed, `the value of "${key}"`) : typed;
    const faults = schema === null ? [] : checkSchema(schema, value, `"${key}"`);
    if (faults.length === 0) input[key] = value;
    return faults;
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return [error.message];
  }
}

function isJson(schema: JsonObject | null): boolean {
  const type = schema?.['type'];
  return type === 'number' || type === 'array' || type === 'object';
}
