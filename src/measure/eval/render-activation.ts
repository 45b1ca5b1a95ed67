// Figures of activation -> a table for people.
import { printableLine } from '../../base/printable.ts';
import { renderFigures } from '../../base/render-table.ts';
import type { Interval } from './confidence.ts';
import { confusionLines, excerptOf, more, nameOf, percent } from './report-text.ts';
import type { ActivationReport, ScoredCase } from './score-activation.ts';

interface RenderActivationOptions {
  /** The most cases, pairs and errors that are listed. Default 20. */
  readonly most?: number;
}

export function renderActivation(
  report: ActivationReport,
  { most = 20 }: RenderActivationOptions = {},
): string {
  const { measured, right, falseNegatives, falsePositives, wrongSkill, meanTurns, meanTokens } = report;
  const lines = [
    ...renderFigures([
      ['kind', 'right', 'attempts', ''],
      ...report.kinds.map((each) => [
        each.kind,
        String(each.right),
        String(each.measured),
        share(each.right, each.measured),
      ]),
      ['all', String(right), String(measured), share(right, measured)],
    ]),
  ];
  lines.push('');
  lines.push(
    `${falseNegatives} activated nothing, ${falsePositives} activated a skill for nothing, ${wrongSkill} activated another skill${report.interval === null ? '' : `; ${within(report.interval)}`}`,
  );
  if (meanTurns !== null && meanTokens !== null)
    lines.push(
      `${meanTurns.toFixed(1)} turns and ${Math.round(meanTokens)} tokens on average, where the model was asked`,
    );
  if (report.errors > 0)
    lines.push(`${report.errors} more could not be measured, since the model failed; they are in no figure`);
  if (report.skipped > 0) lines.push(`${report.skipped} of kind rubric test no activation`);
  // The worst first; what only failed comes last.
  const tried = report.cases
    .filter(({ attempts }) => attempts.length > 0)
    .sort((a, b) => (a.rate ?? 2) - (b.rate ?? 2));
  if (tried.length > 0)
    lines.push(
      '',
      'right of attempts',
      ...tried.slice(0, most).flatMap(describeCase),
      ...more(tried.length, most),
    );
  const untried = report.cases.filter(({ attempts }) => attempts.length === 0);
  if (untried.length > 0)
    lines.push(
      '',
      'not measured',
      ...untried.slice(0, most).map(({ message, kind }) => `  ${excerptOf(message)} (${kind})`),
      ...more(untried.length, most),
    );
  lines.push(...confusionLines(report.confusions, 'activated', most));
  return `${lines.join('\n')}\n`;
}

/** A case that is always right needs no more than its line. */
function describeCase({
  message,
  kind,
  expected,
  right,
  measured,
  rate,
  interval,
  attempts,
}: ScoredCase): readonly string[] {
  const line = `  ${measured === 0 ? '  -' : `${right}/${measured}`}  ${excerptOf(message)}`;
  if (rate === 1 && attempts.length === measured) return [line];
  const counts = new Map<string, number>();
  for (const { outcome, found } of attempts)
    if (outcome !== 'error') counts.set(nameOf(found), (counts.get(nameOf(found)) ?? 0) + 1);
  const activated = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  const errors = [...new Set(attempts.flatMap(({ message: error }) => (error === null ? [] : [error])))];
  return [
    line,
    `       ${kind}: expected ${nameOf(expected)}${activated.length === 0 ? '' : `, activated ${activated.join(', ')}`}${interval === null ? '' : `; ${within(interval)}`}`,
    ...errors.slice(0, 2).map((error) => `       the model failed: ${printableLine(error).slice(0, 300)}`),
  ];
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : percent(part, whole);
}

function within({ low, high }: Interval): string {
  return `95 % within ${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)} %`;
}
