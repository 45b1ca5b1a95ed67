import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { EffectStarted, JournalEntry } from './entry.ts';
import { entryJson, keepEntryJson, keepRequestText } from './frame.ts';
import { effectEnded, effectStarted, ended, started as runStarted, trace } from './sample-entries.ts';

const copy = (entry: JournalEntry): JournalEntry => JSON.parse(JSON.stringify(entry)) as JournalEntry;
const started = (request: Json, key = '1'): EffectStarted => ({
  type: 'effect.started',
  at: 5,
  key,
  kind: 'ask',
  hash: 'ab',
  request: { value: request },
  repeatable: false,
  attempt: 1,
});

describe('entryJson', () => {
  it('is JSON of the entry, and the same for a copy of it', () => {
    for (const entry of [
      runStarted('R'),
      trace('a'),
      effectStarted('1'),
      effectEnded('1'),
      { ...effectEnded('"é'), usage: { inputTokens: 1 }, usedMs: 5 },
      { ...effectStarted('2'), usedMs: 7 },
      ended(),
    ])
      expect([JSON.parse(entryJson(entry)), entryJson(copy(entry))]).toEqual([entry, entryJson(entry)]);
  });

  it('has requests in canonical order, whether their text was known or not', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, key) => {
        const request = JSON.parse(JSON.stringify(object)) as JsonObject;
        const [entry, known] = [started(request, key), started(request, key)];
        keepRequestText(known, canonicalJson(request));
        expect(JSON.parse(entryJson(entry))).toEqual(JSON.parse(JSON.stringify(entry)));
        expect([entryJson(known), entryJson(copy(entry))]).toEqual([entryJson(entry), entryJson(entry)]);
      }),
    );
    expect(entryJson(started({ b: 1, 10: 2, 9: 3 }))).toContain('"request":{"value":{"10":2,"9":3,"b":1}}');
  });

  it('names the blob of a request that is kept elsewhere, although its text is known', () => {
    const blob = `sha256:${'a'.repeat(64)}` as const;
    const entry: EffectStarted = { ...started({}), request: { blob, bytes: 7 } };
    keepRequestText(entry, '{"a":1}');
    expect(JSON.parse(entryJson(entry))).toEqual(entry);
  });

  it('says the same of an entry whose text is no longer kept', () => {
    const request = { b: 1, a: 2 };
    const entry = started(request);
    keepRequestText(entry, canonicalJson(request));
    const text = entryJson(entry);
    for (let at = 0; at < 1_000; at += 1) entryJson(effectEnded(String(at)));
    expect(entryJson(entry)).toBe(text);
  });

  it('is the text that an entry was read from, however long ago', () => {
    const entry = started({});
    keepEntryJson(entry, 'as it was read');
    for (let at = 0; at < 1_000; at += 1) entryJson(effectEnded(String(at)));
    expect(entryJson(entry)).toBe('as it was read');
  });
});
