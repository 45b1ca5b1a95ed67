// A run that this process drives: started, resumed or forked; watched, asked about, and shown.
//
// D1. At a terminal what a person or the operator is asked is asked right here, and the run goes on. What only the
//     caller can answer, and everything elsewhere, leaves the run paused.
// D2. The first Ctrl-C cancels the run: nothing of it is left when the command ends. The second one ends the process.
// D3. Whatever happens, the run is let go of, so that others can take it up.
import { join, resolve } from 'node:path';
import type { Abort } from '../../base/abort.ts';
import type { Json } from '../../base/json.ts';
import { TechneError } from '../../base/error.ts';
import { printable, printableLine } from '../../base/printable.ts';
import type { EventSink } from '../../host/events-jsonl.ts';
import { openRuns } from '../../host/open-runs.ts';
import type { OpenRuns } from '../../host/open-runs.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import type { RunView } from '../../run/inspect.ts';
import type { PendingQuestion, RunResult } from '../../run/result.ts';
import { isAtTerminal } from '../ask-person.ts';
import { createPaint } from '../colour.ts';
import type { CommandContext } from '../context.ts';
import { displayPath } from '../display-path.ts';
import { exitCodeOfStatus } from '../exit-code.ts';
import { answererSpec, scriptedCommandsOf } from './answerer-spec.ts';
import { askHere, createTerminal } from './ask-here.ts';
import { runsFolder } from './find-run.ts';
import { createProgress } from './progress.ts';
import type { Progress, ProgressLimits } from './progress.ts';
import { renderCompleted, renderFailed, renderWaiting } from './render-result.ts';

export interface Drivable {
  readonly library: SkillLibrary;
  /** As on the command line; null is the first that is there. */
  readonly answerer: string | null;
  /** What there is of the run already; null for a new one. */
  readonly before: RunView | null;
  readonly limits: ProgressLimits;
  /** `answerer` is the name of who was chosen. */
  readonly begin: (runs: OpenRuns, answerer: string, signal: Abort) => Promise<RunResult>;
}

/** Resolves to the exit code, after the result was written. */
export async function driveRun(context: CommandContext, drivable: Drivable): Promise<number> {
  const { io, args } = context;
  const progress = createProgress(context);
  progress.setLimits(drivable.limits);
  const events = await openEvents(context);
  const controller = new AbortController();
  const unheard = io.onInterrupt?.(() => {
    progress.hold();
    if (!context.quiet) context.err.line('techne: cancelling the run; Ctrl-C again ends at once');
    controller.abort(new Error('Ctrl-C'));
  });
  let runs: OpenRuns | null = null;
  try {
    const spec = answererSpec(drivable.answerer, io.cwd);
    const scripted = await scriptedCommandsOf(spec, drivable.library.files, drivable.before);
    if (scripted !== null && !context.quiet) context.err.line('techne: no command is carried out; their results come from the script');
    const record = args.value('record');
    runs = await openRuns({
      library: drivable.library,
      homeFolder: io.homeFolder,
      variables: io.env,
      answerer: spec,
      record: record === null ? null : resolve(io.cwd, record),
      terminal: isAtTerminal(io) ? createTerminal(context, progress) : null,
      onEvent: (event) => {
        progress.onEvent(event);
        events?.onEvent(event);
      },
      ...(scripted === null ? {} : { commands: scripted }),
    });
    const answerer = runs.answerers.find(({ chosen }) => chosen)?.name ?? '';
    const result = await goOn(context, runs, progress, controller.signal, await drivable.begin(runs, answerer, controller.signal));
    progress.end();
    writeResult(context, result);
    return exitCodeOfStatus[result.status];
  } finally {
    unheard?.();
    progress.end();
    await runs?.close();
    await events?.close();
  }
}

async function openEvents({ args, io, err }: CommandContext): Promise<EventSink | null> {
  const file = args.value('events');
  if (file === null) return null;
  const { createJsonlEvents } = await import('../../host/events-jsonl.ts');
  return createJsonlEvents({ target: resolve(io.cwd, file), content: true, onFault: (error) => err.line(`techne: events cannot be written to "${printableLine(file)}": ${printableLine(error.message)}`) });
}

/** D1. */
async function goOn(context: CommandContext, runs: OpenRuns, progress: Progress, signal: Abort, first: RunResult): Promise<RunResult> {
  let result = first;
  if (!isAtTerminal(context.io)) return result;
  while (result.status === 'paused' && result.run !== null) {
    const here = result.questions.filter(({ audience }) => audience !== 'caller');
    if (here.length === 0) return result;
    progress.hold();
    let answered = 0;
    for (const question of here) answered += (await answerHere(context, runs, question, signal)) ? 1 : 0;
    progress.release();
    if (signal.aborted) {
      await runs.runner.cancel(result.run, 'Ctrl-C', 'operator');
      return runs.runner.resume(result.run);
    }
    if (answered === 0) return result;
    result = await runs.runner.resume(result.run, { signal });
  }
  return result;
}

/** Whether it was answered; an answer that does not fit is asked for again. */
async function answerHere(context: CommandContext, { runner }: OpenRuns, question: PendingQuestion, signal: Abort): Promise<boolean> {
  for (;;) {
    let value: Json;
    try {
      value = await askHere(context, question, signal);
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
    if (value === null) return false;
    try {
      await runner.answer(question.run, { question: question.id, nonce: question.nonce, value, from: question.audience });
      return true;
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'ANSWER_REFUSED') throw error;
      context.err.line(`That cannot be used: ${printableLine(error.message)}`);
    }
  }
}

export function writeResult(context: CommandContext, result: RunResult): void {
  const { out, err, json, colour, columns, quiet, io, args } = context;
  if (json) return out.json(result);
  // A terminal gets no commands from a skill; a file or a pipe gets exactly what was said.
  if (args.flag('raw')) return out.line(io.stdout.isTTY === true ? printable(result.text) : result.text);
  const journal = result.run === null ? null : displayPath(join(runsFolder(io.homeFolder), result.run), io);
  const look = { paint: createPaint(colour), columns, journal, quiet };
  if (result.status === 'completed' || result.status === 'partial') out.write(renderCompleted(result, look));
  else if (result.status === 'paused' || result.status === 'needs_decision') out.write(renderWaiting(result, look));
  else err.write(renderFailed(result, { ...look, paint: createPaint(colour && io.stderr.isTTY === true) }));
}
