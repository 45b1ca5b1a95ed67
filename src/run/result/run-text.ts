// The other texts that a caller can get: failures, and runs that wait.
import type { Json, JsonObject } from '../../base/json.ts';
import { cutText } from '../../base/cut-text.ts';
import { renderEnvelope } from './envelope.ts';
import { pauseUnits, shownQuestions } from './question-page.ts';
import type { PendingQuestion, RunResult } from './result.ts';

/** `error: metaskill 'NAME': MESSAGE` and where to look further. */
export function failureText(name: string, message: string, run: string | null, maxUnits: number): string {
  const where = run === null ? '' : `\n(run ${run}: techne runs show ${run})`;
  const head = `error: metaskill '${cutText(name, 64).text}': `;
  const room = maxUnits - head.length - where.length;
  const { text, truncated } = cutText(message, room);
  return head + (truncated ? `${cutText(message, room - 2).text} …` : text) + where;
}

/** `error: MESSAGE`, for what never became a run. */
export function refusalText(message: string, maxUnits: number): string {
  const { text, truncated } = cutText(message, maxUnits - 'error: '.length);
  return `error: ${truncated ? `${cutText(message, maxUnits - 'error: '.length - 2).text} …` : text}`;
}

/**
 * A run that waits for answers. Only what is asked of the caller goes with the nonce that answering takes. A question is not a
 * result, so its length has a limit of its own (question-page.ts).
 */
export function pausedText(name: string, run: string, questions: readonly PendingQuestion[]): string {
  const facts = shownQuestions(questions).map(
    ({ run: of, id, nonce, audience, question, expiresAt }): JsonObject => ({
      ...(of === run ? {} : { run: of }),
      id,
      audience,
      ...(audience === 'caller' ? { nonce } : {}),
      question,
      ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    }),
  );
  return renderEnvelope({
    name,
    outcome: 'paused',
    envelope: { status: 'paused', answer: '', run, questions: facts },
    trace: [],
    traceDropped: 0,
    // Beside the questions, their ids and nonces.
    maxUnits: pauseUnits + 1_000 + facts.length * 200,
  });
}

export function undecidedText(
  name: string,
  run: string,
  undecided: RunResult['undecided'],
  maxUnits: number,
): string {
  const shown = undecided.map(({ run: of, key, kind, request }): JsonObject => ({
    ...(of === run ? {} : { run: of }),
    key,
    kind,
    request,
  }));
  const hint = `the outcome of these calls is unknown; a person decides: techne runs resolve ${undecided[0]?.run ?? run} --as done|retry|fail`;
  const envelope = { status: 'needs_decision', answer: '', run, undecided: shown, hint };
  const render = (of: JsonObject): string =>
    renderEnvelope({
      name,
      outcome: 'needs_decision',
      envelope: of,
      trace: [],
      traceDropped: 0,
      maxUnits,
    });
  // Large requests are cut one by one, so that everything else stays readable.
  for (const longest of [Infinity, 4_000, 1_000, 200, 40]) {
    const cut = longest === Infinity ? envelope : (cutStrings(envelope, longest) as JsonObject);
    const text = render(cut);
    if (!text.includes('"fields_truncated":')) return text;
  }
  return render(envelope);
}

function cutStrings(value: Json, maxUnits: number): Json {
  if (typeof value === 'string') {
    const { text, truncated } = cutText(value, maxUnits);
    return truncated ? `${text} …` : text;
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => cutStrings(item, maxUnits));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutStrings(item, maxUnits)]));
}
