// One turn of a model <-> JSON, as it is recorded (ports/model.ts, M3).
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { TakenTurn, Turn, TurnPart } from '../../ports/model.ts';

export function turnToJson({
  turn: { model, finish, content },
  usage,
  cachedInputTokens,
}: TakenTurn): JsonObject {
  // As the journal will give it back: without what JSON cannot hold.
  return parseJson(
    JSON.stringify({
      model,
      finish,
      content,
      tokens: { input: usage.inputTokens, cached_input: cachedInputTokens, output: usage.outputTokens },
      cost_micros: usage.costMicros,
    }),
  ) as JsonObject;
}

/** From a journal: what it holds was written by `turnToJson`. */
export function turnFromJson(value: Json): Turn {
  const { model, finish, content } = isJsonObject(value) ? value : {};
  if (typeof model !== 'string' || typeof finish !== 'string' || !Array.isArray(content))
    throw new Error('the journal holds a turn that is none');
  return { model, finish, content: content as unknown as readonly TurnPart[] };
}
