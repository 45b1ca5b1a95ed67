// What happened in a run, in small facts.
//
// T1. Entries of the program are capped in number and size; what is dropped or cut is said.
// T2. Every call is told by the engine itself, apart from the entries a program may add: with `id`, which no entry of
//     a program has.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { EffectEnded, EffectStarted } from '../journal/entry.ts';
import { usageFromJson } from './budgets.ts';
import { cutText } from './cut-text.ts';
import { textOf } from './data-to-json.ts';

const maxKindUnits = 200;
const maxShownArgs = 8;
const maxShownUnits = 200;

/** An entry of the program within `maxUnits` of JSON. */
export function capTrace(kind: string, data: JsonObject, maxUnits: number): { readonly kind: string; readonly data: JsonObject } {
  const shortKind = cutText(kind, Math.min(maxKindUnits, maxUnits)).text;
  const text = JSON.stringify(data);
  if (text.length <= maxUnits) return { kind: shortKind, data };
  // The preview is JSON in JSON: every quote in it takes two.
  let preview = cutText(text, maxUnits - 60).text;
  while (preview !== '' && JSON.stringify(preview).length + 40 > maxUnits) preview = cutText(preview, Math.floor(preview.length * 0.8)).text;
  return { kind: shortKind, data: { truncated: true, units: text.length, preview } };
}

/** As the envelope shows an entry of the program. */
export function renderTraced(kind: string, data: Json): JsonObject {
  return isJsonObject(data) && Object.keys(data).length === 0 ? { kind } : { kind, data };
}

/** As the envelope shows a call. */
export function renderCall(started: EffectStarted, request: Json, ended: EffectEnded | null, result: Json, startedAt: number): JsonObject {
  const { purpose = null, argv = null } = isJsonObject(request) ? request : {};
  const usage = usageFromJson(ended?.usage ?? {});
  const tokens = usage.inputTokens + usage.outputTokens;
  return {
    kind: started.kind,
    id: started.key,
    ...(typeof purpose === 'string' ? { purpose: cutText(purpose, maxShownUnits).text } : {}),
    ...(Array.isArray(argv) ? { argv: showArgv(argv as readonly Json[]) } : {}),
    at: Math.max(0, started.at - startedAt),
    ...(ended === null ? { ok: null } : { ok: isOk(ended, result), ms: ended.ms }),
    ...(isJsonObject(result) ? shownResult(result, ended) : {}),
    ...(tokens === 0 ? {} : { tokens }),
    ...(usage.costMicros === 0 ? {} : { cost_micros: usage.costMicros }),
  };
}

/** A command that failed is data for the program, and still did not go well. */
function isOk(ended: EffectEnded, result: Json): boolean {
  return ended.ok && !(isJsonObject(result) && result['ok'] === false);
}

function shownResult(result: JsonObject, ended: EffectEnded | null): JsonObject {
  if (ended !== null && !ended.ok) return typeof result['code'] === 'string' ? { error: result['code'] } : {};
  const shown: { [key: string]: Json } = {};
  for (const name of ['exit_code', 'timed_out', 'denied', 'turns', 'exhausted', 'truncated']) {
    const value = result[name];
    if (typeof value === 'number' || value === true) shown[name] = value;
  }
  return shown;
}

function showArgv(argv: readonly Json[]): Json {
  const shown = argv.slice(0, maxShownArgs).map((one) => cutText(textOf(one), maxShownUnits).text);
  return argv.length > maxShownArgs ? [...shown, `… ${argv.length - maxShownArgs} more`] : shown;
}
