// techne scan accept
//
// JSON: {accepted: [{skill, rule, file, line, fingerprint}]}
// Only a person at a terminal accepts: an agent that runs commands must not be able to switch its own guard off.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import { acceptFindings, findFindings, resolveTargets, scanTargets } from '../../techne/scan-skills.ts';
import { askPerson, requireTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';

export async function runScanAccept(context: CommandContext): Promise<number> {
  const { args, io, out, err, json } = context;
  const reason = args.value('reason')?.trim() ?? '';
  if (reason === '')
    throw new TechneError('USAGE', '--reason is missing', {
      hint: 'say why the findings are harmless: --reason TEXT',
    });
  requireTerminal(io, 'accepting findings', 'run it in a terminal; agents cannot accept findings');
  const library = await openLibrary(context);
  const targets = await resolveTargets(
    { given: args.values('in'), cwd: io.cwd, homeFolder: io.homeFolder },
    library,
  );
  const scanned = await scanTargets(targets, library, io.homeFolder);
  const found = findFindings(scanned, args.positionals);
  for (const { target, finding } of found)
    err.line(
      `${printableLine(target.name)}: ${finding.severity} ${finding.rule} ${printableLine(finding.file)}:${finding.line}: ${printableLine(finding.decoded ?? finding.excerpt)}`,
    );
  if (!(await askPerson(context, `Accept ${counted(found.length, 'finding')} in this content?`))) {
    err.line('Nothing was accepted.');
    if (json) out.json({ accepted: [] });
    return exitCodes.files;
  }
  await acceptFindings(found, { library, homeFolder: io.homeFolder, reason, now: new Date() });
  if (json)
    out.json({
      accepted: found.map(({ target, finding: { rule, file, line, fingerprint } }) => ({
        skill: target.name,
        rule,
        file,
        line,
        fingerprint,
      })),
    });
  else
    out.line(
      `Accepted ${counted(found.length, 'finding')}. They count again when the files or the rules change.`,
    );
  return exitCodes.fine;
}
