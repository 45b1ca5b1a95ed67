// The other texts that a caller can get: failures, and runs that wait.
//
// A question that is too long for one result is cut with a mark: it ends with how much of it is there and with the call that reads
// on (run_status). The pages are those of the prompt, and after it of everything else that belongs to the question. So nothing is
// ever missing without a word.
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { cutText } from '../../base/cut-text.ts';
import { renderEnvelope } from './completed-text.ts';
import type { PendingQuestion, RunResult } from './result.ts';

/** `error: metaskill 'NAME': MESSAGE` and where to look further. */
export function failureText(name: string, message: string, run: string | null, maxUnits: number): string {
  const where = run === null ? '' : `\n(run ${run}: techne runs show ${run})`;
  const head = `error: metaskill '${cutText(name, 64).text}': `;
  const room = maxUnits - head.length - where.length;
  const { text, truncated } = cutText(message, room);
  return head + (truncated ? `${cutText(message, room - 2).text} …` : text) + where;
}

/** The program itself failed, not something that it asked for. */
export function isProgramFailure({ status, error }: RunResult): boolean {
  return status === 'failed' && error !== null && error.message.startsWith('runtime error: ');
}

/** A run with an empty input that failed: what its skill says about the input goes with it (S0 §3). */
export function withInstructions(result: RunResult, instructions: string, maxUnits: number): RunResult {
  const told = `${result.text}\n\nThe input was empty. The instructions of the skill:\n\n${instructions.trim()}\n`;
  const { text, truncated } = cutText(told, maxUnits);
  return { ...result, text: truncated ? `${cutText(told, maxUnits - 2).text} …` : text };
}

/** `error: MESSAGE`, for what never became a run. */
export function refusalText(message: string, maxUnits: number): string {
  const { text, truncated } = cutText(message, maxUnits - 'error: '.length);
  return `error: ${truncated ? `${cutText(message, maxUnits - 'error: '.length - 2).text} …` : text}`;
}

/**
 * A run that waits for answers. Only what is asked of the caller goes with the nonce that answering takes. A question is not a
 * result, so its length has a limit of its own.
 */
export function pausedText(
  name: string,
  run: string,
  questions: readonly PendingQuestion[],
  maxUnits: number = pauseUnits,
  wasAsked: (question: string) => boolean = () => true,
): string {
  const facts = shownQuestions(questions, maxUnits).map(
    ({ run: of, id, nonce, audience, question, expiresAt }): JsonObject => ({
      ...(of === run ? {} : { run: of }),
      id,
      audience,
      ...(audience === 'caller' && wasAsked(id) ? { nonce } : {}),
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
    maxUnits: maxUnits + 1_000 + facts.length * 200,
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

/** What a result may show of all its questions: hosts cut a result of more than about 50,000 bytes themselves. */
export const pauseUnits = 46_000;

type Asked = Pick<PendingQuestion, 'run' | 'id' | 'question'>;

/** The questions as they fit, by `isTooLong`: whole, or all long texts cut to the same length. */
function fitQuestions<Q extends Asked>(
  questions: readonly Q[],
  isTooLong: (shown: readonly Q[]) => boolean,
): readonly Q[] {
  let shown = questions;
  for (const longest of [32_000, 16_000, 8_000, 4_000, 1_000, 200, 40]) {
    if (!isTooLong(shown)) return shown;
    shown = questions.map((asked) => ({ ...asked, question: cutQuestion(asked, longest) }));
  }
  return shown;
}

/** As data: what the text of the result shows. */
export function shownQuestions<Q extends Asked>(
  questions: readonly Q[],
  maxUnits: number = pauseUnits,
): readonly Q[] {
  return fitQuestions(
    questions,
    (shown) => JSON.stringify(shown.map(({ question }) => question)).length > maxUnits,
  );
}

function cutQuestion({ run, id, question }: Asked, longest: number): Json {
  const cut = (value: Json, isPrompt: boolean): Json => {
    if (typeof value === 'string') {
      const { text, truncated } = cutText(value, longest);
      if (!truncated) return value;
      const read = isPrompt ? 'read on' : 'read the whole question';
      return `${text}\n[cut here: ${text.length} of ${value.length} characters; ${read} with ${readCall(run, id, isPrompt ? text.length : 0)}]`;
    }
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => cut(item, false));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, false)]));
  };
  if (!isJsonObject(question)) return cut(question, false);
  return Object.fromEntries(
    Object.entries(question).map(([key, item]) => [key, cut(item, key === 'prompt')]),
  );
}

function readCall(run: string, question: string, offset: number): string {
  return `run_status ${JSON.stringify({ run, question, offset })}`;
}

/** A page of a question. Throws USAGE if there is nothing from `offset` on. */
export function readQuestionPage(
  { run, id, question }: Asked,
  offset: number,
  maxUnits: number = pauseUnits,
): string {
  const whole = questionText(question);
  if (offset > 0 && offset >= whole.length)
    throw new TechneError(
      'USAGE',
      `the question has ${whole.length} characters: there is nothing from ${offset} on`,
    );
  const { text, truncated } = cutText(whole.slice(offset), Math.floor((maxUnits * 20) / 23));
  const end = offset + text.length;
  const head = `Question ${id} of run ${run}, characters ${offset} to ${end} of ${whole.length}:\n`;
  return truncated
    ? `${head}${text}\n[cut here: ${end} of ${whole.length} characters; read on with ${readCall(run, id, end)}]`
    : `${head}${text}`;
}

/** The prompt, and everything else after it. */
function questionText(question: Json): string {
  if (!isJsonObject(question) || typeof question['prompt'] !== 'string') return JSON.stringify(question);
  const { prompt, ...rest } = question as JsonObject & { readonly prompt: string };
  return `${prompt}\n${JSON.stringify(rest)}`;
}
