// techne run --submit
//
// JSON: {run, repeated}. A run that is refused is printed as that of techne run.
import { inStore } from '../in-store.ts';
import { createHash } from 'node:crypto';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { canonicalJson } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { OpenTechne } from '../../techne/create-techne.ts';
import { filesHere } from '../../techne/travel/files.ts';
import { defaultOrder, openDispatcherOf, submitRun } from '../../techne/serving.ts';
import type { SubmitRequest } from '../../run/runner.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-code.ts';
import { parseAge } from '../commands/runs-prune.ts';
import { numberOption } from '../parse-arguments.ts';

/** Resolves to the exit code. */
export function submitHere(
  { args, io, out, err, json, quiet }: CommandContext,
  techne: OpenTechne,
  request: Omit<SubmitRequest, 'run'>,
): Promise<number> {
  const key = args.value('key');
  const priority = numberOption(args, 'priority', 0, 1_000_000) ?? 0;
  const within = args.value('deadline');
  const deadlineSeconds = within === null ? null : parseAge(within, 'deadline') / 1_000;
  if (deadlineSeconds === 0)
    throw new TechneError('USAGE', '--deadline 0 has passed when the run begins', {
      hint: 'such as --deadline 2h',
    });
  return techne.withRuns(async ({ runner, travelling, store, serving }) => {
    if (serving === null || travelling === null)
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
      const given = args.value('files');
      const files =
        given === null
          ? null
          : await filesHere(given, {
              library: techne.library,
              serving,
              cwd: io.cwd,
              homeFolder: io.homeFolder,
              variables: io.env,
            });
      const content = {
        skill,
        input,
        limits: { ...limits } as Json,
        ...(files === null ? {} : { files: { ...files } }),
      };
      const submitted = await submitRun(
        { runner, travelling, store, serving, dispatcher },
        request,
        {
          ...defaultOrder,
          queue: args.value('queue') ?? defaultOrder.queue,
          priority,
          key,
          digest:
            key === null
              ? null
              : digestOf(deadlineSeconds === null ? content : { ...content, deadlineSeconds }),
        },
        deadlineSeconds,
        files,
      );
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
            : inStore(`It is queued; follow it with: techne runs tail ${run}`, args.value('store')),
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
