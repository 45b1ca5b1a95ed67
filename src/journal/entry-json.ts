// The JSON of a JournalEntry, made once: the journal stores it and the fingerprint covers it.
//
// Entries never change, so neither does their text; parsing it and encoding again gives the same text. A request is in
// canonical order, as it is hashed, so that one text serves both. The text is cached for a while: it is needed again
// when the entry is appended, and rarely later.
import { canonicalJson, quoteJson } from '../base/json.ts';
import type { EffectStarted, JournalEntry } from './entry.ts';

/** Texts that were read, for as long as their entries are there. */
const readTexts = new WeakMap<JournalEntry, string>();

/** More than are appended together. */
const maxRecent = 128;

// Not weak: what is in a WeakMap that has grown old is copied by every scavenge, dead or not, and most of the time that
// scavenges took went to that.
let recent = new Map<JournalEntry, string>();
let before: ReadonlyMap<JournalEntry, string> = new Map();

function keepRecent(entry: JournalEntry, text: string): void {
  if (recent.size >= maxRecent) {
    before = recent;
    recent = new Map();
  }
  recent.set(entry, text);
}

/** Throws what `JSON.stringify` throws. */
export function entryJson(entry: JournalEntry): string {
  const known = recent.get(entry) ?? before.get(entry) ?? readTexts.get(entry);
  if (known !== undefined) return known;
  const text = makeJson(entry);
  keepRecent(entry, text);
  return text;
}

/** Most entries are of two types, and spelling out what is around their values takes half the time. */
function makeJson(entry: JournalEntry): string {
  if (entry.type === 'effect.started' && 'value' in entry.request)
    return startedJson(entry, canonicalJson(entry.request.value));
  if (entry.type !== 'effect.ended') return JSON.stringify(entry);
  const { at, key, ok, result, ms, usage, usedMs } = entry;
  return `{"type":"effect.ended","at":${at},"key":${quoteJson(key)},"ok":${ok},"result":${JSON.stringify(result)},"ms":${ms}${usage === undefined ? '' : `,"usage":${JSON.stringify(usage)}`}${usedJson(usedMs)}}`;
}

function usedJson(usedMs: number | undefined): string {
  return usedMs === undefined ? '' : `,"usedMs":${usedMs}`;
}

/** `text` is where the entry was read from. */
export function keepEntryJson(entry: JournalEntry, text: string): void {
  readTexts.set(entry, text);
}

/** `requestText` is the request of the entry in canonical order. */
export function keepRequestText(entry: EffectStarted, requestText: string): void {
  if ('value' in entry.request) keepRecent(entry, startedJson(entry, requestText));
}

function startedJson(
  { at, key, kind, hash, repeatable, attempt, usedMs }: EffectStarted,
  requestText: string,
): string {
  return `{"type":"effect.started","at":${at},"key":${quoteJson(key)},"kind":${quoteJson(kind)},"hash":${quoteJson(hash)},"request":{"value":${requestText}},"repeatable":${repeatable},"attempt":${attempt}${usedJson(usedMs)}}`;
}
