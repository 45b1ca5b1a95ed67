// A recorded ask -> the scripted answer to it, which only the same ask gets.
import type { JsonObject } from '../../../base/json.ts';
import type { EffectView } from '../../../run/history/inspect.ts';
import type { Part } from './part.ts';
import { asObject, codeOf } from './part.ts';

/** A longer prompt is known by its beginning and its end. */
const maxPromptUnits = 4_000;

export function answerOf(effect: EffectView, isOrdered: boolean): Part {
  const { request, result, usage } = effect;
  const { purpose, system, prompt } = asObject(request);
  const asked = typeof system === 'string' ? `${system}\n\n${prompt as string}` : (prompt as string);
  const code = codeOf(effect);
  if (code === 'UNFENCED' || code === 'QUESTION_EXPIRED')
    return { problem: `failed with ${code}; a script answers every ask, and in time` };
  if (code === 'STEP_TIMEOUT' || code === 'CANCELLED')
    return { problem: `failed with ${code}; a script answers at once` };
  const given = asObject(result);
  const tokens = { input: usage['inputTokens'] ?? 0, output: usage['outputTokens'] ?? 0 };
  return {
    ...(typeof purpose === 'string' && purpose !== '' ? { purpose } : {}),
    contains: partsOf(asked),
    ...(isOrdered ? {} : { match: true }),
    ...(code === null ? answered(given) : failed(code, given['message'])),
    ...(tokens.input === 0 && tokens.output === 0 ? {} : { tokens }),
  };
}

function partsOf(prompt: string): string | readonly string[] {
  const half = maxPromptUnits / 2;
  return prompt.length <= maxPromptUnits ? prompt : [prompt.slice(0, half), prompt.slice(-half)].map(whole);
}

/** Without half of a surrogate pair at either end. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

function answered({ answer, exhausted, turns }: JsonObject): JsonObject {
  return {
    answer: typeof answer === 'string' ? answer : JSON.stringify(answer ?? ''),
    ...(typeof turns === 'number' && turns > 1 ? { turns } : {}),
    ...(exhausted === true ? { exhausted } : {}),
  };
}

/** An answer that cannot be read is empty: what it was is not recorded. */
function failed(code: string, message: JsonObject[string] | undefined): JsonObject {
  if (code === 'ANSWER_INVALID') return { answer: '' };
  return { error: (typeof message === 'string' ? message : code).replace(/^ask failed: /, '') };
}
