import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEntry } from './entry.ts';
import { foldHistory, HistoryFold } from './history.ts';

const usage = { inputTokens: 1, outputTokens: 2, costMicros: 0 };
const given = (skill: string) =>
  [
    {
      event: {
        type: 'skill.loaded',
        skill_id: skill,
        skill_version: 'v',
        load_reason: 'on_demand',
        load_size_tokens: 1,
        source: 'global',
        triggered_by_tool_use_id: null,
      },
      section: null,
    },
  ] as const;
const calling = (at: number): ChatEntry => ({
  type: 'turn.taken',
  at,
  usage,
  turn: {
    model: 'm',
    finish: 'tool-calls',
    content: [
      { type: 'call', id: 'c1', tool: 't', input: '{}' },
      { type: 'call', id: 'c2', tool: 't', input: '{}' },
    ],
  },
});

const anyEntry: fc.Arbitrary<ChatEntry> = fc.constantFrom<ChatEntry>(
  { type: 'user.said', at: 1, text: 'x', content: 'x', given: given('tides') },
  { type: 'skill.doubted', at: 1, skill: 'tides' },
  { type: 'note.added', at: 1, text: 'n' },
  calling(1),
  { type: 'turn.stopped', at: 1, text: 'half' },
  { type: 'call.started', at: 1, id: 'c1', tool: 't' },
  { type: 'call.ended', at: 1, id: 'c1', ok: true, text: 'r', given: given('rain') },
  { type: 'run.begun', at: 1, run: 'R', skill: 's', call: null },
  { type: 'run.detached', at: 1, run: 'R', status: 'completed' },
  { type: 'history.compacted', at: 1, summary: 's', from: 2, attached: '', kept: ['tides'], usage },
  { type: 'answer.ended', at: 1, outcome: 'done', message: null },
);

describe('HistoryFold', () => {
  it('gives after each entry what a fold of all of them gives', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 12 }), (entries) => {
        const fold = new HistoryFold();
        for (const [at, entry] of entries.entries()) {
          fold.add(entry);
          expect(fold.history).toEqual(foldHistory(entries.slice(0, at + 1)));
        }
      }),
    );
  });

  it('looks at an entry once, however many come after it (history#H4)', () => {
    let looks = 0;
    const first = new Proxy<ChatEntry>(
      { type: 'user.said', at: 1, text: 'x', content: 'x', given: [] },
      {
        get: (target, key) => {
          looks += 1;
          return Reflect.get(target, key) as unknown;
        },
      },
    );
    const fold = new HistoryFold();
    fold.add(first);
    const once = looks;
    for (let at = 0; at < 100; at += 1) {
      fold.add(calling(at));
      expect(fold.history.items).toHaveLength(at + 2);
    }
    expect(looks).toBe(once);
  });

  it('does not change what it gave before', () => {
    const fold = new HistoryFold();
    fold.add(calling(1));
    const before = fold.history;
    fold.add({ type: 'call.ended', at: 2, id: 'c1', ok: true, text: 'r', given: given('rain') });
    expect(before.items).toMatchObject([{ said: { results: [{ ok: false }, { ok: false }] } }]);
    expect(fold.history.items).toMatchObject([{ said: { results: [{ ok: true }, { ok: false }] } }]);
  });
});

describe('foldHistory', () => {
  it('keeps a doubt through a compaction, and knows every body that was there', () => {
    const {
      doubted,
      shown,
      given: now,
    } = foldHistory([
      { type: 'skill.doubted', at: 1, skill: 'tides' },
      { type: 'user.said', at: 1, text: 'x', content: 'x', given: given('tides') },
      { type: 'history.compacted', at: 1, summary: 's', from: 2, attached: '', kept: [], usage },
    ]);
    expect({ doubted, shown, now }).toEqual({ doubted: ['tides'], shown: ['tides'], now: [] });
  });
});
