// A path in a frontmatter -> the schemas that its value may have, by the schema that editors are given.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { frontmatterSchema } from '../skill/fields/json-schema.ts';
import type { OutlinePath } from './outline.ts';

const maxSchemas = 64;
let root: JsonObject | null = null;

function rootSchema(): JsonObject {
  root ??= frontmatterSchema();
  return root;
}

/** Flat: no `$ref` and no `anyOf` is left to follow. */
export function schemasAt(path: OutlinePath): readonly JsonObject[] {
  let found = flatten([rootSchema()]);
  for (const step of path) {
    const inner: Json[] = [];
    for (const schema of found) {
      if (typeof step === 'number') inner.push(schema['items'] ?? null);
      else {
        const { properties, additionalProperties } = schema;
        const own =
          isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined;
        inner.push(own ?? additionalProperties ?? null);
      }
    }
    found = flatten(inner);
  }
  return found;
}

function flatten(schemas: readonly Json[]): readonly JsonObject[] {
  const out: JsonObject[] = [];
  const queue: Json[] = [...schemas];
  for (let index = 0; index < queue.length && index < maxSchemas; index += 1) {
    const schema = queue[index] as Json;
    if (!isJsonObject(schema)) continue;
    const { $ref, anyOf } = schema;
    if (typeof $ref === 'string') {
      const target = (rootSchema()['$defs'] as JsonObject)[$ref.slice('#/$defs/'.length)];
      if (isJsonObject(target))
        queue.push({
          ...target,
          ...(schema['description'] === undefined ? {} : { description: schema['description'] }),
        });
    } else {
      out.push(schema);
    }
    if (Array.isArray(anyOf)) queue.push(...anyOf);
  }
  return out;
}

/** The shapes that a value may have, the one to be written first. */
export function schemasOf(schema: JsonObject): readonly JsonObject[] {
  return flatten([schema]);
}

export interface KnownKey {
  readonly name: string;
  readonly schema: JsonObject;
  readonly description: string;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The keys that a mapping at `path` may have, without other spellings. */
export function keysAt(path: OutlinePath): readonly KnownKey[] {
  return schemasAt(path).flatMap(({ properties }) =>
    isJsonObject(properties)
      ? Object.entries(properties).flatMap(([name, schema]): readonly KnownKey[] =>
          isJsonObject(schema) && schema['deprecated'] !== true
            ? [{ name, schema, description: textOf(schema['description']) }]
            : [],
        )
      : [],
  );
}

/** The closed set of values at `path`; none when it is open. */
export function valuesAt(path: OutlinePath): readonly string[] {
  const values: string[] = [];
  for (const schema of schemasAt(path)) {
    const { enum: choices, const: only, type } = schema;
    if (Array.isArray(choices)) values.push(...choices.map(String));
    if (typeof only === 'string') values.push(only);
    if (type === 'boolean') values.push('true', 'false');
  }
  return [...new Set(values)];
}

/** "text", "list of text, or mapping". */
export function typeText(schema: JsonObject): string {
  const shown = (one: JsonObject): string => {
    const { type, enum: choices, const: only, items } = one;
    if (Array.isArray(choices)) return choices.map(String).join(' | ');
    if (typeof only === 'string') return only;
    if (type === 'array') return isJsonObject(items) && items['type'] === 'string' ? 'list of text' : 'list';
    const types = Array.isArray(type) ? type : [type];
    return types
      .map((name) =>
        name === 'string'
          ? 'text'
          : name === 'object'
            ? 'mapping'
            : name === 'boolean'
              ? 'true | false'
              : name,
      )
      .filter((name) => typeof name === 'string')
      .join(' or ');
  };
  return [...new Set(flatten([schema]).map(shown))].filter((text) => text !== '').join(', or ');
}

/** The description at `path`; the nearest schema that has one. */
export function descriptionAt(path: OutlinePath): string {
  for (const { description } of schemasAt(path)) if (typeof description === 'string') return description;
  return '';
}
