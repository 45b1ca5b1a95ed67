// techne restore
//
// JSON: as in hub/settle.ts; with --frozen {differences: [{name, scope, drift}]}.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { Hub } from '../../hub/install/hub.ts';
import type { Scope } from '../../hub/install/place.ts';
import { displayPath } from '../../techne/paths.ts';
import { driftLines, waysOut } from '../../techne/hub/words.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { eachHub } from '../hub/each-hub.ts';
import { settle } from '../hub/settle.ts';
import type { HubWork } from '../hub/with-hub.ts';
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
    const asLocked =
      args.positionals.length > 0
        ? allIsWell
        : await requireLock(context, work, args.value('to') as Scope | null);
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
      if (isAsLocked && !context.json) context.out.line(asLocked);
      return code;
    }
    if (context.json)
      context.out.json({
        differences: differences.map(({ name, scope, drift }) => ({ name, scope, drift })),
      });
    else if (differences.length === 0) context.out.line(asLocked);
    for (const { name, drift, hint } of context.json ? [] : differences) {
      context.err.line(`${printableLine(name)} is not as the lock says:`);
      for (const line of drift) context.err.line(`  ${printableLine(line)}`);
      if (!context.quiet) context.err.line(`  hint: ${printableLine(hint)}`);
    }
    return differences.length === 0 ? exitCodes.fine : exitCodes.files;
  });
}

const allIsWell = 'Everything is as the lock says.';

/**
 * What to say when nothing differs. Throws LOCK_MISSING where there is nothing to compare with: a checkout without its lock is
 * not one in which everything is right.
 */
async function requireLock(
  { io }: CommandContext,
  { hub: open }: HubWork,
  scope: Scope | null,
): Promise<string> {
  const among = open.hubs.filter(({ place }) => scope === null || place.scope === scope);
  const locked: Hub[] = [];
  for (const hub of among) if ((await hub.hasLock()) || (await hub.lost()).length > 0) locked.push(hub);
  const wanted = among.find(({ place }) => place.scope === open.preferred) ?? among[0];
  if (wanted === undefined || locked.includes(wanted)) return allIsWell;
  const [other] = locked;
  if (other !== undefined)
    return `Everything is as ${printableLine(displayPath(other.place.lockFile, io))} says; this workspace has no lock.`;
  const foreign = join(wanted.place.root, 'skills-lock.json');
  throw new TechneError(
    'LOCK_MISSING',
    `there is no lock: ${displayPath(wanted.place.lockFile, io)} does not exist`,
    {
      hint: existsSync(foreign)
        ? `techne restore --from ${displayPath(foreign, io)} installs what the lock of npx skills names`
        : `${wanted.place.scope === 'workspace' ? 'if it was in the repository: git restore techne-lock.json; otherwise ' : ''}techne add SOURCE installs skills and writes the lock`,
    },
  );
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
    if (lines.length > 0) found.push({ name: entry.name, scope, drift: lines, hint: waysOut(entry, drift) });
  }
  for (const { name, message, hint } of await hub.lost())
    if (isMeant(name)) found.push({ name, scope, drift: [message], hint: hint ?? '' });
  return found;
}
