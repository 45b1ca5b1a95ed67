// The result of a run -> the text that a calling model gets (S0 §9).
//
//   [Metaskill: NAME completed]
//   {"status":"accepted","answer":"…","trace":[…]}
//
// It is never longer than the limit, and the JSON is always complete. What does not fit is cut in this order, and the
// JSON reports each cut: the trace entry by entry from its end (`{"kind":"truncated","dropped":n}`), other fields from
// the largest down (`fields_truncated`), the answer (`answer_truncated`). The same parts give the same text.
import { emptyObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { cutText } from '../../base/cut-text.ts';

interface EnvelopeParts {
  readonly name: string;
  /** The word in the header. */
  readonly outcome: string;
  /** With `status` and `answer`, without `trace`. */
  readonly envelope: JsonObject;
  readonly trace: readonly JsonObject[];
  /** Entries that were over the limit of the run already. */
  readonly traceDropped: number;
  /** Of the whole text; at least 400, or there may be no room for what must be said. */
  readonly maxUnits: number;
}

/** Room for the smallest envelope that says everything that was cut. */
const leastResultUnits = 400;

const maxNameUnits = 64;
const maxStatusUnits = 60;
const maxNamesUnits = 120;

export function renderEnvelope(parts: EnvelopeParts): string {
  return makeEnvelope(parts).text;
}

/** The text, and what is in it after the header. */
export function makeEnvelope(parts: EnvelopeParts): { readonly text: string; readonly envelope: JsonObject } {
  const header = `[Metaskill: ${cutText(parts.name, maxNameUnits).text} ${parts.outcome}]\n`;
  const room = Math.max(leastResultUnits, parts.maxUnits) - header.length;
  const draft: Draft = {
    fields: withoutNotes(parts.envelope),
    trace: [],
    notes: parts.traceDropped === 0 ? {} : { trace_dropped: parts.traceDropped },
  };
  const fields = renderFields(draft);
  const trace = fitTrace(parts.trace.map(rendered), room - renderWith(fields, draft).length + 2);
  if (trace !== null) {
    draft.trace = trace;
    return { text: header + renderWith(fields, draft), envelope: wholeOf(draft) };
  }
  if (parts.trace.length > 0) draft.trace = [rendered({ kind: 'truncated', dropped: parts.trace.length })];
  cutFields(draft, room);
  cutAnswer(draft, room);
  return { text: header + render(draft), envelope: wholeOf(draft) };
}

/** What only the host says of a result: a program cannot claim that something was cut. */
const hostNotes: readonly string[] = ['answer_truncated', 'fields_truncated', 'trace_dropped'];

function withoutNotes(envelope: JsonObject): { [key: string]: Json } {
  const fields: { [key: string]: Json } = Object.assign(emptyObject(), envelope);
  for (const name of hostNotes) delete fields[name];
  return fields;
}

/** Each entry is made text once: there are many of them. */
interface Rendered {
  readonly entry: JsonObject;
  readonly text: string;
}

interface Draft {
  readonly fields: { [key: string]: Json };
  trace: readonly Rendered[];
  /** What the host says; counts before fields of the same names. */
  readonly notes: { [key: string]: Json };
}

function rendered(entry: JsonObject): Rendered {
  return { entry, text: JSON.stringify(entry) };
}

function ownFields({ fields, notes }: Draft): { [key: string]: Json } {
  const own = Object.assign(emptyObject(), fields);
  for (const name of Object.keys(notes)) delete own[name];
  return own;
}

function wholeOf(draft: Draft): JsonObject {
  return Object.assign(ownFields(draft), { trace: draft.trace.map(({ entry }) => entry) }, draft.notes);
}

/** The JSON of `wholeOf`. */
function render(draft: Draft): string {
  return renderWith(renderFields(draft), draft);
}

/** The fields alone: most of the text, and the same whatever is left of the trace. */
function renderFields(draft: Draft): string {
  return JSON.stringify(ownFields(draft));
}

function renderWith(fields: string, { trace, notes }: Draft): string {
  const said = JSON.stringify(notes);
  return `${fields === '{}' ? '{' : `${fields.slice(0, -1)},`}"trace":[${trace.map(({ text }) => text).join(',')}]${said === '{}' ? '' : `,${said.slice(1, -1)}`}}`;
}

function unitsOf(draft: Draft): number {
  return render(draft).length;
}

/** The whole trace, or the longest beginning of it and how much is missing; `null` when not even that fits. */
function fitTrace(trace: readonly Rendered[], room: number): readonly Rendered[] | null {
  // Brackets, and a comma for all entries but one.
  let all = trace.reduce((sum, { text }) => sum + text.length + 1, trace.length === 0 ? 2 : 1);
  if (all <= room) return trace;
  for (let kept = trace.length - 1; kept >= 0; kept -= 1) {
    all -= (trace[kept] as Rendered).text.length + 1;
    const mark = rendered({ kind: 'truncated', dropped: trace.length - kept });
    if (all + mark.text.length + 1 <= room) return [...trace.slice(0, kept), mark];
  }
  return null;
}

/** Cuts everything but answer and trace, the largest first, until the rest fits beside the answer. */
function cutFields(draft: Draft, room: number): void {
  const { fields, notes } = draft;
  for (const name of Object.keys(notes)) delete fields[name];
  const others = Object.keys(fields)
    .filter((key) => key !== 'answer')
    .map((key) => ({ key, units: memberUnits(key, fields[key] as Json) }))
    .sort((a, b) => b.units - a.units || (a.key < b.key ? -1 : 1));
  let total = unitsOf(draft);
  const cut: string[] = [];
  for (const { key, units } of others) {
    if (total + noteUnits(cut) <= room) break;
    const value = fields[key] as Json;
    if (key === 'status') {
      if (jsonUnits(value) <= maxStatusUnits) continue;
      fields[key] = typeof value === 'string' ? fitString(value, maxStatusUnits - 2) : 'ok';
      total += memberUnits(key, fields[key]) - units;
      cut.push(key);
      continue;
    }
    cut.push(key);
    const left = room - (total - units) - noteUnits(cut) - memberUnits(key, '');
    const shorter = typeof value === 'string' && left >= 40 ? fitString(value, left) : null;
    if (shorter === null) delete fields[key];
    else fields[key] = shorter;
    total += (shorter === null ? 0 : memberUnits(key, shorter)) - units;
  }
  if (cut.length > 0) notes['fields_truncated'] = describeCut(cut);
}

function cutAnswer(draft: Draft, room: number): void {
  if (unitsOf(draft) <= room) return;
  const answer = draft.fields['answer'] as Json;
  draft.fields['answer'] = '';
  draft.notes['answer_truncated'] = true;
  draft.fields['answer'] = fitString(
    typeof answer === 'string' ? answer : JSON.stringify(answer),
    room - unitsOf(draft),
  );
}

/** The longest beginning of `text` that needs at most `units` inside quotes. */
function fitString(text: string, units: number): string {
  let low = 0;
  let high = Math.min(text.length, Math.max(0, units));
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (jsonUnits(cutText(text, middle).text) - 2 <= units) low = middle;
    else high = middle - 1;
  }
  return cutText(text, low).text;
}

/** The names of what was cut, or their number when they would be too long. */
function describeCut(names: readonly string[]): Json {
  return jsonUnits(names) <= maxNamesUnits ? names : names.length;
}

/** What `fields_truncated` can need, whatever is cut besides. */
function noteUnits(cut: readonly string[]): number {
  return cut.length === 0 ? 0 : memberUnits('fields_truncated', '') + maxNamesUnits;
}

function memberUnits(key: string, value: Json): number {
  return jsonUnits(key) + 1 + jsonUnits(value) + 1;
}

function jsonUnits(value: Json | readonly string[]): number {
  return JSON.stringify(value).length;
}
