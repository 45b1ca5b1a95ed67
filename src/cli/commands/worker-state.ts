// techne worker list, held, release
//
// JSON: {workers}, {held}, {run}.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { RunArchive } from '../../techne/open-archive.ts';
import { withArchive } from '../../techne/open-archive.ts';
import type { Serving } from '../../techne/serving.ts';
import { archivePlace } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';

export function runWorkerList(context: CommandContext): Promise<number> {
  const { json, out, err, columns } = context;
  return withServing(context, async ({ served, worker }) => {
    const workers = (await served.workers()).filter(({ id }) => id !== worker);
    if (json) out.json({ workers });
    else if (workers.length === 0) err.line('No process uses the store now. "techne worker" starts one.');
    else
      out.write(
        renderTable(
          workers.map(({ id, described, isAlive, runs }) => [
            id,
            isAlive ? 'alive' : 'dead',
            `${runs}`,
            printableLine(described),
          ]),
          columns,
        ),
      );
    return exitCodes.fine;
  });
}

export function runWorkerHeld(context: CommandContext): Promise<number> {
  const { json, out, err } = context;
  return withServing(context, async ({ served }) => {
    const held = await served.held();
    if (json) out.json({ held });
    else if (held.length === 0) err.line('No run is held.');
    else
      for (const { run, queue, held: reason } of held)
        out.line(`${run}  ${queue}  ${printableLine(reason ?? '')}`);
    if (!json && held.length > 0) err.line('When the cause is gone: techne worker release RUN');
    return exitCodes.fine;
  });
}

export function runWorkerRelease(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withServing(context, async ({ served }, { find }) => {
    const run = await find(args.positionals[0] as string);
    if (((await served.find(run))?.held ?? null) === null)
      throw new TechneError('USAGE', `run ${run} is not held`, {
        hint: '"techne worker held" shows the runs that are',
      });
    await served.release(run);
    if (json) out.json({ run });
    else out.line(`Workers try run ${run} again.`);
    return exitCodes.fine;
  });
}

function withServing<T>(
  context: CommandContext,
  work: (serving: Serving, archive: RunArchive) => Promise<T>,
): Promise<T> {
  return withArchive(archivePlace(context), (archive) => {
    if (archive.serving === null)
      throw new TechneError('USAGE', 'workers share a store in Postgres, and runs are kept in files here', {
        hint: '--store postgres://USER@HOST:PORT/DATABASE, or set runs.store',
      });
    return work(archive.serving, archive);
  });
}
