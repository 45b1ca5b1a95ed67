// Handles a line that a person typed: a command of the chat, or what goes to the conversation (techne/chat/submit.ts), with its
// outcome on the screen.
//
//   /help …         a command of the chat; it takes precedence over a skill of the same name
//   anything else   a message, a skill call, a run
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { printable, printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { addSpent, spentByRuns } from '../../chat/history.ts';
import type { Usage } from '../../ports/answerer.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { OpenChat } from '../../techne/chat/open-chat.ts';
import type { Submitted as SubmittedText } from '../../techne/chat/submit.ts';
import { chatCommands, parseCommand, submitToChat } from '../../techne/chat/submit.ts';
import type { CommandContext } from '../context.ts';
import { createPaint, isAtTerminal } from '../io.ts';
import { askInputs } from '../run/ask-inputs.ts';
import { countText, spentTexts } from '../run/describe-effect.ts';
import { readNamedFiles } from '../run/read-input.ts';
import { renderNote } from '../run/render-note.ts';
import { answerIn, renderWaiting } from '../run/render-result.ts';
import type { ShowChat } from './show-chat.ts';

export type Submitted =
  | Exclude<SubmittedText, { kind: 'detached' | 'compacted' }>
  /** Only the person was answered; the model got nothing. */
  | { readonly kind: 'handled' }
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
  ...chatCommands,
  { name: 'usage', what: 'tokens and cost so far' },
  { name: 'exit', what: 'end the chat, as does Ctrl-D' },
];

export const ownCommandNames: readonly string[] = ownCommands.map(({ name }) => name);
const ofEverySurface: ReadonlySet<string> = new Set(chatCommands.map(({ name }) => name));

export interface Submitting {
  readonly context: CommandContext;
  readonly open: OpenChat;
  readonly show: ShowChat;
}

export async function submit(parts: Submitting, text: string, signal: Abort): Promise<Submitted> {
  const { open, context, show } = parts;
  const command = parseCommand(text);
  if (
    command !== null &&
    !ofEverySurface.has(command.name) &&
    (ownCommandNames.includes(command.name) || command.name === 'quit')
  )
    return own(parts, command.name);
  const submitted = await submitToChat(
    open,
    {
      text,
      reserved: ownCommandNames,
      read: readNamedFiles(context.io),
      ...(isAtTerminal(context.io)
        ? { askInputs: (skill, needed, given, stop) => askInputs(context, skill, needed, given, stop) }
        : {}),
      onNote: (message) => show.note(message),
    },
    signal,
  );
  switch (submitted.kind) {
    case 'run':
      showRun(parts, submitted.result);
      return submitted;
    case 'detached':
      show.note(`stopped; ${submitted.message}${submitted.run === null ? '' : '. /continue resumes it'}`);
      return { kind: 'handled' };
    case 'compacted':
      if (!submitted.done) context.err.line('There is nothing to summarise yet.');
      return { kind: 'handled' };
    case 'answer':
    case 'refused':
      return submitted;
  }
}

function showRun({ context, show }: Submitting, result: RunResult): void {
  const { out, io, json, colour, columns } = context;
  const { run: id, status, envelope, error } = result;
  show.endText();
  const isHere = isAtTerminal(io);
  const isWaiting = status === 'paused' || status === 'needs_decision';
  if (error !== null) show.fault(error.message, error.hint);
  // Without a prompt: print the question and the command that answers it.
  else if (!isHere && isWaiting)
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
    `${status}${id === null ? '' : ` · techne runs show ${id}`}${isHere && isWaiting ? ' · /continue resumes it' : ''}`,
  );
}

async function own({ open, context: { err } }: Submitting, name: string): Promise<Submitted> {
  await open.refreshSkills();
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
    default:
      return { kind: 'leave' };
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

/** The message for an unexpected failure. */
export function messageOfFault(error: unknown): string | null {
  return error instanceof TechneError
    ? `${error.message}${error.hint === null ? '' : ` (${error.hint})`}`
    : null;
}
