// The steps of a plan as text: one row per step, in the order of the document.
//
//   ✓ facts   tool read_file  3 ms   ok
//   ✗ slow    agent writer    1.2 s  failed after 2 tries: STEP_TIMEOUT; apology was used instead
//   - review  chat                   skipped: outputs.facts == '' does not hold
//
// At a terminal no row is wider than the terminal, and long cells are cut with …; the outcome gets the most room. Elsewhere cells
// are two spaces apart, without padding. For a very long plan, at most `most` rows are shown, steps that are not ok first.
import { cutToWidth, displayWidth } from '../../base/cut-text.ts';
import { unreachable } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { RunView } from '../../run/history/inspect.ts';
import { stepOfKey, stepKey } from '../../run/plan/keys.ts';
import type { TimedStep } from '../../run/plan/time-steps.ts';
import { createPaint } from '../io.ts';
import type { Paint } from '../io.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { durationText } from './describe-effect.ts';

export type SteppedRun = Pick<RunView, 'run' | 'steps' | 'questions' | 'undecided' | 'nested' | 'endedAt'>;

interface StepsLook {
  readonly paint: Paint;
  readonly columns: number | null;
  /** The most rows. Default: all. */
  readonly most?: number;
}

/** The least width of the outcome at a terminal; it gets up to half the line. */
const outcomeCells = 30;
const maxMessage = 300;
const noPaint = createPaint(false);

/** Empty for a program. */
export function renderSteps(view: SteppedRun, { paint, columns, most = Infinity }: StepsLook): string {
  const steps = view.steps ?? [];
  if (steps.length === 0) return '';
  const shown = chosen(steps, most);
  const rows = shown.map((step) => ({
    mark: markOf(step, paint),
    id: printableLine(step.id),
    does: doesText(step),
    time:
      step.ms === null || step.status === 'skipped' || step.status === 'blocked' ? '' : durationText(step.ms),
    outcome: outcomeText(step, view, paint),
  }));
  const left = steps.length - shown.length;
  const more =
    left === 0
      ? ''
      : `  ${paint.dim(`and ${counted(left, 'step')} that went well: techne runs show ${view.run}`)}\n`;
  if (columns === null)
    return `${rows.map(({ id, does, time, outcome }) => `  ${[id, does, time, outcome].filter((cell) => cell !== '').join('  ')}\n`).join('')}${more}`;
  const widest = (cells: readonly string[]): number => Math.max(0, ...cells.map(displayWidth));
  const wanted = Math.min(
    Math.max(outcomeCells, Math.floor(columns / 2)),
    widest(shown.map((step) => outcomeText(step, view, noPaint))),
  );
  // Indent, mark and the gaps between columns take the rest.
  const room = Math.max(20, columns - widest(rows.map(({ time }) => time)) - wanted - 10);
  const idCells = Math.min(
    widest(rows.map(({ id }) => id)),
    Math.max(Math.ceil(room * 0.4), room - widest(rows.map(({ does }) => does))),
  );
  const table = rows.map(({ mark, id, does, time, outcome }) => [
    `  ${mark} ${cutToWidth(id, idCells)}`,
    cutToWidth(does, room - idCells),
    time,
    outcome,
  ]);
  return renderTable(table, columns) + more;
}

/** `8 ok, 1 skipped, 1 substituted`, with the words of the table for unfinished steps. Empty for a program. */
export function countSteps(view: SteppedRun): string {
  const words = [
    'ok',
    'skipped',
    'failed',
    'substituted',
    'blocked',
    'running',
    'stopped',
    'needs a decision',
    'waits for an approval',
    'waits for an answer',
    'not started',
    'never started',
  ];
  const counts = new Map(words.map((word) => [word, 0]));
  for (const step of view.steps ?? []) {
    const word = countWord(step, view);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .flatMap(([word, count]) =>
      count === 0 ? [] : [`${count} ${count > 1 ? word.replace(/^(need|wait)s /, '$1 ') : word}`],
    )
    .join(', ');
}

function countWord({ id, status }: TimedStep, view: SteppedRun): string {
  if (status === 'substituted') return 'substituted';
  if (status === 'running') return runningText(id, view, noPaint);
  if (status === 'waiting') return view.endedAt === null ? 'not started' : 'never started';
  return status;
}

/** The error of a plan names every failed step: one per line. */
export function failuresOneALine(message: string, indent: string): string {
  return message.split(/; (?=step "[^"\n]+" failed: )/).join(`\n${indent}`);
}

/** The rows to show. */
function chosen(steps: readonly TimedStep[], most: number): readonly TimedStep[] {
  if (steps.length <= most) return steps;
  const notable = new Set(
    steps.filter(({ status }) => status !== 'ok' && status !== 'skipped').slice(0, most),
  );
  for (const step of steps) if (notable.size < most) notable.add(step);
  return steps.filter((step) => notable.has(step));
}

function markOf({ status }: TimedStep, paint: Paint): string {
  switch (status) {
    case 'ok':
      return paint.green('✓');
    case 'failed':
      return paint.red('✗');
    case 'substituted':
      return paint.yellow('✗');
    case 'skipped':
    case 'blocked':
      return paint.dim('-');
    case 'running':
      return paint.yellow('…');
    case 'waiting':
      return ' ';
    default:
      return unreachable(status);
  }
}

/** The kind of the step, with its label if that differs from the id. */
export function doesText({ id, label, does }: Pick<TimedStep, 'id' | 'label' | 'does'>): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return printableLine(plain(label) === plain(id) || label === '' ? does : `${does}: ${label}`);
}

/** The outcome of a step in words. */
export function outcomeText(
  step: Pick<TimedStep, 'id' | 'status' | 'error' | 'reason' | 'substitutedBy' | 'attempts' | 'items'>,
  view: Omit<SteppedRun, 'steps'>,
  paint: Paint,
): string {
  const { status, error, reason, substitutedBy, attempts, items } = step;
  const tries = attempts > 1 ? ` after ${attempts} tries` : '';
  switch (status) {
    case 'ok':
      return `${paint.green('ok')}${tries}${items === null ? '' : `, ${counted(items, 'item')}`}`;
    case 'failed':
    case 'substituted': {
      const message =
        error === null || error.message === ''
          ? ''
          : paint.dim(`: ${printableLine(error.message.slice(0, maxMessage))}`);
      const word = status === 'failed' ? paint.red('failed') : paint.yellow('failed');
      return `${word}${tries}: ${error?.code ?? ''}${substitutedBy === null ? '' : `; ${printableLine(substitutedBy)} was used instead`}${message}`;
    }
    case 'skipped':
      return `skipped: ${printableLine(skipText(reason ?? ''))}`;
    case 'blocked':
      return `blocked by ${printableLine(/^"([^]*)" (?:was blocked|failed)$/.exec(reason ?? '')?.[1] ?? reason ?? '')}`;
    case 'running':
      return runningText(step.id, view, paint);
    case 'waiting':
      return paint.dim(view.endedAt === null ? 'not started yet' : 'never started');
    default:
      return unreachable(status);
  }
}

function skipText(reason: string): string {
  const [, word, text = ''] = /^(when is not|skip_if is) true: ([^]*)$/.exec(reason) ?? [];
  if (word !== undefined) return word.startsWith('when') ? `${text} does not hold` : `${text} holds`;
  return reason.replace(/^"([^]*)" did not fail$/, '$1 did not fail');
}

function runningText(
  id: string,
  { run, questions, undecided, nested, endedAt }: Omit<SteppedRun, 'steps'>,
  paint: Paint,
): string {
  if (endedAt !== null) return paint.yellow('stopped');
  // A step also waits for the questions of its nested runs.
  const isOf = (one: { readonly run: string; readonly key: string }): boolean =>
    stepOfKey(one.run === run ? one.key : (nested.find((inner) => inner.run === one.run)?.key ?? '$')) ===
    stepKey(id);
  if (undecided.some(isOf)) return paint.yellow('needs a decision');
  const asked = questions.find((question) => question.answer === null && isOf(question));
  if (asked !== undefined)
    return paint.yellow(asked.audience === 'operator' ? 'waits for an approval' : 'waits for an answer');
  return paint.yellow('running');
}
