// The trace of a run: small facts about what happened.
//
// Entries of the program are limited in number and size; dropped and cut entries are reported. The engine adds an
// entry for every call, with an `id`, which no entry of a program has.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { EffectEnded, EffectStarted } from '../../journal/entry.ts';
import { noUsage, usageFromJson } from '../budget/budgets.ts';
import { cutText } from '../../base/cut-text.ts';
import { textOf } from '../../base/json.ts';

const maxKindUnits = 200;
const maxShownArgs = 8;
const maxShownUnits = 200;

/** An entry of the program within `maxUnits` of JSON. */
export function capTrace(
  kind: string,
  data: JsonObject,
  maxUnits: number,
): { readonly kind: string; readonly data: JsonObject } {
  const shortKind = cutText(kind, Math.min(maxKindUnits, maxUnits)).text;
  const text = JSON.stringify(data);
  if (text.length <= maxUnits) return { kind: shortKind, data };
  // The preview is JSON in JSON: every quote in it takes two.
  let preview = cutText(text, maxUnits - 60).text;
  while (preview !== '' && JSON.stringify(preview).length + 40 > maxUnits)
    preview = cutText(preview, Math.floor(preview.length * 0.8)).text;
  return { kind: shortKind, data: { truncated: true, units: text.length, preview } };
}

/** As the envelope shows an entry of the program. */
export function renderTraced(kind: string, data: Json): JsonObject {
  return isJsonObject(data) && Object.keys(data).length === 0 ? { kind } : { kind, data };
}

/** As the envelope shows a call. */
export function renderCall(
  started: EffectStarted,
  request: Json,
  ended: EffectEnded | null,
  result: Json,
  startedAt: number,
): JsonObject {
  const { purpose = null, argv = null } = isJsonObject(request) ? request : {};
  const { inputTokens, outputTokens, costMicros } =
    ended?.usage === undefined ? noUsage : usageFromJson(ended.usage);
  const shown: { [key: string]: Json } = { kind: started.kind, id: started.key };
  if (typeof purpose === 'string') shown['purpose'] = cutText(purpose, maxShownUnits).text;
  if (Array.isArray(argv)) shown['argv'] = showArgv(argv as readonly Json[]);
  shown['at'] = Math.max(0, started.at - startedAt);
  shown['ok'] = ended === null ? null : isOk(ended, result);
  if (ended !== null) shown['ms'] = ended.ms;
  if (isJsonObject(result)) showResult(result, ended, shown);
  if (inputTokens + outputTokens > 0) shown['tokens'] = inputTokens + outputTokens;
  if (costMicros > 0) shown['cost_micros'] = costMicros;
  return shown;
}

/** A command that failed is data for the program, and still did not go well. */
function isOk(ended: EffectEnded, result: Json): boolean {
  return ended.ok && !(isJsonObject(result) && result['ok'] === false);
}

const shownNames = ['exit_code', 'timed_out', 'denied', 'turns', 'exhausted', 'truncated'] as const;

function showResult(result: JsonObject, ended: EffectEnded | null, shown: { [key: string]: Json }): void {
  if (ended !== null && !ended.ok) {
    if (typeof result['code'] === 'string') shown['error'] = result['code'];
    return;
  }
  for (const name of shownNames) {
    const value = result[name];
    if (typeof value === 'number' || value === true) shown[name] = value;
  }
}

function showArgv(argv: readonly Json[]): Json {
  const shown = argv.slice(0, maxShownArgs).map((one) => cutText(textOf(one), maxShownUnits).text);
  return argv.length > maxShownArgs ? [...shown, `… ${argv.length - maxShownArgs} more`] : shown;
}
