// The handlers of an embedding program -> a questioner of the driver.
//
// A handler is for one audience: approvals, which are for the operator, never reach the handler of the caller, so a model
// that answers for the caller cannot approve its own commands.
import type { Abort } from '../base/abort.ts';
import type { Json } from '../base/json.ts';
import type { Audience } from '../journal/entry.ts';
import type { Questioner } from '../run/drive/drive.ts';
import type { PendingQuestion } from '../run/result/result.ts';

/** What a handler gets besides the question. */
export interface QuestionContext {
  /** Why the last answer to the same question was not accepted; `null` at first. */
  readonly refused: string | null;
  readonly signal: Abort | null;
}

/** Answers a question of a run; `undefined` leaves it open. */
export type QuestionHandler = (
  question: PendingQuestion,
  context: QuestionContext,
) => Promise<Json | undefined> | Json | undefined;

/** Who answers, by audience: `caller` (asks, when the caller is the answerer), `person` (forms), `operator` (approvals). */
export type QuestionHandlers = { readonly [audience in Audience]?: QuestionHandler };

/** An answer that is not accepted is asked for again, this often at most. */
const maxTries = 3;

export function handlersQuestioner(handlers: QuestionHandlers): Questioner {
  const tries = new Map<string, number>();
  return async (question, { refused, signal }) => {
    const handler = handlers[question.audience];
    if (handler === undefined) return 'open';
    const tried = refused === null ? 0 : (tries.get(question.id) ?? 0);
    if (refused !== null && (refused.code !== 'ANSWER_REFUSED' || tried === maxTries)) throw refused;
    tries.set(question.id, tried + 1);
    const answer = await handler(question, { refused: refused?.message ?? null, signal });
    return answer === undefined ? 'open' : { answer };
  };
}
