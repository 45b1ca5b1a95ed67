// What came of a run, or how far it is -> text for the calling model, facts for programs.
//
// D1. The text begins as the run says it (S0 §10), and ends with what the caller can do now.
// D2. A nonce stands only with questions that the caller may answer. An approval never has one: a person decides it where
//     they see what would be done. Nor has the form of a run that somebody else started (caller.ts).
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { PendingQuestion, RunResult } from '../run/result/result.ts';
import type { Caller } from './caller.ts';
import { describeEffect, resolveCommand } from './describe-effect.ts';
import type { ListedRuns, RunOutcome } from './run-sessions.ts';
import { toolResult } from './tool-result.ts';

/** Whether the caller may pass on what its user says to the forms of a run. */
export interface Relay {
  readonly relaysForms: boolean;
}

export function relayOf(
  { own, relaysForms }: Pick<Caller, 'own' | 'relaysForms'>,
  run: string | null,
): Relay {
  return { relaysForms: relaysForms && run !== null && own.has(run) };
}

export function isForm(question: Json): boolean {
  return isJsonObject(question) && question['type'] === 'form';
}

/** D2. */
export function isForCaller(
  { audience, question }: Pick<PendingQuestion, 'audience' | 'question'>,
  { relaysForms }: Relay,
): boolean {
  return audience === 'caller' || (audience === 'person' && relaysForms && isForm(question));
}

export function describeResult(result: RunResult, relay: Relay, note: string | null = null): CallToolResult {
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
      : { questions: result.questions.map((question) => questionFacts(question, relay)) }),
    ...(undecided.length === 0
      ? {}
      : { undecided: undecided.map(({ run: of, key, kind, request }) => ({ run: of, key, kind, request })) }),
    ...(next.length === 0 ? {} : { next }),
    usage: { ...usage },
  };
  const hint = error?.hint ?? null;
  const text = [result.text, ...(hint === null || result.text.includes(hint) ? [] : [hint]), ...next].join(
    '\n',
  );
  return toolResult(text, facts, status === 'failed' || status === 'refused' || status === 'cancelled');
}

/** What `run_cancel` was asked for has happened: that is no failure, and does not begin as one. */
export function describeCancelled({ run, skill, usage }: RunResult): CallToolResult {
  const text = `[Metaskill: ${skill} was cancelled]\nRun ${run ?? ''} was cancelled, as you asked. What it has done stays done.`;
  return toolResult(text, { status: 'cancelled', run, skill, text, usage: { ...usage } });
}

/** The result as data, cut to the same size as its text; a run that gives plain text gives it here, too. */
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

/** As it stands in the text, too. */
function questionFacts(asked: PendingQuestion, relay: Relay): JsonObject {
  const { run, id, nonce, audience, question, expiresAt } = asked;
  return {
    run,
    id,
    audience,
    ...(isForCaller(asked, relay) ? { nonce } : {}),
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
          `Nobody knows what became of: ${describeEffect(effect.kind, effect.request)}. You cannot decide it; a person does, at a terminal: ${resolveCommand(effect)}`,
      ),
      `After that, call run_answer with {"run": "${run}"}.`,
    ];
  }
  if (status !== 'paused') return [];
  if (questions.length === 0) return [`To go on, call run_answer with {"run": "${run}"}.`];
  return questions.map((asked) => {
    const { id, nonce, audience } = asked;
    const call = `run_answer with {"run": "${run}", "question": "${id}", "nonce": "${nonce}", "answer": …}`;
    if (audience === 'caller')
      return `Answer the question yourself, then call ${call}. The run goes on, and you get the next question or the result.`;
    if (isForCaller(asked, relay))
      return `This is a question to the user: ask them, and pass on what they say, field by field: ${call}. Make nothing up; the run keeps that the answer came through you.`;
    return `Question ${id} is for the ${audience}, and you cannot answer it. ${audience === 'operator' ? 'A person decides' : 'A person answers'} at a terminal: techne answer ${run}. After that, call run_answer with {"run": "${run}"}.`;
  });
}

/** It goes on, here or in another process. */
export function describeRunning(run: string, skill: string, why: string): CallToolResult {
  const next = `${why} Call run_status with {"run": "${run}"} to hear of it.`;
  return toolResult(`[Metaskill: ${skill} is running]\n${next}`, {
    status: 'running',
    run,
    skill,
    next: [next],
  });
}

/** Nobody drives it now: this server let it go, or the process that drove it is gone. */
export function describeInterrupted({
  kind,
  run,
  skill,
  underWay,
}: Extract<RunOutcome, { readonly kind: 'stopped' | 'interrupted' }>): CallToolResult {
  const why =
    kind === 'stopped'
      ? `This server stopped run ${run} when the last call that waited for it was taken back.`
      : `The process that drove run ${run} is gone.`;
  const next = [
    `${why} Nothing that it did is lost. To go on, call run_answer with {"run": "${run}"}; to give it up, call run_cancel.`,
    ...(underWay.length === 0
      ? []
      : [
          `This was under way: ${underWay.join('; ')}. What cannot simply be done again is asked of a person then.`,
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
