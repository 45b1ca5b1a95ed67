// A conversation in memory, with a model whose turns are given.
import type { Abort } from '../../src/base/abort.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { Chat, defaultChatLimits } from '../../src/chat/chat.ts';
import type { ChatLimits } from '../../src/chat/chat.ts';
import type { ChatEntry } from '../../src/chat/entry.ts';
import type { ChatEvent } from '../../src/chat/events.ts';
import { chatSkillTools } from '../../src/chat/chat-skill-tools.ts';
import { systemPrompt } from '../../src/chat/system-prompt.ts';
import type { TurnRequest } from '../../src/ports/model.ts';
import { TooLong } from '../../src/ports/model.ts';
import type { SkillSession } from '../../src/prompt/skill-session.ts';
import type { SkillSpec } from './session.ts';
import { openSession } from './session.ts';

export interface TestTurn {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly args: JsonObject }[];
  /** After the text. */
  readonly error?: string;
  readonly tooLong?: true;
  /** Given only when a turn of this purpose is wanted. */
  readonly purpose?: string;
}

export interface TestChatOptions {
  readonly turns: readonly TestTurn[];
  readonly skills?: { readonly [name: string]: SkillSpec };
  readonly match?: (
    message: string,
  ) => readonly { readonly skill: string; readonly mode: 'explicit' | 'lexical' }[];
  readonly limits?: Partial<ChatLimits>;
  readonly entries?: readonly ChatEntry[];
  /** Untrusted skills. */
  readonly doubtful?: readonly string[];
  /** While the tool `echo` is called. */
  readonly onCall?: () => void;
}

export interface TestChat {
  readonly chat: Chat;
  readonly session: SkillSession;
  readonly asked: TurnRequest[];
  readonly log: ChatEntry[];
  readonly events: ChatEvent[];
}

export async function openTestChat({
  turns,
  skills = {},
  match = () => [],
  limits = {},
  entries = [],
  doubtful = [],
  onCall = () => undefined,
}: TestChatOptions): Promise<TestChat> {
  const log: ChatEntry[] = [...entries];
  const events: ChatEvent[] = [];
  const asked: TurnRequest[] = [];
  const left = [...turns];
  const here: { chat: Chat | null } = { chat: null };
  const { session } = await openSession(skills, {
    onLoaded: (event) => here.chat?.onLoaded(event),
    matcher: {
      match: (message) => ({
        matches: match(message).map((each) => ({
          ...each,
          confidence: 1,
          variables: {},
          reason: 'it says so',
        })),
        abstained: null,
        candidates: [],
      }),
    },
  });
  const system = systemPrompt({ workspace: '/work', runs: false, skills: session.prefix });
  const chat = new Chat({
    skills: session,
    isTrusted: async (name) => !doubtful.includes(name),
    system: () => system,
    log: { append: async (entry) => void log.push(entry) },
    entries,
    nowMs: () => log.length,
    limits: { ...defaultChatLimits, ...limits },
    onEvent: (event) => events.push(event),
    tools: () => [
      ...chatSkillTools(session, null),
      {
        name: 'echo',
        description: 'Says it again.',
        parameters: { type: 'object' },
        readOnly: false,
        call: async (args, use) => {
          await use?.begin?.();
          onCall();
          return { ok: true, text: JSON.stringify(args) };
        },
      },
    ],
    model: {
      name: 'test',
      description: 'a test',
      async takeTurn(request) {
        asked.push(request);
        const at = left.findIndex(({ purpose = null }) => purpose === request.purpose);
        const [turn] = at < 0 ? [] : left.splice(at, 1);
        if (turn === undefined) throw new Error('no turn is left');
        if (turn.tooLong === true) throw new TooLong('too long');
        const { text = '', calls = [], error } = turn;
        if (text !== '') request.onText(text);
        if (error !== undefined) throw new Error(error);
        const content = [
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
          ...calls.map(({ tool, args }, index) => ({
            type: 'call' as const,
            id: `c${asked.length}_${index}`,
            tool,
            input: JSON.stringify(args),
          })),
        ];
        return {
          turn: { model: 'test', finish: calls.length > 0 ? 'tool-calls' : 'stop', content },
          usage: { inputTokens: 1, outputTokens: 1, costMicros: 0 },
          cachedInputTokens: 0,
        };
      },
    },
  });
  here.chat = chat;
  return { chat, session, asked, log, events };
}

export function createAbortSource(): { readonly signal: Abort; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
