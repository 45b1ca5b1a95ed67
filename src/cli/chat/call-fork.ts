// `/name the rest` for a skill with `context: fork`.
import type { Abort } from '../../base/abort.ts';
import { askSubAgent } from '../../chat/sub-agent.ts';
import type { ChatAnswer } from '../../chat/chat.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { SlashOutcome } from '../../prompt/invoke-skill.ts';
import type { OpenChat } from './open-chat.ts';
import type { ShowChat } from './show-chat.ts';

/** The outcome of the call if no agent was started. */
export type NotInvoked = Exclude<SlashOutcome, { kind: 'invoked' }>;

export async function callFork(
  open: OpenChat,
  show: ShowChat,
  text: string,
  model: ChatModel,
  signal: Abort,
): Promise<ChatAnswer | NotInvoked> {
  const { parts, hear } = await open.fork();
  // Activated in the fork: only its model sees the body.
  const outcome = await parts.skills.slash(text);
  if (outcome.kind !== 'invoked') return outcome;
  const { skill, body } = outcome;
  show.note(`${skill} runs in an agent of its own`);
  return askSubAgent(
    { ...parts, parent: open.chat, onBegin: hear, model, nowMs: () => Date.now() },
    { text, skill, body },
    signal,
  );
}
