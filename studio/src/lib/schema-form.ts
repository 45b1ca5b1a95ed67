// A JSON schema of an object -> the fields of a form; the text of a field <-> its value.
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { isJsonObject } from '../../../src/base/json.ts';

export interface SchemaField {
  readonly name: string;
  readonly label: string;
  readonly description: string | null;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'long' | 'choice' | 'integer' | 'number' | 'boolean' | 'list' | 'json';
  readonly choices: readonly string[];
  /** What counts where nothing is filled in; undefined: nothing. */
  readonly usual?: Json;
}

export function fieldsOf(schema: JsonObject): readonly SchemaField[] {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return [];
  const needed = new Set(Array.isArray(required) ? (required as readonly Json[]) : []);
  return Object.entries(properties).map(([name, given]) => {
    const property = isJsonObject(given) ? given : {};
    const { title, description, enum: choices, type } = property;
    const kinds = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null');
    return {
      name,
      label: typeof title === 'string' && title !== '' ? title : name,
      description: typeof description === 'string' && description !== '' ? description : null,
      isRequired: needed.has(name),
      kind: kindOf(name, property, kinds.length === 1 ? (kinds[0] as Json) : null),
      choices: Array.isArray(choices) ? choices.filter((one): one is string => typeof one === 'string') : [],
      ...(property['default'] === undefined || property['default'] === null
        ? {}
        : { usual: property['default'] }),
    };
  });
}

function kindOf(name: string, property: JsonObject, type: Json): SchemaField['kind'] {
  const { enum: choices, maxLength, format, items } = property;
  if (Array.isArray(choices) && choices.every((one) => typeof one === 'string')) return 'choice';
  if (type === 'string')
    return format === 'multiline' ||
      /notes?$|text|message|body|prompt|description/.test(name) ||
      (typeof maxLength === 'number' && maxLength > 4_000)
      ? 'long'
      : 'text';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  if (type === 'array') return isJsonObject(items) && items['type'] === 'string' ? 'list' : 'json';
  const hasShape = ['type', 'properties', 'anyOf', 'oneOf'].some((key) => Object.hasOwn(property, key));
  return hasShape ? 'json' : 'text';
}

/** `value` is undefined for an empty text, and where there is a fault. */
export function readField(
  { kind }: SchemaField,
  text: string,
): { readonly value: Json | undefined; readonly fault: string | null } {
  if (text.trim() === '') return { value: undefined, fault: null };
  switch (kind) {
    case 'integer':
      return /^\s*[+-]?\d{1,15}\s*$/.test(text)
        ? { value: Number(text), fault: null }
        : { value: undefined, fault: 'This must be a whole number, such as 12.' };
    case 'number':
      return Number.isFinite(Number(text))
        ? { value: Number(text), fault: null }
        : { value: undefined, fault: 'This must be a number, such as 1.5.' };
    case 'list':
      return { value: text.split('\n').filter((line) => line.trim() !== ''), fault: null };
    case 'json':
      try {
        return { value: JSON.parse(text) as Json, fault: null };
      } catch {
        return { value: undefined, fault: 'This must be JSON, such as {"a": 1}.' };
      }
    case 'text':
    case 'long':
    case 'choice':
    case 'boolean':
      return { value: text, fault: null };
  }
}

export function textOf({ kind }: SchemaField, value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (kind === 'list' && Array.isArray(value)) return value.map(String).join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, null, kind === 'json' ? 2 : undefined);
}

/** The values that a schema says itself: defaults. */
export function defaultsOf(schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && property['default'] !== undefined ? [[name, property['default']]] : [],
    ),
  );
}
