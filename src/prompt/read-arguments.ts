// What a model wrote as the arguments of a tool, against the tool's own schema.
//
// G1. Nothing is repaired: a fault says which argument is wrong and what it must be. Of one that there is not it says which was
//     likely meant: one that is written much like it, begins with it, or is the only one missing; else which there are.
// G2. Only the few words are checked that the schemas of skill tools use. A name that is too long is no fault of form: a
//     folder may have one, and a skill is called as its folder is.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';

/** `null` when all is well. */
export function argumentFault(given: Json, schema: JsonObject): string | null {
  if (!isJsonObject(given)) return 'the arguments must be an object';
  const properties = schema['properties'] as JsonObject;
  const known = Object.keys(properties);
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange !== undefined) {
    const missing = (schema['required'] as readonly string[]).filter((name) => given[name] === undefined);
    const meant = likelyArgument(
      strange,
      known.filter((name) => given[name] === undefined),
      missing,
    );
    return `there is no argument ${JSON.stringify(strange)}; ${meant === null ? `there is ${known.join(', ')}` : `did you mean ${JSON.stringify(meant)}?`}`;
  }
  for (const name of schema['required'] as readonly string[])
    if (given[name] === undefined) return `${name} is missing`;
  for (const [name, value] of Object.entries(given)) {
    const fault = valueFault(name, value, properties[name] as JsonObject);
    if (fault !== null) return fault;
  }
  return null;
}

/** G1. Nothing that was given can be meant. */
function likelyArgument(name: string, left: readonly string[], missing: readonly string[]): string | null {
  const longer = left.filter((one) => name !== '' && one.startsWith(name.toLowerCase()));
  return (
    nearest(name, left) ??
    (longer.length === 1 ? (longer[0] as string) : missing.length === 1 ? (missing[0] as string) : null)
  );
}

function valueFault(
  name: string,
  value: Json,
  { type, minimum, maximum, minLength, maxLength }: JsonObject,
): string | null {
  if (type === 'string') {
    if (typeof value !== 'string') return `${name} must be a string`;
    if (minLength === 1 && value === '') return `${name} must not be empty`;
    return name !== 'name' && typeof maxLength === 'number' && value.length > maxLength
      ? `${name} must have at most ${maxLength} characters, not ${value.length}`
      : null;
  }
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return `${name} must be an integer`;
  if (typeof minimum === 'number' && value < minimum) return `${name} must be at least ${minimum}`;
  return typeof maximum === 'number' && value > maximum ? `${name} must be at most ${maximum}` : null;
}
