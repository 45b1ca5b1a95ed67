// One turn of a model, as it is recorded.
//
// U1. Plain JSON that gives the provider back what it said, reasoning and signatures included: a resumed conversation is
//     the same conversation.
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject, parseJson } from '../../../base/json.ts';
import type { Usage } from '../../ports/answerer.ts';

export interface Turn {
  readonly model: string;
  /** `stop`, `tool-calls`, `length`, `content-filter` … */
  readonly finish: string;
  readonly content: readonly TurnPart[];
}

export type TurnPart =
  | { readonly type: 'text'; readonly text: string; readonly meta?: JsonObject }
  | { readonly type: 'reasoning'; readonly text: string; readonly meta?: JsonObject }
  /** `input` is what the model wrote: JSON, or what it took for JSON. */
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: string; readonly meta?: JsonObject };

export type TurnCall = Extract<TurnPart, { type: 'call' }>;

export interface TakenTurn {
  readonly turn: Turn;
  readonly usage: Usage;
  readonly cachedInputTokens: number;
}

export function textOf({ content }: Turn): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('').trim();
}

export function callsOf({ content }: Turn): readonly TurnCall[] {
  return content.filter((part) => part.type === 'call');
}

export function turnToJson({ turn: { model, finish, content }, usage, cachedInputTokens }: TakenTurn): JsonObject {
  // As the journal will give it back: without what JSON cannot hold.
  return parseJson(JSON.stringify({ model, finish, content, tokens: { input: usage.inputTokens, cached_input: cachedInputTokens, output: usage.outputTokens }, cost_micros: usage.costMicros })) as JsonObject;
}

/** From a journal: what it holds was written by `turnToJson`. */
export function turnFromJson(value: Json): Turn {
  const { model, finish, content } = isJsonObject(value) ? value : {};
  if (typeof model !== 'string' || typeof finish !== 'string' || !Array.isArray(content)) throw new Error('the journal holds a turn that is none');
  return { model, finish, content: content as unknown as readonly TurnPart[] };
}
