// Asks the person at this terminal the questions of a run, which may be answered elsewhere at the same time.
//
// Questions to the caller are not asked here. A question that the person postpones stays open. The prompt disappears as soon as
// the question is answered elsewhere or the run has ended.
import type { Abort } from '../../base/abort.ts';
import type { Json } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { RunStore } from '../../ports/run-store.ts';
import type { AskingContext, Questioner, Reply } from '../../run/drive/drive.ts';
import type { PendingQuestion } from '../../run/result/result.ts';
import { isAtTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { askHere } from './ask-here.ts';
import type { Progress } from './progress.ts';
import type { AskedQuestion } from './render-question.ts';

interface TerminalQuestions {
  /** Empty without a terminal. */
  readonly questioners: readonly Questioner[];
  /** Whether one of these was asked here and postponed. */
  wasAsked(questions: readonly PendingQuestion[]): boolean;
}

export function createTerminalQuestions(
  context: CommandContext,
  store: () => RunStore,
  progress: Pick<Progress, 'hold' | 'release'>,
): TerminalQuestions {
  const asked = new Set<string>();
  const ask = async (question: PendingQuestion, { refused, signal }: AskingContext): Promise<Reply> => {
    if (question.audience === 'caller') return 'open';
    if (refused !== null) {
      if (refused.code !== 'ANSWER_REFUSED') {
        context.err.line(`Too late: ${printableLine(refused.message)}.`);
        return 'settled';
      }
      context.err.line(`Not accepted: ${printableLine(refused.message)}`);
    }
    asked.add(question.id);
    progress.hold();
    const reply = await askWatched(context, store(), question, signal);
    if (reply !== 'open') progress.release();
    return reply;
  };
  return {
    questioners: isAtTerminal(context.io) ? [ask] : [],
    wasAsked: (questions) => questions.some(({ id }) => asked.has(id)),
  };
}

/** Asks until the question is answered here or elsewhere, or postponed. */
export async function askWatched(
  context: CommandContext,
  store: RunStore,
  question: AskedQuestion,
  signal: Abort,
): Promise<Reply> {
  const prompt = new AbortController();
  const stop = (): void => prompt.abort(new Error('stopped'));
  let isOver = false;
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  // A journal that cannot be read is reported when the run is resumed.
  const watch = store.subscribe(question.run, 0, (entries) => {
    if (!entries.some(({ entry }) => closes(entry, question.id))) return;
    isOver = true;
    stop();
  });
  try {
    const answer: Json = await askHere(context, question, prompt.signal);
    return answer === null ? 'open' : { answer };
  } catch (error) {
    if (signal.aborted) return 'open';
    if (!isOver) throw error;
    context.err.line('It was answered elsewhere.');
    return 'settled';
  } finally {
    watch.close();
    signal.removeEventListener('abort', stop);
  }
}

function closes(entry: JournalEntry, question: string): boolean {
  return (
    entry.type === 'run.ended' ||
    entry.type === 'cancel.requested' ||
    (entry.type === 'question.answered' && entry.id === question)
  );
}
