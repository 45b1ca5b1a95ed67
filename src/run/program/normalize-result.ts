// The value that `run(input)` returned -> the envelope of S0 §9, or why it is not one.
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Data } from '../../starlark.ts';
import { dataToJson, dataTypeName } from './host-arguments.ts';

type NormalizedResult =
  | { readonly ok: true; readonly envelope: JsonObject }
  | { readonly ok: false; readonly message: string };

/** `None`, text or a dict; anything else is refused. The keys of a dict keep their order, and what is missing follows. */
export function normalizeResult(value: Data): NormalizedResult {
  if (value === null) return { ok: true, envelope: { status: 'ok', answer: '' } };
  if (typeof value === 'string') return { ok: true, envelope: { status: 'ok', answer: value } };
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) {
    return {
      ok: false,
      message: `invalid return value: run must return None, a string or a dict, not ${dataTypeName(value)}`,
    };
  }
  const converted = dataToJson(value, 'the result');
  if (!converted.ok) return { ok: false, message: `invalid return value: ${converted.message}` };
  const envelope = emptyObject();
  // A `trace` of its own would be taken for that of the run.
  if (isJsonObject(converted.json))
    for (const [key, item] of Object.entries(converted.json)) if (key !== 'trace') envelope[key] = item;
  envelope['status'] ??= 'ok';
  envelope['answer'] ??= '';
  return { ok: true, envelope };
}
