// What a person sees before a skill is let in.
//
//   Proposal -> lines: for each skill its files, what it declares and uses, what it hides, the verdict with its findings
//
// Everything of a skill is untrusted text: it is printed through `printableLine`, bounded, and never in the first column.
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import type { Finding, Report } from '../../guard/report.ts';
import type { Proposal, ProposedSkill } from '../../hub/install/proposal.ts';
import type { LockEntry } from '../../hub/lock/lock.ts';
import { displayPath } from '../../techne/paths.ts';
import type { OwnRecord } from '../../techne/hub/words.ts';
import { originOf } from '../../techne/hub/words.ts';
import type { CommandContext } from '../context.ts';
import type { Paint } from '../io.ts';
import { diffSkill } from './diff-skill.ts';
import { sizeText } from './progress.ts';

const mostFiles = 40;
const mostFindings = 20;

/** `ownRecord`: what the user's own records say of what a lock names. */
export function consentPage(
  proposal: Proposal,
  context: CommandContext,
  paint: Paint,
  ownRecord: (entry: LockEntry) => OwnRecord,
): readonly string[] {
  const { place, skills, pluginParts, refused } = proposal;
  const shown = skills.filter(({ change }) => change !== 'same');
  if (shown.length === 0) return [];
  const lines = [`To be installed into ${printableLine(displayPath(place.skills, context.io))}:`, ''];
  for (const skill of shown) lines.push(...skillLines(skill, context, paint, ownRecord), '');
  if (pluginParts.length > 0) {
    lines.push('The source also brings these, which techne does not install or enable:');
    for (const { kind, path, summary } of pluginParts.slice(0, mostFiles))
      lines.push(`  ${kind} ${printableLine(path)}: ${printableLine(summary).slice(0, 200)}`);
    lines.push('');
  }
  if (refused.length > 0) {
    lines.push('Not taken from the source:');
    for (const { path, reason } of refused.slice(0, mostFiles))
      lines.push(`  ${printableLine(path)}: ${printableLine(reason)}`);
    lines.push('');
  }
  return lines;
}

const changes: { readonly [change in ProposedSkill['change']]: string } = {
  new: 'new',
  changed: 'changed',
  same: 'unchanged',
  back: 'put back',
};

function skillLines(
  skill: ProposedSkill,
  { io }: CommandContext,
  paint: Paint,
  ownRecord: (entry: LockEntry) => OwnRecord,
): readonly string[] {
  const { name, after, declared, used, report, shadows } = skill;
  const lines = [
    `  ${paint.bold(printableLine(name))}  ${skill.change === 'back' && !skill.wasAgreed ? 'named by the lock, new on this machine' : changes[skill.change]}, ${declared.form}, ${verdictText(report, paint)}`,
  ];
  const row = (label: string, text: string): number => lines.push(`    ${label.padEnd(12)} ${text}`);
  if (declared.description !== '') row('says', printableLine(declared.description).slice(0, 300));
  const { from, version, signer, source: written } = originOf(skill, ownRecord);
  row('from', `${printableLine(from)} (${printableLine(version)})`);
  if (signer !== null) row('hub', printableLine(signer));
  if (written !== null && skill.hasOtherSource)
    row(
      paint.yellow('warning'.padEnd(12)),
      `the lock says that it is from ${printableLine(written)}, which is another place`,
    );
  else if (written !== null) row('source', printableLine(written));
  if (skill.change === 'changed' && skill.before?.adopted === true)
    row(
      paint.yellow('warning'.padEnd(12)),
      'you adopted changes of it, which its source does not have: they would be replaced',
    );
  if (skill.change === 'changed') lines.push(...diffSkill(skill, paint));
  else row('files', fileList(skill));
  const declares = [
    named('tools', declared.tools),
    named('capabilities', declared.capabilities),
    named('programs', declared.programs),
    named('variables', declared.variables),
    declared.risk === null ? '' : `risk: ${printableLine(declared.risk)}`,
    declared.always ? 'its body is in every prompt (always: true)' : '',
  ].filter((text) => text !== '');
  row('declares', declares.length === 0 ? 'nothing' : declares.join('; '));
  const uses = [
    named('scripts', used.scripts),
    named('commands', used.commands),
    named('hosts', used.hosts),
  ].filter((text) => text !== '');
  row('uses', uses.length === 0 ? 'no scripts, commands or addresses' : uses.join('; '));
  for (const [at, hint] of declared.installHints.slice(0, 20).entries())
    row(
      at === 0 ? 'its author' : '',
      `${at === 0 ? 'suggests (techne never runs it; copy what you want): ' : ''}${printableLine(hint).slice(0, 300)}`,
    );
  for (const { folder, source, isHidden } of shadows)
    row(isHidden ? 'hides' : 'hidden by', `the ${source} skill in ${printableLine(displayPath(folder, io))}`);
  for (const { path, reason } of skill.refused.slice(0, mostFiles))
    row('not taken', `${printableLine(path)}: ${printableLine(reason)}`);
  if (skill.leftOut.length > 0) row('left out', list(skill.leftOut));
  row('digest', after.digest);
  lines.push(...reportLines(report, paint));
  return lines;
}

function fileList({ files }: ProposedSkill): string {
  const texts = files
    .slice(0, mostFiles)
    .map(
      ({ path, size, executable }) =>
        `${printableLine(path)} (${sizeText(size)}${executable ? ', executable' : ''})`,
    );
  return (
    texts.join(', ') +
    (files.length > mostFiles ? ` and ${counted(files.length - mostFiles, 'more file')}` : '')
  );
}

export function verdictText({ verdict, findings }: Report, paint: Paint): string {
  const shown =
    verdict === 'clean'
      ? paint.green(verdict)
      : verdict === 'dangerous'
        ? paint.red(verdict)
        : paint.yellow(verdict);
  return `${shown}${findings.length === 0 ? '' : ` (${counted(findings.length, 'finding')})`}`;
}

export function reportLines({ findings, notScanned }: Report, paint: Paint): readonly string[] {
  const lines: string[] = [];
  for (const finding of findings.slice(0, mostFindings)) lines.push(...findingLines(finding, paint));
  if (findings.length > mostFindings)
    lines.push(`    and ${counted(findings.length - mostFindings, 'more finding')}`);
  for (const { file, message } of notScanned.slice(0, mostFindings))
    lines.push(`    ${paint.yellow('not scanned')}  ${printableLine(file)}: ${printableLine(message)}`);
  if (notScanned.length > mostFindings)
    lines.push(`    and ${notScanned.length - mostFindings} more that were not scanned`);
  return lines;
}

function findingLines(
  { severity, file, line, column, rule, message, excerpt, decoded, hint }: Finding,
  paint: Paint,
): readonly string[] {
  const isBad = severity === 'critical' || severity === 'high';
  return [
    `    ${isBad ? paint.red(severity) : paint.yellow(severity)}  ${printableLine(file)}:${line}:${column} ${rule}: ${printableLine(message)}`,
    `      | ${printableLine(excerpt).slice(0, 200)}`,
    ...(decoded === null ? [] : [`      decoded: ${printableLine(decoded).slice(0, 400)}`]),
    `      ${printableLine(hint)}`,
  ];
}

function named(what: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${what}: ${list(items)}`;
}

function list(items: readonly string[], most = 20): string {
  const shown = items.slice(0, most).map((item) => printableLine(item).slice(0, 100));
  return shown.join(', ') + (items.length > most ? ` and ${items.length - most} more` : '');
}
