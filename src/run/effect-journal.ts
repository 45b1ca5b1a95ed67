// What is known of the effects of a run, and how their starts and ends get into the journal.
//
//   begin -> effect.started, durable -> (performed) -> end -> effect.ended, durable with the next start
//
// J1. An effect may be performed when `begin` has resolved, and not before.
import type { Json } from '../base/json.ts';
import type { EffectDecided, EffectEnded, JournalEntry, Stored, TraceAdded } from '../journal/entry.ts';
import { keepRequestText } from '../journal/entry-json.ts';
import type { EffectState } from '../journal/run-state.ts';
import type { Budgets, Refusal } from './budgets.ts';
import { noUsage, usageToJson } from './budgets.ts';
import type { Attempted, Performed } from './effect-desk.ts';
import { Stopping } from './effect-desk.ts';
import { refusedEntries, startedEntry } from './effect-entries.ts';
import type { RunLog } from './run-log.ts';
import type { StoredValues } from './stored-values.ts';
import { Timeline } from './timeline.ts';

export interface EffectJournalOptions {
  readonly log: RunLog;
  readonly values: StoredValues;
  readonly budgets: Budgets;
  readonly entries: readonly JournalEntry[];
  readonly effects: ReadonlyMap<string, EffectState>;
  readonly nowMs: () => number;
  /** Whether effects may still begin. */
  readonly isOpen: () => boolean;
  readonly onStarted: (effect: Attempted, attempt: number, at: number) => void;
  readonly onEnded: (entry: EffectEnded, kind: string, code: string | null) => void;
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
  async begin(effect: Attempted, attempt: number): Promise<void> {
    const { log, values, nowMs, onStarted } = this.#options;
    this.#mustBeOpen();
    const stored = values.store(effect.request);
    const entry = startedEntry(effect, stored instanceof Promise ? await stored : stored, attempt, nowMs());
    keepRequestText(entry, effect.text);
    this.#mustBeOpen();
    log.add(entry);
    this.#timeline.addStarted(entry, effect.request);
    this.#known.set(effect.key, { key: effect.key, started: entry, ended: null, decided: null });
    await log.flush();
    onStarted(effect, attempt, entry.at);
    if (this.#options.isOpen()) return;
    // It is written that it began; it did not, so that is written too.
    await this.end(effect.key, effect.kind, { outcome: { ok: false, code: 'CANCELLED', message: 'stopped before it began' }, ms: 0, usage: noUsage });
    throw new Stopping();
  }

  /** Resolves when the end is in the log; it is durable with the next start. */
  async end(key: string, kind: string, performed: Exclude<Performed, 'waiting'>): Promise<void> {
    const { outcome } = performed;
    const result: Json = outcome.ok ? outcome.value : { code: outcome.code, message: outcome.message };
    const stored = this.#options.values.store(result);
    this.#end(key, kind, performed, result, stored instanceof Promise ? await stored : stored);
  }

  #end(key: string, kind: string, { outcome, ms, usage }: Exclude<Performed, 'waiting'>, result: Json, settled: Stored): void {
    const { log, budgets, nowMs, onEnded } = this.#options;
    const used = usageToJson(usage);
    const at = nowMs();
    // Spelt out, here and below: a spread takes more than a microsecond.
    const entry: EffectEnded = used === null ? { type: 'effect.ended', at, key, ok: outcome.ok, result: settled, ms } : { type: 'effect.ended', at, key, ok: outcome.ok, result: settled, ms, usage: used };
    log.add(entry);
    this.#timeline.addEnded(entry, result);
    const known = this.#known.get(key);
    if (known !== undefined) this.#known.set(key, { key, started: known.started, ended: entry, decided: known.decided });
    budgets.addUsage(key, usage);
    onEnded(entry, kind, outcome.ok ? null : outcome.code);
  }

  /** A call that is not made. */
  refuse(effect: Attempted, refusal: Refusal): void {
    for (const entry of refusedEntries(effect, refusal, this.#options.nowMs())) {
      this.#options.log.add(entry);
      this.#timeline.add(entry);
    }
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

  #mustBeOpen(): void {
    if (!this.#options.isOpen()) throw new Stopping();
  }
}
