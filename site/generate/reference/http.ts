// The table of operations of the HTTP API -> a page for each tag, and one that lists them all.
import type { JsonObject } from '../../../src/base/json.ts';
import { isJsonObject } from '../../../src/base/json.ts';
import type { Operation } from '../../../src/api/operation.ts';
import { operationNames, operationOf } from '../../../src/api/operations.ts';
import type { SourcePage } from '../page.ts';
import { code, pageOf, table } from './markdown.ts';

export function httpPages(): readonly SourcePage[] {
  const operations = operationNames().map((name) => ({
    name: name as string,
    operation: operationOf(name) as Operation,
  }));
  const tags = [...new Set(operations.map(({ operation }) => operation.tag))].sort();
  const of = (tag: string): typeof operations => operations.filter(({ operation }) => operation.tag === tag);
  const list = pageOf(
    '# The HTTP API',
    'Every operation of [`techne serve`](docs/guide/serving.md), made from the table that validates its requests. A program reads the same as an [OpenAPI 3.1 document](openapi.json). Errors are `application/problem+json` with a [code](docs/errors.md).',
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      table(
        ['operation', 'request', 'role', 'what it does'],
        of(tag).map(({ name, operation }) => [
          `[${code(name)}](reference/http/${tag}#${name.toLowerCase()})`,
          code(`${operation.method} ${operation.path}`),
          operation.role ?? 'none',
          operation.summary,
        ]),
      ),
    ]),
  );
  return [
    { source: 'reference/http', path: 'reference/http.html', text: list },
    ...tags.map((tag) => ({
      source: `reference/http/${tag}`,
      path: `reference/http/${tag}.html`,
      text: pageOf(
        `# HTTP: ${tag}`,
        'Part of [the HTTP API](reference/http).',
        ...of(tag).flatMap(({ name, operation }) => describe(name, operation)),
      ),
    })),
  ];
}

function describe(name: string, operation: Operation): readonly string[] {
  const { params = {}, query = {}, headers = {}, needsQuery = [], body, maxBytes, response } = operation;
  const inputs = [
    ...Object.entries(params).map((one) => parameter('path', true, one)),
    ...Object.entries(query).map((one) => parameter('query', needsQuery.includes(one[0]), one)),
    ...Object.entries(headers).map((one) => parameter('header', false, one)),
    ...(body === undefined ? [] : properties('body', body)),
  ];
  const answers =
    response === undefined ? [] : properties('', response).map((row) => row.slice(0, 2).concat(row.slice(3)));
  return [
    `## ${name}`,
    code(`${operation.method} ${operation.path}`),
    `${operation.summary}. ${operation.role === null ? 'Needs no token.' : `Needs the role ${code(operation.role)}.`} Answers ${operation.status} with ${operation.answers === 'json' ? 'JSON' : operation.answers === 'events' ? 'an event stream' : operation.answers}.`,
    ...(maxBytes === undefined ? [] : [`The body is bytes, at most ${maxBytes}.`]),
    ...(inputs.length === 0 ? [] : ['It takes:', table(['name', 'type', 'where', 'meaning'], inputs)]),
    ...(answers.length === 0 ? [] : ['It answers:', table(['name', 'type', 'meaning'], answers)]),
  ];
}

function parameter(
  where: string,
  required: boolean,
  [name, schema]: readonly [string, JsonObject],
): readonly string[] {
  return [code(name), typeOf(schema), `${where}${required ? ', required' : ''}`, meaningOf(schema)];
}

function properties(where: string, schema: JsonObject): readonly (readonly string[])[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  if (!isJsonObject(schema['properties']))
    return [[code('(value)'), typeOf(schema), where, meaningOf(schema)]];
  return Object.entries(schema['properties']).map(([name, one]) =>
    parameter(where, required.includes(name), [name, one as JsonObject]),
  );
}

function meaningOf({ description }: JsonObject): string {
  return typeof description === 'string' ? description.replaceAll('\n', ' ') : '';
}

/** In a few words; the OpenAPI document has the whole schema. */
function typeOf(schema: JsonObject): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one) => code(JSON.stringify(one))).join(', ');
  if (schema['const'] !== undefined) return code(JSON.stringify(schema['const']));
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives))
    return [...new Set(alternatives.map((one) => typeOf(one as JsonObject)))].join(' or ');
  if (schema['type'] === 'array')
    return isJsonObject(schema['items']) ? `list of ${typeOf(schema['items'])}` : 'list';
  const type = schema['type'];
  return Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any value';
}
