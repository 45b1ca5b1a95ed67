// What is known of the effects of a run, and how their starts and ends get into the journal.
//
//   begin -> effect.started, durable -> (performed) -> end -> effect.ended, durable with the next start
//
// An effect may be performed only after `begin` has resolved. An effect that is known to have ended gets an end: if a
// large result cannot be stored, it is cut to the size of an entry, and the program gets the cut result too. What can
// be entered again is not cut: the run is detached instead. When a run is detached, effects under way get no end, and
// a resume enters them again.
import type { Json } from '../../base/json.ts';
import type {
  EffectDecided,
  EffectEnded,
  EffectStarted,
  JournalEntry,
  Stored,
  TraceAdded,
} from '../../journal/entry.ts';
import { keepRequestText } from '../../journal/frame.ts';
import type { EffectState } from '../../journal/run-state.ts';
import { maxInlineBytes } from '../../journal/stored-value.ts';
import type { Budgets, BudgetRefusal } from '../budget/budgets.ts';
import { noUsage, usageToJson } from '../budget/budgets.ts';
import { cutJson } from '../result/cut-json.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import type { EffectOutcome } from './effect.ts';
import type { Attempted, Performed } from './effect-context.ts';
import { Stopping } from './effect-context.ts';
import { refusedEntries, startedEntry } from './effect-entries.ts';
import { isReentered } from './effect.ts';
import type { RunLog } from '../engine/run-log.ts';
import type { StoredValues } from '../stored-values.ts';
import { Timeline } from '../result/trace.ts';

interface EffectJournalOptions {
  readonly log: RunLog;
  readonly values: StoredValues;
  readonly budgets: Budgets;
  readonly entries: readonly JournalEntry[];
  readonly effects: ReadonlyMap<string, EffectState>;
  readonly nowMs: () => number;
  /** Of the wall clock, so far. */
  readonly usedMs: () => number;
  /** Whether effects may still begin. */
  readonly isOpen: () => boolean;
  /** Whether the run is being detached: effects under way then get no end. */
  readonly isDetached: () => boolean;
  readonly onStarted: (effect: Attempted, attempt: number, at: number) => void;
  readonly onEnded: (
    entry: EffectEnded,
    started: EffectStarted | null,
    kind: string,
    code: string | null,
    result: Json,
  ) => void;
}

export class EffectJournal {
  readonly #options: EffectJournalOptions;
  readonly #known: Map<string, EffectState>;
  readonly #timeline = new Timeline();

  constructor(options: EffectJournalOptions) {
    this.#options = options;
    this.#known = new Map(options.effects);
    for (const entry of options.entries) this.#timeline.add(entry);
  }

  get(key: string): EffectState | null {
    return this.#known.get(key) ?? null;
  }

  /** In the order of their first starts. */
  all(): Iterable<EffectState> {
    return this.#known.values();
  }

  /** The trace of the result. */
  render(): ReturnType<Timeline['render']> {
    return this.#timeline.render(this.#options.values);
  }

  /** Rejects with Stopping when the run is to stop, or with what the journal throws. */
  begin(effect: Attempted, attempt: number): Promise<void> {
    if (!this.#options.isOpen()) return Promise.reject(new Stopping());
    // An async function of this size costs more than a microsecond, so there is one only for a large request.
    const stored = this.#options.values.store(effect.request);
    return stored instanceof Promise
      ? stored.then((kept) => this.#begin(effect, attempt, kept))
      : this.#begin(effect, attempt, stored);
  }

  #begin(effect: Attempted, attempt: number, request: Stored): Promise<void> {
    const { log, budgets, nowMs, usedMs } = this.#options;
    if (!this.#options.isOpen()) return Promise.reject(new Stopping());
    const entry = startedEntry(effect, request, attempt, nowMs(), usedMs());
    keepRequestText(entry, effect.text);
    if (!this.#known.has(effect.key)) budgets.begin(effect.key, effect.kind, effect.repeatable);
    log.add(entry);
    this.#timeline.addStarted(entry, effect.request);
    this.#known.set(effect.key, { key: effect.key, started: entry, ended: null, decided: null });
    return log.flush().then(() => this.#begun(effect, attempt, entry.at));
  }

  #begun(effect: Attempted, attempt: number, at: number): void | Promise<never> {
    this.#options.onStarted(effect, attempt, at);
    if (!this.#options.isOpen()) return this.#neverBegun(effect);
  }

  /** It is written that it began; it did not, so that is written too. */
  async #neverBegun({ key, kind }: Attempted): Promise<never> {
    await this.end(key, kind, {
      outcome: { ok: false, code: 'CANCELLED', message: 'stopped before it began' },
      ms: 0,
      usage: noUsage,
    });
    throw new Stopping();
  }

  /** In the log when it is given; durable with the next start. Gives the outcome that is kept: a promise only of a large one. */
  end(
    key: string,
    kind: string,
    performed: Exclude<Performed, 'waiting'>,
  ): EffectOutcome | Promise<EffectOutcome> {
    const { outcome } = performed;
    const result: Json = outcome.ok ? outcome.value : { code: outcome.code, message: outcome.message };
    const stored = this.#options.values.store(result);
    if (stored instanceof Promise) return this.#endLarge(key, kind, performed, result, stored);
    this.#end(key, kind, performed, result, stored);
    return outcome;
  }

  async #endLarge(
    key: string,
    kind: string,
    performed: Exclude<Performed, 'waiting'>,
    result: Json,
    stored: Promise<Stored>,
  ): Promise<EffectOutcome> {
    const { outcome } = performed;
    let kept: Stored;
    try {
      kept = await stored;
    } catch (error) {
      const cut = this.#cut(key, kind, outcome, error);
      const value: Json = cut.ok ? cut.value : { code: cut.code, message: cut.message };
      this.#end(key, kind, { ...performed, outcome: cut }, value, { value });
      return cut;
    }
    this.#end(key, kind, performed, result, kept);
    return outcome;
  }

  /** Cuts the outcome to the size of an entry. Throws `error` for what can be entered again. */
  #cut(key: string, kind: string, outcome: EffectOutcome, error: unknown): EffectOutcome {
    const isRepeatable = this.#known.get(key)?.started.repeatable === true;
    if (isReentered(kind) || kind === 'skill' || isRepeatable) throw error;
    if (!outcome.ok) return { ...outcome, message: cutText(outcome.message, maxMessageUnits).text };
    return { ok: true, value: cutJson(outcome.value, maxInlineBytes) };
  }

  #end(
    key: string,
    kind: string,
    { outcome, ms, usage }: Exclude<Performed, 'waiting'>,
    result: Json,
    settled: Stored,
  ): void {
    const { log, budgets, nowMs, onEnded } = this.#options;
    const used = usageToJson(usage);
    const at = nowMs();
    const usedMs = this.#options.usedMs();
    // Spelt out, here and below: a spread takes more than a microsecond.
    const entry: EffectEnded =
      used === null
        ? { type: 'effect.ended', at, key, ok: outcome.ok, result: settled, ms, usedMs }
        : { type: 'effect.ended', at, key, ok: outcome.ok, result: settled, ms, usage: used, usedMs };
    if (!this.#options.isDetached()) log.add(entry);
    this.#timeline.addEnded(entry, result);
    const known = this.#known.get(key);
    if (known !== undefined)
      this.#known.set(key, { key, started: known.started, ended: entry, decided: known.decided });
    budgets.addUsage(key, usage);
    onEnded(entry, known?.started ?? null, kind, outcome.ok ? null : outcome.code, result);
  }

  /** A call that is not made. */
  refuse(effect: Attempted, refusal: BudgetRefusal): void {
    const [started, ended] = refusedEntries(effect, refusal, this.#options.nowMs(), this.#options.usedMs());
    for (const entry of [started, ended]) {
      this.#options.log.add(entry);
      this.#timeline.add(entry);
    }
    this.#known.set(effect.key, { key: effect.key, started, ended, decided: null });
  }

  decide(entry: EffectDecided): void {
    this.#options.log.add(entry);
    this.#timeline.add(entry);
    const known = this.#known.get(entry.key);
    if (known !== undefined) this.#known.set(entry.key, { ...known, decided: entry });
  }

  trace(entry: TraceAdded): void {
    this.#options.log.add(entry);
    this.#timeline.add(entry);
  }
}
