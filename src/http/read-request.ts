// A request -> what its operation takes, checked against its schemas; or everything that does not fit.
//
// Texts of the path and the query become what their schema says: numbers, booleans. A name twice, a name that the operation
// does not know, and a path that is not UTF-8 are faults.
import type { Json, JsonObject } from '../base/json.ts';
import { emptyObject, parseJson } from '../base/json.ts';
import { checkSchema } from '../base/schema/check-value.ts';
import type { Operation } from '../api/operation.ts';
import { RequestFault } from './problem.ts';

export interface ReadRequest {
  readonly params: JsonObject;
  readonly query: JsonObject;
  readonly headers: JsonObject;
  /** `null`: none. */
  readonly body: Json;
}

/** Throws RequestFault. */
export function readRequest(
  operation: Operation,
  request: Request,
  { params, body }: { readonly params: { readonly [name: string]: string }; readonly body: string | null },
): ReadRequest {
  const faults: string[] = [];
  const values = (
    schemas: Operation['query'],
    given: Iterable<readonly [string, string]>,
    where: string,
    isClosed: boolean,
  ): JsonObject => {
    const found = emptyObject();
    for (const [name, text] of given) {
      const schema = schemas !== undefined && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
      if (schema === undefined) {
        if (isClosed) faults.push(`${where} "${name}" is not known here`);
        continue;
      }
      if (Object.hasOwn(found, name)) faults.push(`${where} "${name}" is given twice`);
      const value = typed(schema, text);
      faults.push(...checkSchema(schema, value, `${where} "${name}"`));
      found[name] = value;
    }
    return found;
  };
  const query = values(operation.query, new URL(request.url).searchParams, 'the query', true);
  for (const name of operation.needsQuery ?? [])
    if (!Object.hasOwn(query, name)) faults.push(`the query "${name}" is missing`);
  const read: ReadRequest = {
    params: values(operation.params, Object.entries(params), 'the path', true),
    query,
    headers: values(operation.headers, request.headers, 'the header', false),
    body: readBody(operation, request, body, faults),
  };
  if (faults.length > 0) throw new RequestFault(faults);
  return read;
}

function readBody(operation: Operation, request: Request, text: string | null, faults: string[]): Json {
  if (text === null || text === '') {
    if (operation.body !== undefined && operation.bodyOptional !== true) faults.push('the body is missing');
    return null;
  }
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new RequestFault(['the body must be application/json'], 415);
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    faults.push(
      error instanceof RangeError
        ? 'the body is nested too deeply'
        : `the body is not JSON: ${(error as Error).message}`,
    );
    return null;
  }
  if (operation.body === undefined) {
    faults.push('this operation takes no body');
    return null;
  }
  faults.push(...checkSchema(operation.body, value, 'the body'));
  return value;
}

function typed(schema: JsonObject, text: string): Json {
  const { type } = schema;
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
