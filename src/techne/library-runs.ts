// Starts, resumes and answers runs for the embedding program, and lets go of all of them when it closes.
//
// R1. Questions go to the handlers of the program (answer-questions.ts).
// R2. A run that is left (the library closes, or a turn of an agent is stopped) is paused where it is and can be resumed: its
//     id is in the error. An abort of the program's own signal cancels the run.
// R3. A model answers what is asked of the caller in a run of this workspace that it may reach (own-runs.ts), and nothing else. To
//     go on with a run needs the same.
// R4. After `close` nothing is started, taken up or answered, whoever still holds a session.
import type { Abort } from '../base/abort.ts';
import { TechneError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { DetachSignal } from '../run/effect/effect-context.ts';
import type { OnRunEvent } from '../run/events.ts';
import type { RunView } from '../run/history/inspect.ts';
import type { RunResult } from '../run/result/result.ts';
import type { Runner, StartRequest } from '../run/runner.ts';
import type { QuestionHandlers } from './answer-questions.ts';
import { answerQuestions } from './answer-questions.ts';
import type { OpenRuns } from './open-runs.ts';
import type { RunReach } from './own-runs.ts';
import { mayReach } from './own-runs.ts';
import type { SnapshotRuns } from './snapshot-runs.ts';

/** How a run is started or taken up again. */
export interface RunSkillOptions {
  /** Instead of those of the library. */
  readonly questions?: QuestionHandlers;
  /** Hears of this run and of the runs inside it, besides whoever hears of everything. */
  readonly onEvent?: OnRunEvent;
  /** Aborts: the run is cancelled. */
  readonly signal?: Abort;
}

/** A run was stopped on the way and is left as it is: `resume` goes on with it. */
export class RunDetached extends TechneError {
  /** `null` when it had not begun. */
  readonly run: string | null;
  constructor(run: string | null) {
    super(
      'RUN_UNFINISHED',
      run === null
        ? 'stopped before the run began'
        : `the run ${run} was stopped; it is left as it is and can be resumed`,
    );
    this.name = 'RunDetached';
    this.run = run;
  }
}

export interface GivenAnswer {
  readonly question: string;
  readonly nonce: string;
  readonly value: Json;
}

export class LibraryRuns {
  readonly #runs: SnapshotRuns;
  readonly #questions: QuestionHandlers;
  readonly #underWay = new Map<Promise<unknown>, AbortController>();
  #isClosed = false;

  constructor(runs: SnapshotRuns, questions: QuestionHandlers) {
    this.#runs = runs;
    this.#questions = questions;
  }

  /** Whether asks are answered by a handler of the program, so that no model has to. */
  get answersCaller(): boolean {
    return this.#questions.caller !== undefined;
  }

  start(
    snapshot: Snapshot,
    request: Omit<StartRequest, 'signal'>,
    options: RunSkillOptions = {},
    leave: Abort | null = null,
  ): Promise<RunResult> {
    return this.#drive(snapshot, options, leave, null, (runner, signal) =>
      runner.start({ ...request, signal }),
    );
  }

  resume(
    snapshot: Snapshot,
    run: string,
    options: RunSkillOptions = {},
    leave: Abort | null = null,
  ): Promise<RunResult> {
    return this.#drive(snapshot, options, leave, run, (runner, signal) => runner.resume(run, { signal }));
  }

  /** R3. Goes on with the run afterwards; without an answer it only goes on. */
  async answer(
    snapshot: Snapshot,
    run: string,
    given: GivenAnswer | null,
    reach: RunReach,
    leave: Abort | null,
  ): Promise<RunResult> {
    await this.use(snapshot, async ({ runner, workspace: here }) => {
      const { questions, ...view } = await runner.inspect(run);
      let outer: Pick<RunView, 'run' | 'parent' | 'skill' | 'settings'> = view;
      while (outer.parent !== null) outer = await runner.inspect(outer.parent.run);
      const { workspace } = outer.settings;
      // Before anything is written: the run would take the answer, and go on elsewhere.
      if ((workspace !== '' && workspace !== here) || !(await mayReach(reach, outer.run, outer.skill.name)))
        throw new TechneError('RUN_UNKNOWN', `there is no run "${run}" in this workspace`);
      if (given === null) return;
      const asked = questions.find(({ id }) => id === given.question);
      if (asked === undefined)
        throw new TechneError('QUESTION_UNKNOWN', `run ${run} has no question "${given.question}"`, {
          hint: 'take run, question and nonce as the run gave them',
        });
      if (asked.audience !== 'caller')
        throw new TechneError(
          'ANSWER_REFUSED',
          `question ${given.question} is for the ${asked.audience}, and the answer comes from the caller`,
          { hint: `a person answers at a terminal: techne answer ${run}` },
        );
      await runner.answer(asked.run, { ...given, from: 'caller' });
    });
    return this.resume(snapshot, run, {}, leave);
  }

  async use<T>(snapshot: Snapshot, work: (runs: OpenRuns) => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    return this.#runs.use(snapshot, work);
  }

  /** R2. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const underWay = [...this.#underWay];
    for (const [, abort] of underWay) abort.abort(new DetachSignal());
    await Promise.allSettled(underWay.map(([work]) => work));
    await this.#runs.close();
  }

  async #drive(
    snapshot: Snapshot,
    { questions = this.#questions, onEvent, signal }: RunSkillOptions,
    leave: Abort | null,
    known: string | null,
    begin: (runner: Runner, signal: Abort) => Promise<RunResult>,
  ): Promise<RunResult> {
    this.#mustBeOpen();
    const abort = new AbortController();
    const cancel = (): void => abort.abort(signal?.reason);
    const depart = (): void => abort.abort(new DetachSignal());
    if (signal?.aborted === true) cancel();
    if (leave?.aborted === true) depart();
    signal?.addEventListener('abort', cancel);
    leave?.addEventListener('abort', depart);
    let run = known;
    const listen: OnRunEvent = (event) => {
      if (event.type === 'run.started' && event.parent === null) run ??= event.run;
      onEvent?.(event);
    };
    const work = this.#runs.use(
      snapshot,
      async ({ runner }) =>
        answerQuestions(runner, await begin(runner, abort.signal), questions, abort.signal),
      listen,
    );
    this.#underWay.set(work, abort);
    try {
      return await work;
    } catch (error) {
      if (error instanceof DetachSignal) throw new RunDetached(run);
      throw error;
    } finally {
      this.#underWay.delete(work);
      signal?.removeEventListener('abort', cancel);
      leave?.removeEventListener('abort', depart);
    }
  }

  /** R4. */
  #mustBeOpen(): void {
    if (this.#isClosed)
      throw new TechneError('USAGE', 'techne is closed', {
        hint: 'call close() when nothing is needed any more',
      });
  }
}
