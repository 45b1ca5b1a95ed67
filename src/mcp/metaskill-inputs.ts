// The inputs of an executable skill for MCP prompts and for the text of `skill_load`.
//
//   inputs of the frontmatter -> arguments of a prompt; and the texts of a person -> the input of a run
//
// Prompt arguments are texts. If an input is not a text, the argument is parsed as JSON; the run checks its value. A key with a
// hidden character is not offered as an argument.
import type { PromptArgument } from '@modelcontextprotocol/server';
import { TechneError } from '../base/error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { printableLine } from '../base/printable.ts';
import { cutText } from '../base/cut-text.ts';
import { inputKeysOf } from '../run/start/check-input.ts';
import type { InputKey } from '../skill/types.ts';

const maxDescriptionUnits = 1_024;

export function inputArguments(inputs: readonly InputKey[]): PromptArgument[] {
  return inputs
    .filter(({ key }) => printableLine(key) === key)
    .map(({ key, required, description, schema }) => {
      const type = typeof schema?.['type'] === 'string' ? schema['type'] : null;
      const said = [
        ...(description === null ? [] : [printableLine(description)]),
        ...(type === null || type === 'string' ? [] : [`(${type})`]),
      ].join(' ');
      return {
        name: key,
        required: required && schema?.['default'] === undefined,
        ...(said === '' ? {} : { description: cutText(said, maxDescriptionUnits).text }),
      };
    });
}

/** Throws USAGE if an argument is missing or not JSON. */
export function inputOf(
  name: string,
  inputs: readonly InputKey[],
  given: { readonly [key: string]: string },
): JsonObject {
  const missing = inputArguments(inputs)
    .filter((argument) => argument.required === true && given[argument.name] === undefined)
    .map((argument) => `"${argument.name}"`);
  if (missing.length > 0)
    throw new TechneError('USAGE', `the prompt "${name}" needs ${missing.join(' and ')}`);
  return Object.fromEntries(
    inputs
      .filter(({ key }) => given[key] !== undefined)
      .map((input) => [input.key, valueOf(name, input, given[input.key] as string)]),
  );
}

function valueOf(name: string, { key, schema }: InputKey, text: string): Json {
  const type = schema?.['type'];
  if (typeof type !== 'string' || type === 'string') return text;
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TechneError(
      'USAGE',
      `"${key}" of the prompt "${name}" must be ${type === 'integer' || type === 'array' || type === 'object' ? 'an' : 'a'} ${type}, as JSON`,
    );
  }
}

/** How to run the skill, for a model that has just loaded it. */
export function runAdvice(
  name: string,
  inputs: readonly InputKey[] | null,
  input: JsonObject | null = null,
): string {
  const keys = inputs === null ? null : inputKeysOf(inputs.filter(({ key }) => printableLine(key) === key));
  const call =
    input === null
      ? `name ${JSON.stringify(name)}${keys === null ? '' : `; ${keys}`}`
      : JSON.stringify({ name, input });
  return `This skill is a program: run it with run_metaskill, ${call}.`;
}
