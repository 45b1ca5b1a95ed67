// The skills of one connection: what it has loaded, and what it may still load.
//
// A server does not know when a conversation ends or a host drops old messages. So a body is sent again if the model asks again
// after a pointer, and loaded skills count for `windowMs` only, because one connection can serve many conversations. The skills
// change between calls, never during one. Nothing is preloaded, because a server has no part in the prompt. Loading an executable
// skill also explains how to run it, and with which keys.
import type { SkillStore } from '../techne/skill-store.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import type { ToolCaller, ToolResult } from '../ports/tool.ts';
import { checkArguments, ToolFault } from '../ports/tool.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { printable, printableLine } from '../base/printable.ts';
import { shownSchema } from '../run/shown-schema.ts';
import type { Json } from '../base/json.ts';
import { runAdvice } from './metaskill-inputs.ts';

interface ConversationOptions {
  /** For the record of proposals. Default: the connection has none. */
  readonly id?: string;
  readonly skills: Pick<SkillStore, 'snapshot' | 'matcher'>;
  /** A new session over the newest skills, in which nothing is preloaded. */
  readonly openSession: () => Promise<SkillSession>;
  /** Whether skills can be run here. */
  readonly runs: boolean;
  /** How long a loaded skill counts as loaded. */
  readonly windowMs: number;
  readonly nowMs: () => number;
}

export class Conversation {
  readonly #options: ConversationOptions;
  #session: SkillSession | null = null;
  #snapshot: Snapshot | null = null;
  #beganMs = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  get id(): string | undefined {
    return this.#options.id;
  }

  /** Calls run one after the other, because the session can change between them. */
  use<T>(work: (session: SkillSession) => Promise<T> | T): Promise<T> {
    const next = this.#turn.then(async () => work(await this.#current()));
    this.#turn = next.catch(() => undefined);
    return next;
  }

  call(name: string, args: Json, toolUseId: string, caller: ToolCaller = {}): Promise<ToolResult> {
    return this.use(async (session) => {
      const tool = session.tools.find((one) => one.name === name);
      if (tool === undefined)
        throw new ToolFault(`there is no tool "${name}" here`, {
          hint: 'Notes are offered where graph.vault is configured.',
        });
      const checked = checkArguments(tool, args);
      if (name !== 'skill_load') return tool.call(checked, { id: toolUseId, caller });
      const wanted = checked['name'] as string;
      const result = await tool.call(checked, { id: toolUseId }).catch((error: unknown) => {
        if (error instanceof ToolFault && error.message.startsWith(spent))
          throw new ToolFault(error.message, { hint: this.#limitHint(), metadata: error.metadata });
        throw error;
      });
      if (result.metadata?.['already_loaded'] !== true)
        return this.#options.runs ? withAdvice(result, session, wanted) : result;
      session.forget(wanted);
      return result;
    });
  }

  async #current(): Promise<SkillSession> {
    const { skills, openSession, windowMs, nowMs } = this.#options;
    const { snapshot } = skills;
    const now = nowMs();
    if (this.#session === null || now - this.#beganMs > windowMs) {
      this.#beganMs = now;
      this.#session = await openSession();
    } else if (this.#snapshot !== snapshot) await this.#session.moveTo(snapshot, skills.matcher(snapshot));
    this.#snapshot = snapshot;
    return this.#session;
  }

  #limitHint(): string {
    return `The limits are \`prompt.activations\` and \`prompt.capTokens\` of the configuration, and count what this connection loaded within ${Math.round(this.#options.windowMs / 60_000)} minutes; \`mcp.activationLimits\` turns them off.`;
  }
}

/** How refusals of the ledger begin. */
const spent = 'the activation budget is spent';

/** Adds the instructions to run an executable skill. */
function withAdvice(result: ToolResult, session: SkillSession, name: string): ToolResult {
  const found = session.runnable().find((one) => one.name === name);
  if (found === undefined) return result;
  const { inputs } = found;
  return {
    ...result,
    text: `${result.text.trimEnd()}\n\n${runAdvice(name, inputs)}\n`,
    metadata: {
      ...result.metadata,
      ...(inputs === null
        ? {}
        : {
            inputs: inputs.map(({ key, required, description, schema }) => ({
              key: printableLine(key),
              required,
              description: description === null ? null : printable(description),
              schema: schema === null ? null : shownSchema(schema),
            })),
          }),
    },
  };
}
