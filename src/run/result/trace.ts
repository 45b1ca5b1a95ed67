// The trace of a run: small facts about what happened.
//
//   the journal -> Timeline -> the trace of the result
//   trace() and print() of a program -> TraceLog -> entries of the journal, the same ones at each resume
//
// Entries of the program are limited in number and size; dropped and cut entries are reported. The engine adds an
// entry for every call, with an `id`, which no entry of a program has.
import { isJsonObject, textOf, canonicalJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { EffectEnded, EffectStarted, JournalEntry, TraceAdded } from '../../journal/entry.ts';
import { noUsage, usageFromJson } from '../budget/budgets.ts';
import { cutText } from '../../base/cut-text.ts';
import { unreachable } from '../../base/error.ts';
import { isChild } from '../effect/effect.ts';
import type { StoredValues } from '../run-facts.ts';
import { Nondeterminism } from '../effect/effect-context.ts';
import type { RunLimits } from '../budget/limits.ts';
import { printedText } from '../program/program-interpreter.ts';

// The entries of a run in their order -> the trace of its result.
//
// It is made from the journal, so that a live run, a resumed one and a replay give the same. The parts of an ask and
// printed lines are left out; `techne runs show` has them.

interface CallItem {
  started: EffectStarted;
  ended: EffectEnded | null;
  /** As JSON where it is at hand; else it is loaded. */
  request: Json | undefined;
  result: Json | undefined;
}

export class Timeline {
  readonly #items: (CallItem | TraceAdded)[] = [];
  readonly #calls = new Map<string, CallItem>();
  #startedAt = 0;

  add(entry: JournalEntry): void {
    switch (entry.type) {
      case 'run.started':
        this.#startedAt = entry.at;
        return;
      case 'trace.added':
        if (entry.printed !== true) this.#items.push(entry);
        return;
      case 'effect.started':
        return this.addStarted(entry, undefined);
      case 'effect.ended':
        return this.addEnded(entry, undefined);
      case 'effect.decided':
        if (entry.as !== 'retry') {
          this.addEnded(
            {
              type: 'effect.ended',
              at: entry.at,
              key: entry.key,
              ok: entry.as === 'done',
              result: entry.result ?? { value: null },
              ms: 0,
            },
            undefined,
          );
        }
        return;
      case 'owner.claimed':
      case 'question.asked':
      case 'question.answered':
      case 'cancel.requested':
      case 'run.paused':
      case 'run.resumed':
      case 'run.detached':
      case 'run.ended':
        return;
      default:
        unreachable(entry);
    }
  }

  addStarted(started: EffectStarted, request: Json | undefined): void {
    if (isChild(started.key)) return;
    const before = this.#calls.get(started.key);
    if (before !== undefined) {
      // Another attempt: it stays where it was first.
      before.ended = null;
      return;
    }
    const item: CallItem = { started, ended: null, request, result: undefined };
    this.#calls.set(started.key, item);
    this.#items.push(item);
  }

  addEnded(ended: EffectEnded, result: Json | undefined): void {
    const item = this.#calls.get(ended.key);
    if (item === undefined) return;
    item.ended = ended;
    item.result = result;
  }

  async render(values: StoredValues): Promise<readonly JsonObject[]> {
    const rendered: JsonObject[] = [];
    for (const item of this.#items) {
      if ('type' in item) {
        rendered.push(
          renderTraced(item.kind, 'value' in item.data ? item.data.value : await values.load(item.data)),
        );
        continue;
      }
      const request = item.request ?? (await values.load(item.started.request));
      const result = item.result ?? (item.ended === null ? null : await values.load(item.ended.result));
      rendered.push(renderCall(item.started, request, item.ended, result, this.#startedAt));
    }
    return rendered;
  }
}

// What a program traces and prints, compared with what the journal already has.
//
// The first entries must be those of the journal, in order; otherwise it is not the same program. Entries over the
// limit are counted and dropped, the same ones each time.

export class TraceLog {
  readonly #known: readonly TraceAdded[];
  readonly #limits: RunLimits;
  #next = 0;
  #kept = 0;
  #dropped = 0;

  constructor(entries: readonly JournalEntry[], limits: RunLimits) {
    this.#known = entries.filter((entry) => entry.type === 'trace.added');
    this.#limits = limits;
  }

  /** Over the limit so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Entries of the journal that the program has not come to. */
  get unseen(): number {
    return this.#known.length - this.#next;
  }

  /** The entry to write, or null when it is there already or is dropped. Throws Nondeterminism. */
  add(key: string, request: JsonObject, at: number): TraceAdded | null {
    const entry = this.#entryOf(request, at);
    if (entry === null) return null;
    const known = this.#known[this.#next];
    if (known === undefined) return entry;
    this.#next += 1;
    if (!sameTrace(known, entry))
      throw new Nondeterminism(
        key,
        `trace entry ${this.#next} is "${entry.kind}" with other data than in the journal, or in another place`,
      );
    return null;
  }

  #entryOf(request: JsonObject, at: number): TraceAdded | null {
    const printed = printedText(request);
    if (printed !== null)
      return { type: 'trace.added', at, kind: 'print', data: { value: request }, printed: true };
    if (this.#kept >= this.#limits.traceEntries) {
      this.#dropped += 1;
      return null;
    }
    this.#kept += 1;
    const { kind = '', data = null } = request;
    const capped = capTrace(textOf(kind), isJsonObject(data) ? data : {}, this.#limits.traceEntryUnits);
    return { type: 'trace.added', at, kind: capped.kind, data: { value: capped.data } };
  }
}

function sameTrace(a: TraceAdded, b: TraceAdded): boolean {
  return (
    a.kind === b.kind &&
    a.printed === b.printed &&
    canonicalJson(a.data as JsonObject) === canonicalJson(b.data as JsonObject)
  );
}

// One entry of the trace, as the journal keeps it and as the envelope shows it.

const maxKindUnits = 200;
const maxShownArgs = 8;
const maxShownUnits = 200;

/** An entry of the program within `maxUnits` of JSON. */
function capTrace(
  kind: string,
  data: JsonObject,
  maxUnits: number,
): { readonly kind: string; readonly data: JsonObject } {
  const shortKind = cutText(kind, Math.min(maxKindUnits, maxUnits)).text;
  const text = JSON.stringify(data);
  if (text.length <= maxUnits) return { kind: shortKind, data };
  // The preview is JSON in JSON: every quote in it takes two.
  let preview = cutText(text, maxUnits - 60).text;
  while (preview !== '' && JSON.stringify(preview).length + 40 > maxUnits)
    preview = cutText(preview, Math.floor(preview.length * 0.8)).text;
  return { kind: shortKind, data: { truncated: true, units: text.length, preview } };
}

/** As the envelope shows an entry of the program. */
function renderTraced(kind: string, data: Json): JsonObject {
  return isJsonObject(data) && Object.keys(data).length === 0 ? { kind } : { kind, data };
}

/** As the envelope shows a call. */
function renderCall(
  started: EffectStarted,
  request: Json,
  ended: EffectEnded | null,
  result: Json,
  startedAt: number,
): JsonObject {
  const { purpose = null, argv = null } = isJsonObject(request) ? request : {};
  const { inputTokens, outputTokens, costMicros } =
    ended?.usage === undefined ? noUsage : usageFromJson(ended.usage);
  const shown: { [key: string]: Json } = { kind: started.kind, id: started.key };
  if (typeof purpose === 'string') shown['purpose'] = cutText(purpose, maxShownUnits).text;
  if (Array.isArray(argv)) shown['argv'] = showArgv(argv as readonly Json[]);
  shown['at'] = Math.max(0, started.at - startedAt);
  shown['ok'] = ended === null ? null : isOk(ended, result);
  if (ended !== null) shown['ms'] = ended.ms;
  if (isJsonObject(result)) showResult(result, ended, shown);
  if (inputTokens + outputTokens > 0) shown['tokens'] = inputTokens + outputTokens;
  if (costMicros > 0) shown['cost_micros'] = costMicros;
  return shown;
}

/** A command that failed is data for the program, and still did not go well. */
function isOk(ended: EffectEnded, result: Json): boolean {
  return ended.ok && !(isJsonObject(result) && result['ok'] === false);
}

const shownNames = ['exit_code', 'timed_out', 'denied', 'turns', 'exhausted', 'truncated'] as const;

function showResult(result: JsonObject, ended: EffectEnded | null, shown: { [key: string]: Json }): void {
  if (ended !== null && !ended.ok) {
    if (typeof result['code'] === 'string') shown['error'] = result['code'];
    return;
  }
  for (const name of shownNames) {
    const value = result[name];
    if (typeof value === 'number' || value === true) shown[name] = value;
  }
}

function showArgv(argv: readonly Json[]): Json {
  const shown = argv.slice(0, maxShownArgs).map((one) => cutText(textOf(one), maxShownUnits).text);
  return argv.length > maxShownArgs ? [...shown, `… ${argv.length - maxShownArgs} more`] : shown;
}
