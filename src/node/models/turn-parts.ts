// The events of a provider's stream -> a turn.
//
// A turn is complete or it fails: a stream without a finish reason was cut, and an error event makes it invalid.
// Text, reasoning and arguments together are at most `maxTurnUnits`, so an endless stream is given up.
import type { JsonObject } from '../../base/json.ts';
import type { ModelUsage, StreamPart } from './providers.ts';
import { BrokenStream } from './turn-fault.ts';
import type { Turn, TurnPart } from '../../ports/model.ts';

export interface RawTurn {
  readonly turn: Turn;
  readonly usage: ModelUsage;
}

/** Far more than a model writes in one turn; answers of asks are cut to less. */
const maxTurnUnits = 4_000_000;

type TextKind = 'text' | 'reasoning';
type Finish = Extract<StreamPart, { type: 'finish' }>;

/** A part that is still written. */
interface OpenPart {
  text: string;
  meta: JsonObject | undefined;
  /** Its place in the content. */
  readonly at: number;
}

export class TurnParts {
  readonly #model: string;
  readonly #onText: (text: string) => void;
  readonly #open = new Map<string, OpenPart>();
  /** null for a part that is empty so far. */
  readonly #content: (TurnPart | null)[] = [];
  #finish: Finish | null = null;
  #units = 0;

  constructor(model: string, onText: (text: string) => void) {
    this.#model = model;
    this.#onText = onText;
  }

  /** Events that are not named here (files, sources, signs of life) say nothing that we use. */
  add(part: StreamPart): void {
    if (part.type === 'text-start' || part.type === 'text-delta' || part.type === 'text-end')
      this.#extend('text', part);
    else if (
      part.type === 'reasoning-start' ||
      part.type === 'reasoning-delta' ||
      part.type === 'reasoning-end'
    )
      this.#extend('reasoning', part);
    else if (part.type === 'tool-call') this.#addCall(part);
    else if (part.type === 'finish') this.#finish = part;
    else if (part.type === 'error') throw errorOf(part.error);
  }

  #count(text: string): void {
    this.#units += text.length;
    if (this.#units > maxTurnUnits)
      throw new BrokenStream(`the answer has more than ${maxTurnUnits} characters`, { retryable: false });
  }

  #addCall({
    toolCallId: id,
    toolName: tool,
    input,
    providerMetadata,
  }: Extract<StreamPart, { type: 'tool-call' }>): void {
    this.#count(input);
    this.#content.push({
      type: 'call',
      id,
      tool,
      input,
      ...metaOf(providerMetadata as JsonObject | undefined),
    });
  }

  finished(): RawTurn {
    const finish = this.#finish;
    const { unified, raw } = finish?.finishReason ?? { unified: 'interrupted', raw: undefined };
    if (
      finish === null ||
      unified === 'interrupted' ||
      unified === 'error' ||
      (unified === 'other' && raw === undefined)
    )
      throw new BrokenStream('the stream broke off');
    return {
      turn: { model: this.#model, finish: unified, content: this.#content.filter((part) => part !== null) },
      usage: finish.usage,
    };
  }

  #extend(
    type: TextKind,
    part: {
      readonly type: string;
      readonly id: string;
      readonly delta?: string;
      readonly providerMetadata?: unknown;
    },
  ): void {
    const key = `${type} ${part.id}`;
    const open = this.#open.get(key) ?? { text: '', meta: undefined, at: this.#content.push(null) - 1 };
    const { delta = '', providerMetadata: meta } = part;
    this.#count(delta);
    open.text += delta;
    // Signatures come last.
    if (meta !== undefined) open.meta = { ...open.meta, ...(meta as JsonObject) };
    this.#content[open.at] =
      open.text === '' && open.meta === undefined ? null : { type, text: open.text, ...metaOf(open.meta) };
    if (part.type.endsWith('-end')) this.#open.delete(key);
    else this.#open.set(key, open);
    if (type === 'text' && delta !== '') this.#onText(delta);
  }
}

function metaOf(meta: JsonObject | undefined): { meta?: JsonObject } {
  return meta === undefined ? {} : { meta };
}

/** Messages for events that the library cannot read, by the name of its error. */
const unreadable: { readonly [name: string]: string } = {
  AI_JSONParseError: 'an event is not JSON',
  AI_TypeValidationError: 'an event has an unknown form',
  AI_InvalidResponseDataError: 'the stream broke off',
};

function errorOf(error: unknown): Error {
  if (error instanceof Error)
    return Object.hasOwn(unreadable, error.name) ? new BrokenStream(unreadable[error.name] as string) : error;
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return new BrokenStream(
    `the stream holds an error: ${typeof message === 'string' ? message : JSON.stringify(error)}`,
  );
}
