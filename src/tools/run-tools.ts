// run_answer, run_status, run_cancel: what a caller can do about runs besides starting them, over MCP and in a program that
// embeds techne.
//
//   arguments as a model wrote them -> a request, or what is wrong with them
import { TechneError } from '../base/error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { argumentFault } from '../prompt/read-arguments.ts';

export const runToolNames = ['run_metaskill', 'run_answer', 'run_status', 'run_cancel'] as const;
export type RunToolName = (typeof runToolNames)[number];

export interface RunTool {
  readonly name: RunToolName;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** A run can carry out commands and tools. */
const acts = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

export const startAnnotations = { title: 'Run a skill', ...acts };

const run: JsonObject = { type: 'string', minLength: 1, description: 'The run, as run_metaskill gave it.' };

export const maxWaitSeconds = 50;

export const answerTool: RunTool = {
  name: 'run_answer',
  description:
    'Answers a question of a paused run, and goes on with it: gives the next question, or the result. Only questions to the caller can be answered here; approvals are for a person at a terminal. With `run` alone it goes on with a run that was interrupted, or whose question somebody else has answered.',
  inputSchema: {
    type: 'object',
    properties: {
      run,
      question: { type: 'string', minLength: 1, description: 'The id of the question.' },
      nonce: { type: 'string', minLength: 1, description: 'As it stands with the question.' },
      answer: { description: 'Text; or JSON where the question has a schema or fields.' },
    },
    required: ['run'],
    additionalProperties: false,
  },
  annotations: { title: 'Answer a question of a run', ...acts, idempotentHint: true },
};

export const statusTool: RunTool = {
  name: 'run_status',
  description:
    'Says how far a run is: what it waits for, or its result. Without `run` it lists the unfinished runs of this workspace.',
  inputSchema: {
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
    },
    required: [],
    additionalProperties: false,
  },
  annotations: {
    title: 'Look at a run',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

export const cancelTool: RunTool = {
  name: 'run_cancel',
  description: 'Ends a run for good. What it has done stays done.',
  inputSchema: {
    type: 'object',
    properties: { run, reason: { type: 'string', description: 'Why; it is kept with the run.' } },
    required: ['run'],
    additionalProperties: false,
  },
  annotations: {
    title: 'Cancel a run',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
};

export type AnswerArguments = { readonly run: string } & (
  | { readonly question: null }
  | { readonly question: string; readonly nonce: string; readonly answer: Json }
);

/** Throws USAGE. */
export function readAnswerArguments(given: Json): AnswerArguments {
  if (!isJsonObject(given)) throw new TechneError('USAGE', 'the arguments must be an object');
  const { answer, ...rest } = given;
  check(rest, answerTool.inputSchema);
  const {
    run: name,
    question = null,
    nonce = null,
  } = rest as { readonly run: string; readonly question?: string; readonly nonce?: string };
  if (question === null && nonce === null && answer === undefined) return { run: name, question: null };
  if (question === null || nonce === null || answer === undefined)
    throw new TechneError('USAGE', 'question, nonce and answer belong together', {
      hint: 'take question and nonce as the run gave them',
    });
  return { run: name, question, nonce, answer };
}

export function readStatusArguments(given: JsonObject): {
  readonly run: string | null;
  readonly waitMs: number;
} {
  check(given, statusTool.inputSchema);
  const { run: name = null, wait_seconds: seconds = 0 } = given as {
    readonly run?: string;
    readonly wait_seconds?: number;
  };
  return { run: name, waitMs: seconds * 1_000 };
}

export function readCancelArguments(given: JsonObject): { readonly run: string; readonly reason: string } {
  check(given, cancelTool.inputSchema);
  const { run: name, reason = 'cancelled by the caller' } = given as {
    readonly run: string;
    readonly reason?: string;
  };
  return { run: name, reason };
}

function check(given: JsonObject, schema: JsonObject): void {
  const fault = argumentFault(given, schema);
  if (fault !== null) throw new TechneError('USAGE', fault);
}
