// techne hub list
//
// JSON: {skills: [{scope, …entry, files: count, drift: [text], hasOtherSource}]}. The exit code is 1 if a skill is not as the lock says.
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { Scope } from '../../hub/install/place.ts';
import { describeInstalled, listInstalled } from '../../techne/hub/list-installed.ts';
import { originText, signerText, versionText } from '../../techne/hub/words.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { withHub } from '../hub/with-hub.ts';

export async function runHubList(context: CommandContext): Promise<number> {
  const { args, out, err, json, columns, quiet } = context;
  return withHub(context, async (work) => {
    const scope = args.value('to') as Scope | null;
    const { found, lost } = await listInstalled(work.hub, scope);
    const isFine = lost.length === 0 && found.every(({ drift }) => drift.length === 0);
    if (json) {
      out.json({
        ...describeInstalled({ found, lost }),
      });
      return isFine ? exitCodes.fine : exitCodes.files;
    }
    const rows = found.map(({ scope: where, entry, own, drift, isMissing }) => [
      printableLine(entry.name),
      where,
      printableLine(versionText(entry.resolved)),
      entry.verdict,
      [
        isMissing ? 'gone' : drift.length > 0 ? 'changed' : 'as locked',
        ...(entry.pinned ? ['pinned'] : []),
        ...(entry.adopted ? ['adopted'] : []),
        ...(own.trusted ? ['trusted'] : []),
      ].join(', '),
      [originText(entry.resolved), signerText(entry.resolved, own.trustedAs) ?? '']
        .filter((text) => text !== '')
        .map((text) => printableLine(text))
        .join(', '),
    ]);
    if (rows.length > 0)
      out.write(renderTable([['NAME', 'WHERE', 'VERSION', 'VERDICT', 'STATE', 'FROM'], ...rows], columns));
    for (const { entry, drift, hint } of found) {
      if (drift.length === 0) continue;
      err.line(`${printableLine(entry.name)} is not as the lock says:`);
      for (const line of drift) err.line(`  ${printableLine(line)}`);
      if (!quiet) err.line(`  hint: ${printableLine(hint)}`);
    }
    for (const { entry, hasOtherSource } of found)
      if (hasOtherSource)
        err.line(
          `${printableLine(entry.name)}: the lock says that it is from ${printableLine(entry.source)}, which is another place than ${printableLine(originText(entry.resolved))}.`,
        );
    for (const { name, hint } of lost) {
      err.line(`${printableLine(name)} was installed, and the lock no longer has it.`);
      if (!quiet) err.line(`  hint: ${printableLine(hint)}`);
    }
    if (found.length + lost.length === 0)
      out.line('Nothing is installed. techne add SOURCE installs skills.');
    return isFine ? exitCodes.fine : exitCodes.files;
  });
}
