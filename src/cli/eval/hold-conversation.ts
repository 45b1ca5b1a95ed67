// One message in a conversation of its own, as techne chat holds it: prompt, block of the turn, tools of skills.
//
// H1. The same texts and the same loop as in a conversation with a person; only the log is kept in memory.
// H2. Only the tools of skills, and `run_metaskill` is told of and not done: nothing here changes anything outside of the
//     conversation, so nobody has to be asked, whoever vouches for what.
import type { Abort } from '../../base/abort.ts';
import type { ChatAnswer, Message } from '../../chat/chat.ts';
import { Chat, defaultChatLimits } from '../../chat/chat.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import type { OnChatEvent } from '../../chat/events.ts';
import type { Tool } from '../../ports/tool.ts';
import { chatSkillTools } from '../../chat/chat-skill-tools.ts';
import { systemPrompt } from '../../chat/system-prompt.ts';
import { BudgetSpent } from '../../measure/eval/model-budget.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';

export interface HeldConversation {
  readonly model: ChatModel;
  readonly skills: SkillSession;
  readonly workspace: string;
  /** Told when the model wants to run a skill, which is not done; null: it is not offered to. */
  readonly onRun: ((skill: string) => void) | null;
  readonly turns: number;
  readonly onEvent: OnChatEvent;
}

export interface Held {
  readonly answer: ChatAnswer;
  readonly entries: readonly ChatEntry[];
}

/** Rejects with `BudgetSpent` when a turn was not taken for want of budget. */
export async function holdConversation(
  { model, skills, workspace, onRun, turns, onEvent }: HeldConversation,
  text: string,
  signal: Abort,
): Promise<Held> {
  const entries: ChatEntry[] = [];
  // The conversation takes whatever fails for an answer that failed.
  let spent: BudgetSpent | null = null;
  const watched: ChatModel = {
    ...model,
    takeTurn: (request) =>
      model.takeTurn(request).catch((error: unknown) => {
        if (error instanceof BudgetSpent) spent = error;
        throw error;
      }),
  };
  const tools = onRun === null ? chatSkillTools(skills, null) : withoutRuns(skills, onRun);
  const system = systemPrompt({ workspace, runs: onRun !== null, skills: skills.prefix });
  const chat = new Chat({
    model: watched,
    skills,
    vouches: async () => true,
    tools: () => tools,
    system: () => system,
    entries: [],
    nowMs: () => Date.now(),
    limits: { ...defaultChatLimits, turns },
    onEvent,
    log: { append: async (entry) => void entries.push(entry) },
  });
  const message: Message = { kind: 'text', text };
  const answer = await chat.say(message, signal);
  if (spent !== null) throw spent as BudgetSpent;
  return { answer, entries };
}

/** The tools as they are offered, with `run_metaskill` telling of the call instead of making it. */
function withoutRuns(skills: SkillSession, onRun: (skill: string) => void): readonly Tool[] {
  const never = { start: () => Promise.reject(new Error('an evaluation runs nothing for a model')) };
  const tools = chatSkillTools(skills, {
    runs: never,
    permits: { declarations: async () => [], doubted: () => [], ask: null },
    denial: null,
    skillsOf: async () => [],
  });
  return tools.map((tool) =>
    tool.name !== 'run_metaskill'
      ? tool
      : {
          ...tool,
          async call({ name }) {
            onRun(name as string);
            return { ok: false, text: 'error: it is not run here' };
          },
        },
  );
}
