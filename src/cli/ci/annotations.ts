// Findings as workflow commands of GitHub, which shows them at their lines.
//
//   ::error file=skills/a/SKILL.md,line=3,col=1,title=CODE::message
//
// G1. Texts of skills are data: %, line ends and, in properties, colons and commas are escaped, so that they begin no command.
// G2. Everything else that is printed stands between stop-commands and a token that cannot be guessed.
import { randomBytes } from 'node:crypto';
import { printableLine } from '../../base/printable.ts';
import type { Severity } from '../../base/codes.ts';
import type { KeyedFinding } from '../../techne/ci/finding.ts';

const commands: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' };
const order: readonly Severity[] = ['error', 'warning', 'info'];

/** More than GitHub shows for a step; the log has all findings. */
const mostOfLevel = 50;

/** The worst first. `pathOf`: from the folder that GitHub checked out. */
export function renderAnnotations(
  findings: readonly KeyedFinding[],
  pathOf: (finding: KeyedFinding) => string,
): string {
  return order
    .flatMap((level) => findings.filter(({ severity }) => severity === level).slice(0, mostOfLevel))
    .map((finding) => renderAnnotation(finding, pathOf(finding)))
    .join('');
}

function renderAnnotation(finding: KeyedFinding, path: string): string {
  const { severity, code, line, column, endLine, endColumn, message, hint } = finding;
  const properties: readonly (readonly [string, string | number | null])[] = [
    ['file', printableLine(path)],
    ['line', line],
    ['endLine', endLine],
    ['col', column],
    // It has a meaning on the same line only.
    ['endColumn', endLine === line ? endColumn : null],
    ['title', `techne ${code}`],
  ];
  const given = properties
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const text = hint === null ? message : `${message} (${hint})`;
  return `::${commands[severity]} ${given.join(',')}::${escapeData(printableLine(text))}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The lines between which nothing counts as a command. */
export function stopCommands(): { readonly begin: string; readonly end: string } {
  const token = randomBytes(24).toString('hex');
  return { begin: `::stop-commands::${token}`, end: `::${token}::` };
}
