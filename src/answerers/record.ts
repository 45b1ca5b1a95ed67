// Records the answers of an answerer in a file, for `replay:FILE`.
//
// The file is complete at every moment: it is rewritten and renamed before the answer is given. A resumed run
// continues its file; another run starts it anew. Only the asks of the run itself are recorded; those of nested runs
// are part of the outer answer. Failures and answers that come later from the caller or a person are not recorded.
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
    // One after the other, also for concurrent answers.
    kept = (kept ?? answersOf(path, of, files)).then(async (before) => {
      // Readings for forms have no number of their own.
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
    inParts: inner.inParts === true,
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

/** Throws ENVIRONMENT if the file must not be overwritten; checked before the first ask. */
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
