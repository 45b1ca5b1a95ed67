import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeDecodeUtf8 } from '../host/node-environment.ts';
import type { ChatEntry } from './entry.ts';
import { readLog, renderEntry } from './read-log.ts';

const entries: readonly ChatEntry[] = [
  { type: 'chat.started', at: 1, chat: 'C', version: 1, workspace: '/w', model: 'm' },
  { type: 'user.said', at: 2, text: 'Grüße 👋', content: 'Grüße 👋', given: [] },
  { type: 'answer.ended', at: 3, outcome: 'done', message: null },
];
const bytes = new TextEncoder().encode(entries.map(renderEntry).join(''));
const read = (given: Uint8Array) => readLog(given, nodeDecodeUtf8);

describe('readLog', () => {
  it('gives back what was written', () => {
    expect(read(bytes)).toEqual({ ok: true, entries, goodBytes: bytes.length, torn: false });
  });

  it('drops a torn tail wherever it is cut, and says how much is good', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: bytes.length }), (cut) => {
      const found = read(bytes.subarray(0, cut));
      const whole = new TextDecoder().decode(bytes.subarray(0, cut)).split('\n').length - 1;
      expect(found).toMatchObject({ ok: true, torn: bytes[cut - 1] !== 0x0a && cut > 0, entries: entries.slice(0, whole) });
      expect(read(bytes.subarray(0, found.ok ? found.goodBytes : -1))).toMatchObject({ torn: false });
    }));
  });

  it('says which line is damaged, and keeps entries it does not know', () => {
    const text = new TextDecoder().decode(bytes);
    expect(read(new TextEncoder().encode(text.replace('"at":2', '"at":')))).toEqual({ ok: false, line: 2, message: 'the line is no entry' });
    expect(read(new TextEncoder().encode(text.replace('"version":1', '"version":9')))).toMatchObject({ ok: false, line: 1 });
    expect(read(new TextEncoder().encode(text.replace('answer.ended', 'mood.changed')))).toMatchObject({ ok: true });
    expect(read(new TextEncoder().encode(text.split('\n').slice(1).join('\n')))).toMatchObject({ ok: false, line: 1 });
  });
});
