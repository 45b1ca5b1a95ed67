// How a run ends or pauses: its last entry, the release of its journal, and its result.
//
// Nothing is added after the last entry, and the result is given only when that entry is durable. When a run ends, its
// nested runs that no process would resume are cancelled first.
import type { JsonObject } from '../../base/json.ts';
import type { RunClock } from '../../ports/run-clock.ts';
import type { RunEnded, RunPaused } from '../../journal/entry.ts';
import type { Claim, RunStore } from '../../ports/run-store.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import { makeEnvelope } from '../result/envelope.ts';
import type { OnRunEvent } from '../events.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { RunResult, RunUsage } from '../result/result.ts';
import type { RunLog } from './run-log.ts';
import { envelopeOf } from '../result/run-result.ts';
import { failureText, pausedText, undecidedText } from '../result/run-text.ts';
import type { StoredValues } from '../run-facts.ts';
import type { BlockedEffects } from './pending-effects.ts';

interface ClosingParts {
  readonly run: string;
  readonly skill: string;
  readonly log: RunLog;
  readonly store: RunStore;
  readonly claim: Claim;
  readonly values: StoredValues;
  readonly clock: RunClock;
  readonly limits: RunLimits;
  readonly waiting: BlockedEffects;
  readonly onEvent: OnRunEvent;
  readonly usage: () => RunUsage;
  /** Cancels the nested runs that have not ended. */
  readonly abandonNested: () => Promise<void>;
}

export class RunClosing {
  readonly #parts: ClosingParts;
  #closed = false;

  constructor(parts: ClosingParts) {
    this.#parts = parts;
  }

  /** Its last entry is written, as far as this drive is concerned. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** `error`: why the result is partial. */
  completed(
    envelope: JsonObject,
    trace: readonly JsonObject[],
    traceDropped: number,
    error: RunEnded['error'] = null,
  ): Promise<RunResult> {
    const { skill, limits } = this.#parts;
    const outcome = error === null ? 'completed' : 'partial';
    const made = makeEnvelope({
      name: skill,
      outcome,
      envelope,
      trace,
      traceDropped,
      maxUnits: limits.resultUnits,
    });
    return this.#end(
      outcome,
      made.text,
      error === null ? null : { ...error, message: cutText(error.message, maxMessageUnits).text },
      made.envelope,
    );
  }

  /** The text is that of the whole message, as a replay makes it; what is kept beside it is cut. */
  failed(code: string, message: string): Promise<RunResult> {
    return this.#end(
      'failed',
      this.#failureText(message),
      { code, message: cutText(message, maxMessageUnits).text },
      null,
    );
  }

  cancelled(): Promise<RunResult> {
    return this.#end(
      'cancelled',
      this.#failureText('cancelled'),
      { code: 'CANCELLED', message: 'cancelled' },
      null,
    );
  }

  timedOut(): Promise<RunResult> {
    return this.failed('TIMEOUT', `timeout (${this.#parts.limits.wallMs / 1_000} s) exceeded`);
  }

  /** Any process may resume it: what the run used so far is kept, also of calls that were stopped. */
  async detach(): Promise<void> {
    const { log, clock } = this.#parts;
    if (this.#closed || log.fault !== null) return;
    this.#closed = true;
    log.add({ type: 'run.detached', at: clock.nowMs(), usedMs: this.#parts.usage().wallMs });
    await log.flush();
  }

  /** The program does not repeat what its journal contains: the run stays as it was. */
  async diverged(message: string): Promise<RunResult> {
    const { log, store, claim } = this.#parts;
    this.#closed = true;
    await log.flush();
    await store.release(claim);
    const hint = 'the run was not changed; it can be resumed with the version that started it';
    return this.#result(
      'failed',
      this.#failureText(`NONDETERMINISM: ${message}`),
      { code: 'NONDETERMINISM', message, hint },
      null,
    );
  }

  async paused(reason: RunPaused['reason']): Promise<RunResult> {
    const { run, skill, log, store, claim, clock, limits, waiting, onEvent } = this.#parts;
    const questions = waiting.questions();
    const undecided = waiting.undecided();
    const at = clock.nowMs();
    this.#closed = true;
    log.add({ type: 'run.paused', at, reason, usedMs: this.#parts.usage().wallMs });
    await log.flush();
    await store.release(claim);
    onEvent({
      type: 'run.paused',
      run,
      at,
      reason,
      questions: questions.length,
      undecided: undecided.length,
    });
    if (reason !== 'decision')
      return { ...this.#result('paused', pausedText(skill, run, questions, limits.resultUnits)), questions };
    return {
      ...this.#result('needs_decision', undecidedText(skill, run, undecided, limits.resultUnits)),
      questions,
      undecided,
    };
  }

  async #end(
    status: RunEnded['status'],
    text: string,
    error: RunEnded['error'],
    envelope: JsonObject | null,
  ): Promise<RunResult> {
    const { run, log, store, claim, values, clock, onEvent } = this.#parts;
    await this.#parts.abandonNested();
    const usage = this.#parts.usage();
    const stored = await values.store(text);
    const at = clock.nowMs();
    this.#closed = true;
    // Taken before the last entry is written, from everything before it.
    const { fingerprint } = log;
    log.add({
      type: 'run.ended',
      at,
      status,
      text: stored,
      error,
      usage: { ...usage },
      steps: usage.steps,
      fingerprint,
    });
    await log.flush();
    await store.release(claim);
    onEvent({ type: 'run.ended', run, at, status, code: error?.code ?? null, usage });
    return this.#result(status, text, error === null ? null : { ...error, hint: null }, envelope);
  }

  #failureText(message: string): string {
    const { run, skill, limits } = this.#parts;
    return failureText(skill, message, run, limits.resultUnits);
  }

  #result(
    status: RunResult['status'],
    text: string,
    error: RunResult['error'] = null,
    envelope: JsonObject | null = envelopeOf(text),
  ): RunResult {
    const { run, skill, usage } = this.#parts;
    return { status, run, skill, text, envelope, error, questions: [], undecided: [], usage: usage() };
  }
}
