// Recorded answers given again. An ask that is not the recorded one is refused, with what differs.
import { TechneError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { JsonObject } from '../base/json.ts';
import { cutText } from '../base/cut-text.ts';
import type { Answerer } from '../ports/answerer.ts';
import type { RecordedAnswer, Recording } from './recording.ts';
import { hashOf, parseRecording, requestJson } from './recording.ts';

/** Throws FILE_INVALID if `text` is not a recording. */
export function createReplayAnswerer(name: string, path: string, text: string): Answerer {
  const { answers } = parsed(path, text);
  return {
    name,
    description: `${answers.length} recorded ${answers.length === 1 ? 'answer' : 'answers'}`,
    fenced: true,
    readsFor: (purpose) =>
      answers.some(({ ordinal, request }) => ordinal === 0 && request['purpose'] === purpose),
    async answer(request, { ordinal, retry }) {
      const hash = hashOf(requestJson(request));
      // Readings for forms have no number of their own.
      const fitting = answers.filter((answer) => answer.ordinal === ordinal && answer.retry === retry);
      const recorded = fitting.find((answer) => answer.hash === hash) ?? fitting[0];
      if (recorded === undefined)
        throw new Error(
          `nothing is recorded for ask ${ordinal}${retry === 0 ? '' : `, retry ${retry}`}; there are ${answers.length} recorded answers`,
        );
      const asked = requestJson(request);
      if (hash !== recorded.hash)
        throw new Error(
          `ask ${ordinal} is not the one that was recorded: ${differences(recorded, asked).join('; ')}`,
        );
      return recorded.outcome;
    },
  };
}

function parsed(path: string, text: string): Recording {
  try {
    return parseRecording(text);
  } catch (error) {
    throw new TechneError(
      'FILE_INVALID',
      `${path}: ${error instanceof Error ? error.message : String(error)}`,
      { hint: 'give a file that "--record" has made', cause: error },
    );
  }
}

function differences({ request }: RecordedAnswer, asked: JsonObject): readonly string[] {
  const keys = [...new Set([...Object.keys(request), ...Object.keys(asked)])];
  const differing = keys.filter(
    (key) => canonicalJson(request[key] ?? null) !== canonicalJson(asked[key] ?? null),
  );
  if (differing.length === 0) return ['its record was changed'];
  return differing.map((key) => {
    const [before, now] = [request[key] ?? null, asked[key] ?? null].map((value) =>
      typeof value === 'string' ? value : canonicalJson(value),
    ) as [string, string];
    const at = firstDifference(before, now);
    return `${key} was ${excerpt(before, at)} and is ${excerpt(now, at)}`;
  });
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** The text around the first difference. */
function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - 20);
  const { text: shown, truncated } = cutText(text.slice(start), 80);
  return `${start > 0 ? '…' : ''}${JSON.stringify(shown)}${truncated ? '…' : ''}`;
}
