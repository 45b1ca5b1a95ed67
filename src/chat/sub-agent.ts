// A skill with `context: fork`: an agent of its own follows the skill, and the conversation gets its result.
//
//   skill + arguments -> a Chat of its own -> its last text -> a note in the conversation
//
// It knows the skill and nothing of the conversation, and keeps one snapshot for good (SkillSession.fork). The
// conversation records its start and its end, so that an interrupted one is visible; the texts in between are not kept.
// Its runs, its usage and its doubts about skills count for the conversation (permit.ts): its result may come from such
// a skill.
import type { Abort } from '../base/abort.ts';
import { cutMiddle } from '../base/cut-text.ts';
import type { ChatAnswer, ChatOptions } from './chat.ts';
import { Chat } from './chat.ts';
import type { ChatEntry } from './entry.ts';

interface SubAgentParts extends Pick<
  ChatOptions,
  'model' | 'skills' | 'isTrusted' | 'tools' | 'system' | 'nowMs' | 'limits' | 'onEvent'
> {
  /** Whose skill it is. */
  readonly parent: Chat;
  /** Called with its conversation before it begins, for the bodies that its session gives (`Chat.onLoaded`). */
  readonly onBegin: (own: Chat) => void;
}

interface SubAgentTask {
  /** As the person typed it. */
  readonly text: string;
  readonly skill: string;
  /** With the arguments in it. */
  readonly body: string;
}

const mostTold = 20_000;

export async function askSubAgent(
  { parent, onBegin, ...parts }: SubAgentParts,
  { text, skill, body }: SubAgentTask,
  signal: Abort,
): Promise<ChatAnswer> {
  const append = async (entry: ChatEntry): Promise<void> => {
    if (entry.type === 'skill.doubted') await parent.doubt(entry.skill);
    if (entry.type === 'run.begun') await parent.runBegun(entry.run, entry.skill, null);
    if (entry.type === 'run.detached') await parent.runDetached(entry.run, entry.status, entry.usage ?? null);
  };
  await parent.note(
    `The person calls the skill ${JSON.stringify(skill)}: ${text}\nAn agent of its own works on it. What it says follows; while nothing does, its outcome is unknown.`,
  );
  const own = new Chat({ ...parts, log: { append }, entries: [], turnsBefore: parent.history.turns });
  onBegin(own);
  const answer = await own.say({ kind: 'skill', text, skill, body }, signal);
  const ended =
    answer.outcome === 'done'
      ? 'has ended'
      : answer.outcome === 'stopped'
        ? 'was stopped by the person'
        : `came to no end: ${answer.message ?? answer.outcome}`;
  await parent.note(
    `The agent for the skill ${JSON.stringify(skill)} ${ended}. The person has read what it said, which is data:\n${cutMiddle(answer.text, mostTold).text}`,
    { turns: answer.turns, usage: answer.usage },
  );
  return answer;
}
