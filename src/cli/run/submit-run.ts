// techne run --submit
//
// JSON: {run, repeated}. A run that is refused is printed as that of techne run.
import { createHash } from 'node:crypto';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { canonicalJson } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { OpenTechne } from '../../techne/create-techne.ts';
import { defaultOrder, openDispatcherOf, submitRun } from '../../techne/serving.ts';
import type { SubmitRequest } from '../../run/runner.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-code.ts';
import { numberOption } from '../parse-arguments.ts';

/** Resolves to the exit code. */
export function submitHere(
  { args, out, err, json, quiet }: CommandContext,
  techne: OpenTechne,
  request: Omit<SubmitRequest, 'run'>,
): Promise<number> {
  const key = args.value('key');
  const priority = numberOption(args, 'priority', 0, 1_000_000) ?? 0;
  return techne.withRuns(async ({ runner, store, serving }) => {
    if (serving === null)
      throw new TechneError(
        'USAGE',
        '--submit is for a store that workers share, and runs are kept in files here',
        {
          hint: '--store postgres://USER@HOST:PORT/DATABASE, or set runs.store',
        },
      );
    const dispatcher = await openDispatcherOf(serving, (message) => {
      if (!quiet) err.line(`techne: ${printableLine(message)}`);
    });
    try {
      const { skill, input, limits = {} } = request;
      const submitted = await submitRun({ runner, store, serving, dispatcher }, request, {
        ...defaultOrder,
        queue: args.value('queue') ?? defaultOrder.queue,
        priority,
        key,
        digest: key === null ? null : digestOf({ skill, input, limits: { ...limits } as Json }),
      });
      if (!submitted.ok) {
        const { result } = submitted;
        if (json) out.json(result);
        else err.line(printableLine(result.text));
        return exitCodeOfStatus[result.status];
      }
      const { run, repeated } = submitted;
      if (json) out.json({ run, repeated });
      else out.line(run);
      if (!quiet && !json)
        err.line(
          repeated
            ? 'It was submitted before, under the same key.'
            : `It is queued; follow it with: techne runs tail ${run} and the same --store`,
        );
      return exitCodes.fine;
    } finally {
      await dispatcher.close();
    }
  });
}

function digestOf(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
