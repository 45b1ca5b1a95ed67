// techne update
//
// JSON: as in hub/settle.ts, once for each place that has skills: {workspace?, user?}.
import type { Scope } from '../../hub/install/place.ts';
import type { CommandContext } from '../context.ts';
import { eachHub } from '../hub/each-hub.ts';
import { settle } from '../hub/settle.ts';
import { withHub } from '../hub/with-hub.ts';

export async function runUpdate(context: CommandContext): Promise<number> {
  const { args } = context;
  return withHub(context, (work) =>
    eachHub(work, args.positionals, args.value('to') as Scope | null, async (hub, names) => {
      work.resume();
      const proposal = await hub.proposeUpdate(names);
      return settle(context, work, hub, proposal, {
        dryRun: args.flag('dry-run'),
        refusal: 'Not updated',
        nothing: 'Nothing is installed that could be updated.',
      });
    }),
  );
}
