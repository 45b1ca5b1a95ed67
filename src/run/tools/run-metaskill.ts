// The executable skills of a session -> the tool definition of S0 §10, and its arguments -> a request.
//
// The tool is offered only if a skill is executable; the names are a sorted enum. Input keys that skills declare are
// typed properties (merge-key.ts), and the description lists which skill needs which. The tool gives no rights: the runner checks again whether the skill may run. A skill that is not open
// to a model is answered as an unknown name.
//
// What skills write about their inputs is untrusted: nothing in the definition is hidden from a reader
// (shown-schema.ts), and a skill or key whose name has a hidden character or a line end is not offered. An unknown
// argument is refused before anything runs, because the caller meant a default or a limit with it. A missing input
// counts as `{}`; the run then reports what the skill needs (S0 §10).
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { printable, printableLine } from '../../base/printable.ts';
import type { InputFact } from '../../ports/skill-source.ts';
import type { ToolDescription } from '../../ports/tool.ts';
import { cutText } from '../../base/cut-text.ts';
import { inputKeysOf } from '../start/check-input.ts';
import { shownSchema } from '../shown-schema.ts';
import type { DeclaredKey } from './merge-key.ts';
import { mergeKey } from './merge-key.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { StartRequest } from '../runner.ts';

/** A skill that a model may run. */
export interface OfferedSkill {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly InputFact[] | null;
}

const maxDescriptionUnits = 4_000;

/** `null` when there is nothing to run. */
export function runMetaskillTool(
  skills: readonly OfferedSkill[],
  maximum: Pick<RunLimits, 'asks' | 'commands'>,
): ToolDescription | null {
  const sorted = skills.filter(({ name }) => isPlain(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (sorted.length === 0) return null;
  return {
    name: 'run_metaskill',
    title: 'Run a skill',
    description: 'Run a dynamic skill workflow by name.',
    parameters: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          description: 'The metaskill name to execute.',
          enum: sorted.map(({ name }) => name),
        },
        input: inputSchema(sorted),
        max_ask_calls: {
          type: 'integer',
          minimum: 1,
          maximum: maximum.asks,
          description: 'Maximum nested model calls.',
        },
        max_command_calls: {
          type: 'integer',
          minimum: 0,
          maximum: maximum.commands,
          description: 'Maximum command calls.',
        },
      },
      required: ['name', 'input'],
    },
    // A run can carry out commands and tools.
    readOnly: false,
    openWorld: true,
  };
}

function inputSchema(skills: readonly OfferedSkill[]): JsonObject {
  const lines = skills.flatMap(({ name, inputs }) =>
    inputs === null
      ? []
      : [
          `${name}: ${inputKeysOf(offered(inputs)) ?? 'no keys'}${offered(inputs).length < inputs.length ? ' (a key with hidden characters in its name is left out)' : ''}`,
        ],
  );
  const description = ['Input data passed to the metaskill program.', ...lines].join('\n');
  const properties = sharedProperties(skills);
  const only = skills.length === 1 ? (skills[0] as OfferedSkill) : null;
  const required = offered(only?.inputs ?? [])
    .filter((fact) => fact.required && fact.schema?.['default'] === undefined)
    .map(({ key }) => key);
  return {
    type: 'object',
    description: cutText(printable(description), maxDescriptionUnits).text,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Keys that can be shown: without hidden characters and line ends. */
function offered(inputs: readonly InputFact[]): readonly InputFact[] {
  return inputs.filter(({ key }) => isPlain(key));
}

function isPlain(name: string): boolean {
  return printableLine(name) === name;
}

function sharedProperties(skills: readonly OfferedSkill[]): JsonObject {
  const declared = new Map<string, DeclaredKey[]>();
  for (const { name, inputs } of skills)
    for (const { key, description, schema } of offered(inputs ?? [])) {
      const own = shownSchema({ ...schema, ...(description === null ? {} : { description }) });
      declared.set(key, [...(declared.get(key) ?? []), { skill: name, schema: own }]);
    }
  const properties: { [key: string]: Json } = Object.create(null) as { [key: string]: Json };
  for (const [key, keys] of declared) properties[key] = mergeKey(keys);
  return properties;
}

/** What a model wrote, as a request or as what is wrong with it. */
export type ToolArguments =
  | { readonly ok: true; readonly request: StartRequest }
  | { readonly ok: false; readonly message: string };

/** The skills of a session, as its model knows them. */
export interface KnownSkills {
  /** Whether it is open to the model; the runner then reports why it cannot be run. */
  knows(name: string): boolean;
  runnable(): readonly OfferedSkill[];
  /** What the message of the turn gives a run of the skill, by key. Default: nothing. */
  defaultInput?(name: string): JsonObject;
}

/** What a model wrote: types are checked, and nothing is repaired silently. `known`: the skills that are open to the model, or 'every'. */
export function readToolArguments(given: Json, known: KnownSkills | 'every'): ToolArguments {
  if (!isJsonObject(given))
    return { ok: false, message: 'error: the arguments of run_metaskill must be an object' };
  const unknown = unknownArgument(given);
  if (unknown !== null) return { ok: false, message: unknown };
  const { name, input = null, max_ask_calls: asks, max_command_calls: commands } = given;
  if (typeof name !== 'string' || name === '')
    return { ok: false, message: 'error: run_metaskill needs the name of a metaskill' };
  if (known !== 'every' && !known.knows(name)) return { ok: false, message: unknownMetaskill(name, known) };
  const limits: { asks?: number; commands?: number } = {};
  for (const [argument, value, least] of [
    ['max_ask_calls', asks, 1],
    ['max_command_calls', commands, 0],
  ] as const) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least)
      return { ok: false, message: `error: ${argument} must be an integer of at least ${least}` };
    if (argument === 'max_ask_calls') limits.asks = value;
    else limits.commands = value;
  }
  const defaults = known === 'every' ? {} : (known.defaultInput?.(name) ?? {});
  const whole =
    Object.keys(defaults).length > 0 && (input === null || isJsonObject(input))
      ? { ...defaults, ...input }
      : input;
  return { ok: true, request: { skill: name, input: whole, limits } };
}

const toolArguments = ['name', 'input', 'max_ask_calls', 'max_command_calls'];

/** An argument that the tool does not have; `null` when there is none. */
export function unknownArgument(given: JsonObject, known: readonly string[] = toolArguments): string | null {
  const name = Object.keys(given).find((one) => !known.includes(one));
  if (name === undefined) return null;
  // `max_ask` is further away than a slip, and can only mean one.
  const meant = nearest(name, known) ?? known.find((one) => name.length > 2 && one.startsWith(name)) ?? null;
  return `error: run_metaskill has no argument ${JSON.stringify(cutText(printableLine(name), 200).text)}; ${meant === null ? `it has ${known.join(', ')}` : `did you mean ${JSON.stringify(meant)}?`}`;
}

/** In the words of the runner, over what the model knows. */
function unknownMetaskill(name: string, known: KnownSkills): string {
  const close = nearest(
    name,
    known.runnable().map((skill) => skill.name),
  );
  return `error: unknown metaskill: '${cutText(printableLine(name), 200).text}'${close === null ? '' : `\ndid you mean '${close}'?`}`;
}
