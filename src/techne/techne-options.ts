// The checks of the arguments of `createTechne` and its methods, as tables.
import type { PromptBudget } from '../prompt/budget.ts';
import { defaultPromptSettings } from '../prompt/settings.ts';
import type { PromptSettings } from '../prompt/settings.ts';
import type { ToolCaller } from '../ports/tool.ts';
import type { Turn } from '../prompt/skill-provider.ts';
import { defaultLimits } from '../run/budget/limits.ts';
import type { RunLimits } from '../run/budget/limits.ts';
import type { Check, Checks } from './check-call.ts';
import {
  amount,
  callable,
  checkArgument,
  checkOptions,
  flag,
  having,
  oneOf,
  orNull,
  record,
  recordOf,
  text,
  texts,
} from './check-call.ts';
import type { RunRequest, SessionOptions, TechneOptions } from './create-techne.ts';
import type { QuestionHandlers } from './question-handlers.ts';

const answerer: Check = (value) =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'function' ||
  (having('answer')(value) === null && typeof (value as { readonly name?: unknown }).name === 'string')
    ? null
    : 'a function, an answerer with a name and answer(), or text such as "model"';

const abortSignal: Check = (value) => having('addEventListener', 'removeEventListener')(value);

const questionChecks: Checks<QuestionHandlers> = { caller: callable, person: callable, operator: callable };
const limitChecks = Object.fromEntries(
  Object.keys(defaultLimits).map((name) => [name, amount]),
) as Checks<RunLimits>;
const budgetChecks: Checks<PromptBudget> = { tokens: amount, characters: amount };
const sessionChecks: Checks<SessionOptions> = {
  budget: record,
  settings: record,
  offers: callable,
  runs: flag,
  keepsBlocks: flag,
  origin: record,
};
const callerChecks: Checks<ToolCaller> = { conversation: text, model: text, run: text, client: text };
const runChecks: Checks<RunRequest> = {
  limits: record,
  questions: record,
  onEvent: callable,
  signal: abortSignal,
  detach: abortSignal,
};
const resumeChecks: Checks<Omit<RunRequest, 'limits'>> = {
  questions: record,
  onEvent: callable,
  signal: abortSignal,
  detach: abortSignal,
};

export function checkTechne(options: TechneOptions): void {
  checkOptions<TechneOptions>('createTechne', options, {
    cwd: text,
    workspace: text,
    roots: texts,
    homeFolder: text,
    trust: texts,
    loading: oneOf('lenient', 'strict'),
    hostTools: (value) => (value === 'techne' ? null : texts(value)),
    cache: flag,
    variables: record,
    platform: text,
    gate: having('judge'),
    blobs: having('put', 'get', 'has'),
    answerer,
    record: orNull(text),
    commands: having('judge', 'run'),
    tools: having('list', 'find', 'judge', 'call', 'close'),
    filters: recordOf(callable),
    store: text,
    durable: flag,
    defaults: record,
    questions: record,
    openMatcher: callable,
    onEvent: callable,
    onWarning: callable,
  });
  if (options.questions !== undefined)
    checkOptions('createTechne', options.questions, questionChecks, 'questions');
  if (options.defaults !== undefined) checkOptions('createTechne', options.defaults, limitChecks, 'defaults');
}

export function checkSession(call: string, options: SessionOptions): void {
  checkOptions(call, options, sessionChecks);
  if (options.budget !== undefined) checkBudget(call, options.budget);
  if (options.origin !== undefined) checkOptions(call, options.origin, callerChecks, 'origin');
  if (options.settings === undefined) return;
  const settingChecks = {
    ...Object.fromEntries(Object.keys(defaultPromptSettings).map((name) => [name, amount])),
    preload: texts,
    disclosure: oneOf('on-demand', 'eager'),
  } as Checks<PromptSettings>;
  checkOptions(call, options.settings, settingChecks, 'settings');
}

export function checkBudget(call: string, budget: PromptBudget): void {
  checkOptions(call, budget, budgetChecks, 'budget');
}

export function checkMatch(message: string, options: { readonly limit?: number }): void {
  checkArgument('match', 'the message', message, text, 'write match("what the person wrote")');
  checkOptions<{ readonly limit?: number }>('match', options, { limit: amount });
}

export function checkRun(skill: string, request: RunRequest): void {
  checkArgument('run', 'the skill', skill, text, 'write run("its-name", input)');
  checkOptions('run', request, runChecks);
  if (request.limits !== undefined) checkOptions('run', request.limits, limitChecks, 'limits');
  if (request.questions !== undefined) checkOptions('run', request.questions, questionChecks, 'questions');
}

export function checkResume(run: string, request: Omit<RunRequest, 'limits'>): void {
  checkArgument('resume', 'the run', run, text, 'write resume(result.run)');
  checkOptions('resume', request, resumeChecks);
  if (request.questions !== undefined) checkOptions('resume', request.questions, questionChecks, 'questions');
}

/** Further keys are allowed: a program may pass its own message object. */
export function checkTurn(turn: Turn): void {
  const hint = 'write enrich({ message: "what the person wrote" })';
  checkArgument('enrich', 'the turn', turn, record, hint);
  checkArgument('enrich', 'turn.message', turn.message, text, hint);
  if (turn.mentions !== undefined) checkArgument('enrich', 'turn.mentions', turn.mentions, flag);
}
