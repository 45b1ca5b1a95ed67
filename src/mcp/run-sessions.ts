// Runs that a calling agent starts, answers, looks at and cancels.
//
// K1. A call waits at most `waitMs`: clients give up after a minute or so. The run goes on, and `run_status` tells of it.
// K2. Whoever takes a call back leaves the run as it is: nothing is lost, and it can be taken up again. While another call waits
//     for it, it goes on (run-job.ts). The sessions remembers that it was the one to let go.
// K3. The caller answers what is asked of it, and nobody else's questions. Forms are for a person: their answer comes by
//     elicitation, or is passed on by the caller that started the run (caller.ts); the journal says through whom. Approvals never
//     come through here. What became of a call that was cut off is decided by a person alone: by elicitation, or at a terminal.
// K4. The same answer twice is one answer: whoever did not hear what came of it may give it again.
// K5. Only runs of this workspace are there, and of them those that the caller may reach (caller.ts).
import { TechneError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { AnswerArguments } from '../run/tools/run-tools.ts';
import type { JsonObject } from '../base/json.ts';
import type { OpenTechne } from '../techne/create-techne.ts';
import type { DriveRunOptions } from '../techne/runs.ts';
import type { RunSummary } from '../ports/run-store.ts';
import { RunDetachedError } from '../run/drive/drive.ts';
import type { QuestionView, RunView } from '../run/history/inspect.ts';
import type { RunResult } from '../run/result/result.ts';
import { pausedText, undecidedText } from '../run/result/run-text.ts';
import type { Decision, StartRequest } from '../run/runner.ts';
import type { Caller } from './caller.ts';
import { mayReach } from '../techne/own-runs.ts';
import { underWay } from './describe-effect.ts';
import { isForCaller, isForm, relayOf } from './describe-run.ts';
import { realValues } from './form-schema.ts';
import { RunJob } from './run-job.ts';
import type { Waiter } from './run-job.ts';

export type RunOutcome =
  /** `hadEnded`: before it was to be cancelled. */
  | { readonly kind: 'result'; readonly result: RunResult; readonly hadEnded?: boolean }
  | { readonly kind: 'running' | 'elsewhere'; readonly run: string; readonly skill: string }
  /** `stopped`: by this sessions (K2). `underWay`: calls that had begun and not ended. */
  | {
      readonly kind: 'stopped' | 'interrupted';
      readonly run: string;
      readonly skill: string;
      readonly underWay: readonly string[];
    };

export interface CallSettings extends Waiter {
  readonly caller: Caller;
}

/** `more`: there are older ones. */
export interface ListedRuns {
  readonly runs: readonly RunSummary[];
  readonly more: boolean;
}

export interface RunSessionsOptions {
  readonly techne: Pick<OpenTechne, 'runs' | 'withRuns' | 'snapshot'>;
  /** Where runs work (K5). */
  readonly workspace: string;
  /** K1. */
  readonly waitMs: number;
  /** Runs under way at once. */
  readonly maxRuns: number;
}

const listed = { atOnce: 200, shown: 20 };
/** Of runs that were let go, the last ones are remembered. */
const maxLetGo = 1_000;

export class RunSessions {
  readonly #options: RunSessionsOptions;
  readonly #jobs = new Map<RunJob, Promise<void>>();
  readonly #letGo = new Set<string>();

  constructor(options: RunSessionsOptions) {
    this.#options = options;
  }

  start(request: StartRequest, call: CallSettings): Promise<RunOutcome> {
    return this.#drive(request.skill, null, call, (options) => {
      const { techne } = this.#options;
      return techne.runs.start(techne.snapshot, request, options);
    });
  }

  /** Answers a question of the caller, or passes on what its user said (K3), and goes on. */
  async answer(
    { run, question, nonce, answer }: AnswerArguments & { readonly question: string },
    call: CallSettings,
  ): Promise<RunOutcome> {
    const { view, outer } = await this.#viewed(run, call);
    const asked = questionOf(view, question);
    if (!isForCaller(asked, relayOf(call.caller, outer.run))) throw notForCaller(run, asked);
    if (asked.answer === null) {
      const from = asked.audience;
      const through = from === 'person' ? { through: 'caller' as const } : {};
      const delivery = await this.#options.techne.withRuns(({ runner }) =>
        runner.answer(asked.run, { question, nonce, value: answer, from, ...through }),
      );
      if (delivery === 'posted' && this.#jobOf(outer.run) === null)
        return { kind: 'elsewhere', run: outer.run, skill: outer.skill.name };
    } else if (asked.nonce !== nonce || canonicalJson(asked.answer.value) !== canonicalJson(answer)) {
      throw new TechneError(
        'QUESTION_UNKNOWN',
        `question ${question} of run ${run} was answered already, with something else`,
        { hint: `call run_status with {"run": "${run}"}` },
      );
    }
    return this.goOn(run, call);
  }

  /** What a person said when the client asked them, by the names and choices that they were shown. */
  async answerElicited(
    run: string,
    question: string,
    shown: JsonObject,
    call: CallSettings,
  ): Promise<RunOutcome> {
    const { view } = await this.#viewed(run, call);
    const asked = questionOf(view, question);
    if (asked.audience !== 'person' || !isForm(asked.question)) throw notForCaller(run, asked);
    const value = realValues(asked.question, shown);
    if (asked.answer === null)
      await this.#options.techne.withRuns(({ runner }) =>
        runner.answer(asked.run, { question, nonce: asked.nonce, value, from: 'person', through: 'client' }),
      );
    return this.goOn(run, call);
  }

  /** What a person said became of a call that was cut off, when the client asked them. `of`: the run, or one inside it. */
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
    return this.goOn(run, call);
  }

  /** Takes a run up, or waits for one that is under way here. Of one that has ended it gives the result again. */
  async goOn(run: string, call: CallSettings): Promise<RunOutcome> {
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

  /** How far it is; waits up to `waitMs` for one that is under way here. Carries nothing out. */
  async look(run: string, waitMs: number, call: CallSettings): Promise<RunOutcome> {
    const job = await this.#stayingJob((await this.#viewed(run, call)).outer.run);
    if (job !== null) return this.#wait(job, Math.min(waitMs, this.#options.waitMs), call, false);
    const { outer } = await this.#viewed(run, call);
    const {
      run: name,
      skill: { name: skill },
    } = outer;
    return this.#options.techne.withRuns(async ({ runner, store }) => {
      if (outer.endedAt !== null) return { kind: 'result', result: await runner.resume(name) };
      const summary = (await store.list({ cursor: `${name}~`, limit: 1 })).runs[0];
      if (summary?.run === name && summary.status === 'interrupted')
        return {
          kind: this.#letGo.has(name) ? 'stopped' : 'interrupted',
          run: name,
          skill,
          underWay: underWay(outer),
        };
      if (outer.status !== 'paused' && outer.status !== 'needs_decision')
        return { kind: 'elsewhere', run: name, skill };
      return { kind: 'result', result: waitingResult(outer) };
    });
  }

  /** Unfinished ones, newest first. */
  async list(caller: Caller): Promise<ListedRuns> {
    return this.#options.techne.withRuns(async ({ store, runner }) => {
      const runs: RunSummary[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof store.list>> = await store.list({
          ...(cursor === null ? {} : { cursor }),
          limit: listed.atOnce,
        });
        for (const summary of page.runs) {
          if (summary.endedAt !== null || summary.parent !== null || summary.status === 'corrupt') continue;
          if (
            !(await mayReach(caller, summary.run, summary.skill)) ||
            !this.#isHere(await runner.inspect(summary.run))
          )
            continue;
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
      hadEnded,
    };
  }

  /** Lets every run go, as it is (K2). */
  async close(): Promise<void> {
    for (const job of this.#jobs.keys()) job.leave();
    await Promise.allSettled(this.#jobs.values());
  }

  async #drive(
    skill: string,
    run: string | null,
    call: CallSettings,
    begin: (options: DriveRunOptions) => Promise<RunResult>,
  ): Promise<RunOutcome> {
    if (this.#jobs.size >= this.#options.maxRuns)
      throw new TechneError('LOCKED', `${this.#jobs.size} runs are under way here, and no more at once`, {
        hint: 'wait for one of them, or cancel it with run_cancel',
      });
    const job = new RunJob(skill, run, call, (started) => call.caller.own.add(started), begin);
    if (run !== null) this.#letGo.delete(run);
    // Whoever waits hears of it; afterwards it is in the journal.
    const over = job.ended
      .then(
        () => undefined,
        (error: unknown) => this.#noteLetGo(job, error),
      )
      .finally(() => this.#jobs.delete(job));
    this.#jobs.set(job, over);
    try {
      return await this.#wait(job, this.#options.waitMs, call);
    } catch (error) {
      // Another process has taken it up meanwhile.
      if (error instanceof TechneError && error.code === 'RUN_OWNED' && run !== null)
        return { kind: 'elsewhere', run, skill };
      throw error;
    }
  }

  async #wait(job: RunJob, waitMs: number, call: CallSettings, stops = true): Promise<RunOutcome> {
    const result = await job.wait(call, { waitMs, stops });
    return result === null
      ? { kind: 'running', run: job.run as string, skill: job.skill }
      : { kind: 'result', result };
  }

  #noteLetGo({ run }: RunJob, error: unknown): void {
    if (!(error instanceof RunDetachedError) || run === null) return;
    this.#letGo.add(run);
    for (const oldest of this.#letGo) {
      if (this.#letGo.size <= maxLetGo) break;
      this.#letGo.delete(oldest);
    }
  }

  #jobOf(run: string): RunJob | null {
    for (const job of this.#jobs.keys()) if (job.run === run) return job;
    return null;
  }

  /** One that is being stopped is waited for, and is none any more. */
  async #stayingJob(run: string): Promise<RunJob | null> {
    for (let job = this.#jobOf(run); job !== null; job = this.#jobOf(run)) {
      if (!job.isLeaving) return job;
      await this.#jobs.get(job);
    }
    return null;
  }

  #isHere({ settings: { workspace } }: RunView): boolean {
    return workspace === '' || workspace === this.#options.workspace;
  }

  /** The run, and the outermost one that it is inside of (K5). */
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

function questionOf({ run, questions }: RunView, id: string): QuestionView {
  const found = questions.find((question) => question.id === id);
  if (found === undefined)
    throw new TechneError('QUESTION_UNKNOWN', `run ${run} has no question "${id}"`, {
      hint: `call run_status with {"run": "${run}"} to see what it asks`,
    });
  return found;
}

function notForCaller(run: string, { id, audience }: QuestionView): TechneError {
  const hint =
    audience === 'operator'
      ? `a person decides at a terminal: techne answer ${run}`
      : `a person answers at a terminal: techne answer ${run}`;
  return new TechneError(
    'ANSWER_REFUSED',
    `question ${id} is for the ${audience}, and the answer comes from the caller`,
    { hint },
  );
}

/** A run that waits, as its journal has it: in the words of a run that has just paused. */
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
    : pausedText(name, run, open, limits.resultUnits);
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
