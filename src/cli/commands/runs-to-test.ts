// techne runs to-test
//
// JSON: {run, skill, test}, the test as the text of its file.
import { TechneError } from '../../base/error.ts';
import { printable } from '../../base/printable.ts';
import { runToTest } from '../../measure/testing/run-to-test.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { archivePlace } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';

export function runRunsToTest(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withArchive(archivePlace(context), async ({ runner, find }) => {
    const run = await find(args.positionals[0] as string);
    const view = await runner.inspect(run);
    const made =
      view.status === 'completed' || view.status === 'failed'
        ? runToTest(view, await runner.resume(run), args.value('name') ?? `as in run ${run.slice(-6)}`)
        : runToTest(view, { envelope: null }, '');
    if (!made.ok)
      throw new TechneError('USAGE', `no test can be made of run ${run}: ${made.why}`, {
        hint: 'write one by hand: docs/guide/testing-skills.md',
      });
    if (json) out.json({ run, skill: view.skill.name, test: made.text });
    else out.write(printable(made.text));
    return exitCodes.fine;
  });
}
