// techne remove
//
// JSON: {removed: [{name, scope}]}.
import { printableLine } from '../../base/printable.ts';
import type { Scope } from '../../hub/install/place.ts';
import { displayPath } from '../../techne/paths.ts';
import type { CommandContext } from '../context.ts';
import { withHub } from '../hub/with-hub.ts';

export async function runRemove(context: CommandContext): Promise<number> {
  const { args, out, io, json } = context;
  return withHub(context, async (work) => {
    const removed: { name: string; scope: Scope }[] = [];
    for (const name of new Set(args.positionals)) {
      const hub = await work.hub.holding(name, args.value('to') as Scope | null);
      await hub.remove(name, args.flag('force'));
      await work.hub.untrust(hub, name);
      removed.push({ name, scope: hub.place.scope });
      if (!json)
        out.line(`Removed ${printableLine(name)} from ${printableLine(displayPath(hub.place.skills, io))}`);
    }
    if (json) out.json({ removed });
    return 0;
  });
}
