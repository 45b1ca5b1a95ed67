// Drives one run: interpreter -> effects -> journal -> host -> outcomes -> interpreter, until it ends or has to wait.
//
// An effect is performed only after its start is durable. Its end is written with the next start, or immediately if
// nothing else will be written soon. An effect that is in the journal is not performed again: the request must be the
// same, and the recorded outcome is used. Without an end, an ask is entered again, a repeatable effect is repeated,
// and any other needs a decision.
//
// When a run is to stop (cancel, wall clock, a journal that cannot be written), the signal aborts, nothing new starts,
// and the result is given only after everything under way has settled: no side effect happens after it. A run waits
// only when nothing is under way: the siblings of a question finish first. The loop runs the program in slices, so
// that it never blocks the process for long.
import type { Abort } from '../../base/abort.ts';
import { AbortSource } from '../../base/abort.ts';
import { unreachable } from '../../base/error.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Answerer } from '../../ports/answerer.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import type { Artifacts } from '../../ports/artifacts.ts';
import type { NoteHost } from '../../ports/note-host.ts';
import type { ToolHost } from '../../ports/tool-host.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { Ids } from '../../ports/ids.ts';
import type { RunClock } from '../../ports/run-clock.ts';
import type { EffectEnded, JournalEntry, RunEnded, RunStarted } from '../../journal/entry.ts';
import type { EffectState, RunState } from '../../journal/run-state.ts';
import type { Claim, RunStore, StoredEntry } from '../../ports/run-store.ts';
import type { OuterBudgets, BudgetRefusal } from '../budget/budgets.ts';
import { Budgets, isRefusal, usageFromJson } from '../budget/budgets.ts';
import { createEffectContext, failureOf, EffectJournal } from '../effect/effect-journal.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import type { EffectOutcome, EffectRequest, Interpreter } from '../effect/effect.ts';
import {
  attempt,
  CancelSignal,
  DetachSignal,
  mustBeSame,
  Nondeterminism,
  Stopping,
} from '../effect/effect-context.ts';
import type { Attempted, EffectContext, Performed } from '../effect/effect-context.ts';
import { isAsk, isChild, isReentered, rootOf } from '../effect/effect.ts';
import type { OnRunEvent } from '../events.ts';
import { commandNote, noListener, toolName } from '../events.ts';
import { InboxReader } from '../tell/inbox-reader.ts';
import type { NestedRuns } from '../nested-run.ts';
import { nestedRunName } from '../nested-run.ts';
import { performEffect } from '../effect/perform-effect.ts';
import { Questions, BlockedEffects, TaskPool } from './pending-effects.ts';
import type { RunResult, RunUsage } from '../result/result.ts';
import { RunClosing, RunLog } from './run-log.ts';
import type { RunFacts, StoredValues } from '../run-facts.ts';
import { TraceLog } from '../result/trace.ts';

export interface EngineOptions {
  readonly store: RunStore;
  readonly values: StoredValues;
  readonly clock: RunClock;
  readonly ids: Ids;
  readonly sha256: Sha256;
  readonly answerer: Answerer;
  readonly commands: CommandHost;
  readonly tools: ToolHost;
  /** null: this host does not look at files. */
  readonly artifacts: Artifacts | null;
  /** null: this host writes no notes. */
  readonly notes: NoteHost | null;
  readonly onEvent: OnRunEvent;
  readonly claim: Claim;
  /** Everything in the journal, also the entry of this claim; and the state that follows from it. */
  readonly entries: readonly StoredEntry[];
  readonly state: RunState;
  readonly facts: RunFacts;
  readonly interpreter: Interpreter;
  /** Aborts: the run is cancelled; with a DetachSignal, it is detached. */
  readonly signal: Abort | null;
  /** Aborts: nothing more begins; the run is detached when the effects under way have ended. */
  readonly drain: Abort | null;
  /** How long questions can be answered; null is forever. */
  readonly questionTtlMs: number | null;
  /** Nested runs. */
  readonly nested: NestedRuns;
  /** The budgets of the outer run, and the run that all of it is part of. */
  readonly outer: (OuterBudgets & { readonly outermost: string }) | null;
}

type Stop =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timeout' }
  /** The journal cannot be written any more, or the program does not repeat itself: the run is detached. */
  | { readonly kind: 'detached'; readonly error: Error };

/** The reason with which listeners of a run are stopped when it is over. Created once: an error references the calls it was created
 *  in, and so everything of the run, until the next full garbage collection. */
const isOver = new DetachSignal();

/** Outcomes from the journal that are given in a row before others get their turn. */
const recalledInARow = 64;

export class RunEngine {
  readonly #options: EngineOptions;
  readonly #meta: RunStarted;
  readonly #clamped: readonly string[];
  readonly #log: RunLog;
  readonly #abort = new AbortSource();
  readonly #budgets: Budgets;
  readonly #traces: TraceLog;
  readonly #effects: EffectJournal;
  readonly #questions = new Questions();
  readonly #waiting: BlockedEffects;
  readonly #inbox: InboxReader;
  readonly #places: TaskPool<Attempted>;
  #delivered: { readonly key: string; readonly outcome: EffectOutcome }[] = [];
  readonly #context: EffectContext;
  readonly #closing: RunClosing;
  #recalled = 0;
  #asks = 0;
  /** Of the asks in the journal, by key. */
  readonly #askOrder: ReadonlyMap<string, number>;
  #stop: Stop | null = null;
  #isDraining = false;
  /** Effects under way that a drain waits for: all but sleeps, which are entered again at no cost. */
  #busy = 0;
  /** A nested run was detached by the drain. */
  #leftNested = false;
  #bug: Error | null = null;
  readonly #wasPaused: boolean;
  readonly #usedMs: number;
  readonly #sinceMs: number;

  constructor(options: EngineOptions) {
    const { facts, clock, store, claim, sha256, values, onEvent, state } = options;
    const { limits } = facts;
    const entries = options.entries.map(({ entry }) => entry);
    this.#options = options;
    this.#meta = facts.meta;
    this.#clamped = facts.settings.clamped;
    this.#log = new RunLog({
      store,
      claim,
      sha256,
      clock,
      entries,
      onFault: (error) => this.#requestStop({ kind: 'detached', error }),
    });
    this.#budgets = Budgets.fromJournal(limits, state, options.outer);
    this.#traces = new TraceLog(entries, limits);
    this.#effects = this.#createEffects(entries, state.effects);
    this.#askOrder = new Map(
      [...state.effects.values()]
        .filter(({ key, started }) => isAsk(started.kind) && !isChild(key))
        .map(({ key }, at) => [key, at + 1]),
    );
    if (options.interpreter.isConcurrent === true) this.#asks = this.#askOrder.size;
    this.#waiting = new BlockedEffects(this.run, this.#questions);
    this.#places = new TaskPool({
      parallel: limits.parallel,
      carryOut: (effect) => this.#carryOut(effect),
      onError: (error) => this.#onError(error),
    });
    this.#usedMs = state.usedMs;
    this.#wasPaused = state.paused !== null;
    this.#sinceMs = clock.monotonicMs();
    if (state.cancel !== null) this.#stop = { kind: 'cancelled' };
    else if (state.usedMs >= limits.wallMs) this.#stop = { kind: 'timeout' };
    this.#inbox = this.#createInbox();
    const { signal } = this.#abort;
    this.#context = createEffectContext({
      options,
      signal,
      log: this.#log,
      budgets: this.#budgets,
      effects: this.#effects,
      questions: this.#questions,
      waiting: this.#waiting,
      leftMs: () => Math.max(1, limits.wallMs - this.#wallMs()),
    });
    this.#closing = new RunClosing({
      run: this.run,
      skill: facts.meta.skill.name,
      log: this.#log,
      store,
      claim,
      values,
      clock,
      limits,
      waiting: this.#waiting,
      onEvent,
      usage: () => this.#usage(),
      abandonNested: () => this.#abandonNested(),
    });
  }

  get run(): string {
    return this.#meta.run;
  }

  /** Throws what the journal throws (OWNER_LOST, JOURNAL_FULL …), after everything under way has settled. */
  async drive(): Promise<RunResult> {
    const {
      clock,
      facts: { limits },
      signal,
      drain,
      store,
      claim,
    } = this.#options;
    const onDrain = (): void => this.#drain();
    const onAbort = (): void => {
      if (signal?.reason instanceof DetachSignal)
        this.#requestStop({ kind: 'detached', error: signal.reason });
      else if (signal?.reason instanceof CancelSignal) this.cancel(signal.reason.by, signal.reason.message);
      else this.cancel('caller', 'the caller cancelled it');
    };
    const timer = clock.after(Math.max(0, limits.wallMs - this.#usedMs), () =>
      this.#requestStop({ kind: 'timeout' }),
    );
    let receiving: ReturnType<RunStore['receive']> | null = null;
    try {
      // A run that only has to end needs none of its values: some of them may be lost.
      if (this.#stop === null)
        await this.#questions.load(
          this.#options.entries.map(({ entry }) => entry),
          this.#options.values,
        );
      if (this.#wasPaused || (claim.epoch > 1 && this.#stop === null)) this.#resume();
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort);
      if (drain?.aborted === true) onDrain();
      else drain?.addEventListener('abort', onDrain);
      receiving = store.receive(claim, (id, message) => this.#inbox.take(id, message));
      return await this.#loop(receiving.ready);
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', onAbort);
      drain?.removeEventListener('abort', onDrain);
      receiving?.close();
      this.#abort.abort(isOver);
      await this.#places.settled();
      await this.#inbox.settled();
    }
  }

  cancel(by: string, reason: string): void {
    if (this.#stop !== null || this.#closing.isClosed) return;
    this.#log.add({
      type: 'cancel.requested',
      at: this.#now(),
      by,
      reason: cutText(reason, maxMessageUnits).text,
    });
    this.#requestStop({ kind: 'cancelled' });
  }

  /** Starts nothing more, lets effects under way finish, then detaches; a run that waits for an answer pauses. */
  #drain(): void {
    this.#isDraining = true;
    this.#places.hold();
  }

  #resume(): void {
    const at = this.#now();
    // After a crash the claim records it already.
    if (this.#wasPaused) this.#log.add({ type: 'run.resumed', at });
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
          return this.#completed(advance.value as JsonObject, advance.error ?? null);
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
        this.#requestStop({ kind: 'detached', error });
        continue;
      }
      if (this.#delivered.length === 0) {
        this.#log.flushSoon();
        if (this.#isDraining && this.#busy === 0 && !this.#places.isIdle) {
          this.#requestStop({ kind: 'detached', error: new DetachSignal() });
          continue;
        }
        if (this.#places.isIdle) {
          if (!lookedIntoInbox) {
            // A message that was there before the run began to wait must not be missed.
            await inboxRead;
            await this.#inbox.settled();
            lookedIntoInbox = true;
          } else if (this.#isDraining || !(await this.#takeNews())) return await this.#paused();
          continue;
        }
        await this.#places.changed();
        continue;
      }
      const delivered = this.#delivered;
      this.#delivered = [];
      for (const { key, outcome } of delivered) interpreter.deliver(key, outcome);
      this.#recalled += 1;
      if (this.#recalled % recalledInARow === 0) await clock.yieldTurn();
    }
  }

  #propose(effects: readonly EffectRequest[]): void {
    if (effects.length === 0) return;
    const { isConcurrent = false } = this.#options.interpreter;
    const fresh: Attempted[] = [];
    let refused: BudgetRefusal | null = null;
    for (const effect of effects) {
      if (effect.kind === 'trace') {
        this.#trace(effect);
        continue;
      }
      const known = this.#effects.get(effect.key);
      const attempted = this.#attempt(effect, known);
      if (known === null) {
        fresh.push(attempted);
        continue;
      }
      mustBeSame(known, attempted);
      if (known.ended !== null && !known.ended.ok && isRefusal(known.ended.result))
        refused = failureOf(known.ended.result.value);
      this.#recallOrContinue(attempted, known);
    }
    for (let at = 0; at < fresh.length;) {
      const { kind } = fresh[at] as Attempted;
      let end = at + 1;
      if (!isConcurrent) while (fresh[end]?.kind === kind) end += 1;
      // Consecutive effects of one kind are admitted together, or none of them.
      const refusal = this.#budgets.refuse(kind, end - at) ?? (isConcurrent ? null : refused);
      for (; at < end; at += 1) {
        const effect = fresh[at] as Attempted;
        if (refusal !== null) this.#refuse(effect, refusal);
        else {
          this.#budgets.count(effect.key, kind);
          this.#places.add(effect);
        }
      }
    }
  }

  #attempt(effect: EffectRequest, known: EffectState | null): Attempted {
    const attempted = attempt(
      this.#options.sha256,
      effect,
      isAsk(effect.kind) ? this.#ordinal(effect.key, known) : 0,
    );
    if (effect.kind !== 'skill') return attempted;
    // The name of the nested run is not part of the request, so that a fork asks for the same.
    const request = { ...effect.request, run: nestedRunName(this.#options.sha256, this.run, effect.key) };
    return { ...attempted, request, text: canonicalJson(request) };
  }

  /** Numbers in the order of proposal; where the order may differ after a resume, known asks keep their number. */
  #ordinal(key: string, known: EffectState | null): number {
    if (known === null || this.#options.interpreter.isConcurrent !== true) return (this.#asks += 1);
    return this.#askOrder.get(key) ?? 0;
  }

  #trace({ key, request }: EffectRequest): void {
    const entry = this.#traces.add(key, request, this.#now());
    if (entry !== null) {
      this.#effects.trace(entry);
      const data = 'value' in entry.data ? (entry.data.value as JsonObject) : {};
      this.#options.onEvent({
        type: 'trace.added',
        run: this.run,
        at: entry.at,
        kind: entry.kind,
        data,
        printed: entry.printed === true,
      });
    }
    this.#deliver(key, { ok: true, value: null });
  }

  /** Uses the recorded outcome; without one, enters the effect again or asks for a decision. */
  #recallOrContinue(effect: Attempted, known: EffectState): void {
    const { ended, decided, started } = known;
    if (ended !== null) return this.#recall(effect.key, ended.ok, ended.result);
    if (decided !== null && decided.as !== 'retry')
      return this.#recall(effect.key, decided.as === 'done', decided.result ?? { value: null });
    const mayGoOn = isReentered(effect.kind) || decided !== null || effect.repeatable || started.repeatable;
    if (mayGoOn) this.#places.add(effect);
    else {
      this.#context.setUndecided(effect);
      this.#waiting.add(effect);
    }
  }

  #recall(key: string, ok: boolean, stored: EffectEnded['result']): void {
    const deliver = (result: Json): void =>
      this.#deliver(key, ok ? { ok, value: result } : { ok, ...failureOf(result) });
    const loaded = this.#options.values.load(stored);
    if (!(loaded instanceof Promise)) return deliver(loaded);
    this.#places.track(loaded.then(deliver));
  }

  #refuse(effect: Attempted, refusal: BudgetRefusal): void {
    this.#effects.refuse(effect, refusal);
    this.#deliver(effect.key, { ok: false, ...refusal });
  }

  /** An unexpected error: it ends the drive. A failing journal has been reported already. */
  #onError(error: unknown): void {
    if (error instanceof Nondeterminism) this.#requestStop({ kind: 'detached', error });
    else if (error instanceof DetachSignal && this.#isDraining) this.#leftNested = true;
    else if (!(error instanceof Stopping) && this.#log.fault === null)
      this.#bug ??= error instanceof Error ? error : new Error(String(error));
  }

  /** Without async functions, each of which has a promise of its own and is resumed a turn later. */
  #carryOut(effect: Attempted): Promise<void> {
    const weight = effect.kind === 'sleep' ? 0 : 1;
    this.#busy += weight;
    this.#log.expect(effect.key);
    const leave = (): void => {
      this.#busy -= weight;
      this.#log.met(effect.key);
    };
    return performEffect(this.#context, effect).then(
      (performed) => {
        if (performed === 'waiting') {
          leave();
          this.#waiting.add(effect);
          // An answer may have come before this was known to wait for it.
          return this.#continue(effect.key);
        }
        const kept = this.#end(effect, performed);
        if (kept instanceof Promise) return kept.finally(leave);
        leave();
        return kept;
      },
      (error: unknown) => {
        leave();
        throw error;
      },
    );
  }

  #end({ key, kind }: Attempted, performed: Exclude<Performed, 'waiting'>): void | Promise<void> {
    const outcome = this.#context.end(key, kind, performed);
    if (!(outcome instanceof Promise)) return this.#deliver(key, outcome);
    return outcome.then((kept) => this.#deliver(key, kept));
  }

  #deliver(key: string, outcome: EffectOutcome): void {
    this.#delivered.push({ key, outcome });
  }

  #createEffects(entries: readonly JournalEntry[], effects: ReadonlyMap<string, EffectState>): EffectJournal {
    const { values, onEvent, answerer } = this.#options;
    return new EffectJournal({
      log: this.#log,
      isInParts: (kind) => isAsk(kind) && answerer.inParts === true,
      values,
      budgets: this.#budgets,
      entries,
      effects,
      nowMs: () => this.#now(),
      usedMs: () => this.#wallMs(),
      isOpen: () => this.#stop === null,
      isDetached: () => this.#stop?.kind === 'detached',
      onStarted: ({ key, kind, request }, number, at) => {
        if (onEvent !== noListener)
          onEvent({ type: 'effect.started', run: this.run, at, key, kind, attempt: number, request });
      },
      onEnded: ({ at, key, ok, ms, usage = {} }, started, kind, code, result) => {
        if (onEvent === noListener) return;
        onEvent({
          type: 'effect.ended',
          run: this.run,
          at,
          key,
          kind,
          ok,
          ms,
          code,
          note: kind === 'command' && ok ? commandNote(result) : null,
          usage: usageFromJson(usage),
        });
        if (kind === 'tool' && code !== null)
          onEvent({ type: 'tool.failed', run: this.run, at, key, tool: toolName(started), code });
        onEvent({ type: 'budget.used', run: this.run, usage: this.#usage() });
      },
    });
  }

  #createInbox(): InboxReader {
    const { values, store, claim, onEvent } = this.#options;
    return new InboxReader({
      questions: this.#questions,
      values,
      nowMs: () => this.#now(),
      isOpen: () => !this.#closing.isClosed && this.#log.fault === null,
      undecidedKind: (key) => this.#waiting.undecidedKind(key),
      onCancel: (by, reason) => this.cancel(by, reason),
      onAnswer: (question, entry, value) => {
        this.#log.add(entry);
        this.#questions.setAnswer(question, entry, value);
        onEvent({ type: 'question.answered', run: this.run, at: entry.at, id: entry.id, by: entry.by });
        this.#continue(rootOf(question.asked.key));
      },
      onDecision: (entry) => {
        this.#waiting.decide(entry.key);
        this.#effects.decide(entry);
        this.#continue(rootOf(entry.key));
      },
      onRefused: (id, code, message) =>
        onEvent({ type: 'answer.refused', run: this.run, at: this.#now(), id, code, message }),
      acknowledge: async (id) => {
        await this.#log.flush();
        await store.acknowledge(claim, id);
      },
      onFault: (error) => {
        this.#onError(error);
        this.#places.wake();
      },
    });
  }

  /** An effect of the program whose answer may have arrived. */
  #continue(root: string): void {
    const effect = this.#waiting.take(root);
    if (effect === null) return;
    const known = this.#effects.get(root);
    if (known === null) this.#places.add(effect);
    else this.#recallOrContinue(effect, known);
    this.#places.wake();
  }

  /** Whether an effect may continue because a nested run was answered. */
  async #takeNews(): Promise<boolean> {
    const effects = await this.#waiting.takeNews((result) => this.#options.nested.hasNews(result));
    for (const effect of effects) this.#places.add(effect);
    return effects.length > 0;
  }

  /** Those that are not known to have ended. */
  async #abandonNested(): Promise<void> {
    for (const { key, started, ended, decided } of this.#effects.all()) {
      if (started.kind !== 'skill' || ended !== null || (decided !== null && decided.as !== 'retry'))
        continue;
      await this.#options.nested.abandon(nestedRunName(this.#options.sha256, this.run, key));
    }
  }

  async #completed(value: JsonObject, error: RunEnded['error']): Promise<RunResult> {
    await this.#quiet();
    if (this.#stop !== null) return this.#stopped(this.#stop);
    return this.#closing.completed(value, await this.#effects.render(), this.#traces.dropped, error);
  }

  async #failed(code: string, message: string): Promise<RunResult> {
    await this.#quiet();
    if (this.#stop !== null && this.#stop.kind === 'detached') return this.#stopped(this.#stop);
    return this.#closing.failed(code, message);
  }

  async #stopped(stop: Stop): Promise<RunResult> {
    this.#abort.abort(stop.kind === 'detached' ? new DetachSignal() : new Stopping());
    await this.#places.settled();
    if (this.#bug !== null) throw this.#bug;
    const last = this.#stop?.kind === 'detached' ? this.#stop : stop;
    switch (last.kind) {
      case 'cancelled':
        return this.#closing.cancelled();
      case 'timeout':
        return this.#closing.timedOut();
      case 'detached':
        if (last.error instanceof Nondeterminism) return this.#closing.diverged(last.error.message);
        if (last.error instanceof DetachSignal) await this.#closing.detach();
        throw last.error;
      default:
        return unreachable(last);
    }
  }

  async #paused(): Promise<RunResult> {
    const reason = this.#waiting.reason();
    // What could go on must be found by the next process that looks for it.
    if (this.#isDraining && (reason === null || this.#places.hasQueued || this.#leftNested))
      return this.#stopped({ kind: 'detached', error: new DetachSignal() });
    if (reason === null) throw new Error(`run ${this.run} waits for nothing`);
    return this.#closing.paused(reason);
  }

  /** Aborts what is still under way when the interpreter has ended, and waits for it. */
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
    // A journal that cannot be written outweighs any other reason to stop.
    if (this.#stop !== null && stop.kind !== 'detached') return;
    this.#stop = stop;
    this.#places.hold();
    this.#abort.abort(stop.kind === 'detached' ? new DetachSignal() : new Stopping());
  }

  #usage(): RunUsage {
    return this.#budgets.usage(this.#options.interpreter.steps, this.#wallMs(), this.#clamped);
  }

  #wallMs(): number {
    return Math.max(0, Math.round(this.#usedMs + this.#options.clock.monotonicMs() - this.#sinceMs));
  }

  #now(): number {
    return this.#options.clock.nowMs();
  }
}
