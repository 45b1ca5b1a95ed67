// Starts and ends of effects by themselves. `log` is what was written and told, in order.
import { describe, expect, it } from 'vitest';
import { effectScene, startedEffect } from '../../../test/support/effect-scene.ts';
import type { Json } from '../../base/json.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { createMemoryBlobs } from '../../ports/memory-blobs.ts';
import type { Blobs } from '../../ports/blobs.ts';
import { noUsage } from '../budget/budgets.ts';
import { StoredValues } from '../run-facts.ts';
import { Stopping } from './effect-context.ts';
import { decidedEntry, decidedKind, EffectJournal, failureOf } from './effect-journal.ts';

type Options = ConstructorParameters<typeof EffectJournal>[0];

const fullDisk: Blobs = {
  ...createMemoryBlobs(nodeSha256),
  put: () => Promise.reject(new Error('no space')),
};

function scene(more: Partial<Options> = {}, blobs: Blobs = createMemoryBlobs(nodeSha256)) {
  const log: unknown[] = [];
  const journal = new EffectJournal({
    log: {
      add: (entry: { type: string }) => log.push(entry),
      flush: async () => void log.push('flushed'),
      flushSoon: () => log.push('flushed soon'),
      met: () => undefined,
    } as unknown as Options['log'],
    isInParts: () => false,
    budgets: {
      begin: (...begun: unknown[]) => log.push(['budget begins', ...begun]),
      addUsage: (...used: unknown[]) => log.push(['budget uses', ...used]),
    } as unknown as Options['budgets'],
    values: new StoredValues(blobs),
    entries: [],
    effects: new Map(),
    nowMs: () => 7,
    usedMs: () => 3,
    isOpen: () => true,
    isDetached: () => false,
    onStarted: ({ key }, attempt, at) => log.push(`told that ${key} began as ${attempt} at ${at}`),
    onEnded: ({ key }, started, kind, code) => log.push(['told of the end', key, started?.key, kind, code]),
    ...more,
  });
  const { attempted } = effectScene();
  return { log, journal, attempted };
}
const typesOf = (log: readonly unknown[]): readonly unknown[] =>
  log.map((one) => (typeof one === 'object' && one !== null && 'type' in one ? one.type : one));
const ended = (value: Json) => ({ outcome: { ok: true, value } as const, ms: 5, usage: noUsage });
const large = 'x'.repeat(100_000);

describe('the start of an effect', () => {
  it('is counted, written and durable before anybody is told', async () => {
    const { log, journal, attempted } = scene();
    const effect = attempted('command', { argv: ['ls'] });
    await journal.begin(effect, 1);
    const entry = {
      type: 'effect.started',
      at: 7,
      key: '1',
      kind: 'command',
      hash: effect.hash,
      request: { value: { argv: ['ls'] } },
      repeatable: false,
      attempt: 1,
      usedMs: 3,
    };
    expect(log).toEqual([
      ['budget begins', '1', 'command', false],
      entry,
      'flushed',
      'told that 1 began as 1 at 7',
    ]);
    expect(journal.get('1')).toEqual({ key: '1', started: entry, ended: null, decided: null });
    expect([journal.get('2'), [...journal.all()].length]).toEqual([null, 1]);
  });

  it('is durable with its first part where it does nothing but by parts', async () => {
    const { log, journal, attempted } = scene({ isInParts: (kind) => kind === 'ask' });
    await journal.begin(attempted('ask', { prompt: 'p' }), 1);
    expect(typesOf(log).slice(1)).toEqual(['effect.started', 'flushed soon', 'told that 1 began as 1 at 7']);
  });

  it('is counted once, however often it is tried', async () => {
    const { log, journal, attempted } = scene({ effects: new Map([['1', startedEffect('1')]]) });
    await journal.begin(attempted('command', { argv: ['ls'] }), 2);
    expect(typesOf(log)).toEqual(['effect.started', 'flushed', 'told that 1 began as 2 at 7']);
  });

  it('keeps a large request beside the journal', async () => {
    const { journal, attempted } = scene();
    await journal.begin(attempted('chat', { prompt: large }), 1);
    expect(journal.get('1')?.started.request).toMatchObject({ bytes: large.length + 13 });
  });

  it.each([
    ['small', 'x', 0],
    ['large', large, 1],
  ])('is not written when the run stops first: a %s request', async (_what, prompt, looks) => {
    let looked = 0;
    const { log, journal, attempted } = scene({ isOpen: () => (looked += 1) <= looks });
    await expect(journal.begin(attempted('chat', { prompt }), 1)).rejects.toBeInstanceOf(Stopping);
    expect([log, journal.get('1')]).toEqual([[], null]);
  });

  it('is followed by its end when the run stops while it is written', async () => {
    let isOpen = true;
    const { log, journal, attempted } = scene({
      isOpen: () => isOpen,
      onStarted: () => void (isOpen = false),
    });
    await expect(journal.begin(attempted('command', { argv: ['ls'] }), 1)).rejects.toBeInstanceOf(Stopping);
    expect(log.slice(3)).toEqual([
      {
        type: 'effect.ended',
        at: 7,
        key: '1',
        ok: false,
        result: { value: { code: 'CANCELLED', message: 'stopped before it began' } },
        ms: 0,
        usedMs: 3,
      },
      ['budget uses', '1', noUsage],
      ['told of the end', '1', '1', 'command', 'CANCELLED'],
    ]);
  });
});

describe('the end of an effect', () => {
  const begun = (repeatable = false) => new Map([['1', startedEffect('1', { repeatable })]]);

  it('is written, counted and told, at once when it is small', () => {
    const { log, journal } = scene({ effects: begun() });
    const usage = { inputTokens: 1, outputTokens: 2, costMicros: 0 };
    expect(journal.end('1', 'chat', { ...ended('so'), usage })).toEqual({ ok: true, value: 'so' });
    const entry = {
      type: 'effect.ended',
      at: 7,
      key: '1',
      ok: true,
      result: { value: 'so' },
      ms: 5,
      usage,
      usedMs: 3,
    };
    expect(log).toMatchObject([
      { ...entry, usage: { inputTokens: 1, outputTokens: 2 } },
      ['budget uses', '1', usage],
      ['told of the end', '1', '1', 'chat', null],
    ]);
    expect(journal.get('1')).toMatchObject({ ended: { ok: true, ms: 5 }, decided: null });
  });

  it('says nothing of usage where there was none', () => {
    const { log, journal } = scene({ effects: begun() });
    void journal.end('1', 'command', ended('so'));
    expect(log[0]).not.toHaveProperty('usage');
  });

  it('is not written when the run is being detached', () => {
    const { log, journal } = scene({ effects: begun(), isDetached: () => true });
    void journal.end('1', 'command', ended('so'));
    expect(typesOf(log)).toEqual([
      ['budget uses', '1', noUsage],
      ['told of the end', '1', '1', 'command', null],
    ]);
  });

  it('may be that of an effect which is not known', () => {
    const { log, journal } = scene();
    void journal.end('1', 'command', ended('so'));
    expect([log.at(-1), journal.get('1')]).toEqual([
      ['told of the end', '1', undefined, 'command', null],
      null,
    ]);
  });

  it('keeps a large result beside the journal, whole', async () => {
    const { log, journal } = scene({ effects: begun() });
    expect(await journal.end('1', 'command', ended(large))).toEqual({ ok: true, value: large });
    expect(log[0]).not.toHaveProperty('result.value');
  });

  it('is cut to the size of an entry when it cannot be kept, and so is what the program gets', async () => {
    const { log, journal } = scene({ effects: begun() }, fullDisk);
    const kept = await journal.end('1', 'command', ended({ result: large }));
    const { result } = (kept as unknown as { value: { result: string } }).value;
    expect(result.length).toBeLessThan(large.length);
    expect(log[0]).toMatchObject({ ok: true, result: { value: { result } } });
    const failed = await scene({ effects: begun() }, fullDisk).journal.end('1', 'command', {
      ...ended(null),
      outcome: { ok: false, code: 'X', message: large },
    });
    expect(failed).toMatchObject({ ok: false, code: 'X' });
    expect((failed as unknown as { message: string }).message.length).toBeLessThan(large.length);
  });

  it.each([
    ['an ask', 'chat', false],
    ['a run', 'skill', false],
    ['what can be repeated', 'tool', true],
  ])('is not cut when it can be entered again: %s', async (_what, kind, repeatable) => {
    const { log, journal } = scene({ effects: begun(repeatable) }, fullDisk);
    await expect(journal.end('1', kind, ended(large))).rejects.toThrow('no space');
    expect(log).toEqual([]);
  });
});

describe('a call that is refused', () => {
  it('is written with the reason, and with a short form of what it asked for', () => {
    const { log, journal, attempted } = scene();
    const argv = ['a'.repeat(201), ...Array.from('bcdefghij')];
    journal.refuse(attempted('command', { argv, purpose: 'p', stdin: 'x' }), { code: 'C', message: 'm' });
    expect(log).toMatchObject([
      {
        type: 'effect.started',
        attempt: 1,
        request: { value: { purpose: 'p', argv: ['a'.repeat(200), ...Array.from('bcdefgh')] } },
      },
      {
        type: 'effect.ended',
        at: 7,
        key: '1',
        ok: false,
        result: { value: { code: 'C', message: 'm', refused: true } },
        ms: 0,
        usedMs: 3,
      },
    ]);
    expect(journal.get('1')).toMatchObject({ ended: { ok: false }, decided: null });
    journal.refuse(attempted('chat', { prompt: 'x' }), { code: 'C', message: 'm' });
    expect(log[2]).toMatchObject({ request: { value: {} } });
    expect(Object.keys((log[2] as { request: { value: object } }).request.value)).toEqual([]);
  });
});

describe('the trace', () => {
  it('has what was there, what was added, and what was refused', async () => {
    const traced = { type: 'trace.added', at: 1, kind: 'a', data: { value: 1 } } as const;
    const { journal, log, attempted } = scene({ entries: [traced as never] });
    journal.trace({ ...traced, kind: 'b' } as never);
    await journal.begin(attempted('command', { argv: ['ls'] }), 1);
    void journal.end('1', 'command', ended({ ok: true, exit_code: 0 }));
    journal.refuse(attempted('command', { argv: ['rm'] }, { key: '2' }), { code: 'C', message: 'm' });
    expect(log[0]).toMatchObject({ type: 'trace.added', kind: 'b' });
    expect(await journal.render()).toMatchObject([
      { kind: 'a' },
      { kind: 'b' },
      { kind: 'command', id: '1', argv: ['ls'], ok: true, ms: 5 },
      { kind: 'command', id: '2', argv: ['rm'], ok: false },
    ]);
  });
});

describe('a decision', () => {
  const values = new StoredValues(createMemoryBlobs(nodeSha256));
  const decided = (kind: string, as: 'done' | 'retry' | 'fail', value: Json, key = '1') =>
    decidedEntry(kind, { kind: 'decision', key, as, value, by: 'person' }, 9, values);

  it('is written, and known of the effect it is about', async () => {
    const { log, journal } = scene({ effects: new Map([['1', startedEffect('1')]]) });
    const entry = await decided('command', 'retry', null);
    journal.decide(entry);
    journal.decide({ ...entry, key: '5' });
    expect(log).toEqual([entry, { ...entry, key: '5' }]);
    expect([journal.get('1')?.decided, journal.get('5')]).toEqual([entry, null]);
  });

  it('to try again has no result', async () => {
    expect(await decided('command', 'retry', 'x')).toEqual({
      type: 'effect.decided',
      at: 9,
      key: '1',
      as: 'retry',
      by: 'person',
    });
  });

  it.each([
    ['no disk', 'no disk'],
    [5, 'person decided that it failed'],
  ])('that it failed has a message: %j', async (value, message) => {
    expect(await decided('command', 'fail', value)).toMatchObject({
      as: 'fail',
      result: { value: { code: 'DECIDED_FAILED', message } },
    });
  });

  it.each<[string, string, Json, Json]>([
    ['command', '1', 'out', { ok: true, exit_code: 0, result: 'out', stdout: 'out' }],
    ['command', '1/2', 'out', { ok: true, exit_code: 0, result: 'out', stdout: 'out' }],
    ['skill', '1', null, ''],
    ['skill', '1', 5, '5'],
    ['chat', '1', 'so', { answer: 'so', exhausted: false, turns: 0, truncated: false }],
    ['chat', '1', 5, { answer: '', exhausted: false, turns: 0, truncated: false }],
    ['chat', '1/2', 'so', 'so'],
    ['tool', '1/2', { a: 1 }, { a: 1 }],
    ['input', '1', { a: 1 }, { a: 1 }],
  ])('that it is done has the value of a %s at %s: %j', async (kind, key, value, kept) => {
    expect((await decided(kind, 'done', value, key)).result).toMatchObject({ value: kept });
  });

  it.each(['tool', 'exec'])(
    'that a %s of the program is done has the text that a tool gives',
    async (kind) => {
      const { result } = await decided(kind, 'done', 'so');
      expect(result).toMatchObject({ value: { text: 'so' } });
    },
  );

  it('is about an entry point when its command is one', () => {
    expect([
      decidedKind('command', { argv: ['ls'] }),
      decidedKind('command', { argv: ['ls'], parse: 'json' }),
      decidedKind('command', null),
      decidedKind('tool', { parse: 'json' }),
    ]).toEqual(['command', 'exec', 'command', 'tool']);
  });
});

describe('failureOf', () => {
  it.each<[Json, string, string]>([
    [{ code: 'C', message: 'm' }, 'C', 'm'],
    [null, 'ASK_FAILED', 'it failed'],
    [{}, 'ASK_FAILED', 'it failed'],
    [{ code: 1, message: 2 }, '1', '2'],
  ])('reads %j', (result, code, message) => {
    expect(failureOf(result)).toEqual({ code, message });
  });
});
