// Keeps what an answerer answers in a file, so that `replay:FILE` can give it again.
//
// K1. The file is whole at every moment: it is written anew, and renamed into its place, before the answer is given.
// K2. A run that is resumed goes on with its file; another run starts it anew.
// K3. The asks of one run. What a run inside it asks is not kept: it is part of the answer of the outer ask.
// K4. What fails, or is answered later by the caller or a person, is not kept.
import { decodeUtf8 } from '../base/utf8.ts';
import { TechneError } from '../base/error.ts';
import type { Answerer } from '../ports/answerer.ts';
import type { Files } from '../ports/files.ts';
import { FileFault } from '../ports/files.ts';
import type { RecordedAnswer } from './recording.ts';
import { parseRecording, recordedAnswer, renderRecording } from './recording.ts';

const maxBytes = 64 * 1024 * 1024;

export function recordAnswers(
  inner: Answerer,
  { path, files }: { readonly path: string; readonly files: Files },
): Answerer {
  let run: string | null = null;
  let kept: Promise<readonly RecordedAnswer[]> | null = null;
  const keep = (answer: RecordedAnswer, of: string): Promise<void> => {
    // One after the other, whatever is answered at once.
    kept = (kept ?? answersOf(path, of, files)).then(async (before) => {
      // What is read for forms has no number of its own.
      const others = before.filter(
        ({ ordinal, retry, hash }) =>
          ordinal !== answer.ordinal || retry !== answer.retry || (ordinal === 0 && hash !== answer.hash),
      );
      const answers = [...others, answer].sort((a, b) => a.ordinal - b.ordinal || a.retry - b.retry);
      await files.writeAtomic(path, Buffer.from(renderRecording({ run: of, answers })), 0o600);
      return answers;
    });
    return kept.then(() => undefined);
  };
  return {
    name: inner.name,
    description: `${inner.description}, recorded in ${path}`,
    fenced: inner.fenced,
    readsFor: (purpose) => inner.readsFor?.(purpose) === true,
    ...(inner.hasModel === undefined ? {} : { hasModel: (name: string) => inner.hasModel?.(name) === true }),
    async answer(request, context) {
      run ??= context.run;
      const outcome = await inner.answer(request, context);
      if (context.run === run)
        await keep(recordedAnswer(context.ordinal, context.retry, request, outcome), run);
      return outcome;
    },
  };
}

/** Throws ENVIRONMENT when there is a file that is not ours to write over; to be known before anybody is asked. */
export async function checkRecordable(path: string, files: Files): Promise<void> {
  await answersOf(path, '', files);
}

async function answersOf(path: string, run: string, files: Files): Promise<readonly RecordedAnswer[]> {
  let read: Awaited<ReturnType<Files['read']>>;
  try {
    read = await files.read(path, maxBytes);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError('ENVIRONMENT', `${path} cannot be recorded into: ${error.message}`, {
      hint: 'record into another file',
      cause: error,
    });
  }
  if (read === null || read.bytes.length === 0) return [];
  try {
    const recording = parseRecording(decodeUtf8(read.bytes).text);
    return recording.run === run ? recording.answers : [];
  } catch (error) {
    throw new TechneError(
      'ENVIRONMENT',
      `${path} is not written over: ${error instanceof Error ? error.message : String(error)}`,
      { hint: 'record into another file', cause: error },
    );
  }
}
