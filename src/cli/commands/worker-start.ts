// techne worker
//
// JSON: one line for each event.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { openWorker } from '../../techne/serving.ts';
import type { QueueLimits } from '../../worker/run-queue.ts';
import type { WorkerEvent } from '../../worker/worker.ts';
import { storeOf } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { answererSpec, numberOption } from '../parse-arguments.ts';

export async function runWorkerStart(context: CommandContext): Promise<number> {
  const { args, io, out, err, json, quiet } = context;
  const limits = new Map(
    (args.values('queue').length === 0 ? ['default'] : args.values('queue')).map(queueOf),
  );
  const concurrency = numberOption(args, 'concurrency', 1, 1_000) ?? 4;
  const graceMs = (numberOption(args, 'grace', 0, 86_400) ?? 20) * 1_000;
  const library = await openLibrary(context);
  if (!json) reportConfig(context, library.loaded);
  const say = (line: string): void => {
    if (!quiet) err.line(`techne worker: ${printableLine(line)}`);
  };
  const worker = await openWorker({
    library,
    homeFolder: io.homeFolder,
    variables: io.env,
    cwd: io.cwd,
    ...storeOf(args),
    answerer: answererSpec(args.value('answer'), io.cwd),
    queues: [...limits.keys()],
    concurrency,
    limits,
    onSay: (event) => {
      if (json) out.line(JSON.stringify(event));
      else say(textOf(event));
    },
  });
  if (json) out.line(JSON.stringify({ kind: 'ready', worker: worker.id }));
  else say(`${worker.id} takes runs from ${[...limits.keys()].join(', ')}, ${concurrency} at a time`);
  const code = await new Promise<number>((stop) => {
    io.onInterrupt?.(() => stop(exitCodes.fine));
    io.onTerminate?.(() => stop(exitCodes.fine));
  });
  const { length } = worker.active;
  if (length > 0) say(`draining: ${length} under way; a second signal ends the process`);
  // The default of a signal that comes again ends the process: other workers continue its runs.
  await worker.close(graceMs);
  return code;
}

/** `NAME[:LIMIT[:RUNS/SECONDS]]`. Throws USAGE. */
function queueOf(given: string): [string, Partial<QueueLimits>] {
  const parts = /^([a-z0-9][a-z0-9._-]{0,63})(?::(\d{1,6})?)?(?::(\d{1,6})\/(\d{1,6}))?$/i.exec(given);
  if (parts === null || parts[1]?.startsWith('_') === true)
    throw new TechneError('USAGE', `"${printableLine(given)}" is not a queue`, {
      hint: 'NAME, NAME:LIMIT or NAME:LIMIT:RUNS/SECONDS, such as reports:2:10/60',
    });
  const [, name = '', limit, runs, seconds] = parts;
  return [
    name,
    {
      ...(limit === undefined ? {} : { concurrency: Number(limit) }),
      ...(runs === undefined ? {} : { rate: { runs: Number(runs), seconds: Number(seconds) } }),
    },
  ];
}

function textOf(event: WorkerEvent): string {
  switch (event.kind) {
    case 'began':
      return `run ${event.run}: driven here`;
    case 'ended':
    case 'waits':
    case 'detached':
      return `run ${event.run}: ${event.status}`;
    case 'taken-over':
      return `run ${event.run}: its worker ${event.from} is dead${event.deaths > 1 ? ` (${event.deaths} times in a row)` : ''}; it is queued again`;
    case 'held':
      return `run ${event.run} is held: ${event.reason} (techne worker held)`;
    case 'left':
      return `run ${event.run} is left to other workers: ${event.reason}`;
    case 'fault':
      return event.run === null ? event.reason : `run ${event.run}: ${event.reason}`;
  }
}
