// One message in a conversation of its own, as techne chat holds it: the same prompt, block of the turn, tools of skills
// and loop; only the log stays in memory.
//
// The model has the tools of skills alone, and a call of `run_metaskill` is reported instead of made: nothing outside of
// the conversation changes, so nothing needs a permission and every skill counts as trusted.
import type { Abort } from '../../base/abort.ts';
import type { ChatAnswer, Message } from '../../chat/chat.ts';
import { Chat, defaultChatLimits } from '../../chat/chat.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import type { OnChatEvent } from '../../chat/events.ts';
import type { Tool } from '../../ports/tool.ts';
import { chatSkillTools } from '../../chat/chat-skill-tools.ts';
import { systemPrompt } from '../../chat/system-prompt.ts';
import { BudgetSpent } from './model-budget.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';

interface HeldConversation {
  readonly model: ChatModel;
  readonly skills: SkillSession;
  readonly workspace: string;
  /** Called when the model wants to run a skill, which is not done; null: the tool is not offered. */
  readonly onRun: ((skill: string) => void) | null;
  readonly turns: number;
  readonly nowMs: () => number;
  readonly onEvent: OnChatEvent;
}

export interface Held {
  readonly answer: ChatAnswer;
  readonly entries: readonly ChatEntry[];
}

/** Rejects with `BudgetSpent` when the budget did not allow a turn. */
export async function holdConversation(
  { model, skills, workspace, onRun, turns, nowMs, onEvent }: HeldConversation,
  text: string,
  signal: Abort,
): Promise<Held> {
  const entries: ChatEntry[] = [];
  // The conversation turns every failure into an answer that failed.
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
    isTrusted: async () => true,
    tools: () => tools,
    system: () => system,
    entries: [],
    nowMs,
    limits: { ...defaultChatLimits, turns },
    onEvent,
    log: { append: async (entry) => void entries.push(entry) },
  });
  const message: Message = { kind: 'text', text };
  const answer = await chat.say(message, signal);
  if (spent !== null) throw spent as BudgetSpent;
  return { answer, entries };
}

/** The tools as they are offered, with `run_metaskill` reporting the call instead of making it. */
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
