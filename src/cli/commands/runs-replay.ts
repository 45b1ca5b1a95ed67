// techne runs replay
//
// JSON: {run, same, divergences: [{what, key, message}], text, effects}.
import { archivePlace } from '../archive-place.ts';
import { printableLine } from '../../base/printable.ts';
import { createPaint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { counted } from '../../base/render-table.ts';
import type { RunView } from '../../run/history/inspect.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { runRunsFork } from './runs-fork.ts';

export function runRunsReplay(context: CommandContext): Promise<number> {
  const { args, json, out, colour } = context;
  if (args.flag('from')) return runRunsFork(context);
  return withArchive(archivePlace(context), async ({ runner, find }) => {
    const run = await find(args.positionals[0] as string);
    const report = await runner.replay(run);
    if (json) out.json(report);
    else {
      const paint = createPaint(colour);
      const { status } = await runner.inspect(run);
      if (report.same)
        out.line(
          `${paint.green('the same')}: replaying ${counted(report.effects, 'recorded call')} ${whereTo(status)}`,
        );
      else {
        out.line(`${paint.red('not the same')}: the program and the journal of run ${run} differ`);
        for (const { what, key, message } of report.divergences)
          out.line(`  ${what}${key === null ? '' : ` ${printableLine(key)}`}: ${printableLine(message)}`);
      }
    }
    return report.same ? exitCodes.fine : exitCodes.files;
  });
}

function whereTo(status: RunView['status']): string {
  if (status === 'cancelled') return 'leads to where the run was cancelled';
  return ended.has(status) ? 'gives a byte-identical result' : 'leads to where the run is now';
}

const ended: ReadonlySet<RunView['status']> = new Set(['completed', 'partial', 'failed']);
