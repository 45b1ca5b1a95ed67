import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from './entry.ts';
import {
  foldRun,
  openQuestions,
  outcomeOf,
  RunFold,
  startedState,
  summarizeRun,
  unknownEffects,
} from './run-state.ts';
import type { StoredEntry } from '../ports/run-store.ts';
import { effectEnded, effectStarted, ended, started, trace } from './sample-entries.ts';

const run = '01HF7YAT000000000000000000';
const numbered = (entries: readonly JournalEntry[]): StoredEntry[] =>
  entries.map((entry, seq) => ({ seq, entry }));
const fold = (...entries: JournalEntry[]): ReturnType<typeof foldRun> =>
  foldRun(numbered([started(run), ...entries]));
const claimed = (at: number, epoch = 2): JournalEntry => ({ type: 'owner.claimed', at, epoch, owner: 'me' });
const paused = (
  at: number,
  usedMs: number,
  reason: 'question' | 'decision' | 'stopped' = 'question',
): JournalEntry => ({ type: 'run.paused', at, reason, usedMs });
const resumed = (at: number): JournalEntry => ({ type: 'run.resumed', at });
const asked = (id: string): JournalEntry => ({
  type: 'question.asked',
  at: 4,
  id,
  nonce: `n-${id}`,
  audience: 'person',
  key: '1',
  question: { value: 'why?' },
  expiresAt: null,
});
const answered = (id: string): JournalEntry => ({
  type: 'question.answered',
  at: 5,
  id,
  answer: { value: 'so' },
  by: 'person',
});
const decided = (key: string, as: 'done' | 'retry' | 'fail', value = 'x'): JournalEntry => ({
  type: 'effect.decided',
  at: 6,
  key,
  as,
  by: 'me',
  result: { value },
});

describe('startedState', () => {
  it('is what folding the first entry gives', () => {
    expect(startedState(started(run))).toEqual(fold());
  });
});

describe('foldRun', () => {
  it('gives the state of a run', () => {
    const state = fold(
      effectStarted('1'),
      asked('q1'),
      asked('q2'),
      answered('q1'),
      trace('t'),
      effectEnded('1'),
      effectStarted('2'),
    );
    expect(state).toMatchObject({
      meta: started(run),
      epoch: 1,
      seq: 8,
      status: 'running',
      cancel: null,
      ended: null,
      trace: [trace('t')],
    });
    expect([...state.effects.keys()]).toEqual(['1', '2']);
    expect(state.effects.get('1')).toEqual({
      key: '1',
      started: effectStarted('1'),
      ended: effectEnded('1'),
      decided: null,
    });
    expect(unknownEffects(state).map(({ key }) => key)).toEqual(['2']);
    expect(openQuestions(state).map(({ id }) => id)).toEqual(['q2']);
  });

  it('knows what was decided about an effect, until it is started again', () => {
    const outcome = (...entries: JournalEntry[]): unknown => {
      const effect = fold(effectStarted('1'), ...entries).effects.get('1');
      return effect === undefined ? undefined : outcomeOf(effect);
    };
    expect(outcome()).toBeNull();
    expect(outcome(decided('1', 'done'))).toEqual({ ok: true, result: { value: 'x' } });
    expect(outcome(decided('1', 'fail'))).toEqual({ ok: false, result: { value: 'x' } });
    expect(outcome(decided('1', 'retry'))).toBeNull();
    expect(outcome(decided('1', 'retry'), { ...effectStarted('1'), attempt: 2 })).toBeNull();
    expect(outcome(decided('1', 'retry'), { ...effectStarted('1'), attempt: 2 }, effectEnded('1'))).toEqual({
      ok: true,
      result: effectEnded('1').result,
    });
    const state = fold(effectStarted('1'), decided('1', 'retry'), { ...effectStarted('1'), attempt: 2 });
    expect(state.effects.get('1')).toMatchObject({ started: { attempt: 2 }, decided: null });
    expect(unknownEffects(state).length).toBe(1);
    expect(unknownEffects(fold(effectStarted('1'), decided('1', 'retry')))).toEqual([]);
  });

  it('counts the time an owner worked, not the time it waited or had no owner', () => {
    const startedAfter = (usedMs: number, at = 2): JournalEntry => ({ ...effectStarted('1', at), usedMs });
    const endedAfter = (usedMs: number, at = 3): JournalEntry => ({ ...effectEnded('1', at), usedMs });
    expect(fold(startedAfter(10)).usedMs).toBe(10);
    expect(fold(startedAfter(10), paused(31, 30)).usedMs).toBe(30);
    expect(fold(startedAfter(10), paused(31, 30), trace('t'), resumed(1000), endedAfter(35)).usedMs).toBe(35);
    // A crash, found at 5000.
    expect(fold(startedAfter(10), claimed(5000), resumed(5002), endedAfter(20)).usedMs).toBe(20);
    // Claimed while paused: no time counts before it is resumed.
    expect(fold(paused(31, 30), claimed(5000), cancelAt(6000), resumed(7000), startedAfter(33)).usedMs).toBe(
      33,
    );
    expect(fold(startedAfter(5), { ...ended(), usage: { wallMs: 20 } }, claimed(90)).usedMs).toBe(20);
  });

  it('does not mind a clock that is set', () => {
    const hour = 3_600_000;
    expect(
      fold({ ...effectStarted('1', 11), usedMs: 10 }, { ...trace('t'), at: hour }, claimed(2 * hour), {
        ...trace('t'),
        at: 3 * hour,
      }).usedMs,
    ).toBe(10);
    expect(
      fold({ ...effectStarted('1', 11), usedMs: 10 }, claimed(3), { ...effectEnded('1', 2), usedMs: 12 })
        .usedMs,
    ).toBe(12);
  });

  it('says how a run stands', () => {
    expect(fold(paused(5, 4)).status).toBe('paused');
    expect(fold(paused(5, 4, 'stopped')).status).toBe('paused');
    expect(fold(paused(5, 4, 'decision')).status).toBe('needs_decision');
    expect(fold(paused(5, 4), resumed(6)).status).toBe('running');
    expect(
      fold(
        { type: 'cancel.requested', at: 5, by: 'me', reason: 'first' },
        { type: 'cancel.requested', at: 6, by: 'you', reason: 'second' },
      ).cancel?.reason,
    ).toBe('first');
    for (const status of ['completed', 'failed', 'cancelled', 'partial'] as const)
      expect(fold({ ...ended(), status }).status).toBe(status);
  });

  it('refuses what cannot be', () => {
    const code = (entries: readonly StoredEntry[]): unknown => {
      try {
        foldRun(entries);
        return 'fine';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const cases: Record<string, readonly JournalEntry[]> = {
      'nothing at all': [],
      'no start': [trace('t')],
      'a second start': [started(run), started(run)],
      'an end without a start': [started(run), effectEnded('1')],
      'two ends': [started(run), effectStarted('1'), effectEnded('1'), effectEnded('1')],
      'a start after the end': [started(run), effectStarted('1'), effectEnded('1'), effectStarted('1')],
      'a decision without a start': [started(run), decided('1', 'done')],
      'an answer without a question': [started(run), answered('q')],
      'two answers': [started(run), asked('q'), answered('q'), answered('q')],
      'a question asked twice': [started(run), asked('q'), asked('q')],
      'something after the end': [started(run), ended(), trace('t')],
    };
    expect(Object.entries(cases).map(([name, entries]) => [name, code(numbered(entries))])).toEqual(
      Object.keys(cases).map((name) => [name, 'JOURNAL_CORRUPT']),
    );
    expect(
      code(numbered([started(run), trace('t')]).map(({ seq, entry }) => ({ seq: seq * 2, entry }))),
    ).toBe('JOURNAL_CORRUPT');
    expect(code(numbered([started(run), ended(), claimed(100)]))).toBe('fine');
  });

  it('is the same folded together and one after the other, and a state that was taken stays as it is', () => {
    const steps = fc.array(fc.tuple(fc.nat(9), fc.nat(5), fc.nat(50)), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (choices) => {
        const entries = numbered([started(run), ...possible(choices)]);
        const one = new RunFold();
        const states: [string, ReturnType<RunFold['state']>][] = [];
        for (const entry of entries) {
          one.add(entry);
          states.push([show(one.state()), one.state()]);
        }
        for (const [index, [shown, state]] of states.entries()) {
          expect(show(state)).toBe(shown);
          expect(show(foldRun(entries.slice(0, index + 1)))).toBe(shown);
        }
        const last = foldRun(entries);
        expect(last.seq).toBe(entries.length);
        expect(last.usedMs).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('summarizeRun', () => {
  it('calls a run without a living owner interrupted, unless it waits or has ended', () => {
    expect(summarizeRun(fold(), true)).toEqual({
      run,
      skill: 'tides',
      startedAt: 1,
      status: 'running',
      endedAt: null,
      parent: null,
      workspace: null,
    });
    expect(summarizeRun(fold(), false).status).toBe('interrupted');
    expect(summarizeRun(fold(paused(5, 4)), false).status).toBe('paused');
    expect(summarizeRun(fold(ended()), false)).toMatchObject({ status: 'completed', endedAt: 9 });
  });
});

function cancelAt(at: number): JournalEntry {
  return { type: 'cancel.requested', at, by: 'me', reason: 'r' };
}

function show(state: ReturnType<typeof foldRun>): string {
  return JSON.stringify({ ...state, effects: [...state.effects], questions: [...state.questions] });
}

/** Entries that an engine could write, as the choices say. */
function possible(choices: readonly (readonly [number, number, number])[]): JournalEntry[] {
  const entries: JournalEntry[] = [];
  const [underWay, done, open] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let epoch = 1;
  let at = 1;
  for (const [kind, n, ms] of choices) {
    at += ms;
    const key = String(n);
    if (kind <= 2 && !done.has(key)) {
      underWay.add(key);
      entries.push(effectStarted(key, at));
    } else if (kind <= 4 && underWay.delete(key)) {
      done.add(key);
      entries.push(effectEnded(key, at));
    } else if (kind === 5) entries.push(claimed(at, (epoch += 1)));
    else if (kind === 6) entries.push(paused(at, at - 1));
    else if (kind === 7) entries.push(resumed(at));
    else if (kind === 8 && !open.has(key)) {
      open.add(key);
      entries.push(asked(key));
    } else entries.push({ ...trace(key), at });
  }
  return entries;
}
