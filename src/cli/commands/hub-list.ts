// techne hub list
//
// JSON: {skills: [{scope, …entry, files: count, drift: [text]}]}. The exit code is 1 if a skill is not as the lock says.
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { Scope } from '../../hub/install/place.ts';
import { driftLines, entryFacts, versionText } from '../../techne/hub/words.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { withHub } from '../hub/with-hub.ts';

export async function runHubList(context: CommandContext): Promise<number> {
  const { args, out, err, json, columns, quiet } = context;
  return withHub(context, async (work) => {
    const scope = args.value('to') as Scope | null;
    const found: {
      readonly scope: Scope;
      readonly entry: Parameters<typeof entryFacts>[0];
      readonly trusted: boolean;
      readonly drift: readonly string[];
    }[] = [];
    const lost: { readonly name: string; readonly scope: Scope }[] = [];
    for (const hub of work.hub.hubs) {
      if (scope !== null && hub.place.scope !== scope) continue;
      const listed = await hub.list();
      const entries = listed.map(({ entry }) => entry);
      const executable = await work.hub.trustedAmong(hub, entries);
      for (const { entry, drift } of listed)
        found.push({
          scope: hub.place.scope,
          entry,
          trusted: executable.has(entry.name),
          drift: driftLines(drift),
        });
      for (const name of (await hub.receipts()).keys())
        if (!listed.some(({ entry }) => entry.name === name)) lost.push({ name, scope: hub.place.scope });
    }
    const isFine = lost.length === 0 && found.every(({ drift }) => drift.length === 0);
    if (json) {
      out.json({
        skills: found.map(({ entry, trusted, ...rest }) => ({ ...rest, ...entryFacts(entry, trusted) })),
        notInLock: lost,
      });
      return isFine ? exitCodes.fine : exitCodes.files;
    }
    const rows = found.map(({ scope: where, entry, trusted, drift }) => [
      printableLine(entry.name),
      where,
      printableLine(versionText(entry.resolved)),
      entry.verdict,
      [
        drift.length > 0 ? 'changed' : '',
        entry.pinned ? 'pinned' : '',
        entry.adopted ? 'adopted' : '',
        trusted ? 'trusted' : '',
        printableLine(entry.source),
      ]
        .filter((text) => text !== '')
        .join(', '),
    ]);
    out.write(renderTable(rows, columns));
    for (const { entry, drift } of found) {
      if (drift.length === 0) continue;
      err.line(`${printableLine(entry.name)} is not as the lock says:`);
      for (const line of drift) err.line(`  ${printableLine(line)}`);
      if (!quiet)
        err.line(
          `  hint: techne restore ${entry.name} puts it back; techne adopt ${entry.name} keeps the changes`,
        );
    }
    for (const { name } of lost) {
      err.line(`${printableLine(name)} was installed, and the lock no longer has it.`);
      if (!quiet)
        err.line(`  hint: techne remove ${name} removes it; techne adopt ${name} puts it back into the lock`);
    }
    if (found.length + lost.length === 0)
      out.line('Nothing is installed. techne add SOURCE installs skills.');
    return isFine ? exitCodes.fine : exitCodes.files;
  });
}
