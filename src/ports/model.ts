// A model that takes one turn of a conversation: the interface between an agent loop and a provider of models.
//
// A turn is complete or it failed: nothing of an interrupted stream is returned, whatever `onText` received. It rejects
// soon after `signal` aborts and leaves no request open. A turn is plain JSON with everything that the provider needs
// back, reasoning and signatures included, so that a conversation read from a file continues unchanged.
import type { Abort } from '../base/abort.ts';
import type { JsonObject } from '../base/json.ts';
import type { Usage } from './answerer.ts';
import type { ToolDescription } from './tool.ts';

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
  | {
      readonly type: 'call';
      readonly id: string;
      readonly tool: string;
      readonly input: string;
      readonly meta?: JsonObject;
    };

export type TurnCall = Extract<TurnPart, { type: 'call' }>;

export interface TakenTurn {
  readonly turn: Turn;
  readonly usage: Usage;
  readonly cachedInputTokens: number;
}

/** The result of one call of a turn. */
export interface CallResult {
  readonly id: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly text: string;
}

/** A turn, and what became of its calls. */
export interface Exchange {
  readonly turn: Turn;
  readonly results: readonly CallResult[];
}

/** The conversation so far, in order. */
export type Said = { readonly by: 'user'; readonly text: string } | ({ readonly by: 'model' } & Exchange);

export interface TurnRequest {
  readonly system: string;
  readonly said: readonly Said[];
  readonly tools: readonly ToolDescription[];
  /** Turns of this conversation before this one. */
  readonly before: number;
  /** What the turn is for, besides going on: `compact` wants a summary. */
  readonly purpose: string | null;
  readonly signal: Abort;
  /** Text as it streams in, for people to watch. */
  readonly onText: (text: string) => void;
}

export interface ChatModel {
  /** How it is asked for: `model:fast`, `script:/path/answers.yaml`. */
  readonly name: string;
  /** One line for people: what it would use. */
  readonly description: string;
  takeTurn(request: TurnRequest): Promise<TakenTurn>;
}

/** The history has grown beyond what the model takes. */
export class TooLong extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TooLong';
  }
}

export function turnText({ content }: Turn): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim();
}

export function callsOf({ content }: Turn): readonly TurnCall[] {
  return content.filter((part) => part.type === 'call');
}
