// Figures of judged results -> a table for people.
import { printableLine } from '../../base/printable.ts';
import { renderFigures } from '../../base/render-table.ts';
import { excerptOf, more } from './report-text.ts';
import type { Pair } from './measure-pair.ts';
import type { OutputFigures, OutputReport } from './score-output.ts';

interface RenderOutputOptions {
  /** The most faults that are listed. Default 10. */
  readonly most?: number;
}

export function renderOutput(
  report: OutputReport,
  pairs: readonly Pair[],
  { most = 10 }: RenderOutputOptions = {},
): string {
  const several = new Set(report.prompts.map(({ skill }) => skill)).size > 1;
  const row = (name: string, figures: OutputFigures): string[] => [
    name,
    score(figures.scoreWith),
    score(figures.scoreWithout),
    differenceOf(figures),
    String(figures.wins),
    String(figures.ties),
    String(figures.losses),
  ];
  const lines = [
    ...renderFigures([
      ['prompt', 'with', 'without', 'difference', 'wins', 'ties', 'losses'],
      ...report.prompts.map((prompt) =>
        row(excerptOf(several ? `${prompt.skill}: ${prompt.name}` : prompt.name, 40), prompt),
      ),
      ...(report.prompts.length === 1 ? [] : [row('all', report)]),
    ]),
  ];
  const { position, failed, invalid } = report;
  lines.push('');
  if (report.winRate !== null)
    lines.push(
      `the skill wins ${(100 * report.winRate).toFixed(1)} % of ${report.pairs} ${report.pairs === 1 ? 'pair' : 'pairs'}, ties count half; scores go from 0 to 10${report.interval === null ? '' : ', differences with their 95 % interval'}`,
    );
  if (position.first + position.second + position.neither > 0)
    lines.push(
      `the judge preferred what it saw first ${position.first} times, second ${position.second}, neither ${position.neither}${position.both === null ? '' : `; it stayed with its verdict in ${position.agreed} of ${position.both} pairs when the order changed`}`,
    );
  if (position.bias !== null) lines.push(biasWarning(report, position.bias));
  if (invalid > 0)
    lines.push(
      `${invalid} ${invalid === 1 ? 'judgement was' : 'judgements were'} invalid, even when asked again; they are in no figure`,
    );
  const failures = failed.with + failed.without + failed.judge;
  if (failures > 0)
    lines.push(
      `${failures} failed (${failed.with} with the skill, ${failed.without} without it, ${failed.judge} of the judge); they are in no figure`,
    );
  const faults = pairs.flatMap((pair) => faultsOf(pair, report.prompts[pair.at]?.name ?? ''));
  if (faults.length > 0)
    lines.push('', 'what went wrong', ...faults.slice(0, most), ...more(faults.length, most));
  return `${lines.join('\n')}\n`;
}

/** The figures are printed anyway, with a warning about what they are worth. */
function biasWarning({ position }: OutputReport, bias: 'first' | 'second'): string {
  const decided = position.first + position.second;
  const advice =
    position.both === null
      ? 'judge again with --both-orders, or with another --judge'
      : 'use another --judge';
  return `warning: position bias: ${position[bias]} of ${decided} preferences are for the result that the judge saw ${bias}; wins and scores reflect the order, not the skill: ${advice}`;
}

function faultsOf({ run, results, judgements }: Pair, name: string): readonly string[] {
  const where = `  ${excerptOf(name, 40)}, run ${run}`;
  return [
    ...(results.with.ok ? [] : [`${where}, with the skill: ${line(results.with.message)}`]),
    ...(results.without.ok ? [] : [`${where}, without it: ${line(results.without.message)}`]),
    ...judgements.flatMap((each) =>
      each.status === 'invalid'
        ? [`${where}, invalid: ${line(each.faults.join('; '))}`]
        : each.status === 'error'
          ? [`${where}, the judge: ${line(each.message)}`]
          : [],
    ),
  ];
}

function line(text: string): string {
  return printableLine(text).slice(0, 300);
}

function score(value: number | null): string {
  return value === null ? '-' : value.toFixed(1);
}

function differenceOf({ difference, interval }: OutputFigures): string {
  if (difference === null) return '-';
  return `${signed(difference)}${interval === null ? '' : ` (${signed(interval.low)} to ${signed(interval.high)})`}`;
}

function signed(value: number): string {
  const text = value.toFixed(1);
  return value > 0 && text !== '0.0' ? `+${text}` : text === '-0.0' ? '0.0' : text;
}
