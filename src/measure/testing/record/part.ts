// One recorded call -> one part of a script: what the modules beside this share.
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { EffectView } from '../../../run/history/inspect.ts';

/** What a part of a script is, or why there is none; null: the engine does it by itself. */
export type Part = JsonObject | { readonly problem: string } | null;

export function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The code that a call failed with. */
export function codeOf({ state, result }: Pick<EffectView, 'state' | 'result'>): string | null {
  const { code } = asObject(result);
  return state === 'failed' && typeof code === 'string' ? code : null;
}
