// A question that is asked at this terminal while others can answer it, too.
//
// W1. The question is open in the journal, and nobody owns the run meanwhile. As soon as it is answered elsewhere, or the run
//     has ended, the prompt goes away.
import type { Abort } from '../../base/abort.ts';
import type { Json } from '../../base/json.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { RunStore } from '../../ports/run-store.ts';
import type { CommandContext } from '../context.ts';
import { askHere } from './ask-here.ts';
import type { AskedQuestion } from './render-question.ts';

export type Asked =
  | { readonly kind: 'answer'; readonly value: Json }
  | { readonly kind: 'later' }
  | { readonly kind: 'elsewhere' };

/** Rejects when the signal aborts. */
export async function askWatched(
  context: CommandContext,
  store: RunStore,
  question: AskedQuestion,
  signal: Abort,
): Promise<Asked> {
  const prompt = new AbortController();
  const stop = (): void => prompt.abort(new Error('stopped'));
  let isOver = false;
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  // A journal that cannot be followed is told of by whoever goes on with the run.
  const watch = store.subscribe(question.run, 0, (entries) => {
    if (!entries.some(({ entry }) => closes(entry, question.id))) return;
    isOver = true;
    stop();
  });
  try {
    const value = await askHere(context, question, prompt.signal);
    return value === null ? { kind: 'later' } : { kind: 'answer', value };
  } catch (error) {
    if (!isOver || signal.aborted) throw error;
    context.err.line('It was answered elsewhere.');
    return { kind: 'elsewhere' };
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
