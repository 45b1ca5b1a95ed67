// techne adopt
//
// JSON: {name, adopted, digest, verdict, findings, drift, diff}; diff is null where what was locked cannot be fetched.
// The content is the person's own decision: it needs a terminal, or --yes.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { Scope } from '../../hub/install/place.ts';
import { displayPath } from '../../techne/paths.ts';
import { acceptCommand, driftLines } from '../../techne/hub/words.ts';
import { askPerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { reportLines, verdictText } from '../hub/consent-page.ts';
import { compareSkill } from '../../techne/hub/compare-skill.ts';
import { diffSkill } from '../hub/diff-skill.ts';
import { withHub } from '../hub/with-hub.ts';
import { createPaint, isAtTerminal } from '../io.ts';

export async function runAdopt(context: CommandContext): Promise<number> {
  const { args, out, err, io, json } = context;
  return withHub(context, async (work) => {
    const name = args.positionals[0] as string;
    const hub = await work.hub.holding(name, args.value('to') as Scope | null);
    const proposed = await hub.proposeAdopt(name);
    const { before, after, report, drift, files, declared, locked, fault } = proposed;
    work.pause();
    const lines = driftLines(drift);
    const compared = {
      files,
      filesNow: locked?.files ?? null,
      declared,
      declaredNow: locked?.declared ?? null,
      before,
      report,
    };
    const facts = {
      name,
      digest: after.digest,
      verdict: report.verdict,
      findings: report.findings,
      drift: lines,
      // Without what was locked every file would look new.
      diff: fault === null ? compareSkill(compared) : null,
    };
    if (before !== null && before.digest === after.digest) {
      if (json) out.json({ ...facts, adopted: false });
      else out.line(`${printableLine(name)} is as the lock says; there is nothing to adopt.`);
      return exitCodes.fine;
    }
    const paint = createPaint(context.colour && io.stderr.isTTY === true);
    err.line(`The lock would take ${printableLine(name)} as it is now: ${verdictText(report, paint)}`);
    for (const line of lines) err.line(`  ${printableLine(line)}`);
    if (fault === null) for (const line of diffSkill(compared, paint)) err.line(line);
    else
      err.line(
        `  The text cannot be compared with what was locked: ${printableLine(fault.message)}. Read it: techne show ${printableLine(name)} --body`,
      );
    for (const line of reportLines(report, paint)) err.line(line);
    if (report.verdict === 'dangerous')
      throw new TechneError('INSTALL_REFUSED', `"${name}" is dangerous as it is now`, {
        hint: `remove what was found; if it is wrong: ${acceptCommand(report.findings, displayPath(join(hub.place.skills, name), io))}${before === null || before.adopted ? '' : `; techne restore ${name} puts the installed version back`}`,
      });
    const isAsked = isAtTerminal(io) && !args.flag('yes');
    if (!isAsked && !args.flag('yes'))
      throw new TechneError(
        'CONSENT_NEEDED',
        `the changes of "${name}" need consent, and there is no terminal to ask on`,
        {
          hint: 'add --yes if you looked at them',
        },
      );
    if (isAsked && !(await askPerson(context, `Keep these changes of ${printableLine(name)}?`))) {
      if (json) out.json({ ...facts, adopted: false });
      else err.line('Nothing was changed.');
      return exitCodes.files;
    }
    work.resume();
    await hub.adopt(proposed);
    if (json) out.json({ ...facts, adopted: true });
    else
      out.line(
        `Adopted ${printableLine(name)}: the lock has its present content. It is not trusted to be executed: techne trust ${printableLine(name)}`,
      );
    return exitCodes.fine;
  });
}
