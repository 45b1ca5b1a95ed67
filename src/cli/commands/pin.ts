// techne pin, techne unpin
//
// JSON: {name, pinned, changed}.
import { printableLine } from '../../base/printable.ts';
import type { Scope } from '../../hub/install/place.ts';
import type { CommandContext } from '../context.ts';
import { withHub } from '../hub/with-hub.ts';

export const runPin = (context: CommandContext): Promise<number> => setPinned(context, true);
export const runUnpin = (context: CommandContext): Promise<number> => setPinned(context, false);

async function setPinned(context: CommandContext, pinned: boolean): Promise<number> {
  const { args, out, json } = context;
  return withHub(context, async (work) => {
    const name = args.positionals[0] as string;
    const hub = await work.hub.holding(name, args.value('to') as Scope | null);
    const changed = await hub.pin(name, pinned);
    if (json) out.json({ name, pinned, changed });
    else if (!changed) out.line(`${printableLine(name)} ${pinned ? 'is pinned already' : 'is not pinned'}.`);
    else
      out.line(
        pinned
          ? `${printableLine(name)} is pinned: techne update leaves it as it is.`
          : `${printableLine(name)} is no longer pinned: techne update changes it when its source does.`,
      );
    return 0;
  });
}
