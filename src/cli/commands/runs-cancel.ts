// techne runs cancel
//
// JSON: {run, delivery}: `recorded`: the run has ended; `posted`: the process that drives it was asked to stop; `ended`: it had
// already ended.
import { inStore } from '../in-store.ts';
import { archivePlace } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { outermost } from '../../techne/seen-run.ts';
import { withArchive } from '../../techne/open-archive.ts';

export function runRunsCancel(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withArchive(archivePlace(context), async (archive) => {
    const { run, endedAt, status } = await outermost(
      archive.runner,
      await archive.find(args.positionals[0] as string),
    );
    const delivery =
      endedAt === null
        ? await archive.runner.cancel(run, args.value('reason') ?? 'techne runs cancel', 'operator')
        : 'ended';
    if (json) out.json({ run, delivery });
    else if (delivery === 'ended') out.line(`Run ${run} has already ended: ${status}.`);
    else
      out.line(
        delivery === 'recorded'
          ? `Run ${run} is cancelled.`
          : inStore(
              `Run ${run} was asked to stop; "techne runs tail ${run}" shows when it has.`,
              args.value('store'),
            ),
      );
    return delivery === 'ended' ? exitCodes.files : exitCodes.fine;
  });
}
