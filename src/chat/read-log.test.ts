import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEntry } from './entry.ts';
import { readLog, renderEntry } from './read-log.ts';

const entries: readonly ChatEntry[] = [
  { type: 'chat.started', at: 1, chat: 'C', version: 1, workspace: '/w', model: 'm' },
  { type: 'user.said', at: 2, text: 'Grüße 👋', content: 'Grüße 👋', given: [] },
  { type: 'answer.ended', at: 3, outcome: 'done', message: null },
];
const bytes = new TextEncoder().encode(entries.map(renderEntry).join(''));
const read = (given: Uint8Array) => readLog(given);

describe('readLog', () => {
  it('gives back what was written', () => {
    expect(read(bytes)).toEqual({ ok: true, entries, goodBytes: bytes.length, torn: false });
  });

  it('drops a torn tail wherever it is cut, and says how much is good', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length }), (cut) => {
        const found = read(bytes.subarray(0, cut));
        const whole = new TextDecoder().decode(bytes.subarray(0, cut)).split('\n').length - 1;
        expect(found).toMatchObject({
          ok: true,
          torn: bytes[cut - 1] !== 0x0a && cut > 0,
          entries: entries.slice(0, whole),
        });
        expect(read(bytes.subarray(0, found.ok ? found.goodBytes : -1))).toMatchObject({ torn: false });
      }),
    );
  });

  it.each<[object, string]>([
    [{ type: 'turn.taken', at: 1 }, 'the entry "turn.taken" has no "turn" that could be used'],
    [
      {
        type: 'turn.taken',
        at: 1,
        turn: { model: 'm', finish: 'stop', content: [{ type: 'call', id: 'c' }] },
        usage: { inputTokens: 1, outputTokens: 1, costMicros: 0 },
      },
      'the entry "turn.taken" has no "turn" that could be used',
    ],
    [
      {
        type: 'turn.taken',
        at: 1,
        turn: { model: 'm', finish: 'stop', content: [] },
        usage: { inputTokens: 1 },
      },
      'the entry "turn.taken" has no "usage" that could be used',
    ],
    [
      { type: 'call.ended', at: 1, id: 'zz', ok: true, text: 'x' },
      'the entry "call.ended" has no "given" that could be used',
    ],
    [
      { type: 'user.said', at: 1, text: 'x', content: 'x', given: [{ event: {}, section: null }] },
      'the entry "user.said" has no "given" that could be used',
    ],
    [
      { type: 'answer.ended', at: 1, outcome: 'odd', message: null },
      'the entry "answer.ended" has no "outcome" that could be used',
    ],
  ])('says what %j lacks, also at the end', (entry, message) => {
    const line = new TextEncoder().encode(`${JSON.stringify(entry)}\n`);
    expect(read(new Uint8Array([...bytes, ...line]))).toEqual({ ok: false, line: 4, message });
  });

  it('reads every entry there is', () => {
    const usage = { inputTokens: 1, outputTokens: 2, costMicros: 0 };
    const event = {
      type: 'skill.loaded',
      skill_id: 's',
      skill_version: 'v',
      load_reason: 'on_demand',
      load_size_tokens: 1,
      source: 'global',
      triggered_by_tool_use_id: null,
    } as const;
    const all: readonly ChatEntry[] = [
      ...entries,
      { type: 'user.said', at: 4, text: 'x', content: 'x', given: [{ event, section: null }] },
      { type: 'skill.doubted', at: 4, skill: 's' },
      { type: 'note.added', at: 4, text: 'n' },
      { type: 'note.added', at: 4, text: 'n', spent: { turns: 1, usage } },
      {
        type: 'turn.taken',
        at: 4,
        usage,
        turn: {
          model: 'm',
          finish: 'stop',
          content: [
            { type: 'reasoning', text: 'r', meta: {} },
            { type: 'text', text: 't' },
            { type: 'call', id: 'c', tool: 't', input: '{' },
          ],
        },
      },
      { type: 'turn.stopped', at: 4, text: '' },
      { type: 'call.started', at: 4, id: 'c', tool: 't' },
      { type: 'call.ended', at: 4, id: 'c', ok: false, text: '', given: [{ event, section: 'x' }] },
      { type: 'run.begun', at: 4, run: 'r', skill: 's', call: null },
      { type: 'run.detached', at: 4, run: 'r', status: 'paused' },
      { type: 'run.detached', at: 4, run: 'r', status: 'paused', usage: { ...usage, asks: 1 } },
      { type: 'history.compacted', at: 4, summary: 's', from: 2, attached: '', kept: ['s'], usage },
      { type: 'answer.ended', at: 4, outcome: 'failed', message: 'why' },
    ];
    expect(read(new TextEncoder().encode(all.map(renderEntry).join('')))).toMatchObject({
      ok: true,
      entries: all,
    });
  });

  it('says which line is damaged, and keeps entries it does not know', () => {
    const text = new TextDecoder().decode(bytes);
    expect(read(new TextEncoder().encode(text.replace('"at":2', '"at":')))).toEqual({
      ok: false,
      line: 2,
      message: 'the line is not an entry',
    });
    expect(read(new TextEncoder().encode(text.replace('"version":1', '"version":9')))).toMatchObject({
      ok: false,
      line: 1,
    });
    expect(read(new TextEncoder().encode(text.replace('answer.ended', 'mood.changed')))).toMatchObject({
      ok: true,
    });
    expect(read(new TextEncoder().encode(text.split('\n').slice(1).join('\n')))).toMatchObject({
      ok: false,
      line: 1,
    });
  });
});
