// A value that a program gives to the host -> JSON, or why it cannot be JSON.
//
// An int beyond 2^53 - 1 and bytes are refused, not converted: the author decides how they become text.
import { emptyObject } from '../../base/json.ts';
import { renderPath } from '../../base/schema/schema-faults.ts';
import type { Json } from '../../base/json.ts';
import type { Data } from '../../starlark.ts';

type JsonOrFault =
  | { readonly ok: true; readonly json: Json }
  | { readonly ok: false; readonly message: string };

/** `what` names the data in the message: `the result`, `opts of ask`. */
export function dataToJson(data: Data, what: string): JsonOrFault {
  const path: (string | number)[] = [];
  const fault = { message: '' };
  const json = convert(data, path, fault);
  return json === undefined
    ? { ok: false, message: `${fault.message} at ${what}${renderPath(path)}` }
    : { ok: true, json };
}

function convert(data: Data, path: (string | number)[], fault: { message: string }): Json | undefined {
  if (data === null || typeof data === 'string' || typeof data === 'boolean' || typeof data === 'number')
    return data;
  if (typeof data === 'bigint') {
    fault.message = 'an int beyond 2^53 - 1 cannot be JSON (use str(x))';
    return undefined;
  }
  if (data instanceof Uint8Array) {
    fault.message = 'bytes cannot be JSON (use str(x))';
    return undefined;
  }
  if (Array.isArray(data)) {
    const items: Json[] = [];
    for (const [index, item] of (data as readonly Data[]).entries()) {
      path.push(index);
      const json = convert(item, path, fault);
      if (json === undefined) return undefined;
      path.pop();
      items.push(json);
    }
    return items;
  }
  const object = emptyObject();
  for (const key of Object.keys(data)) {
    path.push(key);
    const json = convert((data as { readonly [key: string]: Data })[key] as Data, path, fault);
    if (json === undefined) return undefined;
    path.pop();
    object[key] = json;
  }
  return object;
}

/** Text as it is, anything else as JSON. */
/** The name of the Starlark type that the data came from, as nearly as it can be known. */
export function dataTypeName(data: Data): string {
  if (data === null) return 'NoneType';
  if (typeof data === 'boolean') return 'bool';
  if (typeof data === 'string') return 'string';
  if (typeof data === 'bigint') return 'int';
  if (typeof data === 'number') return Number.isInteger(data) ? 'int' : 'float';
  return data instanceof Uint8Array ? 'bytes' : Array.isArray(data) ? 'list' : 'dict';
}
