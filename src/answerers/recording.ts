// Recorded answers as JSON lines: one for the run, then one for each answer.
//
//   {"type":"techne.answers","version":1,"run":"01J…"}
//   {"ordinal":1,"retry":0,"hash":"…","request":{…},"outcome":{…}}
//
// An answer is found by the place of the ask in the run and the number of its retry; the hash of the request tells
// whether it is still the same ask.
import type { Json, JsonObject } from '../base/json.ts';
import { canonicalJson, isJsonObject, parseJson } from '../base/json.ts';
import { nodeSha256 } from '../node/environment.ts';
import type { AskOutcome, AskRequest } from '../ports/answerer.ts';

export interface Recording {
  readonly run: string;
  readonly answers: readonly RecordedAnswer[];
}

export interface RecordedAnswer {
  readonly ordinal: number;
  readonly retry: number;
  readonly hash: string;
  readonly request: JsonObject;
  readonly outcome: AskOutcome;
}

export function requestJson({
  kind,
  prompt,
  purpose,
  maxTurns,
  choices,
  schema,
  model,
  tools,
}: AskRequest): JsonObject {
  return { kind, prompt, purpose, max_turns: maxTurns, choices, schema, model, tools };
}

export function recordedAnswer(
  ordinal: number,
  retry: number,
  request: AskRequest,
  outcome: AskOutcome,
): RecordedAnswer {
  const asked = requestJson(request);
  return { ordinal, retry, hash: hashOf(asked), request: asked, outcome };
}

export function hashOf(request: JsonObject): string {
  return nodeSha256(canonicalJson(request));
}

export function renderRecording({ run, answers }: Recording): string {
  const lines = answers.map(
    ({ ordinal, retry, hash, request, outcome: { answer, exhausted, turns, usage } }) => ({
      ordinal,
      retry,
      hash,
      request,
      outcome: {
        answer,
        exhausted,
        turns,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        cost_micros: usage.costMicros,
      },
    }),
  );
  return [{ type: 'techne.answers', version: 1, run }, ...lines]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** Throws an error that names the line. */
export function parseRecording(text: string): Recording {
  const [head = '', ...lines] = text.split('\n');
  const first = objectOf(head, 1);
  if (first['type'] !== 'techne.answers' || first['version'] !== 1 || typeof first['run'] !== 'string')
    throw new Error('line 1: this is not a file of recorded answers');
  return {
    run: first['run'],
    answers: lines.flatMap((line, at) =>
      line.trim() === '' ? [] : [answerOf(objectOf(line, at + 2), at + 2)],
    ),
  };
}

function objectOf(line: string, number: number): JsonObject {
  let value: Json;
  try {
    value = parseJson(line);
  } catch (error) {
    throw new Error(`line ${number}: not JSON`, { cause: error });
  }
  if (isJsonObject(value)) return value;
  throw new Error(`line ${number}: not an object`);
}

function answerOf({ ordinal, retry, hash, request, outcome }: JsonObject, number: number): RecordedAnswer {
  const fits =
    isCount(ordinal) &&
    isCount(retry) &&
    typeof hash === 'string' &&
    isJsonObject(request) &&
    isJsonObject(outcome) &&
    typeof outcome['answer'] === 'string' &&
    typeof outcome['exhausted'] === 'boolean';
  if (!fits) throw new Error(`line ${number}: this is not a recorded answer`);
  const { answer, exhausted, turns, input_tokens: input, output_tokens: output, cost_micros: cost } = outcome;
  const count = (value: Json | undefined): number => (isCount(value) ? value : 0);
  return {
    ordinal,
    retry,
    hash,
    request,
    outcome: {
      answer: answer as string,
      exhausted: exhausted as boolean,
      turns: count(turns),
      usage: { inputTokens: count(input), outputTokens: count(output), costMicros: count(cost) },
    },
  };
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
