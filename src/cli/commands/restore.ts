// techne restore
//
// JSON: as in hub/settle.ts; with --frozen {differences: [{name, scope, drift}]}.
import { printableLine } from '../../base/printable.ts';
import type { Hub } from '../../hub/install/hub.ts';
import type { Scope } from '../../hub/install/place.ts';
import { driftLines } from '../../techne/hub/words.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { eachHub } from '../hub/each-hub.ts';
import { settle } from '../hub/settle.ts';
import { withHub } from '../hub/with-hub.ts';

export async function runRestore(context: CommandContext): Promise<number> {
  const { args } = context;
  const from = args.value('from');
  if (from !== null) return (await import('../hub/restore-from.ts')).restoreFrom(context, from);
  const isFrozen = args.flag('frozen');
  return withHub(context, async (work) => {
    const differences: { name: string; scope: Scope; drift: readonly string[] }[] = [];
    const code = await eachHub(
      work,
      args.positionals,
      args.value('to') as Scope | null,
      async (hub, names) => {
        if (isFrozen) {
          differences.push(...(await findDifferences(hub, names)));
          return exitCodes.fine;
        }
        work.resume();
        const proposal = await hub.proposeRestore(names);
        return settle(context, work, hub, proposal, { nothing: 'Everything is as the lock says.' });
      },
    );
    if (!isFrozen) return code;
    work.pause();
    if (context.json) context.out.json({ differences });
    else if (differences.length === 0) context.out.line('Everything is as the lock says.');
    for (const { name, drift } of context.json ? [] : differences) {
      context.err.line(`${printableLine(name)} is not as the lock says:`);
      for (const line of drift) context.err.line(`  ${printableLine(line)}`);
    }
    if (differences.length > 0 && !context.quiet && !context.json)
      context.err.line('  hint: techne restore puts it right; techne adopt NAME keeps what is there');
    return differences.length === 0 ? exitCodes.fine : exitCodes.files;
  });
}

async function findDifferences(
  hub: Hub,
  names: readonly string[] | null,
): Promise<readonly { name: string; scope: Scope; drift: readonly string[] }[]> {
  const { scope } = hub.place;
  const found: { name: string; scope: Scope; drift: readonly string[] }[] = [];
  const listed = await hub.list();
  for (const { entry, drift } of listed) {
    if (names !== null && !names.includes(entry.name)) continue;
    const lines = [
      ...driftLines(drift),
      ...drift.excluded.map((path) => `${path} was added (not part of the skill)`),
    ];
    if (lines.length > 0) found.push({ name: entry.name, scope, drift: lines });
  }
  for (const name of (await hub.receipts()).keys())
    if (!listed.some(({ entry }) => entry.name === name) && (names === null || names.includes(name)))
      found.push({ name, scope, drift: ['it was installed, and the lock no longer has it'] });
  return found;
}
