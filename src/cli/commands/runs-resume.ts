// techne runs resume
//
// JSON: as for techne run.
import { archivePlace } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { continueRun } from '../run/continue-run.ts';
import { withArchive } from '../../techne/open-archive.ts';

export async function runRunsResume(context: CommandContext): Promise<number> {
  const run = await withArchive(archivePlace(context), ({ find }) =>
    find(context.args.positionals[0] as string),
  );
  return continueRun(context, run, context.args.value('answer'));
}
