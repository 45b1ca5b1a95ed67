// techne worker list, held, release
//
// JSON: {workers, limits}, {held}, {run}.
import { inStore } from '../in-store.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { renderLimits } from './store-limit.ts';
import { withServing } from '../with-serving.ts';

export function runWorkerList(context: CommandContext): Promise<number> {
  const { json, out, err, columns } = context;
  return withServing(context, 'workers', async ({ served, worker }) => {
    const workers = (await served.workers()).filter(({ id }) => id !== worker);
    const limits = await served.limits();
    if (json) out.json({ workers, limits });
    else if (workers.length === 0)
      err.line(
        inStore('No process uses the store now. To start one: techne worker', context.args.value('store')),
      );
    else
      out.write(
        renderTable(
          workers.map(({ id, described, isAlive, runs, queues }) => [
            id,
            isAlive ? 'alive' : 'dead',
            `${runs}`,
            queues === null ? '' : printableLine(queues.join(' ')),
            printableLine(described),
          ]),
          columns,
        ),
      );
    const full = limits.filter(
      (one) =>
        one.queued > 0 &&
        (one.driven >= (one.concurrency ?? Infinity) || one.begun >= (one.rate?.runs ?? Infinity)),
    );
    if (!json && full.length > 0) {
      err.line('Limits that hold queued runs back:');
      err.write(renderLimits(full, columns));
    }
    return exitCodes.fine;
  });
}

export function runWorkerHeld(context: CommandContext): Promise<number> {
  const { json, out, err } = context;
  return withServing(context, 'workers', async ({ served }) => {
    const held = await served.held();
    if (json) out.json({ held });
    else if (held.length === 0) err.line('No run is held.');
    else
      for (const { run, queue, held: reason } of held)
        out.line(`${run}  ${queue}  ${printableLine(reason ?? '')}`);
    if (!json && held.length > 0)
      err.line(inStore('When the cause is gone: techne worker release RUN', context.args.value('store')));
    return exitCodes.fine;
  });
}

export function runWorkerRelease(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withServing(context, 'workers', async ({ served }, { find }) => {
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
