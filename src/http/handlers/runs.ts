// Runs over HTTP: start, list, show, follow, continue, compare, end.
import { hasRole, mayAnswer, roleOfAudience } from '../../api/role.ts';
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { emptyObject } from '../../base/json.ts';
import { nodeRunClock } from '../../node/environment.ts';
import { eachPage } from '../../journal/each-run.ts';
import { diffRuns } from '../../run/history/diff-runs.ts';
import { editOutcome } from '../../run/history/edit-outcome.ts';
import type { EffectView, QuestionView, RunView } from '../../run/history/inspect.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { Runner } from '../../run/runner.ts';
import type { RunFilter } from '../../ports/run-store.ts';
import { lookInto } from '../../techne/history/look-into-run.ts';
import { storedAs } from '../../techne/listed-runs.ts';
import { outermost } from '../../techne/seen-run.ts';
import { mustTravel } from '../../techne/serving.ts';
import type { RunJson, SummaryJson } from '../describe-run.ts';
import { describeRun, shownRuns, waitForRun } from '../describe-run.ts';
import type { Identity } from '../guard.ts';
import { RequestFault, problemResponse, refusalProblem } from '../problem.ts';
import { lastEntry } from '../run-feeds.ts';
import type { ApiService, Call, Handlers } from '../service.ts';
import { driveOn, useRuns } from '../service.ts';
import { streamEvents } from '../stream-events.ts';

type Names =
  | 'startRun'
  | 'listAnswerers'
  | 'listRuns'
  | 'getRun'
  | 'runEvents'
  | 'resumeRun'
  | 'cancelRun'
  | 'forkRun'
  | 'replayRun'
  | 'diffRuns'
  | 'decideRun';

const usualLimit = 50;
/** Pages of the store that one page looks at; a filter that fits few of them gives a short page and a cursor. */
const [mostPages, pageSize] = [20, 100];

const noDeadlines =
  'a deadline needs a server that leaves runs to workers (techne serve --workers --store postgres://…)';

const noFiles =
  'files need a server that leaves runs to workers (techne serve --workers --store postgres://…)';

/** What the waiting operations have in common. */
interface Waiting {
  readonly query: { readonly wait?: number };
  readonly left: AbortSignal;
  readonly role: Call<'getRun'>['role'];
}

export function runHandlers(service: ApiService): Handlers<Names> {
  const { techne, dispatcher, feeds, keys } = service;

  /** Drives it, waits as long as the caller asked to, and shows it. */
  const drive = async (run: string, { query, left, role }: Waiting): Promise<RunJson> => {
    driveOn(service, run);
    await waitForRun(service, run, query.wait ?? 0, left);
    return describeRun(service, run, role);
  };
  const submitted = async (made: string | RunResult, call: Waiting): Promise<RunJson | Response> =>
    typeof made === 'string' ? drive(made, call) : problemResponse(refusalProblem(made.error, made.text));

  return {
    async startRun(call) {
      const { body, headers, identity } = call;
      const { skill, input = null, limits, deadline, files, answerer } = body;
      if (files !== undefined && dispatcher.travels !== true) throw new RequestFault([noFiles]);
      if (deadline !== undefined && dispatcher.deadline === undefined) throw new RequestFault([noDeadlines]);
      if (answerer !== undefined) await mustBeOffered(service, answerer, call.role);
      const key = headers['idempotency-key'];
      dispatcher.mustHaveRoom();
      const fresh = service.newRunId();
      const run = key === undefined ? fresh : await keys.claim(identity.name, key, body as Json, fresh);
      // The first request with this key may have died between its two writes: then there is no such run yet.
      if (run !== fresh && (await exists(service, run))) {
        if ((await statusOf(service, run)) === 'interrupted' && dispatcher.stateOf(run) === null)
          return drive(run, call);
        await waitForRun(service, run, call.query.wait ?? 0, call.left);
        return describeRun(service, run, call.role);
      }
      if (deadline !== undefined) await dispatcher.deadline?.(run, deadline);
      const request = {
        skill,
        input,
        run,
        ...(limits === undefined ? {} : { limits }),
        ...(answerer === undefined ? {} : { answerer }),
      };
      const made = await techne.runs
        .use(techne.snapshot, (runs) =>
          dispatcher.travels === true
            ? mustTravel(runs).submit(request, files === undefined ? null : { name: files })
            : runs.runner.submit(request),
        )
        .catch(async (error: unknown) => {
          if (error instanceof TechneError && error.code !== 'RUN_EXISTS' && key !== undefined)
            await keys.withdraw(identity.name, key, run);
          if (!(error instanceof TechneError) || error.code !== 'RUN_EXISTS') throw error;
          // Two requests with the same key at the same time: the other one is about to make it.
          return run;
        });
      if (typeof made === 'string') await madeByNow(service, made);
      // A corrected request may use the key.
      else if (key !== undefined) await keys.withdraw(identity.name, key, run);
      return submitted(made, call);
    },

    listAnswerers: async ({ role }) => ({ answerers: await offeredAnswerers(service, role) }),

    listRuns: ({ query }) =>
      useRuns(service, async ({ store }) => {
        const { skill, status, workspace, minCost, limit = usualLimit, cursor = null } = query;
        const sinceMs = query.since === undefined ? null : timeOf('since', query.since);
        const untilMs = query.until === undefined ? null : timeOf('until', query.until);
        const text = query.text?.toLowerCase();
        const only: RunFilter = {
          ...(skill === undefined ? {} : { skill }),
          ...(workspace === undefined ? {} : { workspace }),
          ...(status === undefined ? {} : { statuses: storedAs(status) }),
        };
        const runs: SummaryJson[] = [];
        let pages = 0;
        for await (const page of eachPage(store, { after: cursor, limit: pageSize, only })) {
          let last = cursor;
          for (const shown of await shownRuns(dispatcher, page.runs)) {
            if (runs.length === limit) return { runs, cursor: last };
            // Newer ones come first.
            if (sinceMs !== null && shown.startedAt < sinceMs) return { runs, cursor: null };
            last = shown.run;
            if (
              (status === undefined || shown.status === status) &&
              (untilMs === null || shown.startedAt < untilMs) &&
              (text === undefined || `${shown.run} ${shown.skill}`.toLowerCase().includes(text)) &&
              (minCost === undefined || ((await lookInto(store, shown)).usage?.costMicros ?? 0) >= minCost)
            )
              runs.push(shown);
          }
          pages += 1;
          if (runs.length === limit || pages === mostPages) return { runs, cursor: page.cursor };
        }
        return { runs, cursor: null };
      }),

    async getRun({ params, query, role, left }) {
      await waitForRun(service, params.run, query.wait ?? 0, left);
      return describeRun(service, params.run, role, query.details ?? false);
    },

    async runEvents({ params: { run }, query, headers, role, left }) {
      const after = headers['last-event-id'];
      const from = after === undefined ? (query.from ?? 0) : Number(after) + 1;
      const last = await useRuns(service, ({ store }) => lastEntry(store, run));
      if (from > last.seq && last.entry.type === 'run.ended') return new Response(null, { status: 204 });
      if (from > last.seq + 1)
        throw new RequestFault([`the run has ${last.seq + 1} entries, so there is no number ${from} yet`]);
      const reader = await feeds.open(run, from);
      return streamEvents({
        reader,
        role,
        left,
        heartbeatMs: service.heartbeatMs,
        stopping: service.stopping,
      });
    },

    async resumeRun(call) {
      dispatcher.mustHaveRoom();
      const { run, endedAt } = await useRuns(service, ({ runner }) => outermost(runner, call.params.run));
      return endedAt === null ? drive(run, call) : describeRun(service, run, call.role);
    },

    async cancelRun(call) {
      const { params, body, identity, role } = call;
      const run = await useRuns(service, async ({ runner }) => {
        const outer = await outermost(runner, params.run);
        if (outer.endedAt !== null)
          throw new TechneError('RUN_ENDED', `run ${outer.run} has ended: ${outer.status}`);
        const reason = (body as { readonly reason?: string } | null)?.reason ?? 'cancelled over HTTP';
        await runner.cancel(outer.run, reason, `${identity.role} ${identity.name}`);
        return outer.run;
      });
      await waitForRun(service, run, call.query.wait ?? 0, call.left);
      return describeRun(service, run, role);
    },

    async forkRun(call) {
      dispatcher.mustHaveRoom();
      const { from, input, outcomes, limits } = (call.body as typeof call.body | null) ?? {};
      const made = await useRuns(service, async (runs) => {
        const { runner, serving } = runs;
        const { run } = call.params;
        const travels = dispatcher.travels === true && (await serving?.shared.travelOf(run)) !== null;
        return (travels ? mustTravel(runs).runner : runner).submitFork(run, {
          ...(from === undefined ? {} : { from }),
          edits: {
            ...(input === undefined ? {} : { input }),
            ...(outcomes === undefined
              ? {}
              : { outcomes: await editedByRole(runner, run, outcomes, call.identity) }),
            ...(limits === undefined ? {} : { limits }),
          },
        });
      });
      return submitted(made, call);
    },

    replayRun: ({ params }) =>
      useRuns(service, async ({ runner }) => {
        const { same, divergences, effects } = await runner.replay(params.run);
        return {
          run: params.run,
          same,
          effects,
          divergences: divergences.map(({ what, key, message }) => ({ what, key, message })),
        };
      }),

    diffRuns: ({ params }) =>
      useRuns(service, async ({ runner }) => {
        const [left, right] = await Promise.all([runner.inspect(params.run), runner.inspect(params.other)]);
        return { differences: diffRuns(left, right).map((one) => ({ ...one })) };
      }),

    async decideRun(call) {
      const { params, body, identity, role } = call;
      const { key, as, value = null } = body;
      if (as === 'retry' && value !== null)
        throw new RequestFault(['the body.value has no meaning with "retry"']);
      dispatcher.mustHaveRoom();
      const { delivery, run } = await useRuns(service, async ({ runner }) => ({
        delivery: await runner.decide(params.run, { key, as, value, by: `operator ${identity.name}` }),
        run: (await outermost(runner, params.run)).run,
      }));
      if (delivery === 'recorded') return drive(run, call);
      await waitForRun(service, run, call.query.wait ?? 0, call.left);
      return describeRun(service, run, role);
    },
  };
}

type Offered = OperationOutput<Operations['listAnswerers']>['answerers'][number];

/**
 * The person is always there: the run waits for them. What cannot be fenced and costs money (agent programs) is only for the operator,
 * and what needs a file (scripts, recordings) only for who started the server.
 */
async function offeredAnswerers(
  service: ApiService,
  role: Call<'getRun'>['role'],
): Promise<readonly Offered[]> {
  const facts = await useRuns(service, async ({ answerers }) => answerers);
  return facts.map(({ name, available, chosen, detail, hint }) =>
    name === 'person'
      ? { name, available: true, chosen, detail: 'the run waits, and a person answers', hint: null }
      : {
          name,
          available: available && (chosen || !name.startsWith('agent-cli') || hasRole(role, 'operator')),
          chosen,
          detail,
          hint,
        },
  );
}

/** Throws a fault of the request. */
async function mustBeOffered(
  service: ApiService,
  answerer: string,
  role: Call<'getRun'>['role'],
): Promise<void> {
  const offered = (await offeredAnswerers(service, role)).filter(({ available }) => available);
  if (offered.some(({ name }) => name === answerer)) return;
  throw new RequestFault([
    `"${answerer}" cannot answer here; these can: ${offered.map(({ name }) => name).join(', ')}`,
  ]);
}

/**
 * What somebody else was asked in a call is theirs to answer in a fork too. Throws ROLE_REFUSED, and RequestFault for what does
 * not fit.
 */
async function editedByRole(
  runner: Pick<Runner, 'inspect'>,
  run: string,
  wanted: JsonObject,
  { role, name }: Identity,
): Promise<JsonObject> {
  const view = await runner.inspect(run);
  const edited = editedOutcomes(view, wanted);
  for (const call of view.effects) {
    if (!Object.hasOwn(edited, call.key)) continue;
    const asked = (await questionsIn(runner, view, call)).find(({ audience }) => !mayAnswer(role, audience));
    if (asked !== undefined)
      throw new TechneError(
        'ROLE_REFUSED',
        `the call "${call.key}" asked the ${asked.audience}, so its outcome is not for the token "${name}", which is a ${role}`,
        { hint: `a token with the role "${roleOfAudience[asked.audience]}" can edit it` },
      );
  }
  return edited;
}

/** Of a call, its parts, and the runs inside of it. */
async function questionsIn(
  runner: Pick<Runner, 'inspect'>,
  { run, questions, nested }: RunView,
  call: EffectView,
): Promise<readonly QuestionView[]> {
  const keys = new Set(keysOf(call));
  const found = questions.filter((one) => one.run === run && keys.has(one.key));
  for (const inner of nested.filter(({ key }) => keys.has(key))) {
    const view = await runner.inspect(inner.run);
    found.push(...view.questions);
    for (const effect of view.effects) found.push(...(await questionsIn(runner, view, effect)));
  }
  return found;
}

function keysOf({ key, children }: EffectView): readonly string[] {
  return [key, ...children.flatMap(keysOf)];
}

/** Throws RequestFault for a call that the run did not make, and for what such a call cannot give. */
function editedOutcomes(view: RunView, wanted: JsonObject): JsonObject {
  const edited = emptyObject();
  const faults: string[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const call = view.effects.find((effect) => effect.key === key);
    if (call === undefined) {
      faults.push(`run ${view.run} made no call "${key}"`);
      continue;
    }
    const made = editOutcome(
      call,
      typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'json', value: value as Json },
      view,
    );
    if (made.ok) edited[key] = made.value;
    else
      faults.push(
        ...made.faults.map((fault) => `the outcome of "${key}" does not fit ${made.what}: ${fault}`),
      );
  }
  if (faults.length > 0) throw new RequestFault(faults);
  return edited;
}

async function exists(service: ApiService, run: string): Promise<boolean> {
  try {
    await useRuns(service, ({ store }) => lastEntry(store, run));
    return true;
  } catch (error) {
    if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') return false;
    throw error;
  }
}

/** Waits for another request that makes it; two seconds at most. */
async function madeByNow(service: ApiService, run: string): Promise<void> {
  for (let tries = 0; tries < 100 && !(await exists(service, run)); tries += 1)
    await new Promise<void>((resolve) => nodeRunClock.after(20, resolve, 'wait'));
}

function statusOf(service: ApiService, run: string): Promise<string> {
  return useRuns(service, async ({ store }) => {
    const [summary] = (await store.list({ cursor: `${run}~`, limit: 1 })).runs;
    return summary?.run === run ? summary.status : '';
  });
}

function timeOf(name: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new RequestFault([`the query "${name}" is not a time: write 2026-01-31T08:00:00Z`]);
  return ms;
}
