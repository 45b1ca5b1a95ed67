// Resumes a paused or interrupted run in this process.
//
// For a nested run, the outermost run is resumed, because it waits for the nested one. A run that has ended only shows its result
// again, and needs no answerer. A run continues in its own workspace, whatever the current folder is. One that travels is
// left to the workers, which have its workspace.
//
// JSON of a run that is left to workers: {run, queued}.
import { inStore } from '../in-store.ts';
import { archivePlace } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { openLibraryOf } from '../open-library.ts';
import { withTechne, driveRun, writeResult } from './drive-run.ts';
import { adviseOnEnded } from './render-result.ts';
import { outermost } from '../../techne/seen-run.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { printableLine } from '../../base/printable.ts';
import type { Serving } from '../../techne/serving.ts';
import { kickRun, openDispatcherOf } from '../../techne/serving.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-code.ts';

/** `answerer` replaces the one of the run; null keeps it. `wait`: waits for another process that drives the run. Resolves to the exit code. */
export async function continueRun(
  context: CommandContext,
  run: string,
  answerer: string | null,
  wait = false,
): Promise<number> {
  const found = await withArchive(archivePlace(context), async (archive) => {
    const view = await outermost(archive.runner, run);
    const { serving } = archive;
    if (view.endedAt === null && view.settings.travel !== null && serving !== null) {
      await leaveToWorkers(context, view.run, serving);
      return null;
    }
    return view.endedAt === null
      ? { view, result: null, journal: null }
      : {
          view,
          result: await archive.runner.resume(view.run),
          journal: archive.index.placeOf(view.run),
        };
  });
  if (found === null) return exitCodes.fine;
  if (found.result !== null) {
    if (!context.quiet && found.result.status !== 'cancelled')
      context.err.line(
        `techne: run ${found.view.run} has ended, and this is its result; to start a new run from it: techne runs fork ${found.view.run}`,
      );
    writeResult(context, adviseOnEnded(found.result), {
      asked: false,
      view: found.view,
      journal: found.journal,
    });
    return exitCodeOfStatus[found.result.status];
  }
  const { view } = found;
  const opening = {
    library: await openLibraryOf(context, view),
    answerer: answerer ?? view.settings.answerer,
  };
  return withTechne(context, opening, (techne) =>
    driveRun(context, techne, {
      before: view,
      limits: view.limits,
      namesAnswerer: true,
      begin: (options) =>
        techne.runs.resume(techne.snapshot, view.run, {
          ...options,
          asChosen: answerer !== null,
          waitsFromStart: wait,
        }),
    }),
  );
}

async function leaveToWorkers(
  { out, err, json, quiet, args }: CommandContext,
  run: string,
  serving: Serving,
): Promise<void> {
  const dispatcher = await openDispatcherOf(serving, (message) => {
    if (!quiet) err.line(`techne: ${printableLine(message)}`);
  });
  try {
    const queued = await kickRun({ serving, dispatcher }, run);
    if (json) out.json({ run, queued });
    else if (!quiet)
      err.line(
        inStore(
          `techne: workers drive run ${run}${queued ? ', and it is queued again' : ''}; follow it with: techne runs tail ${run}`,
          args.value('store'),
        ),
      );
  } finally {
    await dispatcher.close();
  }
}
