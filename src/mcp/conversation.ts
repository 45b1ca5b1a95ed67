// The skills of one connection: what was loaded in it, and what it may still load.
//
// V1. A server is told neither where a conversation ends nor when a host drops old messages. So a body that is asked for
//     again after a pointer is given again: whoever asks twice does not have it. And after a time without a call the
//     ledger starts anew.
// V2. The skills move with the shelf between two calls, never during one.
// V3. Nothing is preloaded: a server has no part in the prompt.
import { nodeDecodeUtf8 } from '../host/node-environment.ts';
import type { PromptSettings } from '../prompt/session-parts.ts';
import type { OnSkillLoaded } from '../prompt/skill-loaded.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import { createSkillSession } from '../prompt/skill-session.ts';
import type { SkillToolName, SkillToolResult } from '../prompt/skill-tools.ts';
import { isJsonObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { ShelfState, SkillShelf } from './skill-shelf.ts';

export interface ConversationOptions {
  readonly shelf: SkillShelf;
  readonly settings: Partial<PromptSettings>;
  /** Whether skills can be run here. */
  readonly runs: boolean;
  /** V1. */
  readonly idleMs: number;
  readonly nowMs: () => number;
  readonly onLoaded: OnSkillLoaded;
}

export class Conversation {
  readonly #options: ConversationOptions;
  #session: SkillSession | null = null;
  #state: ShelfState | null = null;
  #usedMs = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** One after the other, since the session moves between them (V2). */
  use<T>(work: (session: SkillSession) => Promise<T> | T): Promise<T> {
    const next = this.#turn.then(async () => work(await this.#current()));
    this.#turn = next.catch(() => undefined);
    return next;
  }

  call(name: SkillToolName, args: Json, toolUseId: string | null): Promise<SkillToolResult> {
    return this.use(async (session) => {
      const tool = session.tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      const result = await tool.call(args, toolUseId);
      const wanted = isJsonObject(args) ? args['name'] : null;
      if (result.metadata['already_loaded'] === true && typeof wanted === 'string') session.forget(wanted);
      return result;
    });
  }

  async #current(): Promise<SkillSession> {
    const { shelf, settings, runs, idleMs, nowMs, onLoaded } = this.#options;
    const { state } = shelf;
    const now = nowMs();
    if (this.#session === null || now - this.#usedMs > idleMs) {
      this.#session = await createSkillSession({ snapshot: state.snapshot, matcher: state.matcher, decodeUtf8: nodeDecodeUtf8, settings: { ...settings, preload: [] }, runs, onLoaded });
    } else if (this.#state !== state) await this.#session.moveTo(state.snapshot, state.matcher);
    this.#state = state;
    this.#usedMs = now;
    return this.#session;
  }
}
