// A value that must fit into an entry of the journal -> the same with its texts cut.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { cutMiddle } from '../../base/cut-text.ts';

/** At most `maxBytes` as JSON. A dict that says whether it is whole (`truncated`) says so; what cannot be made to fit is null. */
export function cutJson(value: Json, maxBytes: number): Json {
  for (let units = maxBytes; units >= 32; units = Math.floor(units / 2)) {
    const cut = cutTexts(value, units);
    const said =
      isJsonObject(cut) && typeof cut['truncated'] === 'boolean' ? { ...cut, truncated: true } : cut;
    // The most that a unit can take.
    if (JSON.stringify(said).length * 3 <= maxBytes) return said;
  }
  return isJsonObject(value) && typeof value['truncated'] === 'boolean'
    ? { ...smallOf(value), truncated: true }
    : null;
}

function cutTexts(value: Json, maxUnits: number): Json {
  if (typeof value === 'string') return cutMiddle(value, maxUnits).text;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => cutTexts(item, maxUnits));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => [key, cutTexts(item, maxUnits)]),
  );
}

/** Its members without what is inside them. */
function smallOf(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 20)
      .map(([key, item]) => [
        key,
        typeof item === 'string' ? cutMiddle(item, 32).text : typeof item === 'object' ? null : item,
      ]),
  );
}
