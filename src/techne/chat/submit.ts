// Handles a text that a person sent: a message, a skill call, a run, or one of the commands that act on the conversation.
//
//   /compact, /continue   act on the conversation; every name in `reserved` takes precedence over a skill of the same name
//   /skill the rest       sends the body of the skill with the arguments to the model: to the one that the skill names, if it is
//                         configured; with "context: fork" to a separate agent
//   /executable input     runs an executable skill; typing its name is the person's permission. The model gets the result with the
//                         next message
//   anything else         a message
import type { Abort } from '../../base/abort.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ChatAnswer } from '../../chat/chat.ts';
import { runText } from '../../chat/chat-skill-tools.ts';
import { askSubAgent } from '../../chat/sub-agent.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { InputFact } from '../../ports/skill-source.ts';
import type { SlashOutcome } from '../../prompt/invoke-skill.ts';
import type { SlashCommand } from '../../prompt/slash-command.ts';
import { parseSlash } from '../../prompt/slash-command.ts';
import { RunDetachedError } from '../../run/drive/drive.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { ReadNamed } from '../run-input.ts';
import { neededFor } from '../run-input.ts';
import { readChatInput } from './chat-input.ts';
import type { OpenChat } from './open-chat.ts';

/** What became of a text. */
export type Submitted =
  | { readonly kind: 'answer'; readonly answer: ChatAnswer }
  | { readonly kind: 'run'; readonly result: RunResult }
  /** The person stopped a run, which can be resumed; null: it had not begun. */
  | { readonly kind: 'detached'; readonly run: string | null; readonly message: string }
  /** `false`: there was nothing to summarise. */
  | { readonly kind: 'compacted'; readonly done: boolean }
  | { readonly kind: 'refused'; readonly message: string };

/** Commands of every surface. */
export const chatCommands: readonly { readonly name: string; readonly what: string }[] = [
  { name: 'continue', what: 'resume a run that was stopped or waits: /continue [RUN]' },
  { name: 'compact', what: 'summarise the beginning of the conversation, to make room' },
];

/** A text, and what the surface does with it. */
export interface ChatSubmission {
  readonly text: string;
  /** Who sent it, where the surface knows a name. */
  readonly by?: string;
  /** Further names of commands that are not skills; the surface has handled its own. */
  readonly reserved: readonly string[];
  /** Reads a file that a word of an input names. */
  readonly read: ReadNamed;
  /** Asks for inputs that a run needs; null: nothing is run. Default: the run is refused, and says what is missing. */
  readonly askInputs?: (
    skill: string,
    needed: readonly InputFact[],
    given: JsonObject | null,
    signal: Abort,
  ) => Promise<JsonObject | null>;
  /** Something that the person should know, in a line. */
  readonly onNote: (message: string) => void;
  /** It is not refused: from now on the conversation changes. */
  readonly onBegin?: () => void;
}

export async function submitToChat(
  open: OpenChat,
  submission: ChatSubmission,
  signal: Abort,
): Promise<Submitted> {
  const { text, by, onBegin } = submission;
  await open.refreshSkills();
  await reportEndedRuns(open, submission);
  const author = by === undefined ? {} : { by };
  const own = parseCommand(text);
  if (own?.name === 'compact') {
    onBegin?.();
    return { kind: 'compacted', done: await open.chat.compact(signal) };
  }
  if (own?.name === 'continue') return continueStopped(open, own.rest, submission, signal);
  const command = slashOf(open, submission);
  if (command.kind === 'unknown')
    return {
      kind: 'refused',
      message:
        whyNot(open, command.name) ??
        `${command.message}${command.meant === null ? ';' : ''} /help lists the commands`,
    };
  if (command.kind === 'none') {
    onBegin?.();
    return { kind: 'answer', answer: await open.chat.say({ kind: 'text', text, ...author }, signal) };
  }
  const { skill } = command;
  const { snapshot } = open.runs;
  if (isExecutable(open, skill)) {
    const given = await readChatInput(snapshot, skill, command.arguments, submission.read);
    const { askInputs } = submission;
    const needed = askInputs === undefined ? [] : await neededFor(snapshot, skill, given);
    const input = needed.length === 0 ? given : ((await askInputs?.(skill, needed, given, signal)) ?? null);
    if (needed.length > 0 && input === null) return { kind: 'refused', message: 'nothing was run' };
    onBegin?.();
    return run(
      open,
      () => open.chatRuns.start({ skill, input }, (id, of) => open.chat.runBegun(id, of, null), signal),
      `The person ran the skill ${JSON.stringify(skill)}${input === null ? '' : ` with ${cutMiddle(JSON.stringify(input), 2000).text}`}.`,
    );
  }
  const { fork, model: wanted } = snapshot.get(skill).head;
  const model = await open.modelFor(skill, wanted);
  if (fork) {
    const came = await callFork(open, submission, model, signal);
    return 'outcome' in came ? { kind: 'answer', answer: came } : refusal(skill, came);
  }
  const outcome = await open.skills.slash(text);
  if (outcome.kind !== 'invoked') return refusal(skill, outcome);
  onBegin?.();
  const message = { kind: 'skill', text, skill, body: outcome.body, ...author } as const;
  return { kind: 'answer', answer: await open.chat.say(message, signal, model) };
}

/** `/name the rest`; null for every other text. */
export function parseCommand(text: string): { readonly name: string; readonly rest: string } | null {
  const [, name, rest = ''] = /^\s*\/(\S+)(?:\s+([^]*))?$/.exec(text) ?? [];
  return name === undefined ? null : { name, rest: rest.trim() };
}

function refusal(skill: string, outcome: NotInvoked): Submitted {
  return {
    kind: 'refused',
    message: outcome.kind === 'none' ? `"${skill}" cannot be called` : outcome.message,
  };
}

/** Why an existing skill cannot be called. */
function whyNot({ runs: { snapshot }, skills }: OpenChat, name: string): string | null {
  if (!snapshot.has(name)) return null;
  const bar = skills.barOf(name);
  if (bar !== null) return `the skill "${name}" cannot be called: ${bar}`;
  const { ready, visibleToUser } = snapshot.facts(snapshot.get(name));
  const reasons = (ready.ok ? visibleToUser : ready).reasons.map(
    ({ message, hint }) => `${message}${hint === null ? '' : ` (${hint})`}`,
  );
  return `the skill "${name}" cannot be called${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`;
}

function slashOf({ skills }: OpenChat, { text, reserved }: ChatSubmission): SlashCommand {
  const commands = skills.commands();
  return parseSlash(
    text,
    (name) => (reserved.includes(name) ? null : (commands.find((each) => each.name === name) ?? null)),
    () => [...reserved, ...chatCommands.map(({ name }) => name), ...commands.map(({ name }) => name)],
  );
}

function isExecutable({ runs: { snapshot } }: Pick<OpenChat, 'runs'>, name: string): boolean {
  const { form, bar } = snapshot.get(name).card;
  return form !== 'instructions' && bar === null;
}

async function run(
  { chat, skillsOf }: OpenChat,
  begin: () => Promise<RunResult>,
  what: string,
): Promise<Submitted> {
  try {
    const result = await begin();
    const { run: id, status, usage } = result;
    if (id !== null) await chat.runDetached(id, status, usage);
    for (const skill of await skillsOf(result)) await chat.doubt(skill);
    await chat.note(`${what} Its result is data:\n${cutMiddle(runText(result), 20_000).text}`);
    return { kind: 'run', result };
  } catch (error) {
    if (!(error instanceof RunDetachedError)) throw error;
    if (error.run !== null) await chat.runDetached(error.run, 'interrupted', error.usage);
    return { kind: 'detached', run: error.run, message: error.message };
  }
}

const waiting = ['interrupted', 'paused', 'needs_decision'];

/** Reports runs that waited here and ended elsewhere (`techne answer`); the model gets their results with the next message. */
async function reportEndedRuns(
  { chat, runs, skillsOf }: OpenChat,
  { onNote }: ChatSubmission,
): Promise<void> {
  for (const { run: id, skill } of chat.history.runs.filter(({ status }) => waiting.includes(status))) {
    const result = await endOf(runs, id);
    if (result === null) continue;
    await chat.runDetached(id, result.status, result.usage);
    for (const doubted of await skillsOf(result)) await chat.doubt(doubted);
    await chat.note(
      `The run ${id} of the skill ${JSON.stringify(skill)} continued elsewhere and has ended. Its result is data:\n${cutMiddle(runText(result), 20_000).text}`,
    );
    onNote(`the run of ${skill} that waited has ended: ${result.status} · techne runs show ${id}`);
  }
}

/** null: it has not ended, or cannot be read. */
async function endOf({ runner }: OpenChat['runs'], id: string): Promise<RunResult | null> {
  try {
    return (await runner.inspect(id)).endedAt === null ? null : await runner.resume(id);
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}

async function continueStopped(
  open: OpenChat,
  given: string,
  { onBegin }: ChatSubmission,
  signal: Abort,
): Promise<Submitted> {
  const left = open.chat.history.runs.filter(({ status }) => waiting.includes(status));
  const found =
    given === ''
      ? left.at(-1)
      : left.find(({ run: id }) => id.startsWith(given.toUpperCase()) || id.endsWith(given.toUpperCase()));
  if (found === undefined)
    return {
      kind: 'refused',
      message:
        given === ''
          ? 'no run of this conversation can be resumed'
          : `no run "${given}" of this conversation can be resumed`,
    };
  onBegin?.();
  return run(
    open,
    () => open.chatRuns.resume(found.run, signal),
    `The run ${found.run} of the skill ${JSON.stringify(found.skill)} continued.`,
  );
}

/** The outcome of the call if no agent was started. */
type NotInvoked = Exclude<SlashOutcome, { kind: 'invoked' }>;

/** `/name the rest` for a skill with `context: fork`. */
async function callFork(
  open: OpenChat,
  { text, onNote, onBegin }: ChatSubmission,
  model: ChatModel,
  signal: Abort,
): Promise<ChatAnswer | NotInvoked> {
  const { parts, hear } = await open.fork();
  // Activated in the fork: only its model sees the body.
  const outcome = await parts.skills.slash(text);
  if (outcome.kind !== 'invoked') return outcome;
  const { skill, body } = outcome;
  onBegin?.();
  onNote(`${skill} runs in an agent of its own`);
  return askSubAgent(
    { ...parts, parent: open.chat, onBegin: hear, model, nowMs: () => Date.now() },
    { text, skill, body },
    signal,
  );
}
