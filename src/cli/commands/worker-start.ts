// techne worker
//
// JSON: one line for each event.
import { resolve } from 'node:path';
import { printableLine } from '../../base/printable.ts';
import { openWorker } from '../../techne/serving.ts';
import { mustBeQueue } from '../../techne/queue-name.ts';
import type { WorkerEvent } from '../../worker/worker.ts';
import { storeOf } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { answererSpec, numberOption } from '../parse-arguments.ts';

export async function runWorkerStart(context: CommandContext): Promise<number> {
  const { args, io, out, err, json, quiet } = context;
  const queues = [
    ...new Set((args.values('queue').length === 0 ? ['default'] : args.values('queue')).map(mustBeQueue)),
  ];
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
    ...(args.value('cache') === null ? {} : { cacheFolder: resolve(io.cwd, args.value('cache') as string) }),
    queues,
    concurrency,
    onSay: (event) => {
      if (json) out.line(JSON.stringify(event));
      else say(textOf(event));
    },
  });
  if (json) out.line(JSON.stringify({ kind: 'ready', worker: worker.id }));
  else say(`${worker.id} takes runs from ${queues.join(', ')}, ${concurrency} at a time`);
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
    case 'late':
      return `run ${event.run}: ${event.reason}`;
    case 'fired':
      return `schedule ${event.schedule}: run ${event.run} is queued`;
    case 'not-fired':
      return `schedule ${event.schedule}: no run was started: ${event.reason}`;
    case 'delivered':
      return `webhook ${event.webhook}: ${event.delivery} is delivered`;
    case 'not-delivered':
      return `webhook ${event.webhook}: ${event.delivery} is not delivered: ${event.reason}`;
    case 'fault':
      return event.run === null ? event.reason : `run ${event.run}: ${event.reason}`;
  }
}
