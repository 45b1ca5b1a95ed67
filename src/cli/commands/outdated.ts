// techne outdated
//
// JSON: {skills: [{name, scope, source, pinned, current, latest, outdated, fault}]}. The exit code is 1 if a source could not be asked.
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { OutdatedSkill } from '../../hub/install/find-outdated.ts';
import type { Scope } from '../../hub/install/place.ts';
import { versionText } from '../../techne/hub/words.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { eachHub } from '../hub/each-hub.ts';
import { withHub } from '../hub/with-hub.ts';

export async function runOutdated(context: CommandContext): Promise<number> {
  const { args, out, err, json, columns, quiet } = context;
  return withHub(context, async (work) => {
    const found: (OutdatedSkill & { readonly scope: Scope })[] = [];
    await eachHub(work, args.positionals, args.value('to') as Scope | null, async (hub, names) => {
      for (const one of await hub.outdated(names)) found.push({ ...one, scope: hub.place.scope });
      return exitCodes.fine;
    });
    work.pause();
    const faults = found.filter(({ fault }) => fault !== null);
    if (json) {
      out.json({
        skills: found.map(({ entry, latest, fault, scope }) => ({
          name: entry.name,
          scope,
          source: entry.source,
          pinned: entry.pinned,
          current: entry.resolved,
          latest: latest ?? entry.resolved,
          outdated: fault === null ? latest !== null : null,
          fault: fault === null ? null : { code: fault.code, message: fault.message, hint: fault.hint },
        })),
      });
      return faults.length === 0 ? exitCodes.fine : exitCodes.files;
    }
    const old = found.filter(({ latest }) => latest !== null);
    const rows = old.map(({ entry, latest }) => [
      printableLine(entry.name),
      printableLine(versionText(entry.resolved)),
      `-> ${latest === null ? '' : printableLine(versionText(latest))}${entry.pinned ? ' (pinned)' : ''}`,
    ]);
    out.write(renderTable(rows, columns));
    for (const { entry, fault } of faults) {
      err.line(`${printableLine(entry.name)}: ${printableLine(fault?.message ?? '')}`);
      if (!quiet && fault !== null && fault.hint !== null) err.line(`  hint: ${printableLine(fault.hint)}`);
    }
    if (old.length > 0 && !quiet) err.line('  techne update --dry-run shows what would change');
    if (old.length + faults.length === 0)
      out.line(found.length === 0 ? 'Nothing is installed.' : 'Every source has what is installed.');
    return faults.length === 0 ? exitCodes.fine : exitCodes.files;
  });
}
