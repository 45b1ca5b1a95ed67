// The table of operations -> an OpenAPI 3.1 document.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Operation } from './operation.ts';
import type { OperationName } from './operations.ts';
import { operationNames, operationOf } from './operations.ts';
import { components } from './schemas.ts';

const parts = new Map<unknown, string>(Object.entries(components).map(([name, schema]) => [schema, name]));

/** `cookie`: the name of the cookie of the server that gives it, which has its port. */
export function renderOpenApi(version: string, cookie = 'techne_session_8486'): JsonObject {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const name of operationNames()) {
    const operation = operationOf(name);
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = renderOperation(name, operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'techne',
      version,
      description:
        'Skills and their runs. Errors are application/problem+json with a code of docs/errors.md.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, inside(schema as unknown as JsonObject)]),
      ),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'techne serve token create NAME --role ROLE' },
        link: {
          type: 'apiKey',
          in: 'cookie',
          name: cookie,
          description: 'From POST /v1/login or the one-time link',
        },
      },
    },
  };
}

function renderOperation(name: OperationName, operation: Operation): JsonObject {
  const { params = {}, query = {}, headers = {}, body, role, status, needsQuery = [] } = operation;
  const parameter = (
    place: string,
    required: boolean,
    [key, schema]: readonly [string, JsonObject],
  ): Json => ({
    name: key,
    in: place,
    required,
    schema: referred(schema),
  });
  const parameters = [
    ...Object.entries(params).map((one) => parameter('path', true, one)),
    ...Object.entries(query).map((one) => parameter('query', needsQuery.includes(one[0]), one)),
    ...Object.entries(headers).map((one) => parameter('header', false, one)),
  ];
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(role === null ? { security: [] } : { security: [{ token: [] }, { link: [] }], 'x-role': role }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.maxBytes === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: `At most ${operation.maxBytes} bytes`,
            content: { 'application/octet-stream': {} },
          },
        }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: { 'application/json': { schema: referred(body) } },
          },
        }),
    responses: {
      [String(status)]: { description: operation.summary, ...contentOf(operation) },
      ...(operation.answers === 'events'
        ? { '204': { description: 'The run has ended, and there is nothing after this number' } }
        : {}),
      default: {
        description: 'A problem',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function contentOf({ answers, response }: Operation): JsonObject {
  switch (answers) {
    case 'json':
      return { content: { 'application/json': { schema: referred(response ?? {}) } } };
    case 'events':
      return { content: { 'text/event-stream': { schema: { type: 'string' } } } };
    case 'html':
      return { content: { 'text/html': { schema: { type: 'string' } } } };
    case 'text':
      return { content: { 'text/plain': { schema: { type: 'string' } } } };
  }
}

/** A schema that has a name is referred to. */
function referred(schema: Json): Json {
  const name = parts.get(schema);
  return name === undefined ? inside(schema) : { $ref: `#/components/schemas/${name}` };
}

function inside(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(referred);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referred(value as Json)]));
}
