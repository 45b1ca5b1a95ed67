// Handles a line that a person typed: a message, a skill call, a run, or a command of the chat.
//
//   /help …            a command of the chat; it takes precedence over a skill of the same name
//   /skill the rest    sends the body of the skill with the arguments to the model: to the one that the skill names, if it is
//                      configured; with "context: fork" to a separate agent
//   /executable input  runs an executable skill; typing its name is the person's permission. The result is shown, and the model
//                      gets it with the next message
//   anything else      a message
import { renderNote } from '../run/render-note.ts';
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { printable, printableLine } from '../../base/printable.ts';
import type { ChatAnswer } from '../../chat/chat.ts';
import { addSpent, spentByRuns } from '../../chat/history.ts';
import { runText } from '../../chat/chat-skill-tools.ts';
import { RunDetachedError } from '../../run/drive/drive.ts';
import type { Usage } from '../../ports/answerer.ts';
import type { SlashCommand } from '../../prompt/slash-command.ts';
import { parseSlash } from '../../prompt/slash-command.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import type { RunResult } from '../../run/result/result.ts';
import { createPaint, isAtTerminal } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { countText, spentTexts } from '../run/describe-effect.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { answerIn, renderWaiting } from '../run/render-result.ts';
import { askInputs } from '../run/ask-inputs.ts';
import { neededFor } from '../run/read-input.ts';
import { readChatInput } from './chat-input.ts';
import type { OpenChat } from './open-chat.ts';
import type { ShowChat } from './show-chat.ts';
import { askSubAgent } from '../../chat/sub-agent.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { SlashOutcome } from '../../prompt/invoke-skill.ts';

export type Submitted =
  | { readonly kind: 'answer'; readonly answer: ChatAnswer }
  | { readonly kind: 'run'; readonly result: RunResult }
  /** Only the person was answered; the model got nothing. */
  | { readonly kind: 'handled' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'leave' };

interface OwnCommand {
  readonly name: string;
  readonly what: string;
}

const ownCommands: readonly OwnCommand[] = [
  { name: 'help', what: 'this list' },
  { name: 'skills', what: 'skills that you can call, and those that are loaded' },
  { name: 'tools', what: 'tools that the model has' },
  { name: 'runs', what: 'runs of this conversation' },
  { name: 'continue', what: 'resume a run that was stopped or waits: /continue [RUN]' },
  { name: 'compact', what: 'summarise the beginning of the conversation, to make room' },
  { name: 'usage', what: 'tokens and cost so far' },
  { name: 'exit', what: 'end the chat, as does Ctrl-D' },
];

export const ownCommandNames: readonly string[] = ownCommands.map(({ name }) => name);

export interface Submitting {
  readonly context: CommandContext;
  readonly open: OpenChat;
  readonly show: ShowChat;
}

export async function submit(parts: Submitting, text: string, signal: Abort): Promise<Submitted> {
  const { open, context } = parts;
  await open.refreshSkills();
  await reportEndedRuns(parts);
  const [, name = '', rest = ''] = /^\s*\/(\S+)(?:\s+([^]*))?$/.exec(text) ?? [];
  if (name !== '' && (ownCommandNames.includes(name) || name === 'quit'))
    return own(parts, name, rest.trim(), signal);
  const command = slashOf(open, text);
  if (command.kind === 'unknown')
    return {
      kind: 'refused',
      message:
        whyNot(open, command.name) ??
        `${command.message}${command.meant === null ? ';' : ''} /help lists the commands`,
    };
  if (command.kind === 'none')
    return { kind: 'answer', answer: await open.chat.say({ kind: 'text', text }, signal) };
  const { skill } = command;
  if (isExecutable(open, skill)) {
    const given = await readChatInput(open.runs.snapshot, skill, command.arguments, context.io);
    const needed = isAtTerminal(context.io) ? await neededFor(open.runs.snapshot, skill, given) : [];
    const input = needed.length === 0 ? given : await askInputs(context, skill, needed, given, signal);
    if (needed.length > 0 && input === null) return { kind: 'refused', message: 'nothing was run' };
    return run(
      parts,
      () => open.chatRuns.start({ skill, input }, (id, of) => open.chat.runBegun(id, of, null), signal),
      `The person ran the skill ${JSON.stringify(skill)}${input === null ? '' : ` with ${cutMiddle(JSON.stringify(input), 2000).text}`}.`,
    );
  }
  const { fork, model: wanted } = open.runs.snapshot.get(skill).head;
  const model = await open.modelFor(skill, wanted);
  if (fork) {
    const came = await callFork(open, parts.show, text, model, signal);
    return 'outcome' in came ? { kind: 'answer', answer: came } : refusal(skill, came);
  }
  const outcome = await open.skills.slash(text);
  if (outcome.kind !== 'invoked') return refusal(skill, outcome);
  return {
    kind: 'answer',
    answer: await open.chat.say({ kind: 'skill', text, skill, body: outcome.body }, signal, model),
  };
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

function slashOf({ skills }: OpenChat, text: string): SlashCommand {
  const commands = skills.commands();
  return parseSlash(
    text,
    (name) => commands.find((each) => each.name === name) ?? null,
    () => [...ownCommandNames, ...commands.map(({ name }) => name)],
  );
}

function isExecutable({ runs: { snapshot } }: OpenChat, name: string): boolean {
  const { form, bar } = snapshot.get(name).card;
  return form !== 'instructions' && bar === null;
}

async function run(
  { context, open: { chat, skillsOf }, show }: Submitting,
  begin: () => Promise<RunResult>,
  what: string,
): Promise<Submitted> {
  const { out, io, json, colour, columns } = context;
  try {
    const result = await begin();
    const { run: id, status, envelope, error, usage } = result;
    if (id !== null) await chat.runDetached(id, status, usage);
    show.endText();
    const isHere = isAtTerminal(io);
    if (error !== null) show.fault(error.message, error.hint);
    // Without a prompt: print the question and the command that answers it.
    else if (!isHere && (status === 'paused' || status === 'needs_decision'))
      out.write(
        json
          ? ''
          : renderWaiting(result, {
              paint: createPaint(colour),
              columns,
              journal: null,
              quiet: true,
              asked: false,
              view: null,
            }),
      );
    else out.write(renderNote(envelope, null, createPaint(colour)) ?? answerIn(envelope));
    show.note(
      `${status}${id === null ? '' : ` · techne runs show ${id}`}${isHere && (status === 'paused' || status === 'needs_decision') ? ' · /continue resumes it' : ''}`,
    );
    for (const skill of await skillsOf(result)) await chat.doubt(skill);
    await chat.note(`${what} Its result is data:\n${cutMiddle(runText(result), 20_000).text}`);
    return { kind: 'run', result };
  } catch (error) {
    if (!(error instanceof RunDetachedError)) throw error;
    if (error.run !== null) await chat.runDetached(error.run, 'interrupted', error.usage);
    show.note(`stopped; ${error.message}${error.run === null ? '' : '. /continue resumes it'}`);
    return { kind: 'handled' };
  }
}

async function own(parts: Submitting, name: string, rest: string, signal: Abort): Promise<Submitted> {
  const {
    open,
    context: { err },
  } = parts;
  const table = (rows: readonly (readonly string[])[]): void =>
    err.write(
      printable(
        renderTable(
          rows.map((row) => row.map(printableLine)),
          null,
        ),
      ),
    );
  switch (name) {
    case 'exit':
    case 'quit':
      return { kind: 'leave' };
    case 'help':
      table([
        ...ownCommands.map((command) => [`/${command.name}`, command.what]),
        ['/SKILL …', 'call a skill; an executable skill runs immediately. Tab completes'],
        ['$SKILL', 'anywhere in a message: give this skill to the model'],
        [
          'Ctrl-C',
          'stops the current turn and keeps its run; at the prompt it clears the line, and twice on an empty line it ends the chat',
        ],
      ]);
      return { kind: 'handled' };
    case 'skills': {
      const active = open.skills.active().map((skill) => skill.name);
      const commands = open.skills.commands();
      if (commands.length === 0) err.line('There are no skills to call.');
      table(
        commands.map(({ name: skill, argumentHint, description }) => [
          `/${skill}${argumentHint === null ? '' : ` ${argumentHint}`}`,
          `${active.includes(skill) ? '[loaded] ' : ''}${description}`,
        ]),
      );
      return { kind: 'handled' };
    }
    case 'tools':
      table(open.tools.map(({ name: tool, description }) => [tool, description.split('\n', 1)[0] ?? '']));
      return { kind: 'handled' };
    case 'runs':
      if (open.chat.history.runs.length === 0) err.line('Nothing was run in this conversation.');
      table(open.chat.history.runs.map(({ run: id, skill, status }) => [id, status, skill]));
      return { kind: 'handled' };
    case 'usage': {
      const { usage, turns, runs } = open.chat.history;
      err.line(`${spentText(usage)}, ${counted(turns, 'turn')}`);
      if (runs.length === 0) return { kind: 'handled' };
      const spent = spentByRuns(runs);
      err.line(`runs: ${spentText(spent)}, ${counted(spent.asks, 'ask')} of ${counted(runs.length, 'run')}`);
      err.line(`together: ${spentText(addSpent(usage, spent))}`);
      return { kind: 'handled' };
    }
    case 'compact':
      if (!(await open.chat.compact(signal))) err.line('There is nothing to summarise yet.');
      return { kind: 'handled' };
    default:
      return continueStopped(parts, rest, signal);
  }
}

function spentText({ inputTokens, outputTokens, costMicros }: Usage): string {
  return `${countText(inputTokens)} tokens in, ${countText(outputTokens)} out${spentTexts(
    inputTokens + outputTokens,
    costMicros,
  )
    .slice(-1)
    .map((cost) => `, ${cost}`)
    .join('')}`;
}

const waiting = ['interrupted', 'paused', 'needs_decision'];

/** Reports runs that waited here and ended elsewhere (`techne answer`); the model gets their results with the next message. */
async function reportEndedRuns({ open: { chat, runs, skillsOf }, show }: Submitting): Promise<void> {
  for (const { run: id, skill } of chat.history.runs.filter(({ status }) => waiting.includes(status))) {
    const result = await endOf(runs, id);
    if (result === null) continue;
    await chat.runDetached(id, result.status, result.usage);
    for (const doubted of await skillsOf(result)) await chat.doubt(doubted);
    await chat.note(
      `The run ${id} of the skill ${JSON.stringify(skill)} continued elsewhere and has ended. Its result is data:\n${cutMiddle(runText(result), 20_000).text}`,
    );
    show.note(`the run of ${skill} that waited has ended: ${result.status} · techne runs show ${id}`);
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

async function continueStopped(parts: Submitting, given: string, signal: Abort): Promise<Submitted> {
  const { open } = parts;
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
  return run(
    parts,
    () => open.chatRuns.resume(found.run, signal),
    `The run ${found.run} of the skill ${JSON.stringify(found.skill)} continued.`,
  );
}

/** The message for an unexpected failure. */
export function messageOfFault(error: unknown): string | null {
  return error instanceof TechneError
    ? `${error.message}${error.hint === null ? '' : ` (${error.hint})`}`
    : null;
}

/** The outcome of the call if no agent was started. */
type NotInvoked = Exclude<SlashOutcome, { kind: 'invoked' }>;

/** `/name the rest` for a skill with `context: fork`. */
async function callFork(
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
