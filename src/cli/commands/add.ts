// techne add
//
// JSON: as in hub/settle.ts. Without a source it restores what the lock names.
import { TechneError } from '../../base/error.ts';
import type { Scope } from '../../hub/install/place.ts';
import type { CommandContext } from '../context.ts';
import { settle } from '../hub/settle.ts';
import { withHub } from '../hub/with-hub.ts';

export async function runAdd(context: CommandContext): Promise<number> {
  const { args, io } = context;
  const [source] = args.positionals;
  if (source === undefined) {
    if (args.values('skill').length + args.values('expect').length > 0)
      throw new TechneError('USAGE', '--skill and --expect need a source', {
        hint: 'techne add SOURCE --skill NAME; without a source techne restores what the lock names',
      });
    return (await import('./restore.ts')).runRestore(context);
  }
  return withHub(context, async (work) => {
    const hub = work.hub.at((args.value('to') ?? work.hub.preferred) as Scope);
    const expect = args.values('expect');
    const bad = expect.find((digest) => !/^sha256:[0-9a-f]{64}$/.test(digest));
    if (bad !== undefined)
      throw new TechneError('USAGE', `--expect must be sha256: and 64 hex digits, not "${bad}"`, {
        hint: 'the page that techne shows before it asks has the digest',
      });
    const proposal = await hub.proposeAdd({ source, cwd: io.cwd, skills: args.values('skill'), expect });
    return settle(context, work, hub, proposal, { nothing: 'There was nothing to install.' });
  });
}
