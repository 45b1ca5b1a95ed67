// Questions that a run waits for: what they ask, who may answer, and with what.
//
// An answer must contain the nonce and come from the audience or above it: caller < person < operator. So an agent can
// answer questions to the caller and can never approve its own command. A person's words that come through an agent or
// its client can answer only forms, and the journal records through whom they came. An answer that does not fit leaves
// the question open, with the reason. Answers are never invented. An expired question takes no answer, and the effect
// that waits for it fails. The words that cancel are part of the question; no other text cancels.
//
// An approval is valid for the request and the terms that were shown (folder, sandbox, what can be written to). If one
// of them has changed, the question is asked again. An approval is used up by one start, whatever its outcome; a
// decision to repeat the effect asks for a new one.
import { canonicalJson, isJsonObject } from '../../base/json.ts';
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
  /** Its effect has started since: an approval counts for one start. */
  used: boolean;
}

interface GivenAnswer {
  readonly nonce: string;
  readonly value: Json;
  readonly from: Audience;
  readonly through?: Through;
  readonly name?: string;
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
    return refuse(`question ${asked.id} is not a form, and only answers to forms can be passed on`);
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

/** Whether an answer is what an answered question has got; `kept` is what the journal keeps of that. */
export function isSameAnswer(body: Json, kept: Json, given: Json): boolean {
  if (canonicalJson(kept) === canonicalJson(given)) return true;
  if (!isJsonObject(body) || body['type'] !== 'form') return false;
  const { collected } = body;
  const verdict = judgeReply(formOf(body), given, isJsonObject(collected) ? collected : {});
  return verdict.kind === 'accept' && canonicalJson(verdict.value) === canonicalJson(kept);
}

/** As the journal says it. */
export function answeredBy({ from, through }: Pick<GivenAnswer, 'from' | 'through'>): AnsweredBy {
  return through === undefined ? from : `${through} for the person`;
}

/** Who cancelled with a word that cancels: `person`, or `person alice` where the name is known. */
export function namedAnswerer(given: Pick<GivenAnswer, 'from' | 'through' | 'name'>): string {
  return given.name === undefined ? answeredBy(given) : `${answeredBy(given)} ${given.name}`;
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

/** The verdict of a policy, after the operator's answer to exactly this request under exactly these terms. */
export async function judgeApproved(
  judge: (approval: Approval | null, by: string | null) => Promise<CommandVerdict>,
  questions: readonly OpenQuestion[],
  hash: string,
): Promise<{ readonly verdict: CommandVerdict; readonly terms: string | null }> {
  const verdict = await judge(null, null);
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
  const by = last.answered?.name ?? last.answered?.by ?? null;
  return { verdict: await judge(last.value as Approval, by), terms };
}
