// run_metaskill and run_answer, for the model of an embedding agent.
//
// T1. `run_metaskill` is as S0 §10 has it, over the skills that the model may run. Whether one may run is verified when it does.
// T2. `run_answer` is there where nobody else answers for the caller: the agent's own model does, and goes on with the run.
// T3. The text is what the run says, and ends with who has to do something now.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { maximumLimits } from '../run/budget/limits.ts';
import type { RunResult } from '../run/result/result.ts';
import type { OfferedSkill } from '../run/tool-definition.ts';
import { readToolArguments, runMetaskillTool } from '../run/tool-definition.ts';
import type { AgentTool, AgentToolResult } from './agent-tool.ts';
import { failedCall } from './agent-tool.ts';
import type { GivenAnswer, LibraryRuns } from './library-runs.ts';

export interface RunToolParts {
  readonly skills: readonly OfferedSkill[];
  readonly snapshot: Snapshot;
  readonly runs: LibraryRuns;
}

/** None when there is nothing to run. */
export function createRunTools({ skills, snapshot, runs }: RunToolParts): readonly AgentTool[] {
  const definition = runMetaskillTool(skills, maximumLimits);
  if (definition === null) return [];
  const start: AgentTool = {
    ...definition,
    // A missing input reaches the run, which answers with what it needs.
    parameters: { ...definition.parameters, required: ['name'] },
    readOnly: false,
    async call(args, { signal = null } = {}) {
      const read = readToolArguments(args);
      if (!read.ok) return { ok: false, text: read.message, metadata: {} };
      return resultOf(() => runs.start(snapshot, read.request, {}, signal));
    },
  };
  return runs.answersCaller ? [start] : [start, answerTool(snapshot, runs)];
}

function answerTool(snapshot: Snapshot, runs: LibraryRuns): AgentTool {
  return {
    name: 'run_answer',
    description: 'Answers a question of a paused run, and goes on with it: gives the next question, or the result. Only questions to the caller can be answered; others are for a person. With `run` alone it goes on with a run whose question somebody else has answered.',
    parameters: {
      type: 'object',
      properties: {
        run: { type: 'string', minLength: 1, description: 'The run, as run_metaskill gave it.' },
        question: { type: 'string', minLength: 1, description: 'The id of the question.' },
        nonce: { type: 'string', minLength: 1, description: 'As it stands with the question.' },
        answer: { description: 'Text; or JSON where the question has a schema.' },
      },
      required: ['run'],
      additionalProperties: false,
    },
    readOnly: false,
    async call(args, { signal = null } = {}) {
      const read = readAnswer(args);
      if (typeof read === 'string') return { ok: false, text: `error: ${read}`, metadata: {} };
      return resultOf(() => runs.answer(snapshot, read.run, read.given, signal));
    },
  };
}

/** What is wrong with the arguments, as a text. */
function readAnswer(args: Json): string | { readonly run: string; readonly given: GivenAnswer | null } {
  if (!isJsonObject(args)) return 'the arguments must be an object';
  const { run, question, nonce, answer } = args;
  if (typeof run !== 'string' || run === '') return 'run is missing';
  if (question === undefined && nonce === undefined && answer === undefined) return { run, given: null };
  if (typeof question !== 'string' || typeof nonce !== 'string' || answer === undefined) return 'question, nonce and answer belong together; take question and nonce as the run gave them';
  return { run, given: { question, nonce, value: answer } };
}

async function resultOf(work: () => Promise<RunResult>): Promise<AgentToolResult> {
  let result: RunResult;
  try {
    result = await work();
  } catch (error) {
    return failedCall(error);
  }
  const { status, run, skill, text, error } = result;
  const metadata: JsonObject = { status, run, skill, ...(error === null ? {} : { code: error.code }) };
  return { ok: status === 'completed' || status === 'partial' || status === 'paused', text: [text, ...nextSteps(result)].join('\n'), metadata };
}

/** T3. */
function nextSteps({ status, run, questions }: RunResult): readonly string[] {
  if (run === null) return [];
  if (status === 'needs_decision') return [`A person decides at a terminal: techne runs resolve ${run}`];
  if (status !== 'paused') return [];
  const own = questions.filter(({ audience }) => audience === 'caller').map(({ id, nonce }) => `Answer the question yourself, then call run_answer with {"run": "${run}", "question": "${id}", "nonce": "${nonce}", "answer": …}.`);
  if (own.length > 0) return own;
  return [`The run ${run} waits for a person, who can answer later. Go on without it, or say that it waits.`];
}
