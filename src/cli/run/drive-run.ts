// A run that this process drives: started, resumed or forked; watched, asked about, and shown.
//
// D1. At a terminal what a person or the operator is asked is asked right here, while the run is paused, and then the run
//     goes on. What only the caller can answer, and everything elsewhere, leaves the run paused.
// D2. The first Ctrl-C cancels the run: nothing of it is left when the command ends. The second one ends the process.
//     SIGTERM and SIGHUP stop what is under way and leave the run as it is: it can be resumed.
// D3. Whatever happens, the run is let go of, so that others can take it up.
import { join, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printable, printableLine } from '../../base/printable.ts';
import type { EventSink } from '../../node/events/jsonl.ts';
import { openRuns } from '../../techne/open-runs.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { DetachSignal } from '../../run/effect/effect-context.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { RunResult } from '../../run/result/result.ts';
import { isAtTerminal } from '../ask-person.ts';
import { createPaint } from '../colour.ts';
import type { CommandContext } from '../context.ts';
import { displayPath } from '../../node/display-path.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-code.ts';
import { columnsOf } from '../io.ts';
import { defaultLimits } from '../../run/budget/limits.ts';
import { counted } from '../../base/render-table.ts';
import { adviseOnBudget, unpricedNote } from './advise.ts';
import { answererSpec, scriptedWorldOf } from './answerer-spec.ts';
import type { ScriptedWorld } from './answerer-spec.ts';
import { describeCall } from './describe-effect.ts';
import { runsFolder } from '../../techne/find-run.ts';
import { goOn, replied } from './go-on.ts';
import { createProgress } from './progress.ts';
import type { ProgressLimits } from './progress.ts';
import type { ResultLook } from './render-result.ts';
import { renderCompleted, renderFailed, renderWaiting } from './render-result.ts';

export interface Drivable {
  readonly library: SkillLibrary;
  /** As on the command line; null is the first that is there. */
  readonly answerer: string | null;
  /** What there is of the run already; null for a new one. */
  readonly before: RunView | null;
  readonly limits: ProgressLimits;
  /** What the envelope of a completed run must have as its status, or the exit code is 1. Default: anything. */
  readonly requireStatus?: readonly string[] | null;
  /** `answerer` is the name of who was chosen. */
  readonly begin: (runs: OpenRuns, answerer: string, signal: AbortSignal) => Promise<RunResult>;
}

/** Resolves to the exit code, after the result was written. */
export async function driveRun(context: CommandContext, drivable: Drivable): Promise<number> {
  const { io, args } = context;
  const progress = createProgress(context, drivable.limits, drivable.before);
  const events = await openEvents(context);
  const controller = new AbortController();
  const stopListening = io.onInterrupt?.(() => {
    progress.hold();
    if (!context.quiet) context.err.line('techne: cancelling the run; Ctrl-C again ends at once');
    controller.abort(new Error('Ctrl-C'));
  });
  let runs: OpenRuns | null = null;
  const seen: { run: string | null; endedBy: number | null; isPlan: boolean } = {
    run: null,
    endedBy: null,
    isPlan: false,
  };
  const stopListeningForEnd = io.onTerminate?.((exitCode) => {
    seen.endedBy = exitCode;
    controller.abort(new DetachSignal());
  });
  try {
    const spec = answererSpec(drivable.answerer, io.cwd);
    const scripted = await scriptedWorldOf(spec, drivable.library.files, drivable.before);
    if (!context.quiet)
      for (const what of saidByScript(scripted))
        context.err.line(`techne: no ${what} is carried out; their results come from the script`);
    const record = args.value('record');
    runs = await openRuns({
      library: drivable.library,
      homeFolder: io.homeFolder,
      variables: io.env,
      answerer: spec,
      record: record === null ? null : resolve(io.cwd, record),
      terminal: isAtTerminal(io),
      onEvent: (event) => {
        if (event.type === 'run.started' || event.type === 'run.resumed' || event.type === 'plan.opened')
          seen.run ??= event.run;
        if (event.type === 'plan.opened') seen.isPlan ||= event.run === seen.run;
        progress.onEvent(event);
        events?.onEvent(event);
      },
      ...(scripted.commands === null ? {} : { commands: scripted.commands }),
      ...(scripted.tools === null ? {} : { tools: scripted.tools }),
    });
    const answerer = runs.answerers.find(({ chosen }) => chosen)?.name ?? '';
    if (spec === null && !context.quiet && !answerer.startsWith('model:')) {
      // Who configured a model wants it to be asked.
      for (const { name, available, detail, hint } of runs.answerers)
        if (!available && name.startsWith('model:'))
          context.err.line(
            `techne: ${name} is not asked: ${printableLine(detail)}${hint === null ? '' : ` (${printableLine(hint)})`}`,
          );
    }
    const unpriced = unpricedNote(
      args.value('max-cost') !== null ||
        (drivable.before !== null && drivable.before.limits.costMicros !== defaultLimits.costMicros),
      answerer,
      drivable.library.loaded.config.models,
    );
    if (unpriced !== null && !context.quiet) context.err.line(unpriced);
    const { result, asked } = await goOn(
      context,
      runs,
      progress,
      answerer,
      controller.signal,
      await replied(
        context,
        runs,
        scripted.inputs,
        answerer,
        controller.signal,
        await drivable.begin(runs, answerer, controller.signal),
      ),
    );
    progress.end();
    const view = wantsView(context, result, seen.isPlan) ? await viewOf(runs, result.run) : null;
    writeResult(context, adviseOnBudget(result), { asked, view });
    return seen.endedBy ?? exitCodeOf(context, result, drivable.requireStatus ?? null);
  } catch (error) {
    if (!(error instanceof DetachSignal) || seen.endedBy === null) throw error;
    progress.end();
    await tellLeft(context, runs, seen.run);
    return seen.endedBy;
  } finally {
    stopListening?.();
    stopListeningForEnd?.();
    progress.end();
    await runs?.close();
    await events?.close();
  }
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

function saidByScript({ commands, tools }: ScriptedWorld): readonly string[] {
  return [...(commands === null ? [] : ['command']), ...(tools === null ? [] : ['tool'])];
}

function exitCodeOf(
  { err }: CommandContext,
  { status, envelope }: RunResult,
  required: readonly string[] | null,
): number {
  const given = envelope?.['status'] ?? 'ok';
  const said = typeof given === 'string' ? given : JSON.stringify(given);
  if (status !== 'completed' || required === null || required.includes(said)) return exitCodeOfStatus[status];
  err.line(
    `techne: the run completed with the status "${printableLine(said)}", and --require-status wants ${required.join(' or ')}`,
  );
  return exitCodes.files;
}

/** Steps are shown from the journal, and so are limits where more was asked for than the host allows. */
function wantsView({ json, quiet, args }: CommandContext, { usage }: RunResult, isPlan: boolean): boolean {
  return !json && !quiet && !args.flag('raw') && (isPlan || usage.clamped.length > 0);
}

/** JSON: {run, status, undecided}, as of `runs show`. */
async function tellLeft(
  { err, out, json }: CommandContext,
  runs: OpenRuns | null,
  run: string | null,
): Promise<void> {
  const undecided = (runs === null ? null : await viewOf(runs, run))?.undecided ?? [];
  if (json) out.json({ run, status: 'interrupted', undecided });
  err.line(
    run === null
      ? 'techne: stopped before the run began'
      : `techne: stopped; the run is left as it is. ${howToGoOn(run, undecided)}`,
  );
}

/** A call that was stopped and may not be repeated needs a person first: a resume alone would only say so. */
function howToGoOn(run: string, [first, ...more]: RunView['undecided']): string {
  if (first === undefined) return `To go on: techne runs resume ${run}`;
  const others = more.length === 0 ? '' : ` and ${counted(more.length, 'other call')}`;
  return `Nobody knows how far call ${first.key} (${describeCall(first.kind, first.request)})${others} got. To say so, and go on: techne runs resolve ${first.run} ${first.key} --as done|retry|fail`;
}

/** The result is shown also where the journal cannot be read again. */
async function viewOf({ runner }: OpenRuns, run: string | null): Promise<RunView | null> {
  try {
    return run === null ? null : await runner.inspect(run);
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}

/** `asked`: its questions have just been on the screen. `view`: the run as its journal has it, where that is wanted. */
export function writeResult(
  context: CommandContext,
  result: RunResult,
  { asked, view }: Pick<ResultLook, 'asked' | 'view'>,
): void {
  const { out, err, json, colour, columns, quiet, io, args } = context;
  if (json) return out.json(result);
  // A terminal gets no commands from a skill; a file or a pipe gets exactly what was said.
  if (args.flag('raw')) return out.line(io.stdout.isTTY === true ? printable(result.text) : result.text);
  const journal = result.run === null ? null : displayPath(join(runsFolder(io.homeFolder), result.run), io);
  const look = { paint: createPaint(colour), columns, journal, quiet, asked, view };
  if (result.status === 'completed' || result.status === 'partial') out.write(renderCompleted(result, look));
  // With --quiet there is nothing but the answer on standard output.
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
