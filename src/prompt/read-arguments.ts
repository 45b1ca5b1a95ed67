// What a model wrote as the arguments of a tool, against the tool's own schema.
//
// G1. Nothing is repaired: a fault says which argument is wrong and what it must be.
// G2. Only the few words are checked that the schemas of skill tools use. A name that is too long is no fault of form: a
//     folder may have one, and a skill is called as its folder is.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';

/** `null` when all is well. */
export function argumentFault(given: Json, schema: JsonObject): string | null {
  if (!isJsonObject(given)) return 'the arguments must be an object';
  const properties = schema['properties'] as JsonObject;
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(properties, name)) continue;
    const meant = nearest(name, Object.keys(properties));
    return `there is no argument ${JSON.stringify(name)}${meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`}`;
  }
  for (const name of schema['required'] as readonly string[]) if (given[name] === undefined) return `${name} is missing`;
  for (const [name, value] of Object.entries(given)) {
    const fault = valueFault(name, value, properties[name] as JsonObject);
    if (fault !== null) return fault;
  }
  return null;
}

function valueFault(name: string, value: Json, { type, minimum, maximum, minLength, maxLength }: JsonObject): string | null {
  if (type === 'string') {
    if (typeof value !== 'string') return `${name} must be a string`;
    if (minLength === 1 && value === '') return `${name} must not be empty`;
    return name !== 'name' && typeof maxLength === 'number' && value.length > maxLength ? `${name} must have at most ${maxLength} characters, not ${value.length}` : null;
  }
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return `${name} must be an integer`;
  if (typeof minimum === 'number' && value < minimum) return `${name} must be at least ${minimum}`;
  return typeof maximum === 'number' && value > maximum ? `${name} must be at most ${maximum}` : null;
}
