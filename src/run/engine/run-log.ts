// Entries on their way into the journal of one run (RunLog), up to its last one (RunClosing).
//
//   add, add, … flush -> one append
//
// What need not be durable at once waits for an effect that is about to begin (`expect`), so that the end of one effect and the
// start of the next are one append. It waits a few milliseconds at most.
//
// Entries become durable in the order in which they were added, and none after one that failed. There is one append at
// a time; entries added meanwhile go out with the next one. After a fault nothing more is written, and every `flush`
// rejects with it. The fingerprint covers every entry of the engine in order, so that a replay detects a changed,
// swapped or missing one.
import type { JournalEntry, RunEnded, RunPaused } from '../../journal/entry.ts';
import type { Claim, RunStore } from '../../ports/run-store.ts';
import type { Sha256 } from '../../ports/environment.ts';
import { entryJson } from '../../journal/frame.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RunClock } from '../../ports/run-clock.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import { makeEnvelope } from '../result/completed-text.ts';
import type { OnRunEvent } from '../events.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { RunResult, RunUsage } from '../result/result.ts';
import { envelopeOf } from '../result/run-result.ts';
import { failureText, pausedText, undecidedText } from '../result/failed-or-paused-text.ts';
import type { StoredValues } from '../run-facts.ts';
import type { BlockedEffects } from './pending-effects.ts';

interface Waiter {
  readonly upTo: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** How long what is to be written soon waits for an effect that is about to begin. */
const patienceMs = 10;

/** For what comes a microtask later; `queueMicrotask` of Node takes longer. */
const settled = Promise.resolve();

interface RunLogOptions {
  readonly store: Pick<RunStore, 'append'>;
  readonly claim: Claim;
  readonly sha256: Sha256;
  readonly clock: Pick<RunClock, 'yieldTurn' | 'after'>;
  /** Those in the journal already. */
  readonly entries: readonly JournalEntry[];
  /** Called once, with the first fault. */
  readonly onFault: (error: Error) => void;
}

export class RunLog {
  readonly #options: RunLogOptions;
  readonly #fingerprint: Fingerprint;
  #pending: JournalEntry[] = [];
  #waiters: Waiter[] = [];
  #seq: number;
  #added = 0;
  #durable = 0;
  /** Entries of the append that is under way. */
  #underWay = 0;
  #pumping = false;
  #soon = false;
  /** Effects that are about to begin. */
  readonly #expected = new Set<string>();
  #patience: { cancel(): void } | null = null;
  #fault: Error | null = null;

  constructor(options: RunLogOptions) {
    this.#options = options;
    this.#seq = options.claim.seq;
    this.#fingerprint = new Fingerprint(options.sha256);
    for (const entry of options.entries) this.#fingerprint.add(entry);
  }

  get fault(): Error | null {
    return this.#fault;
  }

  /** Of everything added so far. */
  get fingerprint(): string {
    return this.#fingerprint.value();
  }

  add(entry: JournalEntry): void {
    this.#fingerprint.add(entry);
    this.#pending.push(entry);
    this.#added += 1;
  }

  /** Resolves when everything added so far is durable. */
  flush(): Promise<void> {
    if (this.#fault !== null) return Promise.reject(this.#fault);
    if (this.#durable === this.#added) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ upTo: this.#added, resolve, reject });
      this.#pump();
    });
  }

  /** For callers that need not wait: written with the flush of this turn, or after it. A fault is reported to `onFault`. */
  flushSoon(): void {
    if (this.#soon || this.#fault !== null || this.#durable === this.#added) return;
    this.#soon = true;
    void this.#pumpSoon();
  }

  /** An effect is about to begin, and its start will be flushed. */
  expect(key: string): void {
    this.#expected.add(key);
  }

  /** It has begun, or does not. */
  met(key: string): void {
    if (!this.#expected.delete(key) || this.#expected.size > 0 || this.#patience === null) return;
    this.#patience.cancel();
    this.#lose();
  }

  async #pumpSoon(): Promise<void> {
    const { clock } = this.#options;
    await clock.yieldTurn();
    if (this.#expected.size === 0 || this.#pending.length === 0) return this.#lose();
    this.#patience = clock.after(patienceMs, () => this.#lose());
  }

  /** Nothing is waited for any more. */
  #lose(): void {
    this.#patience = null;
    this.#soon = false;
    this.#pump();
  }

  /** Created once: an async function for every effect would dominate the memory. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    // Other entries of the same turn join the append.
    void settled.then(this.#send);
  }

  readonly #send = (): void => {
    if (this.#pending.length === 0 || this.#fault !== null) {
      this.#pumping = false;
      return;
    }
    const batch = this.#pending;
    this.#pending = [];
    this.#underWay = batch.length;
    const { store, claim } = this.#options;
    try {
      store.append(claim, this.#seq, batch).then(this.#appended, this.#break);
    } catch (error) {
      this.#break(error);
    }
  };

  readonly #appended = (): void => {
    this.#seq += this.#underWay;
    this.#durable += this.#underWay;
    const { length } = this.#waiters;
    let done = 0;
    while (done < length && (this.#waiters[done] as Waiter).upTo <= this.#durable)
      (this.#waiters[done++] as Waiter).resolve();
    if (done > 0) this.#waiters.splice(0, done);
    this.#send();
  };

  readonly #break = (cause: unknown): void => {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    this.#pumping = false;
    this.#fault = error;
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#options.onFault(error);
    for (const waiter of waiters) waiter.reject(error);
  };
}

// The entries of an engine -> one hash that changes with every changed, swapped, added or missing one.
//
// Entries that stores write themselves (`owner.claimed`) and the end, which contains the hash, do not count.

/** Hashed together: a hash costs more than the text of an entry. Part of the format. */
const entriesPerHash = 64;

export class Fingerprint {
  readonly #sha256: Sha256;
  #value = '';
  #text = '';
  #lines = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(entry: JournalEntry): void {
    if (entry.type === 'owner.claimed' || entry.type === 'run.ended') return;
    // A rope of V8, made flat once by the hash.
    this.#text += `\n${entryJson(entry)}`;
    this.#lines += 1;
    if (this.#lines === entriesPerHash) this.#fold();
  }

  value(): string {
    return this.#lines === 0 ? this.#value : this.#next();
  }

  #fold(): void {
    this.#value = this.#next();
    this.#text = '';
    this.#lines = 0;
  }

  #next(): string {
    return this.#sha256(`${this.#value}${this.#text}`).slice(0, 32);
  }
}

// How a run ends or pauses: its last entry, the release of its journal, and its result.
//
// Nothing is added after the last entry, and the result is given only when that entry is durable. When a run ends, its
// nested runs that no process would resume are cancelled first.

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
      return { ...this.#result('paused', pausedText(skill, run, questions)), questions };
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
