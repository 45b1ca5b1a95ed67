// run_answer, run_status, run_cancel: the tools for runs that exist, over MCP and in a program that embeds techne.
//
//   arguments that a model wrote -> a request; throws USAGE
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { checkSchema } from '../../base/schema/check-value.ts';
import type { ToolDescription } from '../../ports/tool.ts';

export const runToolNames = ['run_metaskill', 'run_answer', 'run_status', 'run_cancel'] as const;
export type RunToolName = (typeof runToolNames)[number];

const run: JsonObject = { type: 'string', minLength: 1, description: 'The run, as run_metaskill gave it.' };
const question: JsonObject = { type: 'string', minLength: 1, description: 'The id of the question.' };
const nonce: JsonObject = {
  type: 'string',
  minLength: 1,
  description: 'The nonce that came with the question. It can be left out while one question is open.',
};
const answer: JsonObject = { description: 'Text; or JSON where the question has a schema or fields.' };

export const maxWaitSeconds = 50;

export const answerTool: ToolDescription = {
  name: 'run_answer',
  title: 'Answer a question of a run',
  description:
    'Answers a question of a paused run, and resumes it: gives the next question, or the result. While one question is open, `run` and `answer` are enough; of several, each needs its id and nonce, and `answers` takes them in one call, all or none. An answer without `question` that you gave to this run before counts as a repetition. Only questions to the caller can be answered here; approvals are for a person at a terminal. With `run` alone it resumes a run that was interrupted, or whose question was answered elsewhere.',
  parameters: {
    type: 'object',
    properties: {
      run,
      question,
      nonce,
      answer,
      answers: {
        type: 'array',
        minItems: 1,
        maxItems: 1_000,
        description: 'Several answers at once.',
        items: {
          type: 'object',
          properties: { question, nonce, answer },
          required: ['question', 'answer'],
          additionalProperties: false,
        },
      },
    },
    required: ['run'],
    additionalProperties: false,
  },
  // The run that continues can carry out commands and tools.
  readOnly: false,
  repeatable: true,
  openWorld: true,
};

const questionPart: { readonly [name: string]: JsonObject } = {
  question: { type: 'string', minLength: 1, description: 'The id of a question to read.' },
  offset: { type: 'integer', minimum: 0, default: 0, description: 'From which character on to read it.' },
};

export const statusTool: ToolDescription = {
  name: 'run_status',
  title: 'Look at a run',
  description:
    'Reports the state of a run: what it waits for, or its result. Without `run` it lists the unfinished runs of this workspace. With `question` and `offset` it reads on in a question that was cut.',
  parameters: {
    type: 'object',
    properties: {
      run,
      wait_seconds: {
        type: 'integer',
        minimum: 0,
        maximum: maxWaitSeconds,
        default: 0,
        description: 'How long to wait for a run that is under way.',
      },
      ...questionPart,
    },
    required: [],
    additionalProperties: false,
  },
  readOnly: true,
};

/** run_status of a session, which has no list of runs. */
export const readQuestionTool: ToolDescription = {
  name: 'run_status',
  title: 'Read a question of a run',
  description: 'Reads on in a question of a paused run that was cut in the result.',
  parameters: {
    type: 'object',
    properties: { run, ...questionPart },
    required: ['run', 'question'],
    additionalProperties: false,
  },
  readOnly: true,
};

export const cancelTool: ToolDescription = {
  name: 'run_cancel',
  title: 'Cancel a run',
  description: 'Ends a run for good. What it has done stays done.',
  parameters: {
    type: 'object',
    properties: { run, reason: { type: 'string', description: 'Why; it is kept with the run.' } },
    required: ['run'],
    additionalProperties: false,
  },
  readOnly: false,
  repeatable: true,
};

/** `question`: null is the only open one. `nonce`: null where it was left out. */
export interface GivenAnswer {
  readonly question: string | null;
  readonly nonce: string | null;
  readonly answer: Json;
}

/** Without answers the run is only resumed. */
export interface AnswerArguments {
  readonly run: string;
  readonly answers: readonly GivenAnswer[];
}

/** Throws USAGE. */
export function readAnswerArguments(given: Json): AnswerArguments {
  if (!isJsonObject(given)) throw new TechneError('USAGE', 'the arguments must be an object');
  check(given, answerTool);
  const {
    run: name,
    answers = null,
    answer: only,
    question: id = null,
    nonce: proof = null,
  } = given as { readonly run: string; readonly answer?: Json } & {
    readonly [key in 'question' | 'nonce']?: string;
  } & { readonly answers?: readonly Partial<GivenAnswer>[] };
  if (answers !== null) {
    if (id !== null || proof !== null || only !== undefined)
      throw new TechneError('USAGE', 'answers already has question, nonce and answer of each');
    const twice = answers.find(
      ({ question: of }, at) => answers.findIndex((one) => one.question === of) < at,
    );
    if (twice !== undefined)
      throw new TechneError('USAGE', `question ${twice.question ?? ''} is answered twice in one call`);
    return {
      run: name,
      answers: answers.map(({ question: of = null, nonce: own = null, answer: value = null }) => ({
        question: of,
        nonce: own,
        answer: value,
      })),
    };
  }
  if (id === null && proof === null && only === undefined) return { run: name, answers: [] };
  if (only === undefined || (id === null && proof !== null))
    throw new TechneError('USAGE', 'question, nonce and answer belong together', {
      hint: 'take question and nonce as the run gave them; while one question is open, run and answer are enough',
    });
  return { run: name, answers: [{ question: id, nonce: proof, answer: only }] };
}

/** Throws QUESTION_UNKNOWN. */
export function questionOf<Q extends { readonly id: string }>(
  { run: name, questions }: { readonly run: string; readonly questions: readonly Q[] },
  id: string,
): Q {
  const found = questions.find((asked) => asked.id === id);
  if (found === undefined)
    throw new TechneError('QUESTION_UNKNOWN', `run ${name} has no question "${id}"`, {
      hint: `call run_status with {"run": "${name}"} to see what it asks`,
    });
  return found;
}

export function notForCaller(
  name: string,
  { id, audience }: { readonly id: string; readonly audience: string },
): TechneError {
  const hint =
    audience === 'operator'
      ? `a person decides at a terminal: techne answer ${name}`
      : `a person answers at a terminal: techne answer ${name}`;
  return new TechneError(
    'ANSWER_REFUSED',
    `question ${id} is for the ${audience}, so the caller cannot answer it`,
    { hint },
  );
}

interface StatusArguments {
  readonly run: string | null;
  readonly waitMs: number;
  /** The question to read; null is the state of the run. */
  readonly question: string | null;
  readonly offset: number;
}

/** Throws USAGE. */
export function readStatusArguments(given: JsonObject): StatusArguments {
  check(given, statusTool);
  const {
    run: name = null,
    wait_seconds: seconds = 0,
    question: id = null,
    offset = 0,
  } = given as {
    readonly run?: string;
    readonly wait_seconds?: number;
    readonly question?: string;
    readonly offset?: number;
  };
  if ((name === null && id !== null) || (id === null && given['offset'] !== undefined))
    throw new TechneError('USAGE', 'question and offset need a run, and an offset its question');
  return { run: name, waitMs: seconds * 1_000, question: id, offset };
}

export function readCancelArguments(given: JsonObject): { readonly run: string; readonly reason: string } {
  check(given, cancelTool);
  const { run: name, reason = 'cancelled by the caller' } = given as {
    readonly run: string;
    readonly reason?: string;
  };
  return { run: name, reason };
}

function check(given: JsonObject, { parameters }: ToolDescription): void {
  const faults = checkSchema(parameters, given, 'the call');
  if (faults.length > 0) throw new TechneError('USAGE', faults.join('; '));
}
