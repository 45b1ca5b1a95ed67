// Starts, resumes, forks and answers the runs of this process, and detaches from all of them when it closes.
//
// Every surface drives its runs through this class, so they share one driver (run/drive/), one script and one way to stop.
// A model that answers for the caller reaches only runs of this workspace that it started or whose skill it knows. After
// `close` nothing is started, resumed or answered.
import type { Abort } from '../base/abort.ts';
import { AbortSource } from '../base/abort.ts';
import { TechneError } from '../base/error.ts';
import { settledWithin } from '../base/settled-within.ts';
import { nodeRunClock } from '../node/environment.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { drive, resumeAndDrive } from '../run/drive/drive.ts';
import type { BeginRequest, DriveOptions, Questioner } from '../run/drive/drive.ts';
import type { OnRunEvent } from '../run/events.ts';
import type { ForkRequest } from '../run/history/fork.ts';
import type { QuestionView, RunView } from '../run/history/inspect.ts';
import type { RunResult } from '../run/result/result.ts';
import type { StartRequest } from '../run/runner.ts';
import type { AnswerArguments } from '../run/tools/run-tools.ts';
import { knownQuestions, matchAnswers } from '../run/tools/match-answers.ts';
import { questionOf } from '../run/tools/run-tools.ts';
import type { OpenRuns, OpenRunsOptions } from './open-runs.ts';
import type { RunReach } from './own-runs.ts';
import { mayReach } from './own-runs.ts';
import type { QuestionHandlers } from './question-handlers.ts';
import { handlersQuestioner } from './question-handlers.ts';
import type { ScriptedWorld } from '../scripted/world.ts';

/** How a run is started or resumed. */
export interface RunSkillOptions {
  /** Instead of those of the library. */
  readonly questions?: QuestionHandlers;
  /** Gets the events of this run and its nested runs, besides the listener of the library. */
  readonly onEvent?: OnRunEvent;
  /** Aborts: the run is cancelled. */
  readonly signal?: Abort;
  /** Aborts: this process stops driving the run, which can be resumed. */
  readonly detach?: Abort;
}

/** Further options of our own surfaces. */
export interface DriveRunOptions
  extends Omit<RunSkillOptions, 'questions'>, Pick<DriveOptions, 'decide' | 'cancelledBy'> {
  readonly questions?: QuestionHandlers | readonly Questioner[];
  /** Whether asks go to the answerer that this process chose, instead of the one that the run was started with. Default: false. */
  readonly asChosen?: boolean;
  /** Called once when another process drives the run; then its result is waited for. Default: RUN_OWNED is thrown. */
  readonly onWait?: () => void;
  /** Whether a resume waits from the start. Default: it throws RUN_OWNED then. */
  readonly waitsFromStart?: boolean;
  /** Aborts: nothing more begins, and this process stops driving the run when the effects under way have ended. */
  readonly drain?: Abort;
  /** Called with what the run needs of this machine before it begins. */
  readonly onOpen?: (runs: OpenRuns) => void | Promise<void>;
}

export class Runs {
  readonly #pool: SnapshotRuns;
  readonly #questions: QuestionHandlers;
  readonly #active = new Map<Promise<unknown>, AbortController>();
  readonly #draining = new AbortSource();
  /** Runs of which the script knows what they have used. */
  readonly #scripted = new Set<string>();
  #isClosed = false;

  constructor(pool: SnapshotRuns, questions: QuestionHandlers) {
    this.#pool = pool;
    this.#questions = questions;
  }

  /** Whether a handler of the program answers asks, so that no model has to. */
  get answersCaller(): boolean {
    return this.#questions.caller !== undefined;
  }

  start(
    snapshot: Snapshot,
    request: Omit<StartRequest, 'signal' | 'onEvent'>,
    options: DriveRunOptions = {},
  ): Promise<RunResult> {
    return this.#drive(snapshot, options, (runs, begun) => runs.runner.start({ ...request, ...begun }));
  }

  fork(
    snapshot: Snapshot,
    run: string,
    request: ForkRequest,
    options: DriveRunOptions = {},
  ): Promise<RunResult> {
    return this.#drive(snapshot, options, (runs, begun) =>
      runs.runner.fork(run, { ...request, ...begun, ...chosenOf(runs, options) }),
    );
  }

  resume(snapshot: Snapshot, run: string, options: DriveRunOptions = {}): Promise<RunResult> {
    return this.#drive(snapshot, options, null, run);
  }

  /** Answers questions of the caller and resumes the run; without an answer it only resumes. `repeated`: the question that the answer was for before. */
  async answer(
    snapshot: Snapshot,
    given: AnswerArguments,
    reach: RunReach,
    detach: Abort | null,
  ): Promise<{ readonly result: RunResult; readonly repeated: string | null }> {
    const { run } = given;
    const { own } = reach;
    const repeated = await this.use(snapshot, async (runs) => {
      const { runner } = runs;
      const { view, outer } = await reachedRun(runs, run, reach);
      const inspect = (name: string): Promise<RunView> => runner.inspect(name);
      const matched = matchAnswers(given, await knownQuestions(view, given, inspect), {
        isOwn: ({ audience }) => audience === 'caller',
        wasAskedHere: ({ id }) => own.wasAsked(outer.run, id),
      });
      if (matched.isProven) own.prove(outer.run);
      if (matched.open.length > 0)
        await runner.answerAll(
          matched.open.map(({ asked, answer: value }) => ({
            run: asked.run,
            question: asked.id,
            nonce: asked.nonce,
            value,
            from: 'caller' as const,
          })),
        );
      return matched.repeated;
    });
    const result = await this.resume(snapshot, run, {
      onEvent: (event) => {
        if (event.type === 'question.asked') own.addQuestion(event.id);
      },
      ...(detach === null ? {} : { detach }),
    });
    return { result, repeated };
  }

  /** A question of a run, for a caller that reads it in pages. */
  question(snapshot: Snapshot, run: string, id: string, reach: RunReach): Promise<QuestionView> {
    return this.use(snapshot, async (runs) => questionOf((await reachedRun(runs, run, reach)).view, id));
  }

  async use<T>(snapshot: Snapshot, work: (runs: OpenRuns) => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    return this.#pool.use(snapshot, work);
  }

  /** Keeps the runs over a snapshot open until `release` is called. */
  hold(snapshot: Snapshot): Promise<HeldRuns> {
    this.#mustBeOpen();
    return this.#pool.hold(snapshot);
  }

  /** Call it when the skills have changed: closes what only runs over the old ones needed. */
  renew(): Promise<void> {
    return this.#pool.renew();
  }

  /** Begins nothing more; resolves when the effects under way have ended and their runs are detached, or after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    this.#draining.abort(null);
    await settledWithin(nodeRunClock, graceMs, Promise.allSettled(this.#active.keys()));
  }

  /** Runs that are under way are detached, and can be resumed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const active = [...this.#active];
    for (const [, stop] of active) stop.abort();
    await Promise.allSettled(active.map(([work]) => work));
    await this.#pool.close();
  }

  /** `begin` is `null` for a run that is resumed. */
  async #drive(
    snapshot: Snapshot,
    options: DriveRunOptions,
    begin: ((runs: OpenRuns, request: BeginRequest) => Promise<RunResult>) | null,
    resumed: string | null = null,
  ): Promise<RunResult> {
    this.#mustBeOpen();
    const { onEvent, detach } = options;
    const drain = new AbortSource(this.#draining.signal);
    const onDrain = (): void => drain.abort(null);
    if (options.drain?.aborted === true) onDrain();
    options.drain?.addEventListener('abort', onDrain);
    const stop = new AbortController();
    const onDetach = (): void => stop.abort();
    if (detach?.aborted === true) onDetach();
    detach?.addEventListener('abort', onDetach);
    const listen: OnRunEvent = (event) => {
      if (event.type === 'run.started' && event.parent === null) this.#scripted.add(event.run);
      onEvent?.(event);
    };
    const work = this.#pool.use(snapshot, async (runs) => {
      await options.onOpen?.(runs);
      const driving = {
        ...this.#optionsFor(runs, options),
        onEvent: listen,
        detach: stop.signal,
        drain: drain.signal,
      };
      if (resumed === null || begin !== null)
        return drive((request) => (begin as NonNullable<typeof begin>)(runs, request), driving);
      await this.#skipScripted(runs, resumed);
      return resumeAndDrive(resumed, driving);
    });
    this.#active.set(work, stop);
    try {
      return await work;
    } finally {
      this.#active.delete(work);
      detach?.removeEventListener('abort', onDetach);
      options.drain?.removeEventListener('abort', onDrain);
      drain.close();
    }
  }

  #optionsFor(runs: OpenRuns, options: DriveRunOptions): DriveOptions {
    const { runner, scripted } = runs;
    const {
      questions = this.#questions,
      signal,
      decide,
      cancelledBy,
      onWait,
      waitsFromStart = false,
    } = options;
    const replies = scripted?.questioner ?? null;
    const questioners = isQuestioners(questions) ? questions : [handlersQuestioner(questions)];
    return {
      runner,
      questions: [...(replies === null ? [] : [replies]), ...questioners],
      ...(signal === undefined ? {} : { cancel: signal }),
      ...(decide === undefined ? {} : { decide }),
      ...(cancelledBy === undefined ? {} : { cancelledBy }),
      ...chosenOf(runs, options),
      ...(onWait === undefined
        ? {}
        : { whenOwned: { clock: nodeRunClock, onWait, fromStart: waitsFromStart } }),
    };
  }

  /** Answers of the script that another process has used are not used again. */
  async #skipScripted({ runner, scripted }: OpenRuns, run: string): Promise<void> {
    if (scripted === null || this.#scripted.has(run)) return;
    const view = await runner.inspect(run);
    this.#scripted.add(run);
    scripted.skip(view);
  }

  #mustBeOpen(): void {
    if (this.#isClosed)
      throw new TechneError('USAGE', 'techne is closed', {
        hint: 'call close() only after the last use',
      });
  }
}

/** Throws RUN_UNKNOWN for a run that the caller must not see, before anything is written: it would continue elsewhere. */
async function reachedRun(
  { runner, workspace: here }: OpenRuns,
  run: string,
  reach: RunReach,
): Promise<{ readonly view: RunView; readonly outer: RunView }> {
  const view = await runner.inspect(run);
  let outer = view;
  while (outer.parent !== null) outer = await runner.inspect(outer.parent.run);
  const { workspace } = outer.settings;
  if ((workspace !== '' && workspace !== here) || !(await mayReach(reach, outer.run, outer.skill.name)))
    throw new TechneError('RUN_UNKNOWN', `there is no run "${run}" in this workspace`);
  return { view, outer };
}

function chosenOf(
  { answerers }: OpenRuns,
  { asChosen = false }: DriveRunOptions,
): { readonly answerer?: string } {
  const chosen = answerers.find((each) => each.chosen);
  return asChosen && chosen !== undefined ? { answerer: chosen.name } : {};
}

function isQuestioners(
  questions: QuestionHandlers | readonly Questioner[],
): questions is readonly Questioner[] {
  return Array.isArray(questions);
}

// Runs over the snapshot that their caller sees, opened when something is run first.
//
// A session runs the skills of its own snapshot: what changed on disk since is refused by the reads of that snapshot, never
// run in another version. Runs over the newest snapshot stay open for the next run; others are closed when no one uses them.

interface Member {
  readonly runs: Promise<OpenRuns>;
  users: number;
}

export interface HeldRuns {
  readonly runs: OpenRuns;
  readonly release: () => Promise<void>;
}

export class SnapshotRuns {
  readonly #options: OpenRunsOptions;
  readonly #newest: () => Snapshot;
  readonly #members = new Map<Snapshot, Member>();
  /** One for all snapshots: what a script has given to a run is not given to it again. */
  #scripted: Promise<ScriptedWorld | null> | null = null;

  constructor(options: OpenRunsOptions, newest: () => Snapshot) {
    this.#options = options;
    this.#newest = newest;
  }

  async use<T>(snapshot: Snapshot, work: (runs: OpenRuns) => Promise<T>): Promise<T> {
    const member = this.#memberFor(snapshot);
    member.users += 1;
    try {
      return await work(await member.runs);
    } finally {
      member.users -= 1;
      await this.#closeUnused();
    }
  }

  /** Keeps the runs over a snapshot open until `release` is called. */
  async hold(snapshot: Snapshot): Promise<HeldRuns> {
    const member = this.#memberFor(snapshot);
    member.users += 1;
    const release = async (): Promise<void> => {
      member.users -= 1;
      await this.#closeUnused();
    };
    try {
      return { runs: await member.runs, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Call it when the skills have changed: closes what only the old ones needed. */
  renew(): Promise<void> {
    return this.#closeUnused();
  }

  async close(): Promise<void> {
    const members = [...this.#members.values()];
    this.#members.clear();
    await Promise.all(members.map(async ({ runs }) => (await runs.catch(() => null))?.close()));
  }

  #memberFor(snapshot: Snapshot): Member {
    const known = this.#members.get(snapshot);
    if (known !== undefined) return known;
    const runs = this.#open(snapshot);
    const member: Member = { runs, users: 0 };
    // The next call tries again.
    runs.catch(() => this.#members.delete(snapshot));
    this.#members.set(snapshot, member);
    return member;
  }

  async #open(snapshot: Snapshot): Promise<OpenRuns> {
    const { openRuns, openScript } = await import('./open-runs.ts');
    this.#scripted ??= openScript(this.#options).catch((error: unknown) => {
      // The next call tries again.
      this.#scripted = null;
      throw error;
    });
    return openRuns({ ...this.#options, snapshot, scripted: await this.#scripted });
  }

  async #closeUnused(): Promise<void> {
    const newest = this.#newest();
    const unused = [...this.#members].filter(([snapshot, { users }]) => snapshot !== newest && users === 0);
    for (const [snapshot] of unused) this.#members.delete(snapshot);
    await Promise.all(unused.map(async ([, { runs }]) => (await runs.catch(() => null))?.close()));
  }
}
