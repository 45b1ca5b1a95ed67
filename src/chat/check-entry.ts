// An object with a type and a time -> whether it is an entry: every field that is read has the right type.
//
// Entries of unknown types are not checked (entry.ts), and additional fields are allowed.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { ChatEntry } from './entry.ts';

type Check = (value: Json | undefined) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const yesOrNo: Check = (value) => typeof value === 'boolean';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orNone =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((each: Json) => check(each));
const object =
  (fields: { readonly [name: string]: Check }): Check =>
  (value) =>
    isJsonObject(value) && faultIn(value, fields) === null;
const outcome: Check = (value) =>
  typeof value === 'string' && ['done', 'stopped', 'failed', 'exhausted'].includes(value);

const usage = { inputTokens: number, outputTokens: number, costMicros: number };
const bodies = list(
  object({
    event: object({ skill_id: text, skill_version: text, load_reason: text }),
    section: orNull(text),
  }),
);
const saidPart = object({ text });
const callPart = object({ id: text, tool: text, input: text });
const part: Check = (value) =>
  isJsonObject(value) && (value['type'] === 'call' ? callPart(value) : saidPart(value));

const entries: { readonly [type in ChatEntry['type']]: { readonly [field: string]: Check } } = {
  'chat.started': { chat: text, version: number, workspace: text, model: text },
  'user.said': {
    text,
    content: text,
    given: bodies,
    matched: orNone(list(object({ skill: text, mode: text, reason: text }))),
    left: orNone(list(object({ skill: text, reason: text }))),
    by: orNone(text),
  },
  'chat.renamed': { title: text, by: orNone(text) },
  'approval.answered': {
    call: orNull(text),
    question: object({}),
    approval: text,
    by: orNone(text),
  },
  'skill.doubted': { skill: text },
  'note.added': { text, spent: orNone(object({ turns: number, usage: object(usage) })) },
  'turn.taken': { turn: object({ model: text, finish: text, content: list(part) }), usage: object(usage) },
  'turn.stopped': { text },
  'call.started': { id: text, tool: text },
  'call.ended': { id: text, ok: yesOrNo, text, given: bodies },
  'run.begun': { run: text, skill: text, call: orNull(text) },
  'run.detached': { run: text, status: text, usage: orNone(object({ asks: number, ...usage })) },
  'history.compacted': {
    summary: text,
    from: number,
    attached: text,
    kept: list(text),
    usage: object(usage),
  },
  'answer.ended': { outcome, message: orNull(text) },
};

/** The first field that is missing or is not what it must be; `null` when all is well. */
export function entryFault(entry: JsonObject): string | null {
  const type = entry['type'] as string;
  return Object.hasOwn(entries, type) ? faultIn(entry, entries[type as ChatEntry['type']]) : null;
}

function faultIn(value: JsonObject, fields: { readonly [name: string]: Check }): string | null {
  return (
    Object.entries(fields).find(
      ([name, check]) => !check(Object.hasOwn(value, name) ? value[name] : undefined),
    )?.[0] ?? null
  );
}
