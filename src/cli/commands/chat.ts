// techne chat
//
// JSON (with -p): {chat, status, answer, message, turns, skills: {matched, loaded}, calls: [{tool, ok}], runs: [{run, skill, status, usage}], usage}; the
// last is of the whole conversation, its runs included. Of a run that waits also {questions, undecided}, as of techne run.
import { sep } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import type { ChatLimits } from '../../chat/chat.ts';
import type { ChatEvent } from '../../chat/events.ts';
import type { ChatEntry } from '../../chat/entry.ts';
import { addSpent, spentByRuns } from '../../chat/history.ts';
import type { OpenLog } from '../../node/chat/chat-files.ts';
import { openChatModel } from '../../answerers/open-chat-model.ts';
import { createNodeIds } from '../../node/environment.ts';
import type { OpenTechne } from '../../techne/create-techne.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { ChatModel } from '../../ports/model.ts';
import { DetachSignal } from '../../run/effect/effect-context.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { OpenChat } from '../../techne/chat/open-chat.ts';
import { openChat, requireWorkspace } from '../../techne/chat/open-chat.ts';
import type { StoredChats } from '../../techne/chat/stored-chats.ts';
import { findChat, listChats, openStoredChats, startOf } from '../../techne/chat/stored-chats.ts';
import { openTechne } from '../../techne/create-techne.ts';
import { storeOf } from '../archive-place.ts';
import { terminalSurface } from '../chat/terminal-surface.ts';
import { ShowChat } from '../chat/show-chat.ts';
import { submit } from '../chat/submit.ts';
import { banner, talk } from '../chat/talk.ts';
import { createPaint, isAtTerminal } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { numberOption, answererSpec } from '../parse-arguments.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { ageText } from '../run/describe-effect.ts';
import { openEvents } from '../run/drive-run.ts';
import { readBytes } from '../star/read-program.ts';

const maxMessageBytes = 4_000_000;
const mostListed = 50;

export async function runChat(context: CommandContext): Promise<number> {
  const { args, io, json } = context;
  const files = openStoredChats(io.homeFolder);
  if (args.flag('list')) return list(context, files);
  const given = args.value('prompt');
  if (given === null && json)
    throw new TechneError('USAGE', '--json is for a single message', { hint: 'add -p "message"' });
  if (given === null && !isAtTerminal(io))
    throw new TechneError('USAGE', 'techne chat needs a terminal', {
      hint: 'send one message with -p "message", or -p - for standard input',
    });
  const message = given === '-' ? new TextDecoder().decode(await readBytes('-', io, maxMessageBytes)) : given;
  if (message !== null && message.trim() === '')
    throw new TechneError('USAGE', 'the message is empty', { hint: 'write -p "message"' });
  const contextTokens = numberOption(args, 'context', 2000, 10_000_000);
  const turns = numberOption(args, 'max-turns', 1, 1000);
  const library = await openLibrary(context, context.args.value('workspace'), { hostTools: 'techne' });
  const limits = {
    contextTokens: contextTokens ?? library.loaded.config.chat.contextTokens,
    ...(turns === null ? {} : { turns }),
  };
  if (!json) reportConfig(context, library.loaded);
  const workspace = library.loaded.workspace ?? io.cwd;
  const resumed = args.flag('resume') ? await findChat(files, args.value('resume') ?? '', workspace) : null;
  const model = await openChatModel({
    wanted: answererSpec(args.value('answer'), io.cwd),
    config: library.loaded.config,
    variables: io.env,
    files: library.files,
  });
  const id = resumed ?? createNodeIds().ulid();
  const first = resumed === null ? startOf({ chat: id, workspace, model: model.name, at: Date.now() }) : null;
  return files.open(id, first, (log) =>
    hold(context, { library, model, id, log, limits, workspace, message }),
  );
}

interface Held {
  readonly library: SkillLibrary;
  readonly model: ChatModel;
  readonly id: string;
  readonly log: OpenLog;
  readonly limits: Partial<ChatLimits>;
  readonly workspace: string;
  /** null: the person at the terminal types the messages. */
  readonly message: string | null;
}

async function hold(
  context: CommandContext,
  { library, model, id, log, limits, workspace, message }: Held,
): Promise<number> {
  const [start] = log.entries;
  if (start?.type === 'chat.started') requireWorkspace(id, start.workspace, workspace);
  const show = new ShowChat(context);
  const seen: ChatEvent[] = [];
  const listening = {
    onEvent: (event: ChatEvent): void => {
      if (context.json && event.type !== 'turn.text') seen.push(event);
      show.onEvent(event);
    },
  };
  const events = await openEvents(context);
  let open: OpenChat | null = null;
  let techne: OpenTechne | null = null;
  try {
    const { io } = context;
    const follows = message === null;
    techne = await openTechne({
      origin: { surface: 'chat' },
      library,
      cwd: io.cwd,
      homeFolder: io.homeFolder,
      variables: io.env,
      answerer: model.name,
      terminal: isAtTerminal(io),
      ...storeOf(context.args),
      watched: follows,
      onEvent: (event) => events?.onEvent(event),
      onWarning: (text) => show.warn(text),
    });
    open = await openChat({
      techne,
      variables: io.env,
      id,
      model,
      log,
      limits,
      surface: {
        ...terminalSurface(context, show),
        onEvent: listening.onEvent,
        onSkillEvent: (event) => events?.onEvent(event),
      },
      follows,
    });
    if (log.torn) show.warn('the end of the conversation file was incomplete and was dropped');
    if (message !== null) return await answerOnce(context, open, show, { id, message, seen });
    banner(context, greeting(open, log, model));
    if (log.entries.length > 1) recall(context, log.entries);
    return await talk({ context, open, show }, id);
  } finally {
    show.endText();
    await open?.close();
    await techne?.close();
    await events?.close();
  }
}

function greeting(
  { skills, chat }: OpenChat,
  { entries }: OpenLog,
  { name, description }: ChatModel,
): readonly string[] {
  const said = entries.filter(({ type }) => type === 'user.said').length;
  return [
    `techne chat with ${name.startsWith('model:') ? `${name}, ${description}` : description} · ${counted(skills.list().length, 'skill')} · /help lists commands, Ctrl-D ends`,
    ...(said === 0
      ? []
      : [
          `resuming after ${counted(said, 'message')}${chat.history.cutOff ? '; the last one was not fully answered' : ''}`,
        ]),
  ];
}

/** Shows the last message and its answer. */
function recall({ out, err, quiet }: CommandContext, entries: readonly ChatEntry[]): void {
  if (quiet) return;
  const at = entries.findLastIndex(({ type }) => type === 'user.said');
  const last = entries[at];
  if (last?.type !== 'user.said') return;
  err.line(`› ${printable(last.text)}`);
  for (const entry of entries.slice(at)) {
    const text =
      entry.type === 'turn.stopped'
        ? entry.text
        : entry.type === 'turn.taken'
          ? entry.turn.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
          : '';
    if (text.trim() !== '') out.line(printable(text.trimEnd()));
  }
}

async function answerOnce(
  context: CommandContext,
  open: OpenChat,
  show: ShowChat,
  {
    id,
    message,
    seen,
  }: { readonly id: string; readonly message: string; readonly seen: readonly ChatEvent[] },
): Promise<number> {
  const { io, out, json } = context;
  const controller = new AbortController();
  const stop = (): void => controller.abort(new DetachSignal());
  const ended: { by: number | null } = { by: null };
  const stopListening = io.onInterrupt?.(stop);
  const stopListeningForEnd = io.onTerminate?.((code) => {
    ended.by = code;
    stop();
  });
  try {
    const submitted = await submit(
      { context: json ? { ...context, out: context.err, quiet: true } : context, open, show },
      message,
      controller.signal,
    );
    show.endText();
    if (submitted.kind === 'refused') throw new TechneError('USAGE', submitted.message);
    const answer = submitted.kind === 'answer' ? submitted.answer : null;
    const result = submitted.kind === 'run' ? submitted.result : null;
    if (json) {
      const { runs, usage } = open.chat.history;
      const matched = seen.flatMap((event) => (event.type === 'skills.matched' ? event.matches : []));
      const loaded = seen.flatMap((event) =>
        event.type === 'skills.matched' || event.type === 'call.ended' ? event.given : [],
      );
      out.json({
        chat: id,
        status: answer?.outcome ?? result?.status ?? 'done',
        answer: answer?.text ?? (result === null ? '' : answerOf(result)),
        message: answer?.message ?? result?.error?.message ?? (result === null ? null : waitText(result)),
        turns: answer?.turns ?? 0,
        skills: { matched, loaded },
        calls: seen.flatMap((event) =>
          event.type === 'call.ended' ? [{ tool: event.tool, ok: event.ok }] : [],
        ),
        runs,
        usage: addSpent(usage, spentByRuns(runs)),
        ...(result === null || waitText(result) === null
          ? {}
          : { questions: result.questions, undecided: result.undecided }),
      });
    } else if (answer !== null && answer.message !== null) show.warn(answer.message);
    if (ended.by !== null) return ended.by;
    if (result !== null) return exitCodeOfStatus[result.status];
    if (answer === null || answer.outcome === 'done')
      return controller.signal.aborted ? exitCodes.interrupted : exitCodes.fine;
    return answer.outcome === 'stopped' ? exitCodes.interrupted : exitCodes.files;
  } finally {
    stopListening?.();
    stopListeningForEnd?.();
  }
}

/** null: it does not wait. */
function waitText({ status, run, questions }: RunResult): string | null {
  if (status === 'needs_decision') return `the outcome of a call is unknown: techne runs show ${run}`;
  if (status !== 'paused') return null;
  return questions.length === 0
    ? `the run was stopped: techne runs resume ${run}`
    : `the run waits for ${questions.length === 1 ? 'an answer' : `${questions.length} answers`}: techne answer ${run}`;
}

/** The answer of a run as text, or what the run waits for. */
function answerOf({ envelope, error, text }: RunResult): string {
  const { answer } = envelope ?? {};
  if (answer !== undefined) return typeof answer === 'string' ? answer : renderJson(answer, 2);
  return envelope === null && error === null ? text : '';
}

async function list(
  { out, json, quiet, columns, colour, io }: CommandContext,
  files: StoredChats,
): Promise<number> {
  const chats = await listChats(files, mostListed);
  if (json) out.json({ chats });
  else if (chats.length === 0 && !quiet)
    out.line('There are no conversations yet; "techne chat" starts one.');
  else {
    const paint = createPaint(colour);
    const nowMs = Date.now();
    const rows = chats.map((chat) =>
      'fault' in chat
        ? [chat.chat, '', '', '', printableLine(`damaged: ${chat.fault}`)]
        : [
            chat.chat,
            ageText(nowMs - chat.lastAt),
            counted(chat.messages, 'message'),
            printableLine(shortened(chat.workspace, io.homeFolder)),
            printableLine(chat.title.replaceAll(/\s+/g, ' ')),
          ],
    );
    out.write(
      renderTable(
        [['CHAT', 'LAST', 'MESSAGES', 'WORKSPACE', 'BEGAN WITH'].map((title) => paint.dim(title)), ...rows],
        columns,
      ),
    );
  }
  return exitCodes.fine;
}

/** `~/project` for a path in the home folder. */
function shortened(path: string, home: string): string {
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
