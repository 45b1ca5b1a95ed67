// A prompt -> a result, with a skill or without it.
//
//   with, instructions   a conversation in which the person names the skill: its body comes with the message
//   with, executable     a run of the skill on the prompt, journaled like any other, as `/name prompt` in a conversation;
//                        or on the `input` of the case
//   without              the same conversation with no skill at all
//
// Both arms get the same prompt and the same model, and neither has a tool that changes anything, so that one cannot
// help or harm the other. A run is under the policy of runs and gets no more than the rest of the evaluation's budget;
// a run stopped by that has not failed. A failure, a refusal or a paused run gives a reason instead of a result and is
// never judged. A paused run is cancelled, since no one will resume it.
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { renderJson, printableLine } from '../../base/printable.ts';
import { answerPrompt } from '../../measure/eval/answer-prompt.ts';
import type { Arm } from '../../measure/eval/judge.ts';
import type { ParseSkillInput } from '../../measure/eval/load-prompts.ts';
import { isExecutable, promptInput } from '../../measure/eval/load-prompts.ts';
import type { Produced } from '../../measure/eval/measure-pair.ts';
import { BudgetSpent } from '../../measure/eval/model-budget.ts';
import type { ModelBudget } from '../../measure/eval/model-budget.ts';
import type { OutputCase } from '../../measure/eval/output-case.ts';
import { openTechne } from '../../techne/create-techne.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { defaultLimits, maximumLimits } from '../../run/budget/limits.ts';
import type { Form } from '../../skill/types.ts';
import { noArguments } from '../../prompt/substitute.ts';
import { readChatInput } from '../../techne/chat/chat-input.ts';
import type { CommandContext } from '../context.ts';
import type { Io } from '../io.ts';
import { sessionOptions } from './eval-options.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { RunResult } from '../../run/result/result.ts';
import { argvText } from '../run/describe-effect.ts';
import { readNamedFiles } from '../run/read-input.ts';
import { isForm, openForm } from '../run/render-form.ts';
import { isApproval } from '../run/render-question.ts';

/** Reads a prompt as a conversation reads what is behind `/name`. */
export function skillInputParser(snapshot: Snapshot, io: Io): ParseSkillInput {
  return (skill, text) => readChatInput(snapshot, skill, { ...noArguments, text }, readNamedFiles(io));
}

interface ProduceOptions {
  readonly context: CommandContext;
  readonly library: SkillLibrary;
  readonly snapshot: Snapshot;
  readonly model: ChatModel;
  readonly budget: ModelBudget;
  readonly turns: number;
  readonly signal: Abort;
}

/** Rejects when the budget is spent, or it is stopped. */
export async function produceResult(options: ProduceOptions, one: OutputCase, arm: Arm): Promise<Produced> {
  const { context, library, snapshot, model, turns, signal } = options;
  return arm === 'with' && isExecutable(snapshot, one.skill)
    ? runSkill(options, one)
    : answerPrompt({ ...sessionOptions(context, library), snapshot, model, turns, signal }, one, arm);
}

/** Only what is less than a run has anyway. */
function limitsFor(budget: ModelBudget, form: Form): { readonly tokens?: number; readonly asks?: number } {
  const what = budget.exhausted();
  if (what !== null) throw new BudgetSpent(what);
  const { tokensLeft: tokens, callsLeft: asks } = budget;
  return {
    ...(tokens < defaultLimits.tokens ? { tokens } : {}),
    ...(asks < (form === 'program' ? defaultLimits.asks : maximumLimits.asks) ? { asks } : {}),
  };
}

async function runSkill(
  { context, library, snapshot, model, budget, signal }: ProduceOptions,
  one: OutputCase,
): Promise<Produced> {
  const { io } = context;
  const { skill } = one;
  // Opened for each run, since a script begins anew with each of them.
  const techne = await openTechne({
    origin: null,
    library,
    snapshot,
    homeFolder: io.homeFolder,
    variables: io.env,
    answerer: model.name,
  });
  // What this machine lacks ends the evaluation: it is not a result of the skill.
  await techne
    .withRuns(async () => {})
    .catch(async (error: unknown) => {
      await techne.close();
      throw error;
    });
  try {
    const input = await promptInput(one, skillInputParser(snapshot, io));
    const limits = limitsFor(budget, snapshot.get(skill).card.form);
    const result = await techne.runs.start(snapshot, { skill, input, limits }, { signal });
    const { run, status, envelope, error, usage } = result;
    budget.add(usage.asks, usage);
    if (signal.aborted) throw new Error('stopped');
    if (error?.code === 'TOKEN_BUDGET' && limits.tokens !== undefined) throw new BudgetSpent('tokens');
    if (error?.code === 'ASK_BUDGET' && limits.asks !== undefined) throw new BudgetSpent('calls');
    const answer = envelope?.['answer'] ?? '';
    const text = typeof answer === 'string' ? answer.trim() : renderJson(answer, 2);
    const made = {
      turns: usage.asks,
      tokens: usage.inputTokens + usage.outputTokens,
      run,
      transcript: { status, envelope },
    };
    if (status === 'paused' && run !== null) {
      const message = waitingText(result);
      await techne.withRuns(({ runner }) =>
        runner.cancel(run, `no one answers in an evaluation: ${message}`),
      );
      return { ok: false, message, ...made };
    }
    if (status !== 'completed' && status !== 'partial')
      return { ok: false, message: error?.message ?? `the run is ${status}`, ...made };
    return text === ''
      ? { ok: false, message: 'the run gave no answer', ...made }
      : { ok: true, text, ...made };
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return { ok: false, message: error.message, turns: 0, tokens: 0, run: null, transcript: null };
  } finally {
    await techne.close();
  }
}

const longest = 120;

/** What a paused run waits for, and what would let it continue in an evaluation, on one line. */
export function waitingText({ questions, undecided }: Pick<RunResult, 'questions' | 'undecided'>): string {
  const waits = [
    ...new Set([
      ...questions.map(({ question, audience }) => waitOf(question, audience)),
      ...undecided.map(({ kind }) => `a decision about a ${kind} whose outcome is not known`),
    ]),
  ];
  return `the run waits for ${waits.length === 0 ? 'an answer that an evaluation does not give' : waits.join('; and for ')}`;
}

function waitOf(question: Json, audience: string): string {
  if (!isJsonObject(question)) return `an answer of the ${audience}`;
  if (isApproval(question)) return approvalOf(question);
  if (isForm(question)) return formOf(question);
  const { purpose } = question;
  return `an answer of the ${audience}${typeof purpose === 'string' ? ` (${shown(purpose)})` : ''}, who is not asked in an evaluation`;
}

function approvalOf({ kind, tool, argv }: JsonObject): string {
  if (kind === 'tool')
    return `the approval of the tool ${shown(typeof tool === 'string' ? tool : '')}, which an evaluation does not give`;
  return `the approval of the command ${shown(Array.isArray(argv) ? argvText(argv as readonly Json[]) : '')}; allow it under commands.allow in the configuration`;
}

function formOf(question: JsonObject): string {
  const { step } = question;
  const names = openForm(question).fields.map(({ name }) => name);
  return `the form ${shown(typeof step === 'string' ? step : '')}${names.length === 0 ? '' : ` (${shown(names.join(', '))})`}, which an evaluation does not fill in; a script can, under "inputs"`;
}

function shown(text: string): string {
  const line = printableLine(text.replace(/\s+/g, ' ').trim());
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
