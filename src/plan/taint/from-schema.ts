// A JSON Schema that a value was checked against -> what is known of the value.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Abstract, Origin } from './abstract-value.ts';
import { atom, choice, clean, constant, fromAtom, joinAtoms, make, plain } from './abstract-value.ts';
import { join } from './join-values.ts';
import { anyOf } from './sequence.ts';

const closedTypes: ReadonlySet<Json> = new Set(['integer', 'number', 'boolean', 'null']);
const maxDepth = 8;

export function fromSchema(schema: JsonObject, origin: Origin, what: string, depth = 0): Abstract {
  const { type, properties, items } = schema;
  if (Array.isArray(schema['enum']))
    return choice((schema['enum'] as readonly Json[]).filter((one) => typeof one === 'string'));
  if (schema['const'] !== undefined) return clean;
  const types: readonly (Json | undefined)[] = Array.isArray(type) ? type : [type];
  if (types.every((one) => one !== undefined && closedTypes.has(one))) return plain;
  if (types.every((one) => one === 'string' || (one !== undefined && closedTypes.has(one)))) {
    const text = fromAtom(
      atom(origin, what, typeof schema['maxLength'] === 'number' ? schema['maxLength'] : undefined),
      true,
    );
    return types.length === 1 ? text : join([text, plain]);
  }
  const whole = atom(origin, what);
  if (depth > maxDepth) return fromAtom(whole);
  if (isJsonObject(properties)) return fromProperties(properties, schema, origin, what, depth);
  if (type === 'array' && isJsonObject(items)) {
    return anyOf(fromSchema(items, origin, what, depth + 1), {
      most: typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Number.POSITIVE_INFINITY,
    });
  }
  return fromAtom(whole);
}

function fromProperties(
  known: JsonObject,
  schema: JsonObject,
  origin: Origin,
  what: string,
  depth: number,
): Abstract {
  const other = fromAtom(atom(origin, what));
  const isClosed = schema['type'] === 'object' && schema['additionalProperties'] === false;
  const member = (key: string): Abstract => {
    const inner = Object.hasOwn(known, key) ? known[key] : undefined;
    return isJsonObject(inner) ? fromSchema(inner, origin, `${what}.${key}`, depth + 1) : other;
  };
  const keys = Object.keys(known);
  return make({
    dicts: [
      {
        get: (key) =>
          typeof key === 'string'
            ? isClosed && !Object.hasOwn(known, key)
              ? clean
              : member(key)
            : isClosed
              ? join(keys.map(member))
              : other,
        keys: isClosed ? join(keys.map(constant)) : other,
        entries: null,
        atoms: isClosed ? joinAtoms(keys.map((key) => member(key).atoms)) : other.atoms,
        weight: 1,
        holdsCalls: false,
      },
    ],
  });
}
