// A run that pauses -> its end, as far as the handlers of the embedding program can answer what it asks.
//
// Q1. A handler is for one audience. What is asked of the operator (approvals) reaches no handler of the caller: a model that
//     answers for the caller cannot approve its own commands.
// Q2. `undefined` is no answer: the run stays paused with the question, for another time or another process.
// Q3. An answer that does not fit is asked for again with the reason, three times at the most.
import type { Abort } from '../base/abort.ts';
import { TechneError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Audience } from '../journal/entry.ts';
import { DetachSignal } from '../run/effect/effect-context.ts';
import type { PendingQuestion, RunResult } from '../run/result/result.ts';
import type { Runner } from '../run/runner.ts';

/** What a handler is told besides the question. */
export interface QuestionContext {
  /** Why the last answer to the same question could not be taken; `null` at first. */
  readonly refused: string | null;
  readonly signal: Abort | null;
}

/** Answers a question of a run; `undefined` leaves it open. */
export type QuestionHandler = (
  question: PendingQuestion,
  context: QuestionContext,
) => Promise<Json | undefined> | Json | undefined;

/** Who answers, by whom a run asks: `caller` (asks, when the answerer is the caller), `person` (forms), `operator` (approvals). */
export type QuestionHandlers = { readonly [audience in Audience]?: QuestionHandler };

const maxTries = 3;

export async function answerQuestions(
  runner: Runner,
  first: RunResult,
  handlers: QuestionHandlers,
  signal: Abort | null,
): Promise<RunResult> {
  let result = first;
  while (result.status === 'paused' && result.run !== null) {
    let answered = 0;
    for (const question of result.questions) {
      if (signal?.aborted === true) break;
      if (await answerOne(runner, question, handlers[question.audience], signal)) answered += 1;
    }
    if (signal?.aborted === true) return stop(runner, result, result.run, signal);
    if (answered === 0) return result;
    result = await runner.resume(result.run, signal === null ? {} : { signal });
  }
  return result;
}

/** Whether it is answered. */
async function answerOne(
  runner: Runner,
  { run, id, nonce, audience, ...rest }: PendingQuestion,
  handler: QuestionHandler | undefined,
  signal: Abort | null,
): Promise<boolean> {
  if (handler === undefined) return false;
  let refused: TechneError | null = null;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const value = await handler(
      { run, id, nonce, audience, ...rest },
      { refused: refused?.message ?? null, signal },
    );
    if (value === undefined || signal?.aborted === true) return false;
    try {
      await runner.answer(run, { question: id, nonce, value, from: audience });
      return true;
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'ANSWER_REFUSED') throw error;
      refused = error;
    }
  }
  throw refused as TechneError;
}

async function stop(runner: Runner, result: RunResult, run: string, signal: Abort): Promise<RunResult> {
  if (signal.reason instanceof DetachSignal) return result;
  await runner.cancel(run, 'aborted by the program', 'caller');
  return runner.resume(run);
}
