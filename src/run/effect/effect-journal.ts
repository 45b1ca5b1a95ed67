// What is known of the effects of a run, and how their starts and ends get into the journal.
//
//   begin -> effect.started, durable -> (performed) -> end -> effect.ended, durable with the next start
//
// An effect may be performed only after `begin` has resolved. An effect that is known to have ended gets an end: if a
// large result cannot be stored, it is cut to the size of an entry, and the program gets the cut result too. What can
// be entered again is not cut: the run is detached instead. When a run is detached, effects under way get no end, and
// a resume enters them again.
//
// `createEffectContext` gives the functions that perform effects (perform-*.ts) their view of a run.
import type { Json, JsonObject } from '../../base/json.ts';
import type {
  EffectDecided,
  EffectEnded,
  EffectStarted,
  JournalEntry,
  Stored,
  TraceAdded,
  Audience,
} from '../../journal/entry.ts';
import { keepRequestText } from '../../journal/frame.ts';
import type { EffectState } from '../../journal/run-state.ts';
import { maxInlineBytes } from '../../journal/stored-value.ts';
import type { Budgets, BudgetRefusal } from '../budget/budgets.ts';
import { noUsage, usageToJson } from '../budget/budgets.ts';
import { cutJson } from '../result/cut-json.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import type { EffectOutcome } from './effect.ts';
import type { Attempted, Performed, EffectContext } from './effect-context.ts';
import { Stopping } from './effect-context.ts';
import { isReentered, isAsk, isChild, rootOf } from './effect.ts';
import type { RunLog } from '../engine/run-log.ts';
import type { StoredValues } from '../run-facts.ts';
import { Timeline } from '../result/trace.ts';
import { isJsonObject, textOf } from '../../base/json.ts';
import type { InboxMessage } from '../../ports/run-store.ts';
import { decidedCommand } from './perform-command.ts';
import { decidedTool } from './perform-tool.ts';
import type { Abort } from '../../base/abort.ts';
import type { EngineOptions } from '../engine/engine.ts';
import type { Questions, BlockedEffects } from '../engine/pending-effects.ts';

interface EffectJournalOptions {
  readonly log: RunLog;
  /** Whether an effect of this kind does nothing but by parts, which have starts of their own. */
  readonly isInParts: (kind: string) => boolean;
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
    // Its start is durable with that of its first part.
    if (this.#options.isInParts(effect.kind)) {
      log.flushSoon();
      return Promise.resolve(this.#begun(effect, attempt, entry.at));
    }
    const flushed = log.flush();
    log.met(rootOf(effect.key));
    return flushed.then(() => this.#begun(effect, attempt, entry.at));
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

// Journal entries about effects, as the engine and a fork write them.

function startedEntry(
  { key, kind, hash, repeatable }: Attempted,
  request: EffectStarted['request'],
  attempt: number,
  at: number,
  usedMs: number,
): EffectStarted {
  return { type: 'effect.started', at, key, kind, hash, request, repeatable, attempt, usedMs };
}

/** A call that was never made: what it asked for need not be kept whole. */
function refusedEntries(
  effect: Attempted,
  { code, message }: BudgetRefusal,
  at: number,
  usedMs: number,
): readonly [EffectStarted, EffectEnded] {
  const { purpose = null, argv = null } = effect.request;
  const short = {
    ...(purpose === null ? {} : { purpose }),
    ...(argv === null
      ? {}
      : { argv: (argv as readonly string[]).slice(0, 8).map((one) => one.slice(0, 200)) }),
  };
  return [
    startedEntry(effect, { value: short }, 1, at, usedMs),
    {
      type: 'effect.ended',
      at,
      key: effect.key,
      ok: false,
      result: { value: { code, message, refused: true } },
      ms: 0,
      usedMs,
    },
  ];
}

/** The decision of a person: what is `done` has the value that the program will get. */
export async function decidedEntry(
  kind: string,
  { key, as, value, by }: Extract<InboxMessage, { kind: 'decision' }>,
  at: number,
  values: StoredValues,
): Promise<EffectDecided> {
  const entry = { type: 'effect.decided' as const, at, key, as, by };
  if (as === 'retry') return entry;
  if (as === 'fail')
    return {
      ...entry,
      result: {
        value: {
          code: 'DECIDED_FAILED',
          message:
            typeof value === 'string' ? cutText(value, maxMessageUnits).text : `${by} decided that it failed`,
        },
      },
    };
  return { ...entry, result: await values.store(decidedValue(kind, key, value)) };
}

/** The kind that a decision is about: an entry point is a command that gives something else. */
export function decidedKind(kind: string, request: Json): string {
  return kind === 'command' && isJsonObject(request) && request['parse'] !== undefined ? 'exec' : kind;
}

function decidedValue(kind: string, key: string, value: Json): Json {
  if (kind === 'command') return decidedCommand(value);
  if ((kind === 'tool' || kind === 'exec') && !isChild(key)) return decidedTool(value);
  if (kind === 'skill') return value === null ? '' : textOf(value);
  if (isChild(key)) return value;
  return isAsk(kind)
    ? { answer: typeof value === 'string' ? value : '', exhausted: false, turns: 0, truncated: false }
    : value;
}

/** `{ code, message }` as the journal keeps it. */
export function failureOf(result: Json): BudgetRefusal {
  const { code = 'ASK_FAILED', message = 'it failed' } = (result ?? {}) as JsonObject;
  return { code: textOf(code), message: textOf(message) };
}

// A run -> the context in which its effects are performed.

interface EffectContextParts {
  readonly options: EngineOptions;
  readonly signal: Abort;
  readonly log: RunLog;
  readonly budgets: Budgets;
  readonly effects: EffectJournal;
  readonly questions: Questions;
  readonly waiting: BlockedEffects;
  /** Of the wall clock. */
  readonly leftMs: () => number;
}

export function createEffectContext({
  options,
  signal,
  log,
  budgets,
  effects,
  questions,
  waiting,
  leftMs,
}: EffectContextParts): EffectContext {
  const {
    facts,
    answerer,
    commands,
    tools,
    artifacts,
    notes,
    sha256,
    clock,
    values,
    nested,
    ids,
    questionTtlMs,
    onEvent,
    outer,
  } = options;
  const {
    meta: { run, skill },
    limits,
    settings: { folder, trusted, scopes, inComposition, model, depth, ceilings },
  } = facts;
  return {
    run,
    caller: {
      skill: skill.name,
      digest: skill.digest,
      trusted,
      skillFolder: folder,
      outermost: outer?.outermost,
    },
    scopes,
    inComposition,
    model,
    limits,
    signal,
    budgets,
    answerer,
    commands,
    tools,
    artifacts,
    notes,
    ceilings,
    sha256,
    nowMs: () => clock.nowMs(),
    after: (ms, task, purpose) => clock.after(ms, task, purpose),
    monotonicMs: () => clock.monotonicMs(),
    known: (key) => effects.get(key),
    load: (stored) => values.load(stored),
    begin(effect, attempt) {
      questions.use(effect.key);
      return effects.begin(effect, attempt);
    },
    end: (key, kind, performed) => effects.end(key, kind, performed),
    refuse: (effect, refusal) => effects.refuse(effect, refusal),
    questionsOf: (key) => questions.of(key),
    hasExpired: (key) => questions.hasExpired(key, () => clock.nowMs()),
    async putQuestion(
      key: string,
      audience: Audience,
      body: JsonObject,
      expiry: Parameters<EffectContext['putQuestion']>[3] = { ttlMs: questionTtlMs },
    ) {
      const question = await values.store(body);
      const at = clock.nowMs();
      const asked = {
        type: 'question.asked' as const,
        at,
        id: ids.ulid(),
        nonce: ids.nonce(),
        audience,
        key,
        question,
        expiresAt: 'at' in expiry ? expiry.at : expiry.ttlMs === null ? null : at + expiry.ttlMs,
      };
      log.add(asked);
      questions.add({ asked, body, answered: null, value: null, used: false });
      onEvent({ type: 'question.asked', run, at, id: asked.id, key, audience });
    },
    setUndecided(effect) {
      waiting.setUndecided(effect);
      onEvent({ type: 'effect.undecided', run, at: clock.nowMs(), key: effect.key, kind: effect.kind });
    },
    runNested: (call) =>
      nested.run(call, {
        run,
        outermost: outer?.outermost ?? run,
        depth,
        limits,
        budgets,
        ceilings,
        scopes,
        inComposition,
        leftMs: leftMs(),
        answerer: answerer.name,
      }),
    setNested: (key, result) => waiting.setNested(key, result),
    onText: (key, text) => onEvent({ type: 'effect.text', run, key, text }),
    onLoaded: (key, loaded) => onEvent({ ...loaded, type: 'skill.loaded', run, at: clock.nowMs(), key }),
  };
}
