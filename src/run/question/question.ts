// Questions that a run waits for: what they ask, who may answer, and with what.
//
// Q1. Whoever answers shows the nonce, and must be the audience or stand above it: caller < person < operator. So an
//     agent can answer what is asked of the caller, and can never approve its own command. What comes
//     through an agent or its client as the words of a person answers forms alone, and the journal says through whom.
// Q2. An answer that does not fit leaves the question open, with the reason. Answers are never invented.
// Q3. A question that has expired takes no answer; the effect that waits for it fails. Words that cancel are part of
//     the question; no other text does.
// Q4. An approval counts for the request and the terms that were shown (folder, sandbox, what can be written to). Where
//     one of them has changed since, the question is asked again.
// Q5. An approval is used up by the start that came of it, whatever became of that. Whoever decides that the effect is to
//     be made again is asked again.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { AskRequest } from '../../ports/answerer.ts';
import { approvals } from '../../ports/command-host.ts';
import type { Approval, CommandVerdict } from '../../ports/command-host.ts';
import type { AnsweredBy, Audience, QuestionAnswered, QuestionAsked, Through } from '../../journal/entry.ts';
import { judgeReply } from '../clarify/clarify.ts';
import { formOf } from '../clarify/form.ts';
import { readChoice, readStructured } from '../effect/read-answer.ts';

/** A question of the run with what it asks. */
export interface OpenQuestion {
  readonly asked: QuestionAsked;
  readonly body: Json;
  answered: QuestionAnswered | null;
  /** The answer, once there is one. */
  value: Json;
  /** Its effect was begun since: an approval counts for one start (Q5). */
  used: boolean;
}

interface GivenAnswer {
  readonly nonce: string;
  readonly value: Json;
  readonly from: Audience;
  readonly through?: Through;
}

type AnswerVerdict =
  | { readonly kind: 'accept'; readonly value: Json }
  | { readonly kind: 'cancel' }
  | {
      readonly kind: 'refuse';
      readonly code: 'ANSWER_REFUSED' | 'QUESTION_EXPIRED' | 'QUESTION_UNKNOWN';
      readonly message: string;
    };

const rank: Record<Audience, number> = { caller: 0, person: 1, operator: 2 };

export const cancelWords: readonly string[] = ['/cancel'];

export function judgeAnswer(
  question: Pick<OpenQuestion, 'asked' | 'body' | 'answered'>,
  given: GivenAnswer,
  nowMs: number,
): AnswerVerdict {
  const { asked, body } = question;
  const refuse = (message: string): AnswerVerdict => ({ kind: 'refuse', code: 'ANSWER_REFUSED', message });
  if (question.answered !== null)
    return { kind: 'refuse', code: 'QUESTION_UNKNOWN', message: `question ${asked.id} has been answered` };
  if (given.nonce !== asked.nonce) return refuse(`the nonce is not that of question ${asked.id}`);
  if (rank[given.from] < rank[asked.audience])
    return refuse(
      `question ${asked.id} is for the ${asked.audience}, and the answer comes from the ${given.from}`,
    );
  if (
    given.through !== undefined &&
    (asked.audience !== 'person' || !isJsonObject(body) || body['type'] !== 'form')
  )
    return refuse(`question ${asked.id} is no form, and only answers to forms can be passed on`);
  if (asked.expiresAt !== null && nowMs >= asked.expiresAt)
    return { kind: 'refuse', code: 'QUESTION_EXPIRED', message: `question ${asked.id} has expired` };
  if (isCancel(body, given.value)) return { kind: 'cancel' };
  if (isJsonObject(body) && body['type'] === 'form') {
    const { collected } = body;
    const verdict = judgeReply(formOf(body), given.value, isJsonObject(collected) ? collected : {});
    return verdict.kind === 'accept' ? verdict : refuse(verdict.faults.join('; '));
  }
  const faults = answerFaults(body, given.value);
  return faults.length === 0 ? { kind: 'accept', value: given.value } : refuse(faults.join('; '));
}

/** As the journal says it. */
export function answeredBy({ from, through }: Pick<GivenAnswer, 'from' | 'through'>): AnsweredBy {
  return through === undefined ? from : `${through} for the person`;
}

function isCancel(body: Json, value: Json): boolean {
  const words = isJsonObject(body) ? body['cancel_words'] : undefined;
  return (
    typeof value === 'string' &&
    Array.isArray(words) &&
    (words as readonly Json[]).includes(value.trim().toLowerCase())
  );
}

function answerFaults(body: Json, value: Json): readonly string[] {
  if (!isJsonObject(body)) return [];
  if (body['type'] === 'approval')
    return approvals.includes(value as Approval) ? [] : [`the answer must be one of ${approvals.join(', ')}`];
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

/** `hash` and `terms` bind the approval: another call under the same key, or the same one elsewhere, is asked for anew. */
export function approvalQuestion(
  kind: 'command' | 'tool',
  request: JsonObject,
  { reason, terms }: Pick<Approve, 'reason' | 'terms'>,
  hash: string,
  skill: string,
): JsonObject {
  return {
    ...request,
    type: 'approval',
    kind,
    skill,
    reason,
    choices: approvals,
    ...(terms === undefined ? {} : { terms }),
    hash,
  };
}

type Approve = Extract<CommandVerdict, { kind: 'approve' }>;

/** What a policy says, after the operator's answer to exactly this request under exactly these terms (Q4). */
export async function judgeApproved(
  judge: (approval: Approval | null) => Promise<CommandVerdict>,
  questions: readonly OpenQuestion[],
  hash: string,
): Promise<{ readonly verdict: CommandVerdict; readonly terms: string | null }> {
  const verdict = await judge(null);
  if (verdict.kind !== 'approve') return { verdict, terms: null };
  const { terms = null } = verdict;
  const last = questions.findLast(({ answered }) => answered !== null);
  const {
    type,
    hash: asked,
    terms: shown = null,
  } = last !== undefined && isJsonObject(last.body) ? last.body : {};
  if (last === undefined || last.used || type !== 'approval' || asked !== hash)
    return { verdict, terms: null };
  if (shown !== terms)
    return {
      verdict: {
        ...verdict,
        reason: `${verdict.reason}. It is asked again, since the answer before was ${typeof shown === 'string' ? `to run it ${shown}` : 'about other terms'}`,
      },
      terms: null,
    };
  return { verdict: await judge(last.value as Approval), terms };
}
