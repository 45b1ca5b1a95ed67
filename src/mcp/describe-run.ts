// The result or state of a run -> text for the calling model, structured content for programs.
//
// The text begins with the text of the run (S0 §10) and ends with what the caller can do next. Only questions that the caller may
// answer have a nonce: approvals have none, because a person must see the command; nor have forms of runs that another caller
// started (caller.ts), and questions that another caller was asked (techne/own-runs.ts).
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { pausedText, shownQuestions } from '../run/result/failed-or-paused-text.ts';
import type { PendingQuestion, RunResult } from '../run/result/result.ts';
import { askedElsewhereNote } from '../run/tools/match-answers.ts';
import type { Answerers } from './answered-by.ts';
import type { Caller } from './caller.ts';
import { describeEffect, resolveCommand } from './describe-effect.ts';
import type { ListedRuns, RunOutcome } from './run-sessions.ts';
import { toolResult } from './tool-result.ts';

/** What the caller may do about the questions of a run. */
interface Relay {
  /** Whether it may relay the answers of its user to forms. */
  readonly relaysForms: boolean;
  /** Whether it was asked a question. */
  readonly wasAsked: (question: string) => boolean;
}

export function relayOf(
  { own, relaysForms }: Pick<Caller, 'own' | 'relaysForms'>,
  run: string | null,
): Relay {
  return {
    relaysForms: relaysForms && run !== null && own.has(run),
    wasAsked: (question) => run !== null && own.wasAsked(run, question),
  };
}

export function isFormQuestion(question: Json): boolean {
  return isJsonObject(question) && question['type'] === 'form';
}

/** Whether the caller may answer, if it was asked. */
export function isForCaller(
  { audience, question }: Pick<PendingQuestion, 'audience' | 'question'>,
  { relaysForms }: Pick<Relay, 'relaysForms'>,
): boolean {
  return audience === 'caller' || (audience === 'person' && relaysForms && isFormQuestion(question));
}

/** `answerers`: null if no run was started. */
export function describeResult(
  result: RunResult,
  answerers: Answerers | null,
  relay: Relay,
  pageUnits: number,
  note: string | null = null,
): CallToolResult {
  const { status, run, skill, error, usage, undecided } = result;
  const next = [...(note === null ? [] : [note]), ...(run === null ? [] : nextSteps(run, result, relay))];
  const facts: JsonObject = {
    status,
    run,
    skill,
    ...(status === 'completed' || status === 'partial' ? saidBy(result) : {}),
    ...(error === null ? {} : { error: { code: error.code, message: error.message, hint: error.hint } }),
    ...(result.questions.length === 0
      ? {}
      : {
          questions: shownQuestions(result.questions, pageUnits).map((question) =>
            questionFacts(question, relay),
          ),
        }),
    ...(undecided.length === 0
      ? {}
      : { undecided: undecided.map(({ run: of, key, kind, request }) => ({ run: of, key, kind, request })) }),
    ...(next.length === 0 ? {} : { next }),
    ...(answerers === null ? {} : { answerer: answerers.answerer, answered_by: answerers.answeredBy }),
    usage: { ...usage },
  };
  const { answeredBy } = answerers ?? { answeredBy: [] };
  const said = answeredBy.length === 0 ? [] : [`Answered by: ${answeredBy.join(', ')}.`];
  const hint = error?.hint ?? null;
  const own =
    status === 'paused' && run !== null
      ? pausedText(skill, run, result.questions, pageUnits, relay.wasAsked)
      : result.text;
  const text = [own, ...(hint === null || own.includes(hint) ? [] : [hint]), ...next, ...said].join('\n');
  return toolResult(text, facts, status === 'failed' || status === 'refused' || status === 'cancelled');
}

/** For `run_cancel`, a cancelled run is a success. */
export function describeCancelled({ run, skill, usage }: RunResult): CallToolResult {
  const text = `[Metaskill: ${skill} was cancelled]\nRun ${run ?? ''} was cancelled, as you asked. What it has done stays done.`;
  return toolResult(text, { status: 'cancelled', run, skill, text, usage: { ...usage } });
}

/** The result as data, cut like its text; plain text is included too. */
function saidBy({ text }: RunResult): JsonObject {
  const start = text.indexOf('\n{');
  if (!text.startsWith('[Metaskill: ') || start === -1) return { text };
  try {
    return { result: JSON.parse(text.slice(start + 1)) as Json };
  } catch (error) {
    if (error instanceof SyntaxError) return { text };
    throw error;
  }
}

/** The same text as in the content; a nonce only for who was asked. */
function questionFacts(asked: PendingQuestion, relay: Relay): JsonObject {
  const { run, id, nonce, audience, question, expiresAt } = asked;
  return {
    run,
    id,
    audience,
    ...(isForCaller(asked, relay) && relay.wasAsked(id) ? { nonce } : {}),
    question,
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
  };
}

function nextSteps(
  run: string,
  { status, questions, undecided }: RunResult,
  relay: Relay,
): readonly string[] {
  if (status === 'needs_decision') {
    return [
      ...undecided.map(
        (effect) =>
          `The outcome of this call is unknown: ${describeEffect(effect.kind, effect.request)}. You cannot decide about it; a person does, at a terminal: ${resolveCommand(effect)}`,
      ),
      `After that, call run_answer with {"run": "${run}"}.`,
    ];
  }
  if (status !== 'paused') return [];
  if (questions.length === 0) return [`To resume, call run_answer with {"run": "${run}"}.`];
  const open = questions.filter((asked) => isForCaller(asked, relay)).length;
  const together =
    open > 1
      ? [
          `${open} questions are open; run_answer takes all answers in one call: {"run": "${run}", "answers": [{"question": …, "nonce": …, "answer": …}, …]}.`,
        ]
      : [];
  const each = questions.map((asked) => {
    const { id, nonce, audience } = asked;
    // Without the nonce a caller can still repeat the call if it missed the result.
    const proof = open > 1 ? `, "nonce": "${nonce}"` : '';
    const call = `run_answer with {"run": "${run}", "question": "${id}"${proof}, "answer": …}`;
    if (audience === 'caller' && !relay.wasAsked(id)) return askedElsewhereNote(run, id);
    if (audience === 'caller')
      return `Answer the question yourself, then call ${call}. The run continues, and you get the next question or the result.`;
    if (isForCaller(asked, relay))
      return `This is a question to the user: ask them, and relay their answers, field by field: ${call}. Make nothing up; the run records that the answer came through you.`;
    return `Question ${id} is for the ${audience}, and you cannot answer it. ${audience === 'operator' ? 'A person decides' : 'A person answers'} at a terminal: techne answer ${run}. After that, call run_answer with {"run": "${run}"}.`;
  });
  return [...each, ...together];
}

/** For a run that is running, here or in another process. */
export function describeRunning(run: string, skill: string, why: string): CallToolResult {
  const next = `${why} Call run_status with {"run": "${run}"} for its state.`;
  return toolResult(`[Metaskill: ${skill} is running]\n${next}`, {
    status: 'running',
    run,
    skill,
    next: [next],
  });
}

/** For a run that no process drives: this server detached from it, or the process is gone. */
export function describeInterrupted({
  kind,
  run,
  skill,
  underWay,
}: Extract<RunOutcome, { readonly kind: 'stopped' | 'interrupted' }>): CallToolResult {
  const why =
    kind === 'stopped'
      ? `This server stopped run ${run} when the last call that waited for it was cancelled.`
      : `The process that drove run ${run} is gone.`;
  const next = [
    `${why} Its finished calls are kept. To resume, call run_answer with {"run": "${run}"}; to end it, call run_cancel.`,
    ...(underWay.length === 0
      ? []
      : [
          `Unfinished calls: ${underWay.join('; ')}. A person decides about those that cannot be repeated safely.`,
        ]),
  ];
  return toolResult([`[Metaskill: ${skill} was ${kind}]`, ...next].join('\n'), {
    status: 'interrupted',
    run,
    skill,
    stopped_here: kind === 'stopped',
    ...(underWay.length === 0 ? {} : { under_way: underWay }),
    next,
  });
}

export function describeList({ runs, more }: ListedRuns): CallToolResult {
  const lines = runs.map(({ run, skill, status }) => `- ${run} ${skill}: ${status}`);
  const head = `Unfinished runs of this workspace (${more ? `the newest ${runs.length}; there are more` : runs.length}):`;
  const text =
    runs.length === 0
      ? 'No run of this workspace is unfinished.'
      : [head, ...lines, 'Call run_status with one of them to see what it waits for.'].join('\n');
  return toolResult(text, {
    runs: runs.map(({ run, skill, status, startedAt }) => ({ run, skill, status, started_at: startedAt })),
    ...(more ? { more } : {}),
  });
}
