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

interface Difference {
  readonly name: string;
  readonly scope: Scope;
  readonly drift: readonly string[];
  readonly hint: string;
}

export async function runRestore(context: CommandContext): Promise<number> {
  const { args } = context;
  const from = args.value('from');
  if (from !== null) return (await import('../hub/restore-from.ts')).restoreFrom(context, from);
  const isFrozen = args.flag('frozen');
  return withHub(context, async (work) => {
    let isAsLocked = true;
    const differences: Difference[] = [];
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
        if (proposal.skills.length + proposal.notProposed.length > 0) isAsLocked = false;
        return settle(context, work, hub, proposal, { nothing: null, refusal: 'Not restored' });
      },
      true,
    );
    work.pause();
    if (!isFrozen) {
      if (isAsLocked && !context.json) context.out.line('Everything is as the lock says.');
      return code;
    }
    if (context.json)
      context.out.json({
        differences: differences.map(({ name, scope, drift }) => ({ name, scope, drift })),
      });
    else if (differences.length === 0) context.out.line('Everything is as the lock says.');
    for (const { name, drift, hint } of context.json ? [] : differences) {
      context.err.line(`${printableLine(name)} is not as the lock says:`);
      for (const line of drift) context.err.line(`  ${printableLine(line)}`);
      if (!context.quiet) context.err.line(`  hint: ${printableLine(hint)}`);
    }
    return differences.length === 0 ? exitCodes.fine : exitCodes.files;
  });
}

async function findDifferences(hub: Hub, names: readonly string[] | null): Promise<readonly Difference[]> {
  const { scope } = hub.place;
  const isMeant = (name: string): boolean => names === null || names.includes(name);
  const found: Difference[] = [];
  for (const { entry, drift } of await hub.list()) {
    if (!isMeant(entry.name)) continue;
    const lines = [
      ...driftLines(drift),
      ...drift.excluded.map((path) => `${path} was added (not part of the skill)`),
    ];
    const hint = `techne restore ${entry.name} puts it right; techne adopt ${entry.name} keeps what is there`;
    if (lines.length > 0) found.push({ name: entry.name, scope, drift: lines, hint });
  }
  for (const { name, message, hint } of await hub.lost())
    if (isMeant(name)) found.push({ name, scope, drift: [message], hint: hint ?? '' });
  return found;
}
