// The JSON Schema of a configuration file, for editors.
//
//   keys.ts -> JSON Schema (draft 2020-12)
import { unreachable } from '../base/error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Shape, TextKind } from './key-shape.ts';
import { configKeys } from './keys.ts';
import { precedenceProfileNames, precedenceSources } from './precedence.ts';
import { serverNamePattern } from './validate/value.ts';

export function configSchema(): JsonObject {
  const properties: { [key: string]: Json } = { $schema: { type: 'string' } };
  for (const key of configKeys) {
    const groups = key.path.split('.');
    const leaf = groups.pop() as string;
    const note = key.security ? ' A workspace that is not trusted can only narrow it.' : '';
    let inner = properties;
    for (const group of groups) {
      const there = (inner[group] ??= { type: 'object', additionalProperties: false, properties: {} });
      inner = (there as { readonly properties: { [key: string]: Json } }).properties;
    }
    inner[leaf] = {
      description: key.description + (key.userOnly ? '' : note),
      ...schemaOf(key.shape),
      default: key.default,
    };
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'techne configuration',
    type: 'object',
    additionalProperties: false,
    properties,
  };
}

/** Dollars for a million tokens. */
const amount: JsonObject = { type: 'number', minimum: 0, maximum: 100_000 };

function schemaOf(shape: Shape): JsonObject {
  switch (shape.kind) {
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', minimum: shape.min, maximum: shape.max };
    case 'choice':
      return { enum: shape.values };
    case 'texts':
      return {
        type: shape.orNull === true ? ['array', 'null'] : 'array',
        items: textSchema(shape.item),
        uniqueItems: true,
        maxItems: 1000,
      };
    case 'text':
      return { ...textSchema(shape.item), type: ['string', 'null'] };
    case 'address':
      return { type: ['string', 'null'], pattern: '^https?://' };
    case 'precedence':
      return {
        anyOf: [
          { enum: precedenceProfileNames },
          { type: 'array', items: { enum: precedenceSources }, uniqueItems: true, minItems: 4, maxItems: 4 },
        ],
      };
    case 'models':
      return named({
        type: ['object', 'null'],
        additionalProperties: false,
        required: ['provider', 'model'],
        properties: {
          provider: { enum: shape.providers },
          baseUrl: { type: ['string', 'null'], pattern: '^https?://' },
          model: { type: 'string', minLength: 1 },
          apiKeyEnv: { type: ['string', 'null'], pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
          price: {
            type: 'object',
            additionalProperties: false,
            required: ['input', 'output'],
            properties: { input: amount, output: amount, cachedInput: amount },
          },
        },
      });
    case 'mcpServers':
      return named(
        {
          type: ['object', 'null'],
          additionalProperties: false,
          properties: {
            command: { type: ['string', 'null'], minLength: 1 },
            args: { type: 'array', items: { type: 'string' } },
            env: { type: 'object', additionalProperties: { type: 'string' } },
            url: { type: ['string', 'null'], pattern: '^https?://' },
            headers: { type: 'object', additionalProperties: { type: 'string' } },
          },
          oneOf: [
            { type: 'null' },
            { required: ['command'], properties: { command: { type: 'string' } } },
            { required: ['url'], properties: { url: { type: 'string' } } },
          ],
        },
        serverNamePattern,
      );
    default:
      return unreachable(shape);
  }
}

function named(entry: JsonObject, pattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'): JsonObject {
  return { type: 'object', propertyNames: { pattern }, additionalProperties: entry };
}

function textSchema(kind: TextKind): JsonObject {
  switch (kind) {
    case 'home-path':
      return { type: 'string', pattern: '^(/|~/|[A-Za-z]:[\\\\/])' };
    case 'skill-name':
      return { type: 'string', pattern: '^[^\\\\/\\s]+$' };
    case 'word':
      return { type: 'string', pattern: '^\\S+$' };
    case 'domain':
      return { type: 'string', pattern: '^(\\*|(\\*\\.)?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*(:\\d{1,5})?)$' };
    case 'host':
      return { type: 'string', pattern: '^[A-Za-z0-9._:-]+$' };
    case 'hub':
      return { type: 'string', pattern: '^(https?://\\S+|/|~/|[A-Za-z]:[\\\\/])' };
    case 'run-store':
      return { type: 'string', pattern: '^(files$|postgres(ql)?://)' };
    case 'note-folder':
      return { type: 'string', pattern: '^[^=/\\\\]+=[^/.\\\\\\s]' };
    case 'variable':
      return { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' };
    case 'workspace-path':
    case 'pattern':
      return { type: 'string', minLength: 1 };
    default:
      return unreachable(kind);
  }
}
