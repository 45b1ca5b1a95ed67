// techne publish
//
// JSON: {site, changed, sequence, listed, keyId, skills: [{name, version, status, digest, tree, size, verdict}]}. Refused by the
// check: {refused: "check", diagnostics}; by the scan: {refused: "scan", skills: [{name, verdict, findings}]}.
import { resolve } from 'node:path';
import { compareDiagnostics } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import type { Findings } from '../../techne/check/gather-findings.ts';
import { acceptCommand } from '../../techne/hub/words.ts';
import { displayPath } from '../../techne/paths.ts';
import { fingerprintOf } from '../../techne/publish/open-hubs.ts';
import type { PublishOutcome, ScannedForPublication } from '../../techne/publish/publish-skills.ts';
import { publishSkills } from '../../techne/publish/publish-skills.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';

export async function runPublish(context: CommandContext): Promise<number> {
  const { args, io, json } = context;
  const site = args.value('out');
  if (site === null || site === '')
    throw new TechneError('USAGE', 'techne publish needs the folder of the hub: --out SITE', {
      hint: 'such as techne publish skills --out site',
    });
  const library = await openLibrary(context);
  if (!json) reportConfig(context, library.loaded);
  const outcome = await publishSkills(
    {
      folders: args.positionals,
      cwd: io.cwd,
      homeFolder: io.homeFolder,
      site,
      sign: args.value('sign'),
      title: args.value('title'),
      base: args.value('url'),
    },
    library,
  );
  switch (outcome.kind) {
    case 'unsound':
      refuseUnsound(context, outcome.findings);
      return exitCodes.files;
    case 'dangerous':
      refuseDangerous(context, outcome.scans);
      return exitCodes.files;
    case 'published':
      tellPublished(context, resolve(io.cwd, site), outcome);
      return exitCodes.fine;
  }
}

function refuseUnsound({ json, out, err, io, colour, columns }: CommandContext, findings: Findings): void {
  const { texts } = findings;
  const diagnostics = findings.diagnostics.toSorted(compareDiagnostics);
  if (json) {
    out.json({
      refused: 'check',
      diagnostics: diagnostics.map((one) => describeDiagnostic(one, texts.get(one.path) ?? null)),
    });
    return;
  }
  for (const one of diagnostics.filter(({ severity }) => severity !== 'info'))
    out.line(
      renderDiagnostic({ ...one, path: displayPath(one.path, io) }, texts.get(one.path) ?? null, {
        colour,
        width: Math.min(columns ?? 100, 140) - 2,
      }),
    );
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  err.line(
    `Nothing was published: ${errors === 0 ? 'a folder holds no skill' : `the check found ${counted(errors, 'error')}`}. Correct ${errors > 1 ? 'them' : 'it'}, and publish again.`,
  );
}

function refuseDangerous(
  { json, out, err, io }: CommandContext,
  scans: readonly ScannedForPublication[],
): void {
  if (json) {
    out.json({
      refused: 'scan',
      skills: scans.map(({ name, report: { verdict, findings } }) => ({ name, verdict, findings })),
    });
    return;
  }
  for (const { name, report } of scans)
    for (const { rule, severity, file, line, column, message, hint, excerpt } of report.findings.slice(
      0,
      20,
    )) {
      out.line(printableLine(`${name}/${file}:${line}:${column}: ${severity} ${rule}: ${message}`));
      out.line(printableLine(`  ${excerpt}`));
      out.line(printableLine(`  hint: ${hint}`));
    }
  err.line(
    `Nothing was published: ${scans.length === 1 ? 'a skill is' : `${scans.length} skills are`} dangerous. Remove what was found, and publish again.`,
  );
  for (const { folder, report } of scans)
    err.line(
      printableLine(`  hint: if it is wrong: ${acceptCommand(report.findings, displayPath(folder, io))}`),
    );
}

function tellPublished(
  { json, out, err, io, quiet, columns }: CommandContext,
  site: string,
  { publication, scans }: Extract<PublishOutcome, { kind: 'published' }>,
): void {
  const { skills, changed, sequence, listed, keyId } = publication;
  const verdictOf = new Map(scans.map(({ name, report }) => [name, report.verdict]));
  if (json) {
    out.json({
      site,
      changed,
      sequence,
      listed,
      keyId,
      skills: skills.map((skill) => ({ ...skill, verdict: verdictOf.get(skill.name) })),
    });
    return;
  }
  out.write(
    renderTable(
      skills.map(({ name, version, status, digest }) => [
        printableLine(name),
        printableLine(version),
        status === 'new' ? 'published' : 'published before',
        verdictOf.get(name) ?? '',
        digest.slice(0, 'sha256:'.length + 12),
      ]),
      columns,
    ),
  );
  // What the publisher accepted is in the publisher's own records.
  for (const { name, report } of scans)
    if (report.accepted.length > 0)
      err.line(
        printableLine(
          `${name}: ${counted(report.accepted.length, 'finding')} that you accepted (${report.accepted.map(({ finding }) => `${finding.rule} ${finding.file}:${finding.line}`).join(', ')}). Others did not: their scan finds ${report.accepted.length === 1 ? 'it' : 'them'} again when they add the skill, and may refuse it.`,
        ),
      );
  if (quiet) return;
  const signed = keyId === null ? 'not signed' : `signed by ${fingerprintOf(keyId)}`;
  err.line(
    `${changed ? 'The hub' : 'Nothing changed: the hub'} ${printableLine(displayPath(site, io))} has ${counted(listed, 'skill')}, ${signed}.`,
  );
  if (changed) err.line(`Look at it: techne hub serve ${printableLine(displayPath(site, io))}`);
}
