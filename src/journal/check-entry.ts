// Whether a value has the shape of a journal entry, for journals that another program may have written.
//
// A journal of our own stores needs no such look: it was written by the engine and has its checksums. Members that an entry does
// not know are refused as well, since the engine would carry them along unread.
import { isJsonObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { JournalEntry } from './entry.ts';

type Check = (value: Json | undefined) => boolean;

const text: Check = (value) => typeof value === 'string';
const count: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
/** Small enough for every store, and for one more. */
const epoch: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) < 2 ** 31 - 1;
const flag: Check = (value) => typeof value === 'boolean';
const object: Check = (value) => value !== undefined && isJsonObject(value);
const digest: Check = (value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: readonly Json[]): Check =>
  (value) =>
    value !== undefined && values.includes(value);
const having =
  (members: { readonly [name: string]: Check }): Check =>
  (value) =>
    value !== undefined && isJsonObject(value) && faultIn(value, members) === null;
const stored: Check = (value) =>
  having({ value: (held) => held !== undefined })(value) || having({ blob: digest, bytes: count })(value);
const filesByPath: Check = (value) =>
  value !== undefined && isJsonObject(value) && Object.values(value).every(digest);

const members: { readonly [Type in JournalEntry['type']]: { readonly [name: string]: Check } } = {
  'run.started': {
    run: text,
    skill: having({ name: text, form: text, digest: text }),
    files: filesByPath,
    profile: text,
    input: stored,
    limits: object,
    settings: object,
    parent: orNull(having({ run: text, key: text })),
  },
  'owner.claimed': {
    epoch,
    owner: text,
    imported: optional(oneOf(true)),
    sealed: optional(having({ epoch, bytes: count, chain: text })),
  },
  'effect.started': {
    key: text,
    kind: text,
    hash: text,
    request: stored,
    repeatable: flag,
    attempt: count,
    usedMs: optional(count),
  },
  'effect.ended': {
    key: text,
    ok: flag,
    result: stored,
    ms: count,
    usage: optional(object),
    usedMs: optional(count),
  },
  'effect.decided': {
    key: text,
    as: oneOf('done', 'retry', 'fail'),
    by: text,
    result: optional(stored),
  },
  'question.asked': {
    id: text,
    nonce: text,
    audience: oneOf('caller', 'person', 'operator'),
    key: text,
    question: stored,
    expiresAt: orNull(count),
  },
  'question.answered': { id: text, answer: stored, by: text, name: optional(text) },
  'trace.added': { kind: text, data: stored, printed: optional(oneOf(true)) },
  'run.paused': { reason: oneOf('question', 'decision', 'stopped'), usedMs: count },
  'run.resumed': {},
  'run.detached': { usedMs: count },
  'cancel.requested': { by: text, reason: text },
  'run.ended': {
    status: oneOf('completed', 'failed', 'cancelled', 'partial'),
    text: stored,
    error: orNull(having({ code: text, message: text })),
    usage: object,
    steps: count,
    fingerprint: optional(text),
  },
};

/** What is wrong with the entry; null: nothing. */
export function entryFault(entry: Json): string | null {
  if (!isJsonObject(entry)) return 'it is not an object';
  const { type } = entry;
  if (typeof type !== 'string' || !Object.hasOwn(members, type)) return 'its type is unknown';
  const fault = faultIn(entry, {
    type: text,
    at: count,
    ...members[type as JournalEntry['type']],
  });
  return fault === null ? null : `"${fault}" of ${type} is not as techne writes it`;
}

function faultIn(
  value: { readonly [name: string]: Json },
  known: { readonly [name: string]: Check },
): string | null {
  const strange = Object.keys(value).find((name) => !Object.hasOwn(known, name));
  if (strange !== undefined) return strange.slice(0, 40);
  for (const [name, check] of Object.entries(known))
    if (!check(Object.hasOwn(value, name) ? value[name] : undefined)) return name;
  return null;
}
