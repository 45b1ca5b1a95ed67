// Drives a run that is started, resumed or forked: shows its progress, asks its questions at the terminal, and prints its result.
//
// Ctrl-C, SIGTERM and SIGHUP detach the run: what was answered is kept, and the run can be resumed. A second Ctrl-C cancels it,
// a third one ends the process. Without a terminal, a run that asks something stays paused.
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printable, printableLine } from '../../base/printable.ts';
import type { EventSink } from '../../node/events/jsonl.ts';
import type { OpenTechne, OpenTechneOptions } from '../../techne/create-techne.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import type { DriveRunOptions } from '../../techne/runs.ts';
import { RunDetachedError } from '../../run/drive/drive.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { RunResult, PendingQuestion } from '../../run/result/result.ts';
import { createPaint, columnsOf, isAtTerminal } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { displayPlace } from '../../techne/paths.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-code.ts';
import { defaultLimits } from '../../run/budget/limits.ts';
import { counted } from '../../base/render-table.ts';
import {
  adviseOnBudget,
  unpricedNote,
  renderCompleted,
  renderFailed,
  renderWaiting,
} from './render-result.ts';
import { describeCall } from './describe-effect.ts';
import { createProgress } from './progress.ts';
import type { ProgressLimits, Progress } from './progress.ts';
import type { ResultLook } from './render-result.ts';
import { inStore } from '../in-store.ts';
import type { Abort } from '../../base/abort.ts';
import type { Json } from '../../base/json.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { RunStore } from '../../ports/run-store.ts';
import type { AskingContext, Questioner, Reply } from '../../run/drive/drive.ts';
import { askDecisions } from './ask-decision.ts';
import { askHere } from './ask-here.ts';
import type { AskedQuestion } from './render-question.ts';
import { openTechne } from '../../techne/create-techne.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { storeOf } from '../archive-place.ts';
import { answererSpec } from '../parse-arguments.ts';

interface Drivable {
  /** The state of the run in its journal; null for a new run. */
  readonly before: RunView | null;
  readonly limits: ProgressLimits;
  /** Whether the command line or the run names the answerer. */
  readonly namesAnswerer: boolean;
  /** The status that the envelope of a completed run must have, or the exit code is 1. Default: any. */
  readonly requireStatus?: readonly string[] | null;
  readonly begin: (options: DriveRunOptions) => Promise<RunResult>;
}

/** Resolves to the exit code, after the result was written. */
export async function driveRun(
  context: CommandContext,
  techne: OpenTechne,
  drivable: Drivable,
): Promise<number> {
  const { io } = context;
  const progress = createProgress(context, drivable.limits, drivable.before);
  const events = await openEvents(context);
  const detach = new AbortController();
  const seen: { run: string | null; endedBy: number | null; isPlan: boolean; isCancelled: boolean } = {
    run: null,
    endedBy: null,
    isPlan: false,
    isCancelled: false,
  };
  const note = (text: string): void => {
    progress.hold();
    if (!context.quiet) context.err.line(`techne: ${text}`);
  };
  let stopListening = io.onInterrupt?.(() => {
    note('interrupting the run, which can be resumed; Ctrl-C again cancels it');
    seen.endedBy = exitCodes.interrupted;
    stopListening = io.onInterrupt?.(() => {
      note('cancelling the run; Ctrl-C again ends the process immediately');
      seen.isCancelled = true;
    });
    detach.abort();
  });
  const stopListeningForEnd = io.onTerminate?.((exitCode) => {
    seen.endedBy = exitCode;
    detach.abort();
  });
  let runs: OpenRuns | null = null;
  const terminal = createTerminalQuestions(context, () => runs as OpenRuns, progress);
  try {
    const result = await drivable.begin({
      ...terminal.options,
      detach: detach.signal,
      onWait: () => context.err.line('Another process drives the run; its result is shown here, too.'),
      onOpen: (opened) => {
        runs = opened;
        reportWorld(context, techne, opened, drivable);
      },
      onEvent: (event) => {
        if (event.type === 'run.started' || event.type === 'run.resumed' || event.type === 'plan.opened')
          seen.run ??= event.run;
        if (event.type === 'plan.opened') seen.isPlan ||= event.run === seen.run;
        progress.onEvent(event);
        events?.onEvent(event);
      },
    });
    progress.end();
    if (seen.isCancelled && result.run !== null) return await cancel(context, techne, result.run);
    const view = wantsView(context, result, seen.isPlan) ? await viewOf(techne, result.run) : null;
    const journal =
      result.run === null ? null : ((runs as OpenRuns | null)?.index.placeOf(result.run) ?? null);
    writeResult(context, adviseOnBudget(result), { asked: terminal.wasAsked(result), view, journal });
    return seen.endedBy ?? exitCodeOf(context, result, drivable.requireStatus ?? null);
  } catch (error) {
    if (!(error instanceof RunDetachedError) || seen.endedBy === null) throw error;
    progress.end();
    if (seen.isCancelled && error.run !== null) return await cancel(context, techne, error.run);
    await reportDetached(context, techne, error.run);
    return seen.endedBy;
  } finally {
    stopListening?.();
    stopListeningForEnd?.();
    progress.end();
    await events?.close();
  }
}

/** Prints what affects the run on this machine: scripted results, models that are not asked, unknown prices. */
function reportWorld(
  { quiet, err, args }: CommandContext,
  { library }: OpenTechne,
  { scripted, answerers }: OpenRuns,
  { before, namesAnswerer }: Drivable,
): void {
  if (quiet) return;
  for (const [what, host] of [
    ['command', scripted?.commands ?? null],
    ['tool', scripted?.tools ?? null],
  ] as const)
    if (host !== null) err.line(`techne: no ${what} is executed; the script supplies the results`);
  const answerer = answerers.find(({ chosen }) => chosen)?.name ?? '';
  if (!namesAnswerer && !answerer.startsWith('model:')) {
    // A configured model that is not asked is unexpected.
    for (const { name, available, detail, hint } of answerers)
      if (!available && name.startsWith('model:'))
        err.line(
          `techne: ${name} is not asked: ${printableLine(detail)}${hint === null ? '' : ` (${printableLine(hint)})`}`,
        );
  }
  const isLimited =
    args.value('max-cost') !== null ||
    (before !== null && before.limits.costMicros !== defaultLimits.costMicros);
  const unpriced = unpricedNote(isLimited, answerer, library.loaded.config.models);
  if (unpriced !== null) err.line(unpriced);
}

/** `--events`: null without it. To be closed. */
export async function openEvents({ args, io, err }: CommandContext): Promise<EventSink | null> {
  const file = args.value('events');
  if (file === null) return null;
  const { createJsonlEvents } = await import('../../node/events/jsonl.ts');
  return createJsonlEvents({
    target: resolve(io.cwd, file),
    content: true,
    atOnce: true,
    onFault: (error) =>
      err.line(
        `techne: events cannot be written to "${printableLine(file)}": ${printableLine(error.message)}`,
      ),
  });
}

function exitCodeOf(
  { err }: CommandContext,
  { status, envelope }: RunResult,
  required: readonly string[] | null,
): number {
  const given = envelope?.['status'] ?? 'ok';
  const found = typeof given === 'string' ? given : JSON.stringify(given);
  if (status !== 'completed' || required === null || required.includes(found))
    return exitCodeOfStatus[status];
  err.line(
    `techne: the run completed with the status "${printableLine(found)}", but --require-status requires ${required.join(' or ')}`,
  );
  return exitCodes.files;
}

/** The steps of a plan, and limits that the host lowered, are shown from the journal. */
function wantsView({ json, quiet, args }: CommandContext, { usage }: RunResult, isPlan: boolean): boolean {
  return !json && !quiet && !args.flag('raw') && (isPlan || usage.clamped.length > 0);
}

/** Ends a run that Ctrl-C has stopped. A run that had just ended keeps its result. */
async function cancel(context: CommandContext, techne: OpenTechne, run: string): Promise<number> {
  const { result, journal } = await techne.withRuns(async ({ runner, index }) => {
    await runner.cancel(run, 'Ctrl-C', 'operator');
    return { result: await runner.resume(run), journal: index.placeOf(run) };
  });
  writeResult(context, result, { asked: false, view: null, journal });
  return exitCodeOfStatus[result.status];
}

/** JSON: {run, status, undecided}, as in `runs show`. */
async function reportDetached(
  { err, out, json, args }: CommandContext,
  techne: OpenTechne,
  run: string | null,
): Promise<void> {
  const undecided = (await viewOf(techne, run))?.undecided ?? [];
  if (json) out.json({ run, status: 'interrupted', undecided });
  err.line(
    run === null
      ? 'techne: stopped before the run started'
      : `techne: stopped. ${inStore(howToContinue(run, undecided), args.value('store'))}`,
  );
}

function howToContinue(run: string, [first, ...more]: RunView['undecided']): string {
  if (first === undefined) return `The run can be resumed: techne runs resume ${run}`;
  const others = more.length === 0 ? '' : ` and ${counted(more.length, 'other call')}`;
  return `The outcome of call ${first.key} (${describeCall(first.kind, first.request)})${others} is unknown, so you decide about it when you resume the run, at a terminal: techne runs resume ${run}`;
}

/** null if the journal cannot be read: the result is shown anyway. */
async function viewOf(techne: OpenTechne, run: string | null): Promise<RunView | null> {
  try {
    return run === null ? null : await techne.withRuns(({ runner }) => runner.inspect(run));
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}

/** `asked`: the questions were just shown on the screen. `journal`: where it is. `view`: the run as recorded in its journal, if needed. */
export function writeResult(
  context: CommandContext,
  result: RunResult,
  { asked, view, journal: place }: Pick<ResultLook, 'asked' | 'view' | 'journal'>,
): void {
  const { out, err, json, colour, columns, quiet, io, args } = context;
  if (json) return out.json(result);
  // Control characters are escaped for a terminal; a file or a pipe gets the exact text.
  if (args.flag('raw')) return out.line(io.stdout.isTTY === true ? printable(result.text) : result.text);
  const journal = place === null ? null : displayPlace(place, io);
  const store = args.value('store');
  const look = { paint: createPaint(colour), columns, journal, quiet, asked, view, store };
  if (result.status === 'completed' || result.status === 'partial') out.write(renderCompleted(result, look));
  // With --quiet, standard output has only the answer.
  else if (result.status === 'paused' || result.status === 'needs_decision')
    (quiet ? err : out).write(renderWaiting(result, look));
  else
    err.write(
      renderFailed(result, {
        ...look,
        columns: columnsOf(io.stderr),
        paint: createPaint(colour && io.stderr.isTTY === true),
      }),
    );
}

// Asks the person at this terminal the questions of a run, which may be answered elsewhere at the same time, and about calls with
// an unknown outcome.
//
// Questions to the caller are not asked here. A question that the person postpones stays open. The prompt disappears as soon as
// the question is answered elsewhere or the run has ended.

interface TerminalQuestions {
  /** For the driver; without a terminal, nothing is asked. */
  readonly options: Pick<DriveRunOptions, 'decide'> & { readonly questions: readonly Questioner[] };
  /** Whether something that the run waits for was asked here and postponed. */
  wasAsked(result: Pick<RunResult, 'questions' | 'undecided'>): boolean;
}

export function createTerminalQuestions(
  context: CommandContext,
  open: () => Pick<OpenRuns, 'store' | 'runner'>,
  progress: Pick<Progress, 'hold' | 'release'>,
): TerminalQuestions {
  const asked = new Set<string>();
  const ask = async (question: PendingQuestion, { refused, signal }: AskingContext): Promise<Reply> => {
    if (question.audience === 'caller') return 'open';
    if (refused !== null) {
      if (refused.code !== 'ANSWER_REFUSED') {
        context.err.line(`Too late: ${printableLine(refused.message)}.`);
        return 'settled';
      }
      context.err.line(`Not accepted: ${printableLine(refused.message)}`);
    }
    asked.add(question.id);
    progress.hold();
    const reply = await askWatched(context, open().store, question, signal);
    if (reply !== 'open') progress.release();
    return reply;
  };
  const decide: NonNullable<DriveRunOptions['decide']> = async (undecided, signal) => {
    for (const { run, key } of undecided) asked.add(`${run} ${key}`);
    progress.hold();
    try {
      const isDecided = await askDecisions(context, open(), undecided, signal);
      if (isDecided) progress.release();
      return isDecided;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  };
  return {
    options: isAtTerminal(context.io) ? { questions: [ask], decide } : { questions: [] },
    wasAsked: ({ questions, undecided }) =>
      questions.some(({ id }) => asked.has(id)) ||
      undecided.some(({ run, key }) => asked.has(`${run} ${key}`)),
  };
}

/** Asks until the question is answered here or elsewhere, or postponed. */
export async function askWatched(
  context: CommandContext,
  store: RunStore,
  question: AskedQuestion,
  signal: Abort,
): Promise<Reply> {
  const prompt = new AbortController();
  const stop = (): void => prompt.abort(new Error('stopped'));
  let isOver = false;
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  // A journal that cannot be read is reported when the run is resumed.
  const watch = store.subscribe(question.run, 0, (entries) => {
    if (!entries.some(({ entry }) => closes(entry, question.id))) return;
    isOver = true;
    stop();
  });
  try {
    const answer: Json = await askHere(context, question, prompt.signal);
    return answer === null ? 'open' : { answer };
  } catch (error) {
    if (signal.aborted) return 'open';
    if (!isOver) throw error;
    context.err.line('It was answered elsewhere.');
    return 'settled';
  } finally {
    watch.close();
    signal.removeEventListener('abort', stop);
  }
}

function closes(entry: JournalEntry, question: string): boolean {
  return (
    entry.type === 'run.ended' ||
    entry.type === 'cancel.requested' ||
    (entry.type === 'question.answered' && entry.id === question)
  );
}

// Opens techne for a command line: with its skill library and its answerer.

interface WithTechneOptions extends Pick<
  OpenTechneOptions,
  'snapshot' | 'onEvent' | 'onWarning' | 'watched'
> {
  readonly library: SkillLibrary;
  /** The value of --answer; null chooses the first available answerer. */
  readonly answerer: string | null;
}

/** Closes it after `work`, also if `work` fails. */
export async function withTechne<T>(
  context: CommandContext,
  options: WithTechneOptions,
  work: (techne: OpenTechne) => Promise<T>,
): Promise<T> {
  const techne = await openTechneFor(context, options);
  try {
    return await work(techne);
  } finally {
    await techne.close();
  }
}

function openTechneFor(
  { io, args }: CommandContext,
  { answerer, ...options }: WithTechneOptions,
): Promise<OpenTechne> {
  const record = args.value('record');
  return openTechne({
    ...options,
    homeFolder: io.homeFolder,
    variables: io.env,
    answerer: answererSpec(answerer, io.cwd),
    record: record === null ? null : resolve(io.cwd, record),
    terminal: isAtTerminal(io),
    ...storeOf(args),
  });
}
