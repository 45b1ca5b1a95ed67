// A JSON Schema that a value was checked against -> what is known of the value.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Abstract, Origin } from './abstract.ts';
import { atom, clean, fromAtom, listOf } from './abstract.ts';

const closedTypes: ReadonlySet<Json> = new Set(['integer', 'number', 'boolean', 'null']);

export function fromSchema(schema: JsonObject, origin: Origin, what: string, depth = 0): Abstract {
  const { type } = schema;
  if (Array.isArray(schema['enum'])) return { ...clean, choices: (schema['enum'] as readonly Json[]).filter((one) => typeof one === 'string') };
  if (schema['const'] !== undefined) return clean;
  if (typeof type === 'string' && closedTypes.has(type)) return clean;
  if (type === 'string') return fromAtom(atom(origin, what, typeof schema['maxLength'] === 'number' ? schema['maxLength'] : undefined), true);
  const { properties, items } = schema;
  if (depth > 8) return fromAtom(atom(origin, what));
  if (isJsonObject(properties)) {
    const known = properties;
    return {
      atoms: [atom(origin, what)],
      get: (key) => {
        const inner = key === null || !Object.hasOwn(known, key) ? undefined : known[key];
        return isJsonObject(inner) ? fromSchema(inner, origin, `${what}.${key}`, depth + 1) : fromAtom(atom(origin, what));
      },
    };
  }
  if (type === 'array' && isJsonObject(items)) {
    const element = fromSchema(items, origin, what, depth + 1);
    return listOf([element], element.atoms.length === 0 ? [] : [atom(origin, what)]);
  }
  return fromAtom(atom(origin, what));
}
