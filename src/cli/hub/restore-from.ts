// techne restore --from: installs what a lock of `npx skills` names.
//
// Each entry is one proposal, so that one source that is gone does not keep the others back.
import { dirname, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { Scope } from '../../hub/install/place.ts';
import { addRequestOf, readForeignLock } from '../../techne/hub/foreign-locks.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOf, exitCodes } from '../exit-code.ts';
import { settle } from './settle.ts';
import { withHub } from './with-hub.ts';

export async function restoreFrom(context: CommandContext, from: string): Promise<number> {
  const { args, io, err, quiet } = context;
  if (args.flag('frozen') || context.json)
    throw new TechneError(
      'USAGE',
      '--from installs one skill after the other, and takes neither --frozen nor --json',
      {
        hint: 'leave it out; "techne hub list --json" shows the result',
      },
    );
  const file = resolve(io.cwd, from);
  const entries = await readForeignLock(file);
  const wanted =
    args.positionals.length === 0 ? entries : entries.filter(({ name }) => args.positionals.includes(name));
  return withHub(context, async (work) => {
    const hub = work.hub.at((args.value('to') ?? work.hub.preferred) as Scope);
    let code: number = exitCodes.fine;
    for (const entry of wanted) {
      let got: number;
      try {
        work.resume();
        const proposal = await hub.proposeAdd(addRequestOf(entry, dirname(file)));
        got = await settle(context, work, hub, proposal, { nothing: 'There was nothing to install.' });
      } catch (error) {
        if (!(error instanceof TechneError) || error.message === 'it was interrupted') throw error;
        work.pause();
        err.line(`Not installed: ${printableLine(entry.name)}: ${printableLine(error.message)}`);
        if (error.hint !== null && !quiet) err.line(`  hint: ${printableLine(error.hint)}`);
        got = exitCodeOf(error.code);
      }
      if (code === exitCodes.fine) code = got;
    }
    if (wanted.length === 0) context.out.line(`${printableLine(from)} names no such skill.`);
    return code;
  });
}
