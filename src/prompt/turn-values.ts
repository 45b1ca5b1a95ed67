// The values that triggers took from the message of a turn: what the model is told, and what a run of that turn starts from.
//
//   "explain {concept}" + "explain spring tides" -> concept = "spring tides" -> a line of the block, a default input
//
// A value is a default for an input of its name alone, and only where it has the type of that input: the model may give
// another one. Of untrusted skills nothing is told, since the names are theirs. Values are quoted and short.
import { emptyObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { checkSchema } from '../base/schema/check-value.ts';
import { printableLine } from '../base/printable.ts';
import type { Match } from '../match/match.ts';
import { isLongerThan } from '../skill/code-points.ts';
import type { InputKey } from '../skill/types.ts';
import { shortened } from './render-index.ts';

/** By skill. */
export type TurnValues = ReadonlyMap<string, Match['variables']>;

const maxTold = 200;

/** `tells`: whether anything may be told of a skill. */
export function turnValues(matches: readonly Match[], tells: (skill: string) => boolean): TurnValues {
  return new Map(
    matches
      .filter(({ skill, variables }) => Object.keys(variables).length > 0 && tells(skill))
      .map(({ skill, variables }) => [skill, variables]),
  );
}

export function renderValues(values: TurnValues): readonly string[] {
  return [...values].map(([skill, variables]) => {
    const told = Object.entries(variables).map(([name, value]) => {
      const line = printableLine(value);
      return `${name} = ${JSON.stringify(isLongerThan(line, maxTold) ? shortened(line, maxTold) : line)}`;
    });
    return `From the message, for \`${skill}\`: ${told.join(', ')}`;
  });
}

/** `inputs`: those of the skill; null where it names none, so that it may take any. */
export function defaultInputs(variables: Match['variables'], inputs: readonly InputKey[] | null): JsonObject {
  const defaults = emptyObject();
  for (const [name, value] of Object.entries(variables)) {
    const input = inputs?.find(({ key }) => key === name) ?? null;
    if (inputs !== null && input === null) continue;
    const fitting = [value, ...readings(value)].find(
      (one) => input === null || input.schema === null || checkSchema(input.schema, one, name).length === 0,
    );
    if (fitting !== undefined) defaults[name] = fitting;
  }
  return defaults;
}

/** What else a text may stand for. */
function readings(value: string): readonly Json[] {
  const text = value.trim();
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return [Number(text)];
  return /^(?:true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : [];
}
