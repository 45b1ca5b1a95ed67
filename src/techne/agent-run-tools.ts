// run_metaskill and run_answer, for the model of an embedding agent.
//
// `run_metaskill` follows S0 §10, over the skills that the model may run; whether a skill may run is verified at the
// call. `run_answer` is offered if no handler answers for the caller: the agent's own model answers and resumes runs
// that the session started or whose skill it knows; with `run_status` it reads on in a long question. The text of a result ends with who must act next. The metadata
// are the result of the run without its text, so that a program can show a form and answer for its user; they hold
// nonces, so they are not for the model.
import type { JsonObject } from '../base/json.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { maximumLimits } from '../run/budget/limits.ts';
import type { OnRunEvent } from '../run/events.ts';
import type { RunResult } from '../run/result/result.ts';
import type { KnownSkills } from '../run/tools/run-metaskill.ts';
import { readToolArguments, runMetaskillTool } from '../run/tools/run-metaskill.ts';
import type { Tool, ToolResult } from '../ports/tool.ts';
import type { Runs } from './runs.ts';
import type { OwnRuns, RunReach } from './own-runs.ts';
import { pausedText, pauseUnits, readQuestionPage } from '../run/result/failed-or-paused-text.ts';
import { askedElsewhereNote, repetitionNote } from '../run/tools/match-answers.ts';
import { answerTool, readAnswerArguments, readQuestionTool } from '../run/tools/run-tools.ts';

interface RunToolParts {
  readonly skills: KnownSkills;
  readonly snapshot: Snapshot;
  readonly runs: Runs;
  /** Runs of this session; those that it starts are added. */
  readonly own: OwnRuns;
}

/** None when there is nothing to run. */
export function createRunTools({ skills, snapshot, runs, own }: RunToolParts): readonly Tool[] {
  const definition = runMetaskillTool(skills.runnable(), maximumLimits);
  if (definition === null) return [];
  const onEvent: OnRunEvent = (event) => {
    if (event.type === 'run.started' && event.parent === null) own.add(event.run);
  };
  const start: Tool = {
    ...definition,
    // A missing input reaches the run, which answers with what it needs.
    parameters: { ...definition.parameters, required: ['name'] },
    // Faults of the arguments are reported in the words of S0.
    accepts: { type: 'object' },
    async call(args, { signal = null } = {}) {
      const read = readToolArguments(args, skills);
      if (!read.ok) return { ok: false, text: read.message, metadata: {} };
      return resultOf(
        await runs.start(snapshot, read.request, {
          onEvent,
          ...(signal === null ? {} : { detach: signal }),
        }),
        own,
      );
    },
  };
  return runs.answersCaller
    ? [start]
    : callerTools(snapshot, runs, { own, knows: (skill) => skills.knows(skill) }, start);
}

function callerTools(snapshot: Snapshot, runs: Runs, reach: RunReach, start: Tool): readonly Tool[] {
  const answer: Tool = {
    ...answerTool,
    accepts: { type: 'object' },
    async call(args, { signal = null } = {}) {
      const { result, repeated } = await runs.answer(snapshot, readAnswerArguments(args), reach, signal);
      return resultOf(result, reach.own, repeated);
    },
  };
  const read: Tool = {
    ...readQuestionTool,
    async call({ run, question, offset = 0 }) {
      const asked = await runs.question(snapshot, run as string, question as string, reach);
      return { ok: true, text: readQuestionPage(asked, offset as number) };
    },
  };
  return [start, answer, read];
}

/** `repeated`: the question that an answer was for before. */
function resultOf(result: RunResult, own: OwnRuns, repeated: string | null = null): ToolResult {
  const { status, run, skill, questions } = result;
  const wasAsked = (id: string): boolean => run !== null && own.wasAsked(run, id);
  const text =
    status === 'paused' && run !== null
      ? pausedText(skill, run, questions, pauseUnits, wasAsked)
      : result.text;
  const note = repeated !== null && status === 'paused' ? [repetitionNote(repeated)] : [];
  return {
    ok: status === 'completed' || status === 'partial' || status === 'paused',
    text: [text, ...note, ...nextSteps(result, wasAsked)].join('\n'),
    metadata: factsOf(result),
  };
}

/** The result for programs. */
function factsOf({
  status,
  run,
  skill,
  envelope,
  error,
  questions,
  undecided,
  usage,
}: RunResult): JsonObject {
  return {
    status,
    run,
    skill,
    ...(error === null ? {} : { code: error.code, error: { ...error } }),
    ...(envelope === null ? {} : { envelope }),
    ...(questions.length === 0 ? {} : { questions: questions.map((asked) => ({ ...asked })) }),
    ...(undecided.length === 0 ? {} : { undecided: undecided.map((effect) => ({ ...effect })) }),
    usage: { ...usage },
  };
}

/** Who must act next. */
function nextSteps(
  { status, run, questions }: RunResult,
  wasAsked: (question: string) => boolean,
): readonly string[] {
  if (run === null) return [];
  if (status === 'needs_decision') return [`A person decides at a terminal: techne runs resolve ${run}`];
  if (status !== 'paused') return [];
  const own = questions
    .filter(({ audience }) => audience === 'caller')
    .map(({ id, nonce }) =>
      wasAsked(id)
        ? `Answer the question yourself, then call run_answer with {"run": "${run}", "question": "${id}", "nonce": "${nonce}", "answer": …}.`
        : askedElsewhereNote(run, id),
    );
  if (own.length > 0) return own;
  return [
    `The run ${run} waits for a person, who can answer later. Continue without it, or say that it waits.`,
  ];
}
