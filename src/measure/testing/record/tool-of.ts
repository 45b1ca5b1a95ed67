// A recorded call of a tool -> its scripted result.
import type { Json, JsonObject } from '../../../base/json.ts';
import type { EffectView } from '../../../run/history/inspect.ts';
import type { Part } from './part.ts';
import { asObject, codeOf } from './part.ts';

/** Codes that only a real host gives. */
const hostCodes = new Set([
  'TOOL_UNKNOWN',
  'TOOL_FAULT',
  'TOOL_UNCERTAIN',
  'QUESTION_EXPIRED',
  'STEP_TIMEOUT',
  'CANCELLED',
]);

export function toolOf(effect: EffectView): Part {
  const { tool, args } = asObject(effect.request);
  const given = asObject(effect.result);
  const code = codeOf(effect);
  if (code !== null && hostCodes.has(code))
    return { problem: `failed with ${code}; a script has a result for every tool, at once` };
  const name = typeof tool === 'string' ? tool : '';
  const call: JsonObject = {
    tool: name,
    ...(Object.keys(asObject(args ?? null)).length === 0 ? {} : { args: args as Json }),
  };
  const { message, text, value = null } = given;
  const said = (typeof message === 'string' ? message : '').replace(`${name}: `, '');
  if (code === 'TOOL_DENIED') return { ...call, denied: said };
  if (code === 'TOOL_TIMEOUT') return { ...call, error: said, timed_out: true };
  if (code !== null) return { ...call, error: said };
  // What it says is what it was given.
  if (name === 'emit_text' && text === asObject(args ?? null)['text']) return null;
  if (value === null || typeof value !== 'object') return { ...call, result: text ?? '' };
  return { ...call, result: value, ...(text === JSON.stringify(value) ? {} : { text: text ?? '' }) };
}
