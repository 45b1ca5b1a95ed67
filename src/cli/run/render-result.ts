// The result of a run as text, with hints about what to do next.
//
// The answer comes first, unchanged (of a note: what was written); then status, fields and warning, the steps of a plan or the trace of a program, and the
// folder of the run. Text from skills, models and commands is printed with control characters escaped.
import { cutToWidth } from '../../base/cut-text.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import type { InputFact } from '../../ports/skill-source.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { RunLimits } from '../../run/budget/limits.ts';
import type { RunResult, RunUsage } from '../../run/result/result.ts';
import type { Paint, Io } from '../io.ts';
import { counted, renderTableRows } from '../../base/render-table.ts';
import { argvText, costText, countText, durationText, spentTexts } from './describe-effect.ts';
import { renderNote } from './render-note.ts';
import { renderDecision } from './render-decision.ts';
import { howToAnswer, renderQuestion } from './render-question.ts';
import { countSteps, failuresOneALine, renderSteps } from './render-steps.ts';
import type { Config } from '../../config/types.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { faultAbout } from '../../techne/resolve-skill.ts';
import { displayPath } from '../../techne/paths.ts';
import { inStore } from '../in-store.ts';

export interface ResultLook {
  readonly paint: Paint;
  readonly columns: number | null;
  /** The folder of the run, as it is shown. */
  readonly journal: string | null;
  readonly quiet: boolean;
  /** Its questions are on the screen already: only how to answer them is printed. */
  readonly asked: boolean;
  /** The view of the run, if there is one: its steps, and the limits that the host reduced. */
  readonly view: RunView | null;
  /** The value of --store. Default: none. */
  readonly store?: string | null;
}

/** The most rows of steps below a result; `techne runs show` prints all. */
const mostSteps = 60;

/** For a completed run. */
export function renderCompleted(result: RunResult, look: ResultLook): string {
  const { envelope } = result;
  if (look.quiet) return answerIn(envelope);
  const { paint, columns, view } = look;
  const head = renderNote(envelope, view?.input ?? null, paint) ?? answerIn(envelope);
  const steps = view?.steps ?? null;
  const rows = renderFields(envelope, paint, view === null || steps === null ? null : countSteps(view));
  const below =
    view === null || steps === null
      ? renderTrace(envelope?.['trace'], paint, columns)
      : `\n${renderSteps(view, { paint, columns, most: mostSteps })}`;
  return `${head}${head === '' ? '' : '\n'}${rows}${below}${renderEnd(result, look)}`;
}

/** The answer, unchanged. */
export function answerIn(envelope: JsonObject | null): string {
  const { answer } = envelope ?? {};
  const text = typeof answer === 'string' ? answer : answer === undefined ? '' : renderJson(answer, 2);
  return text === '' ? '' : `${printable(text).trimEnd()}\n`;
}

/** Status, error, artifacts and the other fields; `steps` in a few words, since they are shown by themselves. */
export function renderFields(envelope: JsonObject | null, paint: Paint, steps: string | null): string {
  const {
    status,
    answer: _answer,
    warning,
    trace: _trace,
    steps: given,
    error,
    artifacts,
    ...others
  } = (envelope ?? {}) as { [key: string]: Json };
  // A note is described above.
  const { note, node_type: _type, suggested_edges: _edges, ...rest } = others;
  const fields = isJsonObject(note) && typeof note['path'] === 'string' ? rest : others;
  // Without steps it is a program, and these are its own fields.
  const hasSteps = steps !== null;
  const rows: [string, string][] = [
    [
      'status',
      status === 'partial' && hasSteps ? paint.yellow('partial') : paint.bold(textOf(status ?? 'ok')),
    ],
  ];
  if (hasSteps && isJsonObject(error))
    rows.push([
      'error',
      `${paint.red(textOf(error['code'] ?? ''))}: ${failuresOneALine(printable(typeof error['message'] === 'string' ? error['message'] : ''), '          ')}`,
    ]);
  else if (error !== undefined) fields['error'] = error;
  if (hasSteps && Array.isArray(artifacts))
    for (const one of (artifacts as readonly Json[]).filter(isJsonObject))
      rows.push(['artifact', artifactText(one, paint)]);
  else if (artifacts !== undefined) fields['artifacts'] = artifacts;
  if (!hasSteps && given !== undefined) fields['steps'] = given;
  for (const [key, value] of Object.entries(fields)) rows.push([printableLine(key), textOf(value)]);
  if (warning !== undefined) rows.push(['warning', paint.yellow(textOf(warning))]);
  if (hasSteps) rows.push(['steps', steps]);
  return renderRows(rows);
}

/** `report (out/report.md), 1,204 bytes`. */
function artifactText({ name, path, exists, bytes, reason }: JsonObject, paint: Paint): string {
  const what = `${textOf(name ?? '')}${typeof path === 'string' && path !== name ? ` (${printableLine(path)})` : ''}`;
  if (exists === true) return `${what}${typeof bytes === 'number' ? `, ${countText(bytes)} bytes` : ''}`;
  return exists === false
    ? `${what}, ${paint.red(typeof reason === 'string' ? printableLine(reason) : 'missing')}`
    : what;
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
  const entries = (trace as readonly Json[]).filter(isJsonObject);
  const isCall = (entry: JsonObject): boolean => entry['id'] !== undefined;
  // A trace entry can be long and is not aligned with the calls.
  const calls = renderTableRows(
    entries.filter(isCall).map((entry) => callRow(entry, paint)),
    columns,
  ).values();
  return `\n${entries.map((entry) => (isCall(entry) ? (calls.next().value ?? '') : tracedLine(entry, paint, columns))).join('')}`;
}

function callRow(entry: JsonObject, paint: Paint): readonly string[] {
  const {
    kind,
    id,
    purpose,
    argv,
    ok,
    ms,
    exit_code: exitCode,
    denied,
    timed_out: timedOut,
    error,
    turns,
    tokens,
    cost_micros: cost,
  } = entry;
  const what = Array.isArray(argv)
    ? argvText(argv as readonly Json[])
    : typeof purpose === 'string'
      ? purpose
      : '';
  const notes = [
    ok === true ? paint.green('ok') : ok === false ? paint.red('failed') : paint.yellow('running'),
    ...(typeof error === 'string' ? [error] : []),
    ...(typeof exitCode === 'number' && exitCode !== 0 ? [`exit ${exitCode}`] : []),
    ...(denied === true || typeof denied === 'string' ? ['denied'] : []),
    ...(timedOut === true ? ['timed out'] : []),
    ...(typeof turns === 'number' && turns > 1 ? [`${turns} turns`] : []),
    ...(typeof tokens === 'number' ? [`${countText(tokens)} tokens`] : []),
    ...(typeof cost === 'number' ? [costText(cost)] : []),
  ];
  return [
    `  ${textOf(id ?? '')}`,
    textOf(kind ?? ''),
    printableLine(what),
    typeof ms === 'number' ? durationText(ms) : '',
    notes.join(', '),
  ];
}

function tracedLine({ kind, data, dropped }: JsonObject, paint: Paint, columns: number | null): string {
  const shown = data ?? (dropped === undefined ? null : { dropped });
  const line = `  ·  ${textOf(kind ?? '')}${shown === null ? '' : `  ${textOf(shown)}`}`;
  return `${paint.dim(columns === null ? line : cutToWidth(line, columns))}\n`;
}

/** The folder of the run, and its usage. */
function renderEnd(
  { run, usage }: Pick<RunResult, 'run' | 'usage'>,
  { paint, journal, view }: Pick<ResultLook, 'paint' | 'journal' | 'view'>,
): string {
  if (run === null) return '';
  const clamped =
    usage.clamped.length === 0
      ? ''
      : `note      reduced to what this host allows: ${usage.clamped.map((name) => cutText(name, view?.limits ?? null)).join(', ')}\n`;
  return `\nrun       ${run}  ${paint.dim(usageText(usage, isPlan(view)))}\n${journal === null ? '' : `journal   ${printableLine(journal)}\n`}${clamped}`;
}

export function isPlan(view: Pick<RunView, 'skill'> | null): boolean {
  return view !== null && view.skill.form !== 'program';
}

function cutText(name: string, limits: RunLimits | null): string {
  const value = limits?.[name as keyof RunLimits];
  if (value === undefined) return name;
  return name === 'wallMs' ? `time (cut to ${value / 1_000} s)` : `${name} (cut to ${countText(value)})`;
}

/** Plans count tool calls, which include commands. */
export function usageText(
  { asks, commands, inputTokens, outputTokens, costMicros, wallMs }: RunUsage,
  ofPlan: boolean,
): string {
  const parts = [
    counted(asks, 'ask'),
    counted(commands, ofPlan ? 'tool call' : 'command'),
    ...spentTexts(inputTokens + outputTokens, costMicros),
    durationText(wallMs),
  ];
  return parts.join(', ');
}

/** For a run that waits: its questions, and the command that resumes it. */
export function renderWaiting(result: RunResult, look: ResultLook): string {
  const { questions, undecided, run } = result;
  const { paint, view, quiet, asked, store = null } = look;
  const lines: string[] = [];
  if (result.status === 'needs_decision') {
    lines.push(
      `${paint.yellow('needs a decision')}: ${undecided.length === 1 ? 'the outcome of this call is unknown' : 'the outcomes of these calls are unknown'}`,
      '',
    );
    if (!asked) for (const effect of undecided) lines.push(...renderDecision(effect));
    const [first] = undecided;
    lines.push(
      ...(asked ? [] : ['']),
      'Check whether it happened, then decide:',
      inStore(
        `  techne runs resolve ${first?.run ?? run}${first === undefined ? '' : ` ${first.key}`} --as done|retry|fail`,
        store,
      ),
      'At a terminal, this asks:',
      inStore(`  techne runs resume ${run}`, store),
    );
  } else if (questions.length === 0) {
    lines.push(paint.yellow('paused'), '', 'To resume:', inStore(`  techne runs resume ${run}`, store));
  } else {
    lines.push(
      `${paint.yellow('paused')}: the run waits for ${questions.length === 1 ? 'an answer' : `${questions.length} answers`}`,
    );
    for (const question of questions)
      lines.push(
        '',
        ...(asked ? [] : renderQuestion(question)),
        ...howToAnswer(question, questions.length === 1, store),
      );
  }
  const steps = view?.steps ?? null;
  return `${lines.join('\n')}\n${quiet ? '' : `${view === null || steps === null ? '' : `\nsteps     ${countSteps(view)}`}${renderEnd(result, look)}`}`;
}

/** For a failed, refused or cancelled run; for standard error. */
export function renderFailed(
  { status, skill, error, run, usage }: RunResult,
  look: Omit<ResultLook, 'asked'>,
): string {
  const { paint, columns, quiet, view, store = null } = look;
  const { code, message, hint } = error ?? { code: 'FAILED', message: 'it failed', hint: null };
  const said =
    status === 'cancelled' && message === 'cancelled'
      ? `${printableLine(skill)} was cancelled`
      : failuresOneALine(printable(message), '  ');
  const lines = [
    `techne: ${status === 'cancelled' ? said : `${status === 'refused' ? '' : `${printableLine(skill)} failed: `}${said} ${paint.dim(`(${code})`)}`}`,
  ];
  if (hint !== null && !quiet) lines.push(`  hint: ${printable(inStore(hint, store))}`);
  if (run !== null && !quiet) lines.push(inStore(`  hint: techne runs show ${run}`, store));
  if (quiet) return `${lines.join('\n')}\n${run === null ? '' : `  run ${run}\n`}`;
  const steps = view?.steps ?? null;
  const table =
    view === null || steps === null
      ? ''
      : `\nsteps     ${countSteps(view)}\n\n${renderSteps(view, { paint, columns, most: mostSteps })}`;
  return `${lines.join('\n')}\n${table}${renderEnd({ run, usage }, look)}`;
}

// Adds hints about the command line to a refused or failed run.

/** After a limit is reached, a fork can continue from there. */
export function adviseOnBudget(result: RunResult): RunResult {
  const option = {
    ASK_BUDGET: '--max-asks',
    COMMAND_BUDGET: '--max-commands',
    TOKEN_BUDGET: '--max-tokens',
    COST_BUDGET: '--max-cost',
    RUN_BUDGET: '--max-runs',
    TIMEOUT: '--timeout',
    STEP_LIMIT: '--max-steps',
  }[result.error?.code ?? ''];
  if (option === undefined || result.run === null) return result;
  return withHint(
    result,
    `to continue from there with a higher limit: techne runs fork ${result.run} ${option} N`,
  );
}

/** --max-cost has no effect without a price; null if there is a price, or no such limit. */
export function unpricedNote(isLimited: boolean, answerer: string, models: Config['models']): string | null {
  const [, label] = /^model:(.+)$/.exec(answerer) ?? [];
  const endpoint = label !== undefined && Object.hasOwn(models, label) ? models[label] : undefined;
  if (!isLimited || label === undefined || (endpoint !== undefined && 'price' in endpoint)) return null;
  return `techne: note: no price is configured for ${printableLine(answerer)}, so --max-cost has no effect; set a price under "models", or use --max-tokens`;
}

/** A cancelled run cannot be resumed, but a fork can reuse its calls. */
export function adviseOnEnded(result: RunResult): RunResult {
  const { run, status } = result;
  if (status !== 'cancelled' || run === null || result.error === null) return result;
  return withHint(
    { ...result, error: { ...result.error, message: `run ${run} was cancelled and cannot be resumed` } },
    `to start a new run from there: techne runs fork ${run}`,
  );
}

/** Hints about the arguments of `techne run NAME …`. */
export function adviseOnStart(
  result: RunResult,
  { words, needed }: { readonly words: readonly string[]; readonly needed: readonly InputFact[] },
  snapshot: Pick<Snapshot, 'skills' | 'shadowed' | 'diagnostics'>,
  io: Io,
): RunResult {
  const { skill: name, error } = result;
  switch (error?.code ?? '') {
    case 'NOT_A_METASKILL':
      return withHint(result, `techne show ${printableLine(name)} --body prints its instructions`);
    case 'SKILL_UNKNOWN': {
      const fault = faultAbout(snapshot, name);
      if (fault !== null)
        return withHint(result, `${displayPath(fault.path, io)}: ${fault.code} ${fault.message}`);
      return snapshot.skills.length === 0
        ? withHint(
            result,
            'there are no skills here; "techne new NAME" creates one, and "techne doctor" shows where techne looks',
          )
        : error?.hint === null
          ? withHint(result, '"techne list" shows every skill, "techne search WORDS" finds one')
          : result;
    }
    case 'NOT_TRUSTED':
    case 'CHANGED_SINCE_TRUSTED': {
      const shadowed = snapshot.shadowed
        .filter(({ winner }) => winner.name === name)
        .map(({ skill: { file, source } }) => `the ${source} skill "${displayPath(file, io)}"`);
      const shadows = shadowed.length === 0 ? '' : `; it shadows ${shadowed.join(' and ')}`;
      return withHint(result, `--trust shows the skill, asks whether you trust it, and runs it${shadows}`);
    }
    case 'INPUT_REQUIRED':
    case 'INPUT_INVALID':
      return needed.length === 0
        ? adviseOnInput(result, words)
        : withHint(
            result,
            `techne run ${printableLine(name)} ${words.some((word) => word.trim() !== '') ? '… ' : ''}${needed.map(placeholderOf).join(' ')}`,
          );
    default:
      return result;
  }
}

/** `task="…"`, or `n:=…` for what is not a text. */
function placeholderOf({ key, schema }: InputFact): string {
  const type = schema?.['type'];
  return type === undefined || type === 'string' ? `${printableLine(key)}="…"` : `${printableLine(key)}:=…`;
}

/** A text in place of another type was perhaps meant as JSON. */
export function adviseOnInput(result: RunResult, words: readonly string[]): RunResult {
  const { error } = result;
  const [meant] = error?.code === 'INPUT_INVALID' ? words.flatMap((word) => asJson(word, error.message)) : [];
  return meant === undefined ? result : withHint(result, `KEY=TEXT is a text; write ${printableLine(meant)}`);
}

/** `n:=3` for `n=3`, if "n" must not be a text. */
function asJson(word: string, message: string): readonly string[] {
  const [, key = '', text = ''] = /^([^\s=:{}[\]"'@]+)=([^]*)$/.exec(word) ?? [];
  if (key === '' || !message.includes(`${JSON.stringify(key)} must be`)) return [];
  try {
    return typeof JSON.parse(text) === 'string' ? [] : [`${key}:=${text}`];
  } catch {
    // It is not JSON, so it was meant as text.
    return [];
  }
}

function withHint(result: RunResult, hint: string): RunResult {
  const { error } = result;
  return error === null
    ? result
    : { ...result, error: { ...error, hint: error.hint === null ? hint : `${error.hint}\n        ${hint}` } };
}
