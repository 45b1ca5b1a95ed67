// A run as the API shows it.
//
// Nonces are only for those who may answer. A run that waits in this process, or for a
// worker, is `queued`, whatever its journal says; one that workers do not try again says why (HELD).
import { listedRuns } from '../techne/listed-runs.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { OperationOutput } from '../api/operation.ts';
import type { Operations } from '../api/operations.ts';
import { mayAnswer, roleOfAudience } from '../api/role.ts';
import type { Role } from '../api/role.ts';
import type { GivenRecord } from '../ports/given-trust.ts';
import type { RunSummary } from '../ports/run-store.ts';
import type { QuestionView, RunView } from '../run/history/inspect.ts';
import { envelopeOf } from '../run/result/run-result.ts';
import type { OpenRuns } from '../techne/open-runs.ts';
import { seenRun, summaryOf, trustOf } from '../techne/seen-run.ts';
import type { SeenRun } from '../techne/seen-run.ts';
import type { Dispatcher } from './dispatcher.ts';
import { lastEntry } from './run-feeds.ts';
import type { ApiService } from './service.ts';
import { useRuns } from './service.ts';

export type RunJson = OperationOutput<Operations['getRun']>;
export type QuestionJson = RunJson['questions'][number];
export type SummaryJson = OperationOutput<Operations['listRuns']>['runs'][number];

export function describeRun(service: ApiService, run: string, role: Role, details = false): Promise<RunJson> {
  return useRuns(service, async (runs) => {
    const { seq } = await lastEntry(runs.store, run);
    const view = await seenRun(runs, run);
    const { dispatcher } = service;
    const standing = view.status === 'interrupted' ? ((await dispatcher.standingOf?.(run)) ?? null) : null;
    const trust = await trustOf(view, runs.serving);
    const shown = {
      ...renderRun(view, { seq, role, details, dispatcher }),
      ...(trust === undefined ? {} : { trust: trust === null ? null : shownGiven(trust) }),
    };
    if (standing === null) return shown;
    return standing.held === null
      ? { ...shown, status: 'queued', waitsFor: standing.waitsFor }
      : { ...shown, error: { code: 'HELD', message: standing.held } };
  });
}

/** Copied: the types of responses can be changed. */
export function shownGiven({
  argv,
  ...record
}: GivenRecord): Omit<GivenRecord, 'argv'> & { argv: string[] | null } {
  return { ...record, argv: argv === null ? null : [...argv] };
}

interface RenderParts {
  readonly seq: number;
  readonly role: Role;
  readonly details: boolean;
  readonly dispatcher: Dispatcher;
}

function renderRun(view: SeenRun, { seq, role, details, dispatcher }: RenderParts): RunJson {
  const { run, skill, startedAt, endedAt, parent, text, usage, cancelled } = view;
  const isOver = endedAt !== null;
  const fault = isOver ? null : dispatcher.faultOf(run);
  return {
    run,
    skill: skill.name,
    form: skill.form,
    digest: skill.digest,
    status: shownStatus(dispatcher, run, view.status),
    startedAt,
    endedAt,
    parent: parent?.run ?? null,
    workspace: folderOf(view),
    lastSeq: seq,
    text,
    envelope: text === null ? null : envelopeOf(text),
    error: view.error ?? (fault === null ? null : { code: fault.code, message: fault.message }),
    cancelled,
    questions: isOver ? [] : openQuestions(view, role),
    undecided: view.undecided.map(({ run: of, key, kind, request }) => ({ run: of, key, kind, request })),
    usage: { ...usage, clamped: [...usage.clamped] },
    ...(details ? { details: detailsOf(view) } : {}),
  };
}

/** Runs of a list, as they are shown. */
export async function shownRuns(
  dispatcher: Dispatcher,
  runs: readonly RunSummary[],
): Promise<readonly SummaryJson[]> {
  const listed = await listedRuns(runs, dispatcher);
  return listed.map((one) =>
    one.status === 'queued'
      ? { ...one, status: 'queued' }
      : { ...one, status: shownStatus(dispatcher, one.run, one.status) },
  );
}

export function shownStatus(
  dispatcher: Dispatcher,
  run: string,
  status: RunSummary['status'],
): RunJson['status'] {
  const state = dispatcher.stateOf(run);
  if (state === 'queued') return 'queued';
  return state === 'running' && status === 'interrupted' ? 'running' : status;
}

export function openQuestions(
  view: Pick<RunView, 'run' | 'skill' | 'settings' | 'questions'>,
  role: Role,
): readonly QuestionJson[] {
  return view.questions
    .filter(({ answer }) => answer === null)
    .map((one) => describeQuestion(view, one, role));
}

function describeQuestion(
  outer: Pick<RunView, 'run' | 'skill' | 'settings'>,
  { run, id, nonce, key, audience, question, expiresAt }: QuestionView,
  role: Role,
): QuestionJson {
  return {
    run,
    outermost: outer.run,
    skill: outer.skill.name,
    id,
    nonce: mayAnswer(role, audience) ? nonce : null,
    audience,
    role: roleOfAudience[audience],
    kind: kindOf(question),
    key,
    question,
    expiresAt,
    workspace: folderOf(outer),
  };
}

function folderOf({ settings: { workspace } }: Pick<RunView, 'settings'>): string | null {
  return workspace === '' ? null : workspace;
}

export function kindOf(question: Json): string {
  return isJsonObject(question) && typeof question['type'] === 'string' ? question['type'] : 'ask';
}

/** What the run was given and did. */
function detailsOf(view: SeenRun): JsonObject {
  const { input, limits, settings, files, effects, trace, steps, nested, owners, questions } = view;
  const answered = questions.flatMap(({ nonce: _nonce, ...question }) =>
    question.answer === null ? [] : [question],
  );
  return {
    input,
    limits,
    answerer: settings.answerer,
    forkedFrom: settings.forkedFrom,
    files,
    effects,
    trace,
    steps,
    nested,
    owners,
    answered,
  } as unknown as JsonObject;
}

/** Waits until nothing drives the run any more, at most so long. */
export async function waitForRun(
  service: ApiService,
  run: string,
  seconds: number,
  left: AbortSignal,
): Promise<void> {
  if (seconds === 0) return;
  const { dispatcher, stopping } = service;
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(late);
      clearInterval(poll);
      left.removeEventListener('abort', stop);
      stopping.removeEventListener('abort', stop);
      resolve();
    };
    const late = setTimeout(stop, seconds * 1_000);
    const look = (): void => {
      if (dispatcher.stateOf(run) !== null) return;
      // Another process may drive it.
      useRuns(service, (runs: OpenRuns) => isDriven(runs, run, dispatcher)).then(
        (driven) => (driven ? undefined : stop()),
        (error: unknown) => {
          stop();
          reject(error as Error);
        },
      );
    };
    const poll = setInterval(look, pollMs);
    left.addEventListener('abort', stop);
    stopping.addEventListener('abort', stop);
    void dispatcher.settled(run).then(look);
  });
}

const pollMs = 250;

async function isDriven({ store }: OpenRuns, run: string, dispatcher: Dispatcher): Promise<boolean> {
  const summary = await summaryOf(store, run);
  if (summary?.status !== 'interrupted') return summary?.status === 'running';
  // A worker is about to take it.
  return ((await dispatcher.standingOf?.(run)) ?? { held: '' }).held === null;
}
