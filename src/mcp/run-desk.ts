// Runs that a calling agent starts, answers, looks at and cancels.
//
// K1. A call waits at most `waitMs`: clients give up after a minute or so. The run goes on, and `run_status` tells of it.
// K2. Whoever takes a call back leaves the run as it is: nothing is lost, and it can be taken up again.
// K3. The caller answers what is asked of it, and nobody else's questions. Forms are for a person: their answer comes by
//     elicitation, or is passed on by the caller where `relaysForms` says so. Approvals never come through here.
// K4. The same answer twice is one answer: whoever did not hear what came of it may give it again.
// K5. Only runs of this workspace are there.
import { setTimeout as sleep } from 'node:timers/promises';
import { TechneError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { OpenRuns } from '../host/open-runs.ts';
import type { RunSummary } from '../journal/run-store.ts';
import { Leaving } from '../run/effect/effect-desk.ts';
import type { OnRunEvent } from '../run/events.ts';
import type { QuestionView, RunView } from '../run/history/inspect.ts';
import type { RunResult } from '../run/result/result.ts';
import { pausedText, undecidedText } from '../run/result/run-text.ts';
import type { StartRequest } from '../run/runner.ts';
import { isForCaller, isForm } from './describe-run.ts';
import type { Relay } from './describe-run.ts';
import type { RunsPool } from './runs-pool.ts';

export type RunOutcome =
  | { readonly kind: 'result'; readonly result: RunResult }
  | { readonly kind: 'running' | 'elsewhere' | 'interrupted'; readonly run: string; readonly skill: string };

export interface CallSettings {
  /** The client takes the call back. */
  readonly signal: AbortSignal;
  readonly onEvent: OnRunEvent;
}

export interface GivenAnswer {
  readonly run: string;
  readonly question: string;
  readonly nonce: string;
  readonly answer: Json;
}

export interface RunDeskOptions {
  readonly pool: RunsPool;
  /** Where runs work (K5). */
  readonly workspace: string;
  /** K1. */
  readonly waitMs: number;
  /** Runs under way at once. */
  readonly maxRuns: number;
}

/** A run that this process drives. */
interface Job {
  readonly skill: string;
  readonly ended: Promise<RunResult>;
  run: string | null;
  /** Who waits for it now. */
  onEvent: OnRunEvent;
  readonly abort: AbortController;
}

const listed = { looked: 200, shown: 20 };

export class RunDesk {
  readonly #options: RunDeskOptions;
  readonly #jobs = new Set<Job>();

  constructor(options: RunDeskOptions) {
    this.#options = options;
  }

  start(request: StartRequest, call: CallSettings): Promise<RunOutcome> {
    return this.#drive(request.skill, null, call, ({ runner }, signal) => runner.start({ ...request, signal }));
  }

  /** Answers a question of the caller, or passes on what a person said, and goes on. */
  async answer({ run, question, nonce, answer }: GivenAnswer, relay: Relay, call: CallSettings): Promise<RunOutcome> {
    const view = await this.#view(run);
    const asked = questionOf(view, question);
    if (!isForCaller(asked, relay)) throw notForCaller(run, asked);
    if (asked.answer === null) {
      const from = asked.audience;
      const delivery = await this.#options.pool.use(({ runner }) => runner.answer(asked.run, { question, nonce, value: answer, from }));
      if (delivery === 'posted' && this.#jobOf(view.run) === null) return { kind: 'elsewhere', run: view.run, skill: view.skill.name };
    } else if (asked.nonce !== nonce || canonicalJson(asked.answer.value) !== canonicalJson(answer)) {
      throw new TechneError('QUESTION_UNKNOWN', `question ${question} of run ${run} was answered already, with something else`, { hint: `call run_status with {"run": "${run}"}` });
    }
    return this.goOn(run, call);
  }

  /** What a person said when the client asked them. */
  async answerElicited(run: string, question: string, value: Json, call: CallSettings): Promise<RunOutcome> {
    const view = await this.#view(run);
    const asked = questionOf(view, question);
    if (asked.audience !== 'person' || !isForm(asked.question)) throw notForCaller(run, asked);
    if (asked.answer === null) await this.#options.pool.use(({ runner }) => runner.answer(asked.run, { question, nonce: asked.nonce, value, from: 'person' }));
    return this.goOn(run, call);
  }

  /** Takes a run up, or waits for one that is under way here. Of one that has ended it gives the result again. */
  async goOn(run: string, call: CallSettings): Promise<RunOutcome> {
    const view = await this.#outermost(run);
    const job = this.#jobOf(view.run);
    if (job !== null) return this.#wait(job, this.#options.waitMs, call);
    return this.#drive(view.skill.name, view.run, call, ({ runner }, signal) => runner.resume(view.run, { signal }));
  }

  /** How far it is; waits up to `waitMs` for one that is under way here. Carries nothing out. */
  async look(run: string, waitMs: number, call: CallSettings): Promise<RunOutcome> {
    const view = await this.#outermost(run);
    const { run: name, skill: { name: skill } } = view;
    const job = this.#jobOf(name);
    if (job !== null) return this.#wait(job, Math.min(waitMs, this.#options.waitMs), { ...call, signal: new AbortController().signal });
    return this.#options.pool.use(async ({ runner, store }) => {
      if (view.endedAt !== null) return { kind: 'result', result: await runner.resume(name) };
      const summary = (await store.list({ cursor: `${name}~`, limit: 1 })).runs[0];
      if (summary?.run === name && summary.status === 'interrupted') return { kind: 'interrupted', run: name, skill };
      if (view.status !== 'paused') return { kind: 'elsewhere', run: name, skill };
      return { kind: 'result', result: waitingResult(view) };
    });
  }

  /** Unfinished ones, newest first. */
  async list(): Promise<readonly RunSummary[]> {
    return this.#options.pool.use(async ({ store, runner }) => {
      const { runs } = await store.list({ limit: listed.looked });
      const found: RunSummary[] = [];
      for (const summary of runs) {
        if (summary.endedAt !== null || summary.parent !== null || summary.status === 'corrupt') continue;
        if (this.#isHere(await runner.inspect(summary.run))) found.push(summary);
        if (found.length >= listed.shown) break;
      }
      return found;
    });
  }

  async cancel(run: string, reason: string, call: CallSettings): Promise<RunOutcome> {
    const { run: name, endedAt, skill } = await this.#outermost(run);
    if (endedAt === null) await this.#options.pool.use(({ runner }) => runner.cancel(name, reason, 'caller'));
    const job = this.#jobOf(name);
    if (job !== null) return this.#wait(job, this.#options.waitMs, call);
    const after = await this.#view(name);
    if (after.endedAt === null) return { kind: 'elsewhere', run: name, skill: skill.name };
    return { kind: 'result', result: await this.#options.pool.use(({ runner }) => runner.resume(name)) };
  }

  /** Lets every run go, as it is (K2). */
  async close(): Promise<void> {
    const jobs = [...this.#jobs];
    for (const job of jobs) job.abort.abort(new Leaving());
    await Promise.allSettled(jobs.map(({ ended }) => ended));
  }

  async #drive(skill: string, run: string | null, call: CallSettings, begin: (runs: OpenRuns, signal: AbortSignal) => Promise<RunResult>): Promise<RunOutcome> {
    if (this.#jobs.size >= this.#options.maxRuns) throw new TechneError('LOCKED', `${this.#jobs.size} runs are under way here, and no more at once`, { hint: 'wait for one of them, or cancel it with run_cancel' });
    const abort = new AbortController();
    const onEvent: OnRunEvent = (event) => {
      if (event.type === 'run.started' && event.parent === null) job.run ??= event.run;
      job.onEvent(event);
    };
    const ended = this.#options.pool.use((runs) => begin(runs, abort.signal), onEvent);
    const job: Job = { skill, ended, run, onEvent: call.onEvent, abort };
    this.#jobs.add(job);
    // Whoever waits hears of it; afterwards it is in the journal.
    ended.catch(() => undefined).finally(() => this.#jobs.delete(job));
    try {
      return await this.#wait(job, this.#options.waitMs, call);
    } catch (error) {
      // Another process has taken it up meanwhile.
      if (error instanceof TechneError && error.code === 'RUN_OWNED' && run !== null) return { kind: 'elsewhere', run, skill };
      throw error;
    }
  }

  /** K1, K2. */
  async #wait(job: Job, waitMs: number, { signal, onEvent }: CallSettings): Promise<RunOutcome> {
    job.onEvent = onEvent;
    const leave = (): void => job.abort.abort(new Leaving());
    const waited = new AbortController();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    try {
      const late = (async () => {
        await sleep(waitMs, undefined, { signal: waited.signal });
        // Without its name nobody could ask for it.
        while (job.run === null) await sleep(100, undefined, { signal: waited.signal });
        return null;
      })();
      late.catch(() => undefined);
      const result = await Promise.race([job.ended, late]);
      return result === null ? { kind: 'running', run: job.run as string, skill: job.skill } : { kind: 'result', result };
    } finally {
      waited.abort();
      signal.removeEventListener('abort', leave);
      if (job.onEvent === onEvent) job.onEvent = () => {};
    }
  }

  #jobOf(run: string): Job | null {
    for (const job of this.#jobs) if (job.run === run) return job;
    return null;
  }

  #isHere({ settings: { workspace } }: RunView): boolean {
    return workspace === '' || workspace === this.#options.workspace;
  }

  /** K5. */
  async #view(run: string): Promise<RunView> {
    const view = await this.#options.pool.use(({ runner }) => runner.inspect(run));
    if (!this.#isHere(view)) throw new TechneError('RUN_UNKNOWN', `there is no run "${run}" in this workspace`, { hint: 'run_status without a run lists those that are unfinished' });
    return view;
  }

  async #outermost(run: string): Promise<RunView> {
    let view = await this.#view(run);
    while (view.parent !== null) view = await this.#view(view.parent.run);
    return view;
  }
}

function questionOf({ run, questions }: RunView, id: string): QuestionView {
  const found = questions.find((question) => question.id === id);
  if (found === undefined) throw new TechneError('QUESTION_UNKNOWN', `run ${run} has no question "${id}"`, { hint: `call run_status with {"run": "${run}"} to see what it asks` });
  return found;
}

function notForCaller(run: string, { id, audience }: QuestionView): TechneError {
  const hint = audience === 'operator' ? `a person decides at a terminal: techne answer ${run}` : `a person answers at a terminal: techne answer ${run}`;
  return new TechneError('ANSWER_REFUSED', `question ${id} is for the ${audience}, and the answer comes from the caller`, { hint });
}

/** A run that waits, as its journal has it: in the words of a run that has just paused. */
function waitingResult(view: RunView): RunResult {
  const { run, skill: { name }, questions, undecided, usage, limits } = view;
  const open = questions.filter(({ answer }) => answer === null).map(({ run: of, id, nonce, audience, key, question, expiresAt }) => ({ run: of, id, nonce, audience, key, question, expiresAt }));
  const isUndecided = undecided.length > 0;
  const text = isUndecided ? undecidedText(name, run, undecided, limits.resultUnits) : pausedText(name, run, open, limits.resultUnits);
  return { status: isUndecided ? 'needs_decision' : 'paused', run, skill: name, text, envelope: null, error: null, questions: open, undecided, usage };
}
