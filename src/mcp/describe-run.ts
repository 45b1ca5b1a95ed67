// What came of a run, or how far it is -> text for the calling model, facts for programs.
//
// D1. The text begins as the run says it (S0 §10), and ends with what the caller can do now.
// D2. A nonce stands only with questions that the caller may answer. An approval never has one: a person decides it where
//     they see what would be done.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { RunSummary } from '../journal/run-store.ts';
import type { PendingQuestion, RunResult } from '../run/result/result.ts';
import { toolResult } from './tool-result.ts';

/** Whether the caller may pass on what its user says to a form. */
export interface Relay {
  readonly relaysForms: boolean;
}

export function isForm(question: Json): boolean {
  return isJsonObject(question) && question['type'] === 'form';
}

/** D2. */
export function isForCaller({ audience, question }: Pick<PendingQuestion, 'audience' | 'question'>, { relaysForms }: Relay): boolean {
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
    ...(result.questions.length === 0 ? {} : { questions: result.questions.map((question) => questionFacts(question, relay)) }),
    ...(undecided.length === 0 ? {} : { undecided: undecided.map(({ run: of, key, kind }) => ({ run: of, key, kind })) }),
    ...(next.length === 0 ? {} : { next }),
    usage: { ...usage },
  };
  const hint = error?.hint ?? null;
  const text = [result.text, ...(hint === null || result.text.includes(hint) ? [] : [hint]), ...next].join('\n');
  return toolResult(text, facts, status === 'failed' || status === 'refused' || status === 'cancelled');
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

function questionFacts(asked: PendingQuestion, relay: Relay): JsonObject {
  const { run, id, nonce, audience, question, expiresAt } = asked;
  return { run, question: id, audience, ...(isForCaller(asked, relay) ? { nonce } : {}), asks: question, ...(expiresAt === null ? {} : { expires_at: expiresAt }) };
}

function nextSteps(run: string, { status, questions }: RunResult, relay: Relay): readonly string[] {
  if (status === 'needs_decision') return [`A person decides at a terminal: techne runs resolve ${run}`];
  if (status !== 'paused') return [];
  if (questions.length === 0) return [`To go on, call run_answer with {"run": "${run}"}.`];
  return questions.map((asked) => {
    const { id, nonce, audience } = asked;
    const call = `run_answer with {"run": "${run}", "question": "${id}", "nonce": "${nonce}", "answer": …}`;
    if (audience === 'caller') return `Answer the question yourself, then call ${call}. The run goes on, and you get the next question or the result.`;
    if (isForCaller(asked, relay)) return `This is a question to the user: ask them, and pass on what they say, field by field: ${call}. Make nothing up.`;
    return `Question ${id} is for the ${audience}, and you cannot answer it. ${audience === 'operator' ? 'A person decides' : 'A person answers'} at a terminal: techne answer ${run}. After that, call run_answer with {"run": "${run}"}.`;
  });
}

/** It goes on, here or in another process. */
export function describeRunning(run: string, skill: string, why: string): CallToolResult {
  const next = `${why} Call run_status with {"run": "${run}"} to hear of it.`;
  return toolResult(`[Metaskill: ${skill} is running]\n${next}`, { status: 'running', run, skill, next: [next] });
}

export function describeInterrupted(run: string, skill: string): CallToolResult {
  const next = `The process that drove run ${run} is gone; nothing is lost. To go on, call run_answer with {"run": "${run}"}.`;
  return toolResult(`[Metaskill: ${skill} was interrupted]\n${next}`, { status: 'interrupted', run, skill, next: [next] });
}

export function describeList(runs: readonly RunSummary[]): CallToolResult {
  const lines = runs.map(({ run, skill, status }) => `- ${run} ${skill}: ${status}`);
  const text = runs.length === 0 ? 'No run of this workspace is unfinished.' : [`Unfinished runs of this workspace (${runs.length}):`, ...lines, 'Call run_status with one of them to see what it waits for.'].join('\n');
  return toolResult(text, { runs: runs.map(({ run, skill, status, startedAt }) => ({ run, skill, status, started_at: startedAt })) });
}
