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

export const maxWaitSeconds = 50;

export const answerTool: ToolDescription = {
  name: 'run_answer',
  title: 'Answer a question of a run',
  description:
    'Answers a question of a paused run, and resumes it: gives the next question, or the result. Only questions to the caller can be answered here; approvals are for a person at a terminal. With `run` alone it resumes a run that was interrupted, or whose question was answered elsewhere.',
  parameters: {
    type: 'object',
    properties: {
      run,
      question: { type: 'string', minLength: 1, description: 'The id of the question.' },
      nonce: { type: 'string', minLength: 1, description: 'The nonce that came with the question.' },
      answer: { description: 'Text; or JSON where the question has a schema or fields.' },
    },
    required: ['run'],
    additionalProperties: false,
  },
  // The run that continues can carry out commands and tools.
  readOnly: false,
  repeatable: true,
  openWorld: true,
};

export const statusTool: ToolDescription = {
  name: 'run_status',
  title: 'Look at a run',
  description:
    'Reports the state of a run: what it waits for, or its result. Without `run` it lists the unfinished runs of this workspace.',
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
    },
    required: [],
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

export type AnswerArguments = { readonly run: string } & (
  | { readonly question: null }
  | { readonly question: string; readonly nonce: string; readonly answer: Json }
);

/** Throws USAGE. */
export function readAnswerArguments(given: Json): AnswerArguments {
  if (!isJsonObject(given)) throw new TechneError('USAGE', 'the arguments must be an object');
  const { answer, ...rest } = given;
  check(rest, answerTool);
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
  check(given, statusTool);
  const { run: name = null, wait_seconds: seconds = 0 } = given as {
    readonly run?: string;
    readonly wait_seconds?: number;
  };
  return { run: name, waitMs: seconds * 1_000 };
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
