// The input of a run, checked against what the skill declares, before anything is spent.
//
// An input is an object. An empty one (`{}`, or none) for a skill that documents required keys is answered with the
// instructions, so that the caller learns the keys without another round trip (S0 §3, §10). Keys of `inputs` in the
// frontmatter are checked by their schemas and get their defaults; other keys are refused. A required text that is blank
// is missing. Keys of a list in prose are not enforced: the program itself reports what is missing.
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import type { InputFact, SkillToRun } from '../../ports/skill-source.ts';
import { checkSchema } from '../../base/schema/check-value.ts';

export type CheckedInput =
  | { readonly ok: true; readonly input: JsonObject }
  | {
      readonly ok: false;
      readonly message: string;
      readonly hint: string | null;
      /** For a calling model, in the words of S0; the message where it is not there. */
      readonly text?: string;
    };

/** What a skill needs, where its input is to be checked. */
export type InputFacts = Pick<SkillToRun, 'name' | 'instructions' | 'inputs' | 'inputsAreTyped'>;

/** `taken` are keys that count besides the declared ones. */
export function checkInput(skill: InputFacts, given: Json, taken: readonly string[] = []): CheckedInput {
  const inputs = skill.inputs ?? [];
  if (given !== null && !isJsonObject(given)) {
    return {
      ok: false,
      message: `the input of skill '${skill.name}' must be an object of keys, not ${Array.isArray(given) ? 'an array' : `a ${typeof given}`}`,
      hint: inputKeysOf(inputs),
    };
  }
  const input = given ?? emptyObject();
  const missing = neededInputs(skill, input);
  if (Object.keys(input).length === 0 && missing.length > 0) {
    return {
      ok: false,
      message: `skill '${skill.name}' needs ${missing.map(({ key }) => JSON.stringify(key)).join(' and ')}`,
      text: `input is required: metaskill '${skill.name}' needs keys in the input object. Its instructions:\n\n${skill.instructions.trim()}\n\nRun it again with the keys it needs.`,
      hint: inputKeysOf(inputs),
    };
  }
  if (!skill.inputsAreTyped) return { ok: true, input };
  const wrong = inputs.flatMap((fact) => faultsOf(fact, input, inputs));
  // A key that is taken for a missing one has been named.
  const unknown = unknownKeys(inputs, input, taken).filter(
    ({ key }) => !wrong.some((fault) => fault.includes(JSON.stringify(key))),
  );
  const faults = [
    ...wrong,
    ...unknown.map(
      ({ key, meant }) =>
        `${JSON.stringify(key)} is not one of its keys${meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`}`,
    ),
  ];
  if (faults.length > 0)
    return {
      ok: false,
      message: `the input of skill '${skill.name}' is wrong: ${faults.join('; ')}`,
      hint: inputKeysOf(inputs),
    };
  return { ok: true, input: withDefaults(inputs, input) };
}

/** Keys that nothing declares, each with the one that may be meant. */
export function unknownKeys(
  inputs: readonly Pick<InputFact, 'key'>[],
  input: JsonObject,
  taken: readonly string[] = [],
): readonly { readonly key: string; readonly meant: string | null }[] {
  const known = inputs.map(({ key }) => key);
  return Object.keys(input)
    .filter((key) => !known.includes(key) && !taken.includes(key))
    .map((key) => ({ key, meant: nearest(key, known) }));
}

/** What a run cannot start without, and `input` does not give. Of keys in prose, only whether any is given counts. */
export function neededInputs(
  { inputs, inputsAreTyped }: Pick<InputFacts, 'inputs' | 'inputsAreTyped'>,
  input: JsonObject,
): readonly InputFact[] {
  return inputsAreTyped || Object.keys(input).length === 0
    ? (inputs ?? []).filter(
        ({ key, required, schema }) =>
          required &&
          schema?.['default'] === undefined &&
          (!Object.hasOwn(input, key) || isBlank(input[key], schema)),
      )
    : [];
}

/** `minLength: 0` says that an empty text is meant to be possible. */
function isBlank(value: Json | undefined, schema: JsonObject | null): boolean {
  return typeof value === 'string' && value.trim() === '' && schema?.['minLength'] !== 0;
}

function faultsOf(
  { key, required, schema }: InputFact,
  input: JsonObject,
  inputs: readonly InputFact[],
): readonly string[] {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  if (value === undefined) {
    if (!required || schema?.['default'] !== undefined) return [];
    const undeclared = Object.keys(input).filter((one) => !inputs.some((fact) => fact.key === one));
    const close = nearest(key, undeclared);
    return [`"${key}" is missing${close === null ? '' : ` (is it "${close}"?)`}`];
  }
  if (required && isBlank(value, schema)) return [`"${key}" is empty`];
  return schema === null ? [] : checkSchema(schema, value, `"${key}"`);
}

function withDefaults(inputs: readonly InputFact[], input: JsonObject): JsonObject {
  const whole = Object.assign(emptyObject(), input);
  for (const { key, schema } of inputs)
    if (!Object.hasOwn(whole, key) && schema?.['default'] !== undefined) whole[key] = schema['default'];
  return whole;
}

/** What a composition needs: the inputs it declares, or else the message, where its text reads it. */
export function compositionInputs(
  inputs: readonly InputFact[] | null,
  text: string,
): readonly InputFact[] | null {
  const readsMessage = /\binputs\b[^}%]*\buser_message\b/.test(text);
  return inputs ?? (readsMessage ? [{ ...messageFact, required: true }] : null);
}

export const messageFact: InputFact = {
  key: 'user_message',
  required: false,
  description: null,
  schema: null,
};

/** One line of what it takes: `task (required string), tone (string)`. */
export function inputKeysOf(inputs: readonly InputFact[]): string | null {
  if (inputs.length === 0) return null;
  const one = ({ key, required, schema }: InputFact): string => {
    const type = typeof schema?.['type'] === 'string' ? schema['type'] : null;
    const words = [...(required ? ['required'] : []), ...(type === null ? [] : [type])];
    return words.length === 0 ? key : `${key} (${words.join(' ')})`;
  };
  return `keys: ${inputs.map(one).join(', ')}`;
}
