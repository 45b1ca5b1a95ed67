// The conversation so far -> the messages of a provider.
//
// It is made from recorded parts alone, so it is the same after a resume. Output of tools is delimited as data and
// loaded skill text as such; neither can end its own delimiter or add another (prompt/marks.ts).
import type { Json, JsonObject } from '../../base/json.ts';
import { canonicalJson, isJsonObject, parseJson } from '../../base/json.ts';
import type { CallResult, Exchange, Said, TakenTurn, Turn, TurnPart } from '../../ports/model.ts';
import { unmarked } from '../../prompt/marks.ts';
import { argumentsOf } from '../../ports/tool.ts';
import { nodeSha256 } from '../environment.ts';
import type { PromptMessage } from './providers.ts';

type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number];
type ProviderOptions = NonNullable<AssistantPart['providerOptions']>;

export class Transcript {
  readonly #prompt: string;
  readonly #exchanges: Exchange[] = [];

  constructor(prompt: string) {
    this.#prompt = prompt;
  }

  add(turn: Turn, results: readonly CallResult[]): void {
    this.#exchanges.push({ turn, results });
  }

  /** Tells two conversations apart, without techne's own texts, which a newer version may change. */
  digest(): string {
    const said = this.#exchanges.map(({ turn, results }) => ({
      content: turn.content.map((part) => ({ ...part })),
      results: results.map(({ tool, ok, text }) => ({ tool, ok, text })),
    }));
    return nodeSha256(canonicalJson([this.#prompt, ...(said as unknown as readonly Json[])]));
  }

  get said(): readonly Said[] {
    return [
      { by: 'user', text: this.#prompt },
      ...this.#exchanges.map((exchange) => ({ by: 'model' as const, ...exchange })),
    ];
  }
}

export function messagesOf(system: string, said: readonly Said[]): PromptMessage[] {
  return [{ role: 'system', content: system }, ...said.flatMap(toMessages)];
}

function toMessages(said: Said): PromptMessage[] {
  if (said.by === 'user') return [{ role: 'user', content: [{ type: 'text', text: said.text }] }];
  const { turn, results } = said;
  return [
    { role: 'assistant', content: turn.content.map(partToMessage) },
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results.map(resultToMessage) }]),
  ];
}

function partToMessage(part: TurnPart): AssistantPart {
  const options = part.meta === undefined ? {} : { providerOptions: part.meta as ProviderOptions };
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...options };
    case 'call':
      return {
        type: 'tool-call',
        toolCallId: part.id,
        toolName: part.tool,
        input: argumentsOf(part.input) ?? {},
        ...options,
      };
  }
}

function resultToMessage({ id, tool, ok, text }: CallResult) {
  return {
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: tool,
    output: ok
      ? { type: 'text' as const, value: asData(tool, text) }
      : { type: 'error-text' as const, value: asData(tool, text) },
  };
}

/** Text that is not ours, marked as such. */
export function asData(tool: string, text: string): string {
  const tag =
    tool === 'skill_load' || tool === 'use_skill' || tool === 'skill_read' ? 'skill_text' : 'tool_output';
  return `<${tag} tool="${tool.replaceAll(/[^\w-]/g, '_')}">\n${unmarked(text)}\n</${tag}>`;
}

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
    throw new Error('the journal holds an invalid turn');
  return { model, finish, content: content as unknown as readonly TurnPart[] };
}
