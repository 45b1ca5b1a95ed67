// What came of a run, as people read it.
//
// O1. The answer comes first, as it is; then status, fields and warning, the trace, and where the run is kept.
// O2. Everything that a skill, a model or a command wrote goes through the printer that is safe for terminals.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable, printableLine } from '../../base/printable.ts';
import { renderJson } from '../../base/render-json.ts';
import type { RunLimits } from '../../run/limits.ts';
import type { RunResult, RunUsage } from '../../run/result.ts';
import type { Paint } from '../colour.ts';
import { counted, renderTable } from '../render-table.ts';
import { argvText, costText, countText, describeCall, durationText } from './describe-effect.ts';
import { howToAnswer, renderQuestion } from './render-question.ts';

export interface ResultLook {
  readonly paint: Paint;
  readonly columns: number | null;
  /** The folder of the run, as it is shown. */
  readonly journal: string | null;
  readonly quiet: boolean;
  /** Its questions have just been on the screen: how to answer them is enough. */
  readonly asked: boolean;
  /** Of the run, where more was asked for than the host allows. */
  readonly limits: RunLimits | null;
}

/** Of a run that completed. */
export function renderCompleted(result: RunResult, { paint, columns, journal, quiet, limits }: ResultLook): string {
  const { status, answer, warning, trace, ...fields } = (result.envelope ?? {}) as { [key: string]: Json };
  const answerText = typeof answer === 'string' ? answer : answer === undefined ? '' : renderJson(answer, 2);
  const head = answerText === '' ? '' : `${printable(answerText).trimEnd()}\n`;
  if (quiet) return head;
  const rows: [string, string][] = [['status', paint.bold(textOf(status ?? 'ok'))]];
  for (const [key, value] of Object.entries(fields)) rows.push([printableLine(key), textOf(value)]);
  if (warning !== undefined) rows.push(['warning', paint.yellow(textOf(warning))]);
  return `${head}${head === '' ? '' : '\n'}${renderRows(rows)}${renderTrace(trace, paint, columns)}${renderEnd(result, { paint, journal, limits })}`;
}

function renderRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(8, ...rows.map(([key]) => key.length));
  return rows.map(([key, value]) => `${key.padEnd(width)}  ${value}\n`).join('');
}

function textOf(value: Json): string {
  const text = typeof value === 'string' ? value : renderJson(value);
  return printableLine(text.length > 500 ? `${text.slice(0, 500)} …` : text);
}

/** The trace of an envelope: calls of the engine have an `id`, entries of the program have none. */
export function renderTrace(trace: Json | undefined, paint: Paint, columns: number | null): string {
  if (!Array.isArray(trace) || trace.length === 0) return '';
  const rows = (trace as readonly Json[]).filter(isJsonObject).map((entry) => (entry['id'] === undefined ? tracedRow(entry, paint) : callRow(entry, paint)));
  return `\n${renderTable(rows, columns)}`;
}

function callRow(entry: JsonObject, paint: Paint): readonly string[] {
  const { kind, id, purpose, argv, ok, ms, exit_code: exitCode, denied, timed_out: timedOut, error, turns, tokens, cost_micros: cost } = entry;
  const what = Array.isArray(argv) ? argvText(argv as readonly Json[]) : typeof purpose === 'string' ? purpose : '';
  const notes = [
    ok === true ? paint.green('ok') : ok === false ? paint.red('failed') : paint.yellow('under way'),
    ...(typeof error === 'string' ? [error] : []),
    ...(typeof exitCode === 'number' && exitCode !== 0 ? [`exit ${exitCode}`] : []),
    ...(denied === true || typeof denied === 'string' ? ['denied'] : []),
    ...(timedOut === true ? ['timed out'] : []),
    ...(typeof turns === 'number' && turns > 1 ? [`${turns} turns`] : []),
    ...(typeof tokens === 'number' ? [`${countText(tokens)} tokens`] : []),
    ...(typeof cost === 'number' ? [costText(cost)] : []),
  ];
  return [`  ${textOf(id ?? '')}`, textOf(kind ?? ''), printableLine(what), typeof ms === 'number' ? durationText(ms) : '', notes.join(', ')];
}

function tracedRow({ kind, data, dropped }: JsonObject, paint: Paint): readonly string[] {
  const shown = data ?? (dropped === undefined ? null : { dropped });
  return ['  ·', paint.dim(textOf(kind ?? '')), shown === null ? '' : paint.dim(textOf(shown)), '', ''];
}

/** Where the run is kept, and what it used. */
export function renderEnd({ run, usage }: Pick<RunResult, 'run' | 'usage'>, { paint, journal, limits }: Pick<ResultLook, 'paint' | 'journal' | 'limits'>): string {
  if (run === null) return '';
  const clamped = usage.clamped.length === 0 ? '' : `note      more was asked for than this host allows: ${usage.clamped.map((name) => cutText(name, limits)).join(', ')}\n`;
  return `\nrun       ${run}  ${paint.dim(usageText(usage))}\n${journal === null ? '' : `journal   ${printableLine(journal)}\n`}${clamped}`;
}

function cutText(name: string, limits: RunLimits | null): string {
  const value = limits?.[name as keyof RunLimits];
  if (value === undefined) return name;
  return name === 'wallMs' ? `time (cut to ${value / 1_000} s)` : `${name} (cut to ${countText(value)})`;
}

export function usageText({ asks, commands, inputTokens, outputTokens, costMicros, wallMs }: RunUsage): string {
  const parts = [counted(asks, 'ask'), counted(commands, 'command')];
  if (inputTokens + outputTokens > 0) parts.push(`${countText(inputTokens + outputTokens)} tokens`);
  if (costMicros > 0) parts.push(costText(costMicros));
  return `${parts.join(', ')}, ${durationText(wallMs)}`;
}

/** Of a run that waits: what for, and the command that lets it go on. */
export function renderWaiting(result: RunResult, look: ResultLook): string {
  const { questions, undecided, run } = result;
  const lines: string[] = [];
  if (result.status === 'needs_decision') {
    lines.push(`${look.paint.yellow('needs a decision')}: nobody knows what became of this`, '');
    for (const { key, kind, request } of undecided) lines.push(`  ${key}  ${describeCall(kind, request, Infinity)}`);
    const [first] = undecided;
    lines.push('', 'Look whether it happened, then say so:', `  techne runs resolve ${first?.run ?? run}${undecided.length > 1 ? ` ${first?.key}` : ''} --as done|retry|fail`);
  } else if (questions.length === 0) {
    lines.push(look.paint.yellow('paused'), '', 'To go on:', `  techne runs resume ${run}`);
  } else {
    lines.push(`${look.paint.yellow('paused')}: the run waits for ${questions.length === 1 ? 'an answer' : `${questions.length} answers`}`);
    for (const question of questions) lines.push('', ...(look.asked ? [] : renderQuestion(question)), ...howToAnswer(question, questions.length === 1));
  }
  return `${lines.join('\n')}\n${look.quiet ? '' : renderEnd(result, look)}`;
}

/** Of a run that failed, was refused or cancelled; for standard error. */
export function renderFailed({ status, skill, error, run, usage }: RunResult, { paint, journal, quiet, limits }: Pick<ResultLook, 'paint' | 'journal' | 'quiet' | 'limits'>): string {
  const { code, message, hint } = error ?? { code: 'FAILED', message: 'it failed', hint: null };
  const said = status === 'cancelled' ? `${printableLine(skill)} was cancelled` : printable(message);
  const lines = [`techne: ${status === 'cancelled' ? said : `${status === 'refused' ? '' : `${printableLine(skill)} failed: `}${said} ${paint.dim(`(${code})`)}`}`];
  if (hint !== null && !quiet) lines.push(`  hint: ${printable(hint)}`);
  if (run !== null && !quiet) lines.push(`  hint: techne runs show ${run}`);
  return `${lines.join('\n')}\n${quiet ? (run === null ? '' : `  run ${run}\n`) : renderEnd({ run, usage }, { paint, journal, limits })}`;
}
