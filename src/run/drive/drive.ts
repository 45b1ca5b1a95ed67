// Brings a run to its end, as far as this process can: starts it, answers its questions, resumes it.
//
//   begin (start, resume or fork) -> RunResult
//
// This is the only driver: the command line, the chat, MCP, the library, evaluations and skill tests all use it. They
// differ in who answers questions. A question without an answer here leaves the run paused. An abort of `cancel` ends
// the run; an abort of `detach` stops driving it, so that any process can resume it.
import type { Abort } from '../../base/abort.ts';
import { neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { RunClock } from '../../ports/run-clock.ts';
import { CancelSignal, DetachSignal } from '../effect/effect-context.ts';
import type { OnRunEvent } from '../events.ts';
import type { PendingQuestion, RunResult, RunUsage, UndecidedEffect } from '../result/result.ts';
import type { Runner } from '../runner.ts';

/** The outcome of a question: `open` leaves it open, `settled` means that it was answered elsewhere. */
export type Reply = { readonly answer: Json } | 'open' | 'settled';

export interface AskingContext {
  /** The run that is driven; the question may be of a run nested in it. */
  readonly run: string;
  /** Why the last answer to this question was not accepted; `null` at first. */
  readonly refused: TechneError | null;
  readonly signal: Abort;
}

/** Answers questions of a run. It is asked again with `refused` when its answer is not accepted. */
export type Questioner = (question: PendingQuestion, context: AskingContext) => Promise<Reply> | Reply;

export interface DriveOptions {
  readonly runner: Runner;
  /** Asked in this order; the run is resumed as soon as one of them has answered something. Default: none. */
  readonly questions?: readonly Questioner[];
  /** Decides calls with an unknown outcome. Returns whether the run can be resumed. Default: the run waits for a decision. */
  readonly decide?: (undecided: readonly UndecidedEffect[], signal: Abort) => Promise<boolean>;
  /** Who answers asks after a resume. Default: the answerer before. */
  readonly answerer?: string;
  readonly onEvent?: OnRunEvent;
  /** Aborts: the run is cancelled. */
  readonly cancel?: Abort;
  /** Who cancels, and why, for the journal. Default: the caller. */
  readonly cancelledBy?: { readonly reason: string; readonly by: string };
  /** Aborts: this process stops driving the run. */
  readonly detach?: Abort;
  /** Aborts: nothing more begins, and this process stops driving the run when the effects under way have ended. */
  readonly drain?: Abort;
  /** What to do while another process drives the run. Default: RUN_OWNED is thrown. */
  readonly whenOwned?: WaitWhileOwned;
}

/** How a run is stopped from outside. */
export type RunStops = Required<Pick<DriveOptions, 'drain' | 'detach'>>;

interface WaitWhileOwned {
  readonly clock: RunClock;
  /** Called once, before the first wait. */
  readonly onWait: () => void;
  /** Whether `resumeAndDrive` waits from the start. Default: it throws RUN_OWNED then. */
  readonly fromStart?: boolean;
}

/** What `begin` passes on to `start`, `resume` or `fork`. */
export interface BeginRequest {
  readonly signal: Abort;
  readonly drain: Abort;
  readonly onEvent: OnRunEvent;
}

/** This process stopped driving the run; `resume` continues it. */
export class RunDetachedError extends TechneError {
  /** `null` when the run had not begun. */
  readonly run: string | null;
  /** What the run used by then, where its journal can be read. */
  readonly usage: RunUsage | null;

  constructor(run: string | null, usage: RunUsage | null) {
    super(
      'RUN_UNFINISHED',
      run === null ? 'stopped before the run began' : `run ${run} was detached; it can be resumed`,
    );
    this.name = 'RunDetachedError';
    this.run = run;
    this.usage = usage;
  }
}

const pollMs = 300;

/** Throws `RunDetachedError` when it is detached while the run works; a run that waits for an answer is returned as paused. */
export async function drive(
  begin: (request: BeginRequest) => Promise<RunResult>,
  options: DriveOptions,
  known: string | null = null,
): Promise<RunResult> {
  const driver = new Driver(options, known);
  try {
    return await driver.drive(begin);
  } catch (error) {
    if (error instanceof DetachSignal)
      throw new RunDetachedError(driver.run, await usageOf(options.runner, driver.run));
    throw error;
  } finally {
    driver.close();
  }
}

async function usageOf(runner: Runner, run: string | null): Promise<RunUsage | null> {
  try {
    return run === null ? null : (await runner.inspect(run)).usage;
  } catch (error) {
    // That the run is detached is what counts.
    if (error instanceof TechneError) return null;
    throw error;
  }
}

/** Resumes a run, and drives it. Throws what `resume` of the runner throws. */
export function resumeAndDrive(run: string, options: DriveOptions): Promise<RunResult> {
  const { whenOwned, ...rest } = options;
  const first = whenOwned?.fromStart === true ? options : rest;
  return drive((request) => resume(run, first, request), options, run);
}

class Driver {
  /** The run that is driven, once it is known. */
  run: string | null;
  readonly #options: DriveOptions;
  readonly #stop = new AbortController();
  readonly #onCancel = (): void => this.#stop.abort(new CancelSignal(this.#cancelledBy));
  readonly #onDetach = (): void => this.#stop.abort(new DetachSignal());

  constructor(options: DriveOptions, known: string | null) {
    this.#options = options;
    this.run = known;
    const { cancel, detach } = options;
    if (cancel?.aborted === true) this.#onCancel();
    if (detach?.aborted === true) this.#onDetach();
    cancel?.addEventListener('abort', this.#onCancel);
    detach?.addEventListener('abort', this.#onDetach);
  }

  async drive(begin: (request: BeginRequest) => Promise<RunResult>): Promise<RunResult> {
    let result = await begin(this.#request());
    for (;;) {
      const { run } = result;
      if (run === null) return result;
      this.run ??= run;
      const moved = await this.#settle(run, result);
      if (this.#isCancelled && (result.status === 'paused' || result.status === 'needs_decision'))
        return this.#cancel(run);
      if (!moved || this.#stop.signal.aborted || this.#options.drain?.aborted === true) return result;
      result = await resume(run, this.#options, this.#request());
    }
  }

  close(): void {
    this.#options.cancel?.removeEventListener('abort', this.#onCancel);
    this.#options.detach?.removeEventListener('abort', this.#onDetach);
  }

  get #cancelledBy(): NonNullable<DriveOptions['cancelledBy']> {
    return this.#options.cancelledBy ?? byProgram;
  }

  get #isCancelled(): boolean {
    const { signal } = this.#stop;
    return signal.aborted && !(signal.reason instanceof DetachSignal);
  }

  #request(): BeginRequest {
    return {
      signal: this.#stop.signal,
      drain: this.#options.drain ?? neverAborted,
      onEvent: (event) => {
        // The outer run is heard before its nested runs. A fork does not start, so any event will do.
        this.run ??= event.run;
        this.#options.onEvent?.(event);
      },
    };
  }

  /** Whether something was answered or decided, so that the run can continue. */
  async #settle(run: string, { status, questions, undecided }: RunResult): Promise<boolean> {
    const { signal } = this.#stop;
    if (status === 'needs_decision') return (await this.#options.decide?.(undecided, signal)) ?? false;
    if (status !== 'paused') return false;
    for (const ask of this.#options.questions ?? []) {
      let moved = false;
      for (const question of questions) {
        if (signal.aborted) break;
        const reply = await this.#ask(ask, question, run);
        moved ||= reply !== 'open';
        // What else is open by now is known when the run is resumed.
        if (reply === 'settled') break;
      }
      if (moved || signal.aborted) return moved;
    }
    return false;
  }

  async #ask(
    ask: Questioner,
    question: PendingQuestion,
    driven: string,
  ): Promise<'answered' | 'open' | 'settled'> {
    const { signal } = this.#stop;
    const { run, id, nonce, audience } = question;
    let refused: TechneError | null = null;
    for (;;) {
      const reply = await ask(question, { run: driven, refused, signal });
      if (reply === 'open' || reply === 'settled') return reply;
      // What was answered before a detach is kept.
      if (this.#isCancelled) return 'open';
      try {
        await this.#options.runner.answer(run, { question: id, nonce, value: reply.answer, from: audience });
        return 'answered';
      } catch (error) {
        if (!(error instanceof TechneError) || !refusals.has(error.code)) throw error;
        refused = error;
      }
    }
  }

  async #cancel(run: string): Promise<RunResult> {
    const { runner } = this.#options;
    const { onEvent } = this.#request();
    const { reason, by } = this.#cancelledBy;
    await runner.cancel(run, reason, by, onEvent);
    return resume(run, this.#options, { signal: neverAborted, drain: neverAborted, onEvent });
  }
}

const byProgram = { reason: 'the program cancelled it', by: 'caller' };

const refusals: ReadonlySet<string> = new Set(['ANSWER_REFUSED', 'QUESTION_UNKNOWN', 'QUESTION_EXPIRED']);

async function resume(
  run: string,
  { runner, answerer, whenOwned, cancelledBy = byProgram }: DriveOptions,
  { signal, drain, onEvent }: BeginRequest,
): Promise<RunResult> {
  let isWaiting = false;
  let isCancelled = false;
  for (;;) {
    try {
      return await runner.resume(run, {
        signal,
        drain,
        onEvent,
        ...(answerer === undefined ? {} : { answerer }),
      });
    } catch (error) {
      if (whenOwned === undefined || !(error instanceof TechneError) || error.code !== 'RUN_OWNED')
        throw error;
      if (!isWaiting) whenOwned.onWait();
      isWaiting = true;
    }
    if (signal.aborted) {
      if (signal.reason instanceof DetachSignal) throw signal.reason;
      if (!isCancelled) await runner.cancel(run, cancelledBy.reason, cancelledBy.by, onEvent);
      isCancelled = true;
    }
    await new Promise<void>((resolve) => whenOwned.clock.after(pollMs, resolve, 'wait'));
  }
}
