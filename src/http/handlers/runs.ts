// Runs over HTTP: start, list, show, follow, continue, compare, end.
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { nodeRunClock } from '../../node/environment.ts';
import { eachRun } from '../../journal/each-run.ts';
import { diffRuns } from '../../run/history/diff-runs.ts';
import type { RunResult } from '../../run/result/result.ts';
import { outermost } from '../../techne/seen-run.ts';
import type { RunJson, SummaryJson } from '../describe-run.ts';
import { describeRun, shownStatus, waitForRun } from '../describe-run.ts';
import { RequestFault, problemResponse, refusalProblem } from '../problem.ts';
import { lastEntry } from '../run-feeds.ts';
import type { ApiService, Call, Handlers } from '../service.ts';
import { useRuns } from '../service.ts';
import { streamEvents } from '../stream-events.ts';

type Names =
  | 'startRun'
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
/** Runs that one page looks at; a filter that fits few of them gives a short page and a cursor. */
const mostLookedAt = 2_000;

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
    dispatcher.submit(run);
    await waitForRun(service, run, query.wait ?? 0, left);
    return describeRun(service, run, role);
  };
  const submitted = async (made: string | RunResult, call: Waiting): Promise<RunJson | Response> =>
    typeof made === 'string' ? drive(made, call) : problemResponse(refusalProblem(made.error, made.text));

  return {
    async startRun(call) {
      const { body, headers, identity } = call;
      const { skill, input = null, limits } = body;
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
      const made = await techne.runs
        .submit(techne.snapshot, { skill, input, run, ...(limits === undefined ? {} : { limits }) })
        .catch((error: unknown) => {
          if (!(error instanceof TechneError) || error.code !== 'RUN_EXISTS') throw error;
          // Two requests with the same key at the same time: the other one is about to make it.
          return run;
        });
      if (typeof made === 'string') await madeByNow(service, made);
      return submitted(made, call);
    },

    listRuns: ({ query }) =>
      useRuns(service, async ({ store }) => {
        const { skill, status, workspace, limit = usualLimit, cursor = null } = query;
        const sinceMs = query.since === undefined ? null : timeOf(query.since);
        const runs: SummaryJson[] = [];
        let last: string | null = null;
        let seen = 0;
        for await (const summary of eachRun(store, cursor)) {
          if (runs.length === limit || seen === mostLookedAt) return { runs, cursor: last };
          // Newer ones come first.
          if (sinceMs !== null && summary.startedAt < sinceMs) break;
          seen += 1;
          last = summary.run;
          const shown = { ...summary, status: shownStatus(dispatcher, summary.run, summary.status) };
          if (
            (skill === undefined || shown.skill === skill) &&
            (status === undefined || shown.status === status) &&
            (workspace === undefined || shown.workspace === workspace)
          )
            runs.push(shown);
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
      const { from, input, limits } = (call.body as typeof call.body | null) ?? {};
      const made = await useRuns(service, ({ runner }) =>
        runner.submitFork(call.params.run, {
          ...(from === undefined ? {} : { from }),
          edits: {
            ...(input === undefined ? {} : { input }),
            ...(limits === undefined ? {} : { limits }),
          },
        }),
      );
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

function timeOf(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new RequestFault([`the query "since" is not a time: write 2026-01-31T08:00:00Z`]);
  return ms;
}
