// techne runs replay
//
// JSON: {run, same, divergences: [{what, key, message}], text, effects}.
import { archivePlace } from '../archive-place.ts';
import { printableLine } from '../../base/printable.ts';
import { createPaint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { counted } from '../../base/render-table.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { runRunsFork } from './runs-fork.ts';

export function runRunsReplay(context: CommandContext): Promise<number> {
  const { args, json, out, colour } = context;
  if (args.flag('from')) return runRunsFork(context);
  return withArchive(archivePlace(context), async ({ runner, find, store }) => {
    const run = await find(args.positionals[0] as string);
    const report = await runner.replay(run);
    if (json) out.json(report);
    else {
      const paint = createPaint(colour);
      const ended = (await store.read(run)).some(({ entry }) => entry.type === 'run.ended');
      if (report.same) {
        out.line(
          `${paint.green('the same')}: ${counted(report.effects, 'outcome')} of the journal ${report.effects === 1 ? 'gives' : 'give'} ${ended ? 'a byte-identical result' : 'the same run so far'}`,
        );
      } else {
        out.line(`${paint.red('not the same')}: the program and the journal of run ${run} differ`);
        for (const { what, key, message } of report.divergences)
          out.line(`  ${what}${key === null ? '' : ` ${printableLine(key)}`}: ${printableLine(message)}`);
      }
    }
    return report.same ? exitCodes.fine : exitCodes.files;
  });
}
