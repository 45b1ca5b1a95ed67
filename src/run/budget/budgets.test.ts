import { describe, expect, it } from 'vitest';
import { foldRun } from '../../journal/run-state.ts';
import { effectEnded, effectStarted, started } from '../../journal/sample-entries.ts';
import { Budgets, isRefusal, resolveLimits, usageFromJson, usageToJson, usedFromJson } from './budgets.ts';
import { defaultLimits, maximumLimits } from './limits.ts';

const limits = { ...defaultLimits, asks: 3, commands: 2, runs: 1, tokens: 100, costMicros: 2_000_000 };
const tokens = (inputTokens: number, outputTokens = 0, costMicros = 0) => ({
  inputTokens,
  outputTokens,
  costMicros,
});
const codeOf = (budgets: Budgets, kind: string, more = 1): string | null =>
  budgets.refuse(kind, more)?.code ?? null;

describe('Budgets', () => {
  it('admits as many calls as there are, of each kind', () => {
    for (const [kind, count, code, message] of [
      ['ask', 3, 'ASK_BUDGET', 'ask budget exhausted (3 calls)'],
      ['chat', 3, 'ASK_BUDGET', 'ask budget exhausted (3 calls)'],
      ['command', 2, 'COMMAND_BUDGET', 'command budget exhausted (2 calls)'],
      ['tool', 2, 'COMMAND_BUDGET', 'command budget exhausted (2 calls)'],
      ['skill', 1, 'RUN_BUDGET', 'run budget exhausted (1 run)'],
    ] as const) {
      const budgets = new Budgets(limits, null);
      for (let at = 0; at < count; at += 1) {
        expect(budgets.refuse(kind, 1)).toBeNull();
        budgets.count(String(at), kind);
      }
      expect(budgets.refuse(kind, 1)).toEqual({ code, message });
    }
    const other = new Budgets(limits, null);
    expect([codeOf(other, 'sleep', 99), codeOf(other, 'input', 99)]).toEqual([null, null]);
  });

  it('admits several together, or none of them', () => {
    const budgets = new Budgets(limits, null);
    expect(codeOf(budgets, 'ask', 3)).toBeNull();
    expect(budgets.refuse('ask', 4)).toEqual({
      code: 'ASK_BUDGET',
      message: 'ask budget exhausted (3 calls): 4 at once are more than are left',
    });
  });

  it.each([
    { asks: 1, commands: 1, runs: 0 },
    { asks: 1, commands: 0, runs: 1 },
    { asks: 0, commands: 1, runs: 1 },
  ])('counts what a nested run has used: %j', (used) => {
    const budgets = new Budgets(limits, null);
    budgets.addUsage('1', { ...tokens(0), ...used });
    expect(budgets.left).toMatchObject({
      asks: 3 - used.asks,
      commands: 2 - used.commands,
      runs: 1 - used.runs,
    });
  });

  it('counts a call once, whether it waits or starts', () => {
    const budgets = new Budgets(limits, null);
    expect(budgets.has('1')).toBe(false);
    budgets.count('1', 'command');
    budgets.count('1', 'command');
    expect([budgets.has('1'), budgets.usage(0, 0, []).commands, budgets.left.commands]).toEqual([true, 0, 1]);
    budgets.begin('1', 'command');
    expect([budgets.usage(0, 0, []).commands, budgets.left.commands]).toEqual([1, 1]);
    expect(codeOf(budgets, 'command')).toBeNull();
    budgets.begin('2', 'tool');
    expect(codeOf(budgets, 'command')).toBe('COMMAND_BUDGET');
  });

  it('counts parts of an ask that change something, and no others', () => {
    const budgets = new Budgets({ ...limits, asks: 9, commands: 9, runs: 9 }, null);
    for (const [key, kind, repeatable] of [
      ['1', 'ask', false],
      ['1/1', 'turn', true],
      ['1/2', 'command', true],
      ['1/3', 'tool', false],
      ['1/4', 'tool', true],
      ['1/5', 'skill', false],
      ['1/6', 'chat', true],
      ['2', 'tool', true],
      ['3', 'sleep', true],
      ['4', 'input', false],
    ] as const)
      budgets.begin(key, kind, repeatable);
    expect(budgets.usage(7, 8, ['x'])).toEqual({
      asks: 1,
      commands: 3,
      runs: 1,
      ...tokens(0),
      steps: 7,
      wallMs: 8,
      clamped: ['x'],
    });
    expect(budgets.left).toEqual({ asks: 8, commands: 6, runs: 8, tokens: 100, costMicros: 2_000_000 });
    expect(new Budgets(limits, null).usage(0, 0, [])).not.toHaveProperty('runs');
  });

  it('refuses a turn when the tokens or the money are used up', () => {
    const after = (usage: ReturnType<typeof tokens>): string | null => {
      const budgets = new Budgets(limits, null);
      budgets.addUsage('1', usage);
      return budgets.refuseTurn()?.message ?? null;
    };
    expect([
      after(tokens(0)),
      after(tokens(60, 39)),
      after(tokens(60, 40)),
      after(tokens(0, 0, 1_999_999)),
      after(tokens(0, 0, 2_000_000)),
    ]).toEqual([
      null,
      null,
      'token budget exhausted (100 of 100 tokens)',
      null,
      'cost budget exhausted ($2.0000 of $2.0000)',
    ]);
    // A model that costs nothing may be asked without money.
    expect(new Budgets({ ...limits, costMicros: 0 }, null).refuseTurn()).toBeNull();
    const spent = new Budgets(limits, null);
    spent.addUsage('1', tokens(100));
    expect([codeOf(spent, 'ask'), codeOf(spent, 'command')]).toEqual(['TOKEN_BUDGET', null]);
    spent.addUsage('2', tokens(50, 60, 3_000_000));
    expect(spent.left).toMatchObject({ tokens: 0, costMicros: 0 });
  });

  it('shares everything with the run outside, while the inner one runs and after it', () => {
    const outer = new Budgets(limits, null);
    outer.begin('1', 'skill');
    const inner = new Budgets(defaultLimits, { budgets: outer, key: '1' });
    inner.begin('1', 'ask');
    inner.begin('2', 'command');
    inner.count('3', 'command');
    inner.addUsage('1', tokens(30, 10, 5));
    expect(outer.left).toEqual({ asks: 2, commands: 0, runs: 0, tokens: 60, costMicros: 1_999_995 });
    expect(outer.usage(0, 0, [])).toMatchObject({ asks: 1, commands: 1, runs: 1, ...tokens(30, 10, 5) });
    expect(inner.refuse('command', 1)).toEqual({
      code: 'COMMAND_BUDGET',
      message: 'command budget exhausted (2 calls) (of the outer run)',
    });
    expect(inner.refuse('ask', 2)).toBeNull();
    inner.addUsage('4', tokens(60));
    expect(inner.refuseTurn()?.code).toBe('TOKEN_BUDGET');
    // Its end says what it used in all; nothing is counted twice.
    outer.addUsage('1', { ...tokens(90, 10, 5), asks: 1, commands: 2 });
    expect(outer.usage(0, 0, [])).toMatchObject({ asks: 1, commands: 2, runs: 1, ...tokens(90, 10, 5) });
    expect(outer.left).toMatchObject({ asks: 2, commands: 0, tokens: 0 });
  });

  it('continues from a journal, without what was refused', () => {
    const refused = {
      ...effectEnded('2'),
      ok: false,
      result: { value: { code: 'COMMAND_BUDGET', message: 'no', refused: true } },
    };
    const state = foldRun(
      [
        started('R'),
        effectStarted('1'),
        { ...effectEnded('1'), usage: { inputTokens: 7, asks: 1 } },
        effectStarted('2'),
        refused,
        effectStarted('3'),
      ].map((entry, seq) => ({ seq, entry })),
    );
    if (state === null) throw new Error('there is no run');
    const budgets = Budgets.fromJournal(limits, state);
    expect(budgets.usage(0, 0, [])).toMatchObject({ asks: 1, commands: 2, ...tokens(7) });
    expect([budgets.has('1'), budgets.has('2'), budgets.has('3')]).toEqual([true, false, true]);
    expect([
      isRefusal(refused.result),
      isRefusal({ value: { refused: 1 } }),
      isRefusal({ value: [] }),
    ]).toEqual([true, false, false]);
  });
});

describe('usage as JSON', () => {
  it('takes counts, and nothing else', () => {
    const bad = { inputTokens: -1, outputTokens: Number.NaN, costMicros: '5' };
    expect(usageFromJson(bad as never)).toEqual(tokens(0));
    expect(usageFromJson({ inputTokens: Infinity, outputTokens: 2.5, costMicros: 1 })).toEqual(
      tokens(0, 2.5, 1),
    );
    expect(usedFromJson({ inputTokens: 1, asks: 2, commands: 3, runs: 4 })).toEqual({
      ...tokens(1),
      asks: 2,
      commands: 3,
      runs: 4,
    });
  });

  it('is nothing when nothing was used, and has the counts that are there', () => {
    expect(usageToJson(tokens(0))).toBeNull();
    expect(usageToJson({ ...tokens(0), asks: 0, commands: 0, runs: 0 })).toBeNull();
    expect(usageToJson(tokens(1))).toEqual(tokens(1));
    for (const usage of [tokens(1, 1), tokens(0, 1, 1), tokens(1, 0, 1)])
      expect(usageToJson(usage)).toEqual(usage);
    const counted = [
      { asks: 1 },
      { commands: 1 },
      { runs: 1 },
      { asks: 1, commands: 1 },
      { commands: 1, runs: 1 },
    ];
    expect(usageToJson({ ...tokens(0, 0, 1), asks: 1 })).toEqual({ ...tokens(0, 0, 1), asks: 1 });
    for (const counts of counted)
      expect(usageToJson({ ...tokens(0), ...counts })).toEqual({ ...tokens(0), ...counts });
  });
});

describe('resolveLimits', () => {
  const resolve = (asked: { readonly [name: string]: unknown }) =>
    resolveLimits(asked as never, defaultLimits, maximumLimits);

  it('takes what is asked for up to the maximum, and says what it clamped', () => {
    expect(resolve({ asks: 7, commands: 100, tokens: 20_000_001 })).toEqual({
      ok: true,
      limits: { ...defaultLimits, asks: 7, commands: 100, tokens: 20_000_000 },
      clamped: ['tokens'],
    });
    expect(resolve({ asks: undefined })).toEqual({ ok: true, limits: defaultLimits, clamped: [] });
    const low = { ...maximumLimits, asks: 2 };
    expect(resolveLimits({}, defaultLimits, low)).toEqual({
      ok: true,
      limits: { ...defaultLimits, asks: 2 },
      clamped: [],
    });
  });

  it('refuses what is no limit, and what no run can do anything with', () => {
    const messageOf = (asked: { readonly [name: string]: unknown }): string | null => {
      const resolved = resolve(asked);
      return resolved.ok ? null : resolved.message;
    };
    expect([
      messageOf({ ask: 1 }),
      messageOf({ zzzzzzzz: 1 }),
      messageOf({ asks: 0 }),
      messageOf({ asks: 1 }),
      messageOf({ commands: -1 }),
      messageOf({ wallMs: 1.5 }),
      messageOf({ resultUnits: 999 }),
    ]).toEqual([
      'there is no limit "ask"; did you mean "asks"?',
      'there is no limit "zzzzzzzz"',
      'the limit asks must be an integer of at least 1, not 0',
      null,
      'the limit commands must be an integer of at least 0, not -1',
      'the limit wallMs must be an integer of at least 1, not 1.5',
      'the limit resultUnits must be an integer of at least 1000, not 999',
    ]);
  });

  it('lets each limit be as low as it makes sense', () => {
    const floors = {
      commands: 0,
      traceEntries: 0,
      depth: 0,
      runs: 0,
      tokens: 0,
      costMicros: 0,
      resultUnits: 1_000,
      traceEntryUnits: 100,
      memoryBytes: 65_536,
      steps: 1_000,
      asks: 1,
      parallel: 1,
    };
    expect(resolve(floors)).toMatchObject({ ok: true, limits: floors });
    for (const [name, floor] of Object.entries(floors)) expect(resolve({ [name]: floor - 1 }).ok).toBe(false);
  });
});

describe('the limits of a run', () => {
  it('are these, and can be raised to those', () => {
    expect(defaultLimits).toEqual({
      asks: 5,
      commands: 10,
      wallMs: 300_000,
      traceEntries: 100,
      traceEntryUnits: 4_000,
      answerUnits: 20_000,
      commandUnits: 20_000,
      resultUnits: 20_000,
      turnsPerAsk: 30,
      commandTimeoutMs: 30_000,
      commandTimeoutMaxMs: 120_000,
      tokens: 2_000_000,
      costMicros: 10_000_000,
      steps: 100_000_000,
      memoryBytes: 67_108_864,
      parallel: 4,
      depth: 2,
      runs: 1_000,
    });
    expect(maximumLimits).toEqual({
      ...defaultLimits,
      asks: 50,
      commands: 100,
      wallMs: 3_600_000,
      tokens: 20_000_000,
      costMicros: 100_000_000,
      steps: 1_000_000_000,
      memoryBytes: 268_435_456,
      parallel: 100,
      runs: 10_000,
    });
  });
});
