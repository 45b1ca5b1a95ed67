// techne runs show
//
// JSON: the whole view of the run (run/inspect.ts), without the nonces of its questions, with `held`: why workers
// do not try it again, or null, and `waitsFor`: why it is queued and has not begun, or null; of a run of workers with `trust`: the record that it relies on, or null.
import { inStore } from '../in-store.ts';
import { renderNote } from '../run/render-note.ts';
import { archivePlace } from '../archive-place.ts';
import { append, isJsonObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import type { EffectView } from '../../run/history/inspect.ts';
import type { GivenRecord } from '../../ports/given-trust.ts';
import type { Wait } from '../../ports/served-runs.ts';
import { describeWait } from '../../techne/describe-wait.ts';
import { isChosen } from '../../run/plan/limits.ts';
import { envelopeOf } from '../../run/result/run-result.ts';
import { createPaint } from '../io.ts';
import type { Paint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { displayPath, displayPlace } from '../../techne/paths.ts';
import { counted } from '../../base/render-table.ts';
import { costText, countText, describeCall, durationText } from '../run/describe-effect.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { renderDecision } from '../run/render-decision.ts';
import { howToAnswer, renderQuestion } from '../run/render-question.ts';
import { answerIn, isPlan, renderFields, usageText } from '../run/render-result.ts';
import type { SeenRun } from '../../techne/seen-run.ts';
import { seenRun, trustOf } from '../../techne/seen-run.ts';
import { countSteps, failuresOneALine, renderSteps } from '../run/render-steps.ts';
import { paintStatus } from './runs-list.ts';

interface ShownRun extends SeenRun {
  /** Workers continue it, and none drives it now. */
  readonly isQueued: boolean;
  /** Why workers do not try it again. */
  readonly held: string | null;
}

export function runRunsShow(context: CommandContext): Promise<number> {
  const { args, json, out, io, colour, columns } = context;
  return withArchive(archivePlace(context), async ({ runner, find, index, store, serving }) => {
    const seen = await seenRun({ runner, store }, await find(args.positionals[0] as string));
    const served = seen.endedAt === null ? ((await serving?.served.find(seen.run)) ?? null) : null;
    const held = served?.held ?? null;
    const isQueued = served !== null && held === null && seen.status === 'interrupted';
    const view: ShownRun = { ...seen, held, isQueued };
    const wait = view.endedAt === null ? ((await serving?.served.waitOf(view.run)) ?? null) : null;
    const trust = await trustOf(view, serving);
    if (json) {
      out.json({
        ...seen,
        ...(isQueued ? { status: 'queued' } : {}),
        held,
        waitsFor: wait as Json | null,
        ...(trust === undefined ? {} : { trust: trust as Json | null }),
        questions: view.questions.map(({ nonce: _nonce, ...question }) => question),
      });
      return 0;
    }
    const paint = createPaint(colour);
    out.write(renderHead(view, displayPlace(index.placeOf(view.run), io), io, paint, { wait, trust }));
    const full = args.flag('effects');
    if (view.steps !== null) out.write(`\n${renderSteps(view, { paint, columns })}`);
    if (full || view.steps === null) out.write(renderTimeline(view, full, paint));
    out.write(renderQuestions(view, paint, context.args.value('store')));
    out.write(renderOutcome(view, paint, context.args.value('store')));
    return 0;
  });
}

function renderHead(
  view: ShownRun,
  journal: string,
  io: CommandContext['io'],
  paint: Paint,
  { wait, trust }: { readonly wait: Wait | null; readonly trust: GivenRecord | null | undefined },
): string {
  const { forkedFrom, answerer, workspace, startedBy } = view.settings;
  const rows: (readonly [string, string])[] = [
    ['run', `${paint.bold(view.run)}  ${paintStatus(view.isQueued ? 'queued' : view.status, paint)}`],
    ['skill', `${printableLine(view.skill.name)}  ${paint.dim(view.skill.digest)}`],
    [
      'started',
      `${new Date(view.startedAt).toISOString()}${view.endedAt === null ? '' : `, ended ${new Date(view.endedAt).toISOString()}`}`,
    ],
    ...(workspace === '' ? [] : [['folder', printableLine(displayPath(workspace, io))] as const]),
    ...(startedBy === null ? [] : [['by', printableLine(startedBy)] as const]),
    ...(trust === undefined ? [] : [['trusted', printableLine(trustText(trust))] as const]),
    ['answerer', printableLine(answerer)],
    ['input', printableLine(cut(renderJson(view.input)))],
    ['used', `${usageText(view.usage, isPlan(view))} ${paint.dim(`of ${limitsText(view)}`)}`],
    ...(view.parent === null ? [] : [['inside', `${view.parent.run}, call ${view.parent.key}`] as const]),
    ...(forkedFrom === null
      ? []
      : [
          [
            'forked',
            `from ${forkedFrom.run}${forkedFrom.from === null ? '' : `, call ${forkedFrom.from}`}`,
          ] as const,
        ]),
    ...(view.held === null ? [] : [['held', printableLine(view.held)] as const]),
    ...(wait === null ? [] : [['queued', printableLine(`waits for ${describeWait(wait)}`)] as const]),
    ['journal', printableLine(journal)],
  ];
  return rows.map(([key, value]) => `${key.padEnd(8)}  ${value}\n`).join('');
}

function trustText(trust: GivenRecord | null): string {
  if (trust === null) return 'not granted: workers do not execute it';
  const { by, at, id, revokedBy, revokedAt } = trust;
  const since = (time: string): string => time.slice(0, 16).replace('T', ' ');
  return `by ${by}, ${since(at)} (record ${id})${revokedAt === null ? '' : `; revoked by ${revokedBy ?? ''}, ${since(revokedAt)}`}`;
}

/** A plan has no limits of its own unless some were set (run/plan/limits.ts). */
function limitsText({ limits: { asks, commands, wallMs }, ...view }: SeenRun): string {
  const ofPlan = isPlan(view);
  const isShown = (limit: number): boolean => !ofPlan || isChosen(limit);
  return [
    ...(isShown(asks) ? [counted(asks, 'ask')] : []),
    ...(isShown(commands) ? [counted(commands, ofPlan ? 'tool call' : 'command')] : []),
    durationText(wallMs),
  ].join(', ');
}

/** Calls and trace entries in their order. */
function renderTimeline(view: SeenRun, full: boolean, paint: Paint): string {
  const lines: string[] = [];
  const traced = (after: number): void => {
    for (const entry of view.trace.filter((one) => one.after === after)) {
      lines.push(
        paint.dim(
          `  ·  ${entry.printed ? 'printed' : printableLine(entry.kind)}${isEmpty(entry.data) ? '' : `  ${printableLine(cut(renderJson(entry.data)))}`}`,
        ),
      );
    }
  };
  traced(0);
  for (const [index, effect] of view.effects.entries()) {
    append(lines, renderEffect(effect, '  ', view, full, paint));
    traced(index + 1);
  }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

function renderEffect(
  effect: EffectView,
  indent: string,
  view: SeenRun,
  full: boolean,
  paint: Paint,
): readonly string[] {
  const { key, kind, state, request, result, ms, attempt, usage, children } = effect;
  const { inputTokens = 0, outputTokens = 0, costMicros = 0 } = usage as { readonly [name: string]: number };
  const notes = [
    state === 'ok' && !(isJsonObject(result) && result['ok'] === false)
      ? paint.green('ok')
      : state === 'ok'
        ? paint.red('failed')
        : state === 'under-way'
          ? paint.yellow(whyUnderWay(key, view))
          : paint.red(state),
    ...(ms === null ? [] : [durationText(ms)]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(isJsonObject(result) && typeof result['exit_code'] === 'number' && result['exit_code'] !== 0
      ? [`exit ${result['exit_code']}`]
      : []),
    ...(state !== 'ok' && isJsonObject(result) && typeof result['code'] === 'string'
      ? [printableLine(result['code'])]
      : []),
    ...(inputTokens + outputTokens === 0 ? [] : [`${countText(inputTokens + outputTokens)} tokens`]),
    ...(costMicros === 0 ? [] : [costText(costMicros)]),
  ];
  const at = paint.dim(`+${durationText(Math.max(0, effect.startedAt - view.startedAt))}`);
  const lines = [`${indent}${key}  ${describeCall(kind, request)}  ${notes.join(', ')}  ${at}`];
  if (full)
    append(lines, [
      ...block(`${indent}    `, 'request', request, paint),
      ...(result === null ? [] : block(`${indent}    `, 'outcome', result, paint)),
    ]);
  for (const child of children) append(lines, renderEffect(child, `${indent}  `, view, full, paint));
  return lines;
}

function whyUnderWay(key: string, { run, questions, undecided, endedAt, leftAt, status }: SeenRun): string {
  if (endedAt !== null) return 'stopped';
  if (undecided.some((one) => one.run === run && one.key === key)) return 'needs a decision';
  return questions.some((one) => one.run === run && one.key === key && one.answer === null)
    ? 'waits for an answer'
    : leftAt !== null
      ? 'stopped, can be resumed'
      : status === 'interrupted'
        ? 'interrupted'
        : 'running';
}

/** A value in full, texts with their lines. */
function block(indent: string, label: string, value: Json, paint: Paint): readonly string[] {
  const fields = isJsonObject(value) ? Object.entries(value) : [['value', value] as const];
  return [
    `${indent}${paint.dim(label)}`,
    ...fields.flatMap(([key, field]) => {
      const lines = printable(typeof field === 'string' ? field : renderJson(field)).split('\n');
      return lines.length === 1
        ? [`${indent}  ${printableLine(key)}: ${lines[0]}`]
        : [`${indent}  ${printableLine(key)}:`, ...lines.map((line) => `${indent}    ${line}`.trimEnd())];
    }),
  ];
}

function renderQuestions({ run, questions, endedAt }: SeenRun, paint: Paint, store: string | null): string {
  const lines: string[] = [];
  const open = questions.filter(({ answer }) => answer === null && endedAt === null);
  for (const question of questions) {
    const { answer } = question;
    if (answer !== null) {
      lines.push(
        '',
        paint.dim(
          `question ${question.id} (call ${question.key}) was answered by the ${answer.by}${answer.name === undefined ? '' : ` ${printableLine(answer.name)}`}:`,
        ),
        ...printable(cut(typeof answer.value === 'string' ? answer.value : renderJson(answer.value)))
          .split('\n')
          .map((line) => `  ${line}`.trimEnd()),
      );
    } else if (endedAt === null)
      lines.push(
        '',
        ...renderQuestion(question),
        ...howToAnswer({ ...question, run }, open.length === 1, store),
      );
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function renderOutcome(view: ShownRun, paint: Paint, store: string | null): string {
  const { run, text, error, undecided, status, cancelled, questions, steps, leftAt, held, isQueued } = view;
  const envelope = text === null ? null : envelopeOf(text);
  const lines: string[] = [];
  if (status === 'cancelled' && cancelled !== null)
    lines.push(
      '',
      `${paint.red('cancelled')} by the ${printableLine(cancelled.by)}: ${printableLine(cancelled.reason)}`,
    );
  else if (envelope !== null)
    append(lines, [
      '',
      ...[
        renderNote(envelope, view.input, paint) ?? answerIn(envelope),
        renderFields(envelope, paint, steps === null ? null : countSteps(view)),
      ]
        .filter((part) => part !== '')
        .join('\n')
        .trimEnd()
        .split('\n'),
    ]);
  else if (error !== null)
    lines.push(
      '',
      `${paint.red('error')}     ${error.code}: ${failuresOneALine(printable(error.message), '          ')}`,
    );
  else if (text !== null) lines.push('', printable(text));
  for (const effect of undecided)
    lines.push(
      '',
      'The outcome of this call is unknown:',
      ...renderDecision(effect),
      '',
      'Check whether it happened, then decide:',
      inStore(`  techne runs resolve ${effect.run} ${effect.key} --as done|retry|fail`, store),
    );
  if (status === 'paused' && questions.every(({ answer }) => answer !== null))
    lines.push(
      '',
      questions.length === 0 ? 'To resume:' : 'It was answered. To resume:',
      inStore(`  techne runs resume ${run}`, store),
    );
  if (status === 'needs_decision' && undecided.length === 0)
    lines.push('', 'It was decided. To resume:', inStore(`  techne runs resume ${run}`, store));
  if (isQueued) lines.push('', 'Workers continue it.');
  if (held !== null)
    lines.push('', 'When the cause is gone:', inStore(`  techne worker release ${run}`, store));
  else if (status === 'interrupted' && !isQueued && undecided.length === 0)
    lines.push(
      '',
      leftAt === null
        ? 'The process that drove it is gone. To resume:'
        : 'It is detached: no process drives it. To resume (in the chat that started it: /continue):',
      inStore(`  techne runs resume ${run}`, store),
    );
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function isEmpty(data: Json): boolean {
  return isJsonObject(data) && Object.keys(data).length === 0;
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}
