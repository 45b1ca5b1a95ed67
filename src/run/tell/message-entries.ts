// A message to a run that no process drives -> its entries.
import { TechneError } from '../../base/error.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { RunState } from '../../journal/run-state.ts';
import { unknownEffects } from '../../journal/run-state.ts';
import type { InboxMessage } from '../../ports/run-store.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import { isReentered } from '../effect/effect.ts';
import { decidedEntry, decidedKind } from '../effect/effect-journal.ts';
import { answeredBy, judgeAnswer, namedAnswerer } from '../question/question.ts';
import type { StoredValues } from '../run-facts.ts';

export interface MergeParts {
  readonly message: InboxMessage;
  readonly state: RunState;
  readonly nowMs: number;
  readonly values: StoredValues;
}

/** Empty when nothing is to be recorded. Throws why the message is refused. */
export async function mergeMessage({
  message,
  state,
  nowMs,
  values,
}: MergeParts): Promise<readonly JournalEntry[]> {
  const { run } = state.meta;
  switch (message.kind) {
    case 'cancel':
      return state.ended !== null || state.cancel !== null
        ? []
        : [
            {
              type: 'cancel.requested',
              at: nowMs,
              by: message.by,
              reason: cutText(message.reason, maxMessageUnits).text,
            },
          ];
    case 'answer': {
      const question = state.ended === null ? state.questions.get(message.question) : undefined;
      if (question === undefined)
        throw new TechneError('QUESTION_UNKNOWN', `run ${run} has no open question ${message.question}`, {
          hint: `techne runs show ${run}`,
        });
      const body = await values.load(question.asked.question);
      const verdict = judgeAnswer({ ...question, body }, message, nowMs);
      if (verdict.kind === 'refuse') throw new TechneError(verdict.code, verdict.message);
      if (verdict.kind === 'cancel')
        return [
          {
            type: 'cancel.requested',
            at: nowMs,
            by: namedAnswerer(message),
            reason: 'the answer was a word that cancels',
          },
        ];
      return [
        {
          type: 'question.answered',
          at: nowMs,
          id: message.question,
          answer: await values.store(verdict.value),
          by: answeredBy(message),
          ...(message.name === undefined ? {} : { name: message.name }),
        },
      ];
    }
    case 'decision': {
      // Asks are entered again; their parts are what can be undecided.
      const effect =
        state.ended === null
          ? unknownEffects(state).find(
              ({ key, started }) => key === message.key && !isReentered(started.kind),
            )
          : undefined;
      if (effect === undefined)
        throw new TechneError(
          'DECISION_UNKNOWN',
          `run ${run} has no call "${message.key}" that waits for a decision`,
          { hint: `techne runs show ${run}` },
        );
      // The request determines the shape of a `done` value; a request that is lost must not prevent the other decisions.
      const request = message.as === 'done' ? await values.load(effect.started.request) : null;
      return [await decidedEntry(decidedKind(effect.started.kind, request), message, nowMs, values)];
    }
  }
}
