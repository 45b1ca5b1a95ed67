// What a program traces and prints, compared with what the journal already has.
//
// The first entries must be those of the journal, in order; otherwise it is not the same program. Entries over the
// limit are counted and dropped, the same ones each time.
import { canonicalJson, isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { JournalEntry, TraceAdded } from '../../journal/entry.ts';
import { textOf } from '../../base/json.ts';
import { Nondeterminism } from '../effect/effect-context.ts';
import type { RunLimits } from '../budget/limits.ts';
import { printedText } from '../program/program-interpreter.ts';
import { capTrace } from './trace.ts';

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
