// Drives one run: interpreter -> effects -> journal -> host -> outcomes -> interpreter, until it ends or has to wait.
//
// G1. An effect is performed only after its start is durable (J1). Its end is written with the next start, or at once
//     when nothing else is to be written soon.
// G2. What the journal knows is not performed again: the request must be the same, and the recorded outcome is given.
//     Started without an end: an ask is entered again, what is repeatable is repeated, anything else needs a decision.
// G3. When a run is to stop (cancel, wall clock, a journal that cannot be written), the signal aborts, nothing new is
//     begun, and the result is given only after everything under way has settled: no side effect lands after it.
// G4. A run waits only when nothing is under way: siblings of a question finish first, and are kept.
// G5. The loop never holds the process for long: a slice of the program, then everyone else.
import type { Abort } from '../base/abort.ts';
import { unreachable } from '../base/error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Answerer } from '../host/ports/answerer.ts';
import type { CommandHost } from '../host/ports/command-host.ts';
import type { Sha256 } from '../host/ports/environment.ts';
import type { Ids } from '../host/ports/ids.ts';
import type { RunClock } from '../host/ports/run-clock.ts';
import type { Audience, EffectEnded, JournalEntry, RunEnded, RunPaused, RunStarted } from '../journal/entry.ts';
import { foldRun } from '../journal/run-state.ts';
import type { EffectState } from '../journal/run-state.ts';
import type { Claim, RunStore, StoredEntry } from '../journal/run-store.ts';
import { AbortSource } from './abort-source.ts';
import { Budgets, isRefusal, noUsage } from './budgets.ts';
import type { Refusal } from './budgets.ts';
import type { EffectOutcome, EffectRequest, Interpreter } from './effect.ts';
import { mustBeSame, Nondeterminism, Stopping } from './effect-desk.ts';
import type { Attempted, EffectDesk, Performed } from './effect-desk.ts';
import { failureOf } from './effect-entries.ts';
import { EffectJournal } from './effect-journal.ts';
import { isAsk, rootOf } from './effect-keys.ts';
import { renderEnvelope } from './envelope.ts';
import type { OnRunEvent } from './events.ts';
import { InboxReader } from './inbox-reader.ts';
import type { RunLimits } from './limits.ts';
import { performAsk } from './perform-ask.ts';
import { performCommand } from './perform-command.ts';
import { QuestionBook } from './question-book.ts';
import { requestHash } from './request-hash.ts';
import type { RunResult, RunUsage } from './result.ts';
import { RunLog } from './run-log.ts';
import { settingsOf } from './run-facts.ts';
import type { RunSettings } from './run-facts.ts';
import { envelopeOf } from './run-result.ts';
import { failureText, pausedText, undecidedText } from './run-text.ts';
import type { StoredValues } from './stored-values.ts';
import { TraceBook } from './trace-book.ts';
import { WorkPlaces } from './work-places.ts';

export interface DriveOptions {
  readonly store: RunStore;
  readonly values: StoredValues;
  readonly clock: RunClock;
  readonly ids: Ids;
  readonly sha256: Sha256;
  readonly answerer: Answerer;
  readonly commands: CommandHost;
  readonly onEvent: OnRunEvent;
  readonly claim: Claim;
  /** Everything in the journal, also the entry of this claim. */
  readonly entries: readonly StoredEntry[];
  readonly interpreter: Interpreter;
  readonly limits: RunLimits;
  /** Aborts: the run is cancelled. */
  readonly signal: Abort | null;
  /** How long questions can be answered; null is for ever. */
  readonly questionTtlMs: number | null;
}

type Stop =
  | { readonly kind: 'cancelled'; readonly reason: string }
  | { readonly kind: 'timeout' }
  /** The run cannot be written any more, or does not repeat itself: it is left as it is. */
  | { readonly kind: 'left'; readonly error: Error };

/** Outcomes from the journal that are given in a row before others get their turn. */
const recalledInARow = 64;

export class Drive {
  readonly #options: DriveOptions;
  readonly #meta: RunStarted;
  readonly #settings: RunSettings;
  readonly #log: RunLog;
  readonly #abort: AbortSource;
  readonly #budgets: Budgets;
  readonly #traces: TraceBook;
  readonly #effects: EffectJournal;
  readonly #questions = new QuestionBook();
  readonly #inbox: InboxReader;
  /** Wait for an answer or a decision. */
  readonly #waiting = new Map<string, Attempted>();
  readonly #undecided = new Map<string, Attempted>();
  readonly #places: WorkPlaces<Attempted>;
  readonly #delivered: { readonly key: string; readonly outcome: EffectOutcome }[] = [];
  readonly #desk: EffectDesk;
  #recalled = 0;
  #stop: Stop | null = null;
  #suspending = false;
  /** Its last entry is written, as far as this drive is concerned. */
  #closed = false;
  #bug: Error | null = null;
  readonly #wasPaused: boolean;
  readonly #usedMs: number;
  readonly #sinceMs: number;

  constructor(options: DriveOptions) {
    const { limits, clock } = options;
    const state = foldRun(options.entries);
    const entries = options.entries.map(({ entry }) => entry);
    this.#options = options;
    this.#meta = state.meta;
    this.#settings = settingsOf(state.meta);
    this.#log = new RunLog({ store: options.store, claim: options.claim, sha256: options.sha256, entries, onFault: (error) => this.#requestStop({ kind: 'left', error }) });
    this.#abort = new AbortSource();
    this.#budgets = Budgets.fromJournal(limits, state);
    this.#traces = new TraceBook(entries, limits);
    this.#effects = this.#createEffects(entries, state.effects);
    this.#places = new WorkPlaces({ parallel: limits.parallel, carryOut: (effect) => this.#carryOut(effect), onError: (error) => this.#onError(error) });
    this.#usedMs = state.usedMs;
    this.#wasPaused = state.paused !== null;
    this.#sinceMs = clock.monotonicMs();
    if (state.cancel !== null) this.#stop = { kind: 'cancelled', reason: state.cancel.reason };
    this.#inbox = this.#createInbox();
    this.#desk = this.#createDesk();
  }

  get run(): string {
    return this.#meta.run;
  }

  get depth(): number {
    return this.#settings.depth;
  }

  get signal(): Abort {
    return this.#abort.signal;
  }

  /** What a run inside this one may use. */
  get left(): { readonly tokens: number; readonly costMicros: number; readonly wallMs: number } {
    return { ...this.#budgets.left, wallMs: Math.max(1, this.#options.limits.wallMs - this.#wallMs()) };
  }

  /** Throws what the journal throws (OWNER_LOST, JOURNAL_FULL …), after everything under way has settled. */
  async drive(): Promise<RunResult> {
    const { clock, limits, signal, store, claim } = this.#options;
    const onAbort = (): void => this.cancel('caller', 'the caller cancelled it');
    const timer = clock.after(Math.max(0, limits.wallMs - this.#usedMs), () => this.#requestStop({ kind: 'timeout' }));
    let receiving: ReturnType<RunStore['receive']> | null = null;
    try {
      await this.#questions.load(this.#options.entries.map(({ entry }) => entry), this.#options.values);
      if (this.#wasPaused) this.#resume();
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort);
      receiving = store.receive(claim, (id, message) => this.#inbox.take(id, message));
      return await this.#loop(receiving.ready);
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', onAbort);
      receiving?.close();
      this.#abort.abort(new Stopping());
      await this.#places.settled();
      await this.#inbox.settled();
    }
  }

  cancel(by: string, reason: string): void {
    if (this.#stop !== null || this.#closed) return;
    this.#log.add({ type: 'cancel.requested', at: this.#now(), by, reason });
    this.#requestStop({ kind: 'cancelled', reason });
  }

  /** Begins nothing more, lets what is under way finish, and pauses. */
  suspend(): void {
    this.#suspending = true;
    this.#places.hold();
  }

  #resume(): void {
    const at = this.#now();
    this.#log.add({ type: 'run.resumed', at });
    this.#options.onEvent({ type: 'run.resumed', run: this.run, at, skill: this.#meta.skill.name });
  }

  async #loop(inboxRead: Promise<void>): Promise<RunResult> {
    const { interpreter, clock } = this.#options;
    let lookedIntoInbox = false;
    for (;;) {
      if (this.#bug !== null) throw this.#bug;
      if (this.#stop !== null) return this.#stopped(this.#stop);
      const advance = interpreter.advance();
      switch (advance.kind) {
        case 'slice':
          this.#log.flushSoon();
          await clock.yieldTurn();
          continue;
        case 'done':
          return this.#completed(advance.value as JsonObject);
        case 'failed':
          return this.#failed(advance.code, advance.message);
        case 'waiting':
          break;
        default:
          unreachable(advance);
      }
      try {
        this.#propose(advance.effects);
      } catch (error) {
        if (!(error instanceof Nondeterminism)) throw error;
        this.#requestStop({ kind: 'left', error });
        continue;
      }
      if (this.#delivered.length === 0) {
        this.#log.flushSoon();
        if (this.#places.isIdle) {
          // A message that was there before the run began to wait must not be missed.
          if (lookedIntoInbox) return await this.#paused();
          await inboxRead;
          await this.#inbox.settled();
          lookedIntoInbox = true;
          continue;
        }
        await this.#places.changed();
        continue;
      }
      for (const { key, outcome } of this.#delivered.splice(0)) interpreter.deliver(key, outcome);
      this.#recalled += 1;
      if (this.#recalled % recalledInARow === 0) await clock.yieldTurn();
    }
  }

  #propose(effects: readonly EffectRequest[]): void {
    if (effects.length === 0) return;
    const fresh: Attempted[] = [];
    let refused: Refusal | null = null;
    for (const effect of effects) {
      if (effect.kind === 'trace') {
        this.#trace(effect);
        continue;
      }
      const attempted: Attempted = { ...effect, hash: requestHash(this.#options.sha256, effect.kind, effect.request) };
      const known = this.#effects.get(effect.key);
      if (known === null) {
        fresh.push(attempted);
        continue;
      }
      mustBeSame(known, attempted);
      if (known.ended !== null && !known.ended.ok && isRefusal(known.ended.result)) refused = failureOf('value' in known.ended.result ? known.ended.result.value : null);
      this.#recallOrGoOn(attempted, known);
    }
    for (const kind of new Set(fresh.map((one) => one.kind))) {
      const those = fresh.filter((one) => one.kind === kind);
      const refusal = this.#budgets.refuse(kind, those.length) ?? refused;
      for (const one of those) {
        if (refusal !== null) {
          this.#refuse(one, refusal);
          continue;
        }
        this.#budgets.count(kind);
        this.#places.add(one);
      }
    }
  }

  #trace({ key, request }: EffectRequest): void {
    const entry = this.#traces.add(key, request, this.#now());
    if (entry !== null) {
      this.#effects.trace(entry);
      const data = 'value' in entry.data ? (entry.data.value as JsonObject) : {};
      this.#options.onEvent({ type: 'trace.added', run: this.run, at: entry.at, kind: entry.kind, data, printed: entry.printed === true });
    }
    this.#delivered.push({ key, outcome: { ok: true, value: null } });
  }

  /** G2. */
  #recallOrGoOn(effect: Attempted, known: EffectState): void {
    const { ended, decided, started } = known;
    if (ended !== null) return this.#recall(effect.key, ended.ok, ended.result);
    if (decided !== null && decided.as !== 'retry') return this.#recall(effect.key, decided.as === 'done', decided.result ?? { value: null });
    const mayGoOn = isAsk(effect.kind) || decided !== null || effect.repeatable || started.repeatable;
    if (mayGoOn) this.#places.add(effect);
    else {
      this.#desk.setUndecided(effect);
      this.#waiting.set(effect.key, effect);
    }
  }

  #recall(key: string, ok: boolean, stored: EffectEnded['result']): void {
    const deliver = (result: Json): void => {
      this.#delivered.push({ key, outcome: ok ? { ok, value: result } : { ok, ...failureOf(result) } });
    };
    const loaded = this.#options.values.load(stored);
    if (!(loaded instanceof Promise)) return deliver(loaded);
    this.#places.track(loaded.then(deliver));
  }

  #refuse(effect: Attempted, refusal: Refusal): void {
    this.#effects.refuse(effect, refusal);
    this.#delivered.push({ key: effect.key, outcome: { ok: false, ...refusal } });
  }

  /** Nobody expected it: it ends the drive. A journal that fails has been told of already. */
  #onError(error: unknown): void {
    if (error instanceof Nondeterminism) this.#requestStop({ kind: 'left', error });
    else if (!(error instanceof Stopping) && this.#log.fault === null) this.#bug ??= error instanceof Error ? error : new Error(String(error));
  }

  async #carryOut(effect: Attempted): Promise<void> {
    const performed = await this.#perform(effect);
    if (performed === 'waiting') {
      this.#waiting.set(effect.key, effect);
      // An answer may have come before this was known to wait for it.
      if (!this.#mustWait(effect.key)) this.#goOn(effect.key);
      return;
    }
    await this.#desk.end(effect.key, effect.kind, performed);
    this.#delivered.push({ key: effect.key, outcome: performed.outcome });
  }

  #perform(effect: Attempted): Promise<Performed> {
    if (this.#questions.hasExpired(effect.key, this.#now())) return this.#failAtOnce(effect, 'QUESTION_EXPIRED', 'nobody answered in time');
    if (isAsk(effect.kind)) return performAsk(this.#desk, effect);
    const attempt = (this.#effects.get(effect.key)?.started.attempt ?? 0) + 1;
    if (effect.kind === 'command') return performCommand(this.#desk, effect, attempt);
    return this.#failAtOnce(effect, 'EFFECT_UNSUPPORTED', `this host cannot do "${effect.kind}"`);
  }

  async #failAtOnce(effect: Attempted, code: string, message: string): Promise<Performed> {
    if (this.#effects.get(effect.key) === null) await this.#desk.begin(effect, 1);
    return { outcome: { ok: false, code, message }, ms: 0, usage: noUsage };
  }

  #createEffects(entries: readonly JournalEntry[], effects: ReadonlyMap<string, EffectState>): EffectJournal {
    const { values, onEvent } = this.#options;
    return new EffectJournal({
      log: this.#log,
      values,
      budgets: this.#budgets,
      entries,
      effects,
      nowMs: () => this.#now(),
      isOpen: () => this.#stop === null,
      onStarted: ({ key, kind, request }, attempt, at) => onEvent({ type: 'effect.started', run: this.run, at, key, kind, attempt, request }),
      onEnded: ({ at, key, ok, ms }, kind, code) => {
        onEvent({ type: 'effect.ended', run: this.run, at, key, kind, ok, ms, code });
        onEvent({ type: 'budget.used', run: this.run, usage: this.#usage() });
      },
    });
  }

  #createDesk(): EffectDesk {
    const { limits, answerer, commands, sha256, clock, values } = this.#options;
    const { skill } = this.#meta;
    const { folder, trusted, allowedTools, model } = this.#settings;
    return {
      run: this.run,
      caller: { skill: skill.name, digest: skill.digest, trusted, skillFolder: folder },
      allowedTools,
      model,
      limits,
      signal: this.#abort.signal,
      budgets: this.#budgets,
      answerer,
      commands,
      sha256,
      monotonicMs: () => clock.monotonicMs(),
      nowMs: () => this.#now(),
      known: (key) => this.#effects.get(key),
      load: (stored) => values.load(stored),
      begin: (effect, attempt) => this.#effects.begin(effect, attempt),
      end: (key, kind, performed) => this.#effects.end(key, kind, performed),
      questionsOf: (key) => this.#questions.of(key),
      putQuestion: (key, audience, body) => this.#putQuestion(key, audience, body),
      setUndecided: (effect) => {
        this.#undecided.set(effect.key, effect);
        this.#options.onEvent({ type: 'effect.undecided', run: this.run, at: this.#now(), key: effect.key, kind: effect.kind });
      },
      onText: (key, text) => this.#options.onEvent({ type: 'effect.text', run: this.run, key, text }),
    };
  }

  async #putQuestion(key: string, audience: Audience, body: JsonObject): Promise<void> {
    const { ids, values, questionTtlMs, onEvent } = this.#options;
    const question = await values.store(body);
    const at = this.#now();
    const asked = { type: 'question.asked' as const, at, id: ids.ulid(), nonce: ids.nonce(), audience, key, question, expiresAt: questionTtlMs === null ? null : at + questionTtlMs };
    this.#log.add(asked);
    this.#questions.add({ asked, body, answered: null, value: null });
    onEvent({ type: 'question.asked', run: this.run, at, id: asked.id, key, audience });
  }

  #createInbox(): InboxReader {
    const { values, store, claim, onEvent } = this.#options;
    return new InboxReader({
      questions: this.#questions,
      values,
      nowMs: () => this.#now(),
      isOpen: () => !this.#closed && this.#log.fault === null,
      undecidedKind: (key) => this.#undecided.get(key)?.kind ?? null,
      onCancel: (by, reason) => this.cancel(by, reason),
      onAnswer: (question, entry, value) => {
        this.#log.add(entry);
        this.#questions.setAnswer(question, entry, value);
        onEvent({ type: 'question.answered', run: this.run, at: entry.at, id: entry.id, by: entry.by });
        this.#goOn(question.asked.key);
      },
      onDecision: (entry) => {
        this.#undecided.delete(entry.key);
        this.#effects.decide(entry);
        this.#goOn(rootOf(entry.key));
      },
      onRefused: (id, code, message) => onEvent({ type: 'answer.refused', run: this.run, at: this.#now(), id, code, message }),
      acknowledge: async (id) => {
        await this.#log.flush();
        await store.acknowledge(claim, id);
      },
      onFault: (error) => {
        if (!this.#closed) this.#onError(error);
        this.#places.wake();
      },
    });
  }

  #mustWait(key: string): boolean {
    return this.#questions.isOpen(key) || [...this.#undecided.keys()].some((one) => rootOf(one) === key);
  }

  /** What it waited for is there. */
  #goOn(key: string): void {
    const effect = this.#waiting.get(key);
    if (effect === undefined || this.#mustWait(key)) return;
    this.#waiting.delete(key);
    const known = this.#effects.get(key);
    if (known === null) this.#places.add(effect);
    else this.#recallOrGoOn(effect, known);
    this.#places.wake();
  }

  // The ends.

  async #completed(value: JsonObject): Promise<RunResult> {
    await this.#quiet();
    if (this.#stop !== null) return this.#stopped(this.#stop);
    const { limits } = this.#options;
    const { name } = this.#meta.skill;
    const trace = await this.#effects.render();
    const text = renderEnvelope({ name, outcome: 'completed', envelope: value, trace, traceDropped: this.#traces.dropped, maxUnits: limits.resultUnits });
    return this.#ended('completed', text, null);
  }

  async #failed(code: string, message: string): Promise<RunResult> {
    await this.#quiet();
    if (this.#stop !== null && this.#stop.kind === 'left') return this.#stopped(this.#stop);
    return this.#ended('failed', failureText(this.#meta.skill.name, message, this.run, this.#options.limits.resultUnits), { code, message });
  }

  async #stopped(stop: Stop): Promise<RunResult> {
    this.#abort.abort(new Stopping());
    await this.#places.settled();
    if (this.#bug !== null) throw this.#bug;
    const { limits } = this.#options;
    const { name } = this.#meta.skill;
    const left = this.#stop?.kind === 'left' ? this.#stop : stop;
    switch (left.kind) {
      case 'cancelled':
        return this.#ended('cancelled', failureText(name, 'cancelled', this.run, limits.resultUnits), { code: 'CANCELLED', message: 'cancelled' });
      case 'timeout': {
        const message = `timeout (${limits.wallMs / 1_000} s) exceeded`;
        return this.#ended('failed', failureText(name, message, this.run, limits.resultUnits), { code: 'TIMEOUT', message });
      }
      case 'left': {
        if (!(left.error instanceof Nondeterminism)) throw left.error;
        this.#closed = true;
        await this.#log.flush();
        await this.#options.store.release(this.#options.claim);
        const { message } = left.error;
        const hint = 'the run was not changed; it can be resumed with the version that started it';
        return this.#result('failed', failureText(name, `NONDETERMINISM: ${message}`, this.run, limits.resultUnits), { code: 'NONDETERMINISM', message, hint });
      }
      default:
        return unreachable(left);
    }
  }

  async #ended(status: RunEnded['status'], text: string, error: RunEnded['error']): Promise<RunResult> {
    const { values, interpreter, store, claim, onEvent } = this.#options;
    const usage = this.#usage();
    const stored = await values.store(text);
    const at = this.#now();
    this.#closed = true;
    // Taken before the last entry is written, from everything before it.
    const { fingerprint } = this.#log;
    this.#log.add({ type: 'run.ended', at, status, text: stored, error, usage: { ...usage }, steps: interpreter.steps, fingerprint });
    await this.#log.flush();
    await store.release(claim);
    onEvent({ type: 'run.ended', run: this.run, at, status, code: error?.code ?? null, usage });
    return this.#result(status, text, error === null ? null : { ...error, hint: null });
  }

  async #paused(): Promise<RunResult> {
    const { store, claim, limits, onEvent } = this.#options;
    const { name } = this.#meta.skill;
    const questions = this.#openQuestions();
    if (questions.length === 0 && this.#undecided.size === 0 && !this.#suspending) throw new Error(`run ${this.run} waits for nothing`);
    const reason: RunPaused['reason'] = this.#undecided.size > 0 ? 'decision' : questions.length > 0 ? 'question' : 'stopped';
    const at = this.#now();
    this.#closed = true;
    this.#log.add({ type: 'run.paused', at, reason, usedMs: this.#wallMs() });
    await this.#log.flush();
    await store.release(claim);
    onEvent({ type: 'run.paused', run: this.run, at, reason, questions: questions.length, undecided: this.#undecided.size });
    if (reason !== 'decision') return this.#result('paused', pausedText(name, this.run, questions, limits.resultUnits), null);
    return this.#result('needs_decision', undecidedText(name, this.run, this.#undecidedNow(), limits.resultUnits), null);
  }

  #result(status: RunResult['status'], text: string, error: RunResult['error']): RunResult {
    const waits = status === 'paused' || status === 'needs_decision';
    return {
      status,
      run: this.run,
      skill: this.#meta.skill.name,
      text,
      envelope: error === null ? envelopeOf(text) : null,
      error,
      questions: waits ? this.#openQuestions() : [],
      undecided: waits ? this.#undecidedNow() : [],
      usage: this.#usage(),
    };
  }

  #openQuestions(): RunResult['questions'] {
    return this.#questions.pending((key) => this.#waiting.has(key));
  }

  #undecidedNow(): RunResult['undecided'] {
    return [...this.#undecided.values()].map(({ key, kind, request }) => ({ key, kind, request }));
  }

  /** Aborts what is still under way when the interpreter is through, and waits for it. */
  async #quiet(): Promise<void> {
    if (!this.#places.isIdle) {
      this.#places.hold();
      this.#abort.abort(new Stopping());
      await this.#places.settled();
    }
    await this.#inbox.settled();
    if (this.#bug !== null) throw this.#bug;
  }

  #requestStop(stop: Stop): void {
    // A journal that cannot be written outweighs whatever else was to be said in it.
    if (this.#stop !== null && stop.kind !== 'left') return;
    this.#stop = stop;
    this.#places.hold();
    this.#abort.abort(new Stopping());
  }

  #usage(): RunUsage {
    return this.#budgets.usage(this.#options.interpreter.steps, this.#wallMs(), this.#settings.clamped);
  }

  #wallMs(): number {
    return Math.max(0, Math.round(this.#usedMs + this.#options.clock.monotonicMs() - this.#sinceMs));
  }

  #now(): number {
    return this.#options.clock.nowMs();
  }
}
