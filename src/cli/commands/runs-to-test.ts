// techne runs to-test
//
// JSON: {run, skill, test, changed: [skill], faults: [message], notCompared: [field], secrets}, the test as the text of its file.
import { TechneError } from '../../base/error.ts';
import { printable, printableLine } from '../../base/printable.ts';
import { recordedRun } from '../../measure/testing/record/script-of-run.ts';
import { runToTest } from '../../measure/testing/record/run-to-test.ts';
import { skillsOf } from '../../measure/testing/test-skills.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { archivePlace } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';

export function runRunsToTest(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  return withArchive(archivePlace(context), async ({ runner, find }) => {
    const run = await find(args.positionals[0] as string);
    const recorded = await recordedRun((name) => runner.inspect(name), run);
    const { view } = recorded;
    const isOver = view.endedAt !== null;
    const library = await openLibrary(context);
    const made = await runToTest({
      recorded,
      result: isOver ? await runner.resume(run) : { envelope: null },
      name: args.value('name') ?? `as in run ${run.slice(-6)}`,
      skills: skillsOf(await library.load()),
    });
    if (!made.ok)
      throw new TechneError('USAGE', `no test can be made of run ${run}: ${made.why.join('; ')}`, {
        hint: 'write one by hand: docs/guide/testing-skills.md',
      });
    const { text, changed, faults, notCompared, secrets } = made;
    if (json)
      out.json({
        run,
        skill: view.skill.name,
        test: text,
        changed,
        faults: faults.map(({ what, message }) => `${what}: ${message}`),
        notCompared,
        secrets,
      });
    else {
      out.write(printable(text));
      if (changed.length > 0)
        context.err.line(
          `${changed.map((name) => `"${printableLine(name)}"`).join(', ')} changed since this run: the test ${faults.length === 0 ? 'passes all the same' : `fails now (${printableLine(faults.map(({ what }) => what).join(', '))})`}`,
        );
    }
    return exitCodes.fine;
  });
}
