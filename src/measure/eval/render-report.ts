// Figures -> a table for people.
import { printableLine } from '../../base/printable.ts';
import { renderFigures } from '../../base/render-table.ts';
import { confusionLines, excerptOf, more, nameOf, percent } from './report-text.ts';
import type { EvalReport, CaseFailure } from './score-cases.ts';

interface RenderReportOptions {
  /** The most failures and pairs that are listed. Default 10. */
  readonly most?: number;
}

export function renderReport(report: EvalReport, options: RenderReportOptions = {}): string {
  const { most = 10 } = options;
  const lines = [
    ...renderFigures([
      ['kind', 'right', 'cases', ''],
      ...report.kinds.map(({ kind, cases, right }) => [
        kind,
        String(right),
        String(cases),
        percent(right, cases),
      ]),
      ['all', String(report.right), String(report.cases), percent(report.right, report.cases)],
    ]),
  ];
  lines.push(
    '',
    `${report.falseNegatives} found nothing, ${report.falsePositives} found something for nothing, ${report.wrongSkill} found another skill${report.hitAt3 === null ? '' : `; the expected one is among the first three in ${percent(report.hitAt3, 1)}`}`,
  );
  if (report.skipped > 0) lines.push(`${report.skipped} of kind rubric test no matching`);
  lines.push(...confusionLines(report.confusions, 'found', most));
  if (report.failures.length > 0) {
    lines.push('', 'what went wrong');
    lines.push(
      ...report.failures.slice(0, most).flatMap(describeFailure),
      ...more(report.failures.length, most),
    );
  }
  return `${lines.join('\n')}\n`;
}

function describeFailure({ message, kind, expected, found, reason }: CaseFailure): readonly string[] {
  return [
    `  ${excerptOf(message)}`,
    `       ${kind}: expected ${nameOf(expected)}, found ${nameOf(found)}${reason === null ? '' : ` (${printableLine(reason)})`}`,
  ];
}
