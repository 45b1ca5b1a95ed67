// Questions that a run waits for: what they ask, who may answer, and with what.
//
// Q1. Whoever answers shows the nonce, and must be the audience or stand above it: caller < person < operator. So an
//     agent can answer what is asked of the caller, and can never approve its own command.
// Q2. An answer that does not fit leaves the question open, with the reason. Answers are never invented.
// Q3. A question that has expired takes no answer; the effect that waits for it fails. Words that cancel are part of
//     the question; no other text does.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { AskRequest } from '../host/ports/answerer.ts';
import { approvals } from '../host/ports/command-host.ts';
import type { Approval } from '../host/ports/command-host.ts';
import type { Audience, QuestionAnswered, QuestionAsked } from '../journal/entry.ts';
import { readChoice, readStructured } from './read-answer.ts';

/** A question of the run with what it asks. */
export interface OpenQuestion {
  readonly asked: QuestionAsked;
  readonly body: Json;
  answered: QuestionAnswered | null;
  /** The answer, once there is one. */
  value: Json;
}

export interface GivenAnswer {
  readonly nonce: string;
  readonly value: Json;
  readonly from: Audience;
}

export type AnswerVerdict =
  | { readonly kind: 'accept'; readonly value: Json }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'refuse'; readonly code: 'ANSWER_REFUSED' | 'QUESTION_EXPIRED' | 'QUESTION_UNKNOWN'; readonly message: string };

const rank: Record<Audience, number> = { caller: 0, person: 1, operator: 2 };

export const cancelWords: readonly string[] = ['/cancel'];

export function judgeAnswer(question: Pick<OpenQuestion, 'asked' | 'body' | 'answered'>, given: GivenAnswer, nowMs: number): AnswerVerdict {
  const { asked, body } = question;
  const refuse = (message: string): AnswerVerdict => ({ kind: 'refuse', code: 'ANSWER_REFUSED', message });
  if (question.answered !== null) return { kind: 'refuse', code: 'QUESTION_UNKNOWN', message: `question ${asked.id} has been answered` };
  if (given.nonce !== asked.nonce) return refuse(`the nonce is not that of question ${asked.id}`);
  if (rank[given.from] < rank[asked.audience]) return refuse(`question ${asked.id} is for the ${asked.audience}, and the answer comes from the ${given.from}`);
  if (asked.expiresAt !== null && nowMs >= asked.expiresAt) return { kind: 'refuse', code: 'QUESTION_EXPIRED', message: `question ${asked.id} has expired` };
  if (isCancel(body, given.value)) return { kind: 'cancel' };
  const faults = answerFaults(body, given.value);
  return faults.length === 0 ? { kind: 'accept', value: given.value } : refuse(faults.join('; '));
}

function isCancel(body: Json, value: Json): boolean {
  const words = isJsonObject(body) ? body['cancel_words'] : undefined;
  return typeof value === 'string' && Array.isArray(words) && (words as readonly Json[]).includes(value.trim().toLowerCase());
}

function answerFaults(body: Json, value: Json): readonly string[] {
  if (!isJsonObject(body)) return [];
  if (body['type'] === 'approval') return approvals.includes(value as Approval) ? [] : [`the answer must be one of ${approvals.join(', ')}`];
  const text = answerText(value);
  const { schema = null, choices = null } = body;
  if (Array.isArray(choices)) return faultsOf(readChoice(text, choices as readonly string[]));
  if (schema !== null) return faultsOf(readStructured(text, schema));
  return typeof value === 'string' ? [] : ['the answer must be text'];
}

function faultsOf(read: ReturnType<typeof readStructured>): readonly string[] {
  return read.ok ? [] : read.faults;
}

/** A structured answer may be given as JSON or as the text of it. */
export function answerText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What an answerer that cannot answer now leaves behind. */
export function askQuestion(request: AskRequest, audience: Audience, fault: string | null): JsonObject {
  return {
    type: 'ask',
    kind: request.kind,
    prompt: request.prompt,
    ...(request.purpose === null ? {} : { purpose: request.purpose }),
    max_turns: request.maxTurns,
    ...(request.schema === null ? {} : { schema: request.schema }),
    ...(request.choices === null ? {} : { choices: request.choices }),
    ...(request.tools === null ? {} : { tools: request.tools }),
    ...(fault === null ? {} : { error: fault }),
    ...(audience === 'person' ? { cancel_words: cancelWords } : {}),
  };
}

/** `hash` binds the approval to this request: another command under the same key is asked for anew. */
export function approvalQuestion(request: JsonObject, reason: string, hash: string): JsonObject {
  return { type: 'approval', kind: 'command', reason, choices: approvals, hash, ...request };
}

/** The approval given for exactly this request, or null. */
export function approvalFor(questions: readonly OpenQuestion[], hash: string): Approval | null {
  const found = questions.findLast(({ body, answered }) => answered !== null && isJsonObject(body) && body['type'] === 'approval' && body['hash'] === hash);
  return found === undefined ? null : (found.value as Approval);
}
