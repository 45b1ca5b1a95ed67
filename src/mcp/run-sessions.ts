// Runs that a calling agent starts, answers, inspects and cancels.
//
// A call waits at most `waitMs`, because clients time out after about a minute; the run continues, and `run_status` reports it. A
// cancelled call leaves its run resumable; while another call waits, the run continues (run-job.ts). The caller answers only its own
// questions. A form is answered by a person: through elicitation, or relayed by the caller that started the run (caller.ts); the
// journal records the way. Approvals never come through here, and only a person decides about calls with an unknown outcome. A call
// can be repeated, because a caller may have missed the result (run/tools/match-answers.ts). Only runs of this workspace that the caller may reach
// are visible.
import { TechneError } from '../base/error.ts';
import type { AnswerArguments } from '../run/tools/run-tools.ts';
import { knownQuestions, matchAnswers } from '../run/tools/match-answers.ts';
import { notForCaller, questionOf } from '../run/tools/run-tools.ts';
import type { JsonObject } from '../base/json.ts';
import type { OpenTechne } from '../techne/create-techne.ts';
import type { DriveRunOptions } from '../techne/runs.ts';
import type { RunSummary } from '../ports/run-store.ts';
import { RunDetachedError } from '../run/drive/drive.ts';
import type { RunView } from '../run/history/inspect.ts';
import type { RunResult } from '../run/result/result.ts';
import { pausedText, readQuestionPage, undecidedText } from '../run/result/failed-or-paused-text.ts';
import type { Decision, StartRequest } from '../run/runner.ts';
import type { Answerers } from './answered-by.ts';
import { answerersOf } from './answered-by.ts';
import type { Caller } from './caller.ts';
import { mayReach } from '../techne/own-runs.ts';
import { underWay } from './describe-effect.ts';
import { isForCaller, isFormQuestion, relayOf } from './describe-run.ts';
import { realValues } from './form-schema.ts';
import { RunJob } from './run-job.ts';
import { RunPlaces } from './run-places.ts';
import type { Waiter } from './run-job.ts';

export type RunOutcome =
  /** `answerers`: null if no run was started. `hadEnded`: it had ended before the cancel. */
  | {
      readonly kind: 'result';
      readonly result: RunResult;
      readonly answerers: Answerers | null;
      readonly hadEnded?: boolean;
      /** The question that the given answer was for before. */
      readonly repeated?: string;
    }
  | { readonly kind: 'running' | 'elsewhere'; readonly run: string; readonly skill: string }
  /** `stopped`: by this server. `underWay`: unfinished calls. */
  | {
      readonly kind: 'stopped' | 'interrupted';
      readonly run: string;
      readonly skill: string;
      readonly underWay: readonly string[];
    };

export interface CallSettings extends Waiter {
  readonly caller: Caller;
}

/** `more`: there are older runs. */
export interface ListedRuns {
  readonly runs: readonly RunSummary[];
  readonly more: boolean;
}

interface RunSessionsOptions {
  readonly techne: Pick<OpenTechne, 'runs' | 'withRuns' | 'snapshot'>;
  /** The workspace of the runs. */
  readonly workspace: string;
  /** The longest wait of a call. */
  readonly waitMs: number;
  /** The most concurrent runs; further ones wait. */
  readonly maxRuns: number;
}

const listed = { pageSize: 200, shown: 20 };
/** How many detached runs are remembered. */
const maxDetached = 1_000;

export class RunSessions {
  readonly #options: RunSessionsOptions;
  readonly #jobs = new Map<RunJob, Promise<void>>();
  readonly #detached = new Set<string>();
  readonly #places: RunPlaces;

  constructor(options: RunSessionsOptions) {
    this.#options = options;
    this.#places = new RunPlaces({ places: options.maxRuns, waitMs: options.waitMs });
  }

  start(request: StartRequest, call: CallSettings): Promise<RunOutcome> {
    return this.#drive(request.skill, null, call, (options) => {
      const { techne } = this.#options;
      return techne.runs.start(techne.snapshot, request, options);
    });
  }

  /** Answers questions of the caller, or relays answers of its user, and resumes the run. */
  async answer(given: AnswerArguments, call: CallSettings): Promise<RunOutcome> {
    const { run } = given;
    const { view, outer } = await this.#viewed(run, call);
    const relay = relayOf(call.caller, outer.run);
    const inspect = (name: string): Promise<RunView> =>
      this.#options.techne.withRuns(({ runner }) => runner.inspect(name));
    const { open, repeated, isProven } = matchAnswers(given, await knownQuestions(view, given, inspect), {
      isOwn: (asked) => isForCaller(asked, relay),
      wasAskedHere: ({ id }) => relay.wasAsked(id),
    });
    if (isProven) call.caller.own.prove(outer.run);
    if (open.length > 0) {
      const delivery = await this.#options.techne.withRuns(({ runner }) =>
        runner.answerAll(
          open.map(({ asked, answer }) => ({
            run: asked.run,
            question: asked.id,
            nonce: asked.nonce,
            value: answer,
            from: asked.audience,
            ...(asked.audience === 'person' ? { through: 'caller' as const } : {}),
          })),
        ),
      );
      if (delivery === 'posted' && this.#jobOf(outer.run) === null)
        return { kind: 'elsewhere', run: outer.run, skill: outer.skill.name };
    }
    const outcome = await this.resume(run, call);
    return outcome.kind === 'result' && repeated !== null ? { ...outcome, repeated } : outcome;
  }

  /** Throws QUESTION_UNKNOWN and USAGE. */
  async readQuestion(
    run: string,
    question: string,
    { offset, maxUnits }: { readonly offset: number; readonly maxUnits: number },
    call: CallSettings,
  ): Promise<string> {
    const asked = questionOf((await this.#viewed(run, call)).view, question);
    return readQuestionPage(asked, offset, maxUnits);
  }

  /** The answer of a person to an elicitation, by the shown names and choices. */
  async answerElicited(
    run: string,
    question: string,
    shown: JsonObject,
    call: CallSettings,
  ): Promise<RunOutcome> {
    const { view } = await this.#viewed(run, call);
    const asked = questionOf(view, question);
    if (asked.audience !== 'person' || !isFormQuestion(asked.question)) throw notForCaller(run, asked);
    const value = realValues(asked.question, shown);
    if (asked.answer === null)
      await this.#options.techne.withRuns(({ runner }) =>
        runner.answer(asked.run, { question, nonce: asked.nonce, value, from: 'person', through: 'client' }),
      );
    return this.resume(run, call);
  }

  /** The decision of a person about a call with an unknown outcome. `of`: the run, or a nested one. */
  async decide(
    run: string,
    of: string,
    decision: Omit<Decision, 'by'>,
    call: CallSettings,
  ): Promise<RunOutcome> {
    const { view, outer } = await this.#viewed(of, call);
    const delivery = await this.#options.techne.withRuns(({ runner }) =>
      runner.decide(view.run, { ...decision, by: 'client for the person' }),
    );
    if (delivery === 'posted' && this.#jobOf(outer.run) === null)
      return { kind: 'elsewhere', run: outer.run, skill: outer.skill.name };
    return this.resume(run, call);
  }

  /** Resumes a run, or waits for one that runs here. For an ended run it returns the result again. */
  async resume(run: string, call: CallSettings): Promise<RunOutcome> {
    const {
      outer: { run: name, skill },
    } = await this.#viewed(run, call);
    const job = await this.#stayingJob(name);
    if (job !== null) return this.#wait(job, this.#options.waitMs, call);
    return this.#drive(skill.name, name, call, (options) => {
      const { techne } = this.#options;
      return techne.runs.resume(techne.snapshot, name, options);
    });
  }

  /** The state of a run; waits up to `waitMs` for one that runs here. Performs nothing. */
  async look(run: string, waitMs: number, call: CallSettings): Promise<RunOutcome> {
    const job = await this.#stayingJob((await this.#viewed(run, call)).outer.run);
    if (job !== null) return this.#wait(job, Math.min(waitMs, this.#options.waitMs), call, false);
    const { outer } = await this.#viewed(run, call);
    const {
      run: name,
      skill: { name: skill },
    } = outer;
    return this.#options.techne.withRuns(async ({ runner, store }) => {
      if (outer.endedAt !== null)
        return { kind: 'result', result: await runner.resume(name), answerers: answerersOf(outer) };
      const summary = (await store.list({ cursor: `${name}~`, limit: 1 })).runs[0];
      if (summary?.run === name && summary.status === 'interrupted')
        return {
          kind: this.#detached.has(name) ? 'stopped' : 'interrupted',
          run: name,
          skill,
          underWay: underWay(outer),
        };
      if (outer.status !== 'paused' && outer.status !== 'needs_decision')
        return { kind: 'elsewhere', run: name, skill };
      return { kind: 'result', result: waitingResult(outer), answerers: answerersOf(outer) };
    });
  }

  /** Unfinished runs, newest first. */
  async list(caller: Caller): Promise<ListedRuns> {
    return this.#options.techne.withRuns(async ({ store, runner }) => {
      const runs: RunSummary[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof store.list>> = await store.list({
          ...(cursor === null ? {} : { cursor }),
          limit: listed.pageSize,
        });
        for (const summary of page.runs) {
          if (summary.endedAt !== null || summary.parent !== null || summary.status === 'corrupt') continue;
          if (!(await mayReach(caller, summary.run, summary.skill))) continue;
          const view = await runner.inspect(summary.run);
          if (!this.#isHere(view) || isAbandoned(view)) continue;
          if (runs.length === listed.shown) return { runs, more: true };
          runs.push(summary);
        }
        cursor = page.cursor;
      } while (cursor !== null);
      return { runs, more: false };
    });
  }

  async cancel(run: string, reason: string, call: CallSettings): Promise<RunOutcome> {
    const {
      outer: { run: name, endedAt, skill },
    } = await this.#viewed(run, call);
    const hadEnded = endedAt !== null;
    if (!hadEnded) await this.#options.techne.withRuns(({ runner }) => runner.cancel(name, reason, 'caller'));
    const job = await this.#stayingJob(name);
    if (job !== null) return this.#wait(job, this.#options.waitMs, call, false);
    const after = (await this.#viewed(name, call)).outer;
    if (after.endedAt === null) return { kind: 'elsewhere', run: name, skill: skill.name };
    return {
      kind: 'result',
      result: await this.#options.techne.withRuns(({ runner }) => runner.resume(name)),
      answerers: answerersOf(after),
      hadEnded,
    };
  }

  /** Detaches from every run. */
  async close(): Promise<void> {
    for (const job of this.#jobs.keys()) job.detach();
    await Promise.allSettled(this.#jobs.values());
  }

  async #drive(
    skill: string,
    run: string | null,
    call: CallSettings,
    begin: (options: DriveRunOptions) => Promise<RunResult>,
  ): Promise<RunOutcome> {
    const leave = await this.#places.take(call.signal);
    const job = new RunJob(skill, run, call, call.caller.own, begin);
    if (run !== null) this.#detached.delete(run);
    // The waiting calls report it; later it is in the journal.
    const over = job.ended
      .then(
        () => undefined,
        (error: unknown) => this.#noteDetached(job, error),
      )
      .finally(() => {
        this.#jobs.delete(job);
        leave();
      });
    this.#jobs.set(job, over);
    try {
      return await this.#wait(job, this.#options.waitMs, call);
    } catch (error) {
      // Another process drives it now.
      if (error instanceof TechneError && error.code === 'RUN_OWNED' && run !== null)
        return { kind: 'elsewhere', run, skill };
      throw error;
    }
  }

  async #wait(job: RunJob, waitMs: number, call: CallSettings, stops = true): Promise<RunOutcome> {
    const result = await job.wait(call, { waitMs, stops });
    return result === null
      ? { kind: 'running', run: job.run as string, skill: job.skill }
      : { kind: 'result', result, answerers: await this.#answerersOf(result.run) };
  }

  async #answerersOf(run: string | null): Promise<Answerers | null> {
    if (run === null) return null;
    return answerersOf(await this.#options.techne.withRuns(({ runner }) => runner.inspect(run)));
  }

  #noteDetached({ run }: RunJob, error: unknown): void {
    if (!(error instanceof RunDetachedError) || run === null) return;
    this.#detached.add(run);
    for (const oldest of this.#detached) {
      if (this.#detached.size <= maxDetached) break;
      this.#detached.delete(oldest);
    }
  }

  #jobOf(run: string): RunJob | null {
    for (const job of this.#jobs.keys()) if (job.run === run) return job;
    return null;
  }

  /** Waits for a run that is being stopped, which then no longer runs here. */
  async #stayingJob(run: string): Promise<RunJob | null> {
    for (let job = this.#jobOf(run); job !== null; job = this.#jobOf(run)) {
      if (!job.isDetaching) return job;
      await this.#jobs.get(job);
    }
    return null;
  }

  #isHere({ settings: { workspace } }: RunView): boolean {
    return workspace === '' || workspace === this.#options.workspace;
  }

  /** The run, and its outermost run. */
  async #viewed(
    run: string,
    { caller }: CallSettings,
  ): Promise<{ readonly view: RunView; readonly outer: RunView }> {
    const inspect = (name: string): Promise<RunView> =>
      this.#options.techne.withRuns(({ runner }) => runner.inspect(name));
    const view = await inspect(run);
    let outer = view;
    while (outer.parent !== null) outer = await inspect(outer.parent.run);
    if (!this.#isHere(outer) || !(await mayReach(caller, outer.run, outer.skill.name)))
      throw new TechneError('RUN_UNKNOWN', `there is no run "${run}" in this workspace`, {
        hint: 'run_status without a run lists those that are unfinished',
      });
    return { view, outer };
  }
}

/** All that it waits for has expired. */
function isAbandoned({ status, questions }: RunView): boolean {
  const open = questions.filter(({ answer }) => answer === null);
  const nowMs = Date.now();
  return (
    status === 'paused' &&
    open.length > 0 &&
    open.every(({ expiresAt }) => expiresAt !== null && expiresAt <= nowMs)
  );
}

/** The result of a run that waits, from its journal. */
function waitingResult(view: RunView): RunResult {
  const {
    run,
    skill: { name },
    questions,
    undecided,
    usage,
    limits,
  } = view;
  const open = questions
    .filter(({ answer }) => answer === null)
    .map(({ run: of, id, nonce, audience, key, question, expiresAt }) => ({
      run: of,
      id,
      nonce,
      audience,
      key,
      question,
      expiresAt,
    }));
  const isUndecided = undecided.length > 0;
  const text = isUndecided
    ? undecidedText(name, run, undecided, limits.resultUnits)
    : pausedText(name, run, open);
  return {
    status: isUndecided ? 'needs_decision' : 'paused',
    run,
    skill: name,
    text,
    envelope: null,
    error: null,
    questions: open,
    undecided,
    usage,
  };
}
