import { describe, expect, it } from 'vitest';
import type { Arm, OutputJudgement } from './judge.ts';
import type { Pair, Produced } from './measure-pair.ts';
import { measurePair, verdictOf } from './measure-pair.ts';
import { BudgetSpent } from './model-budget.ts';
import { renderOutput } from './render-output.ts';
import { scoreOutput } from './score-output.ts';

const cases = [
  { name: 'rome', skill: 'travel', prompt: 'Plan Rome.', rubric: ['Names a hotel.'] },
  { name: 'oslo', skill: 'travel', prompt: 'Plan Oslo.', rubric: ['Names a hotel.'] },
];
const made = (text: string): Produced => ({
  ok: true,
  text,
  turns: 1,
  tokens: 10,
  run: null,
  transcript: null,
});
const broken: Produced = { ok: false, message: 'HTTP 500', turns: 0, tokens: 0, run: null, transcript: null };
const says = (first: Arm, withSkill: number, without: number): OutputJudgement => ({
  first,
  replies: [],
  status: 'valid',
  scores: { with: [withSkill], without: [without] },
  better: withSkill === without ? 'tie' : withSkill > without ? 'with' : 'without',
  reason: 'so',
});
const invalid: OutputJudgement = {
  first: 'with',
  replies: ['x'],
  status: 'invalid',
  faults: ['the answer is not JSON'],
};
const pair = (
  at: number,
  run: number,
  judgements: readonly OutputJudgement[],
  results: Pair['results'] = { with: made('a'), without: made('b') },
): Pair => ({ at, run, results, judgements, ...verdictOf(judgements) });

describe('verdictOf', () => {
  it('takes a verdict that changes with the order for a tie, and means of both scores', () => {
    expect(verdictOf([says('with', 8, 4), says('without', 3, 5)])).toEqual({
      outcome: 'tie',
      scores: { with: 5.5, without: 4.5 },
    });
    expect(verdictOf([says('with', 8, 4), says('without', 6, 4)])).toEqual({
      outcome: 'win',
      scores: { with: 7, without: 4 },
    });
    expect(verdictOf([says('with', 3, 4)])).toEqual({ outcome: 'loss', scores: { with: 3, without: 4 } });
  });

  it('counts no pair with a judgement that is not valid', () => {
    expect(verdictOf([says('with', 8, 4), invalid])).toEqual({ outcome: null, scores: null });
    expect(verdictOf([])).toEqual({ outcome: null, scores: null });
  });
});

describe('measurePair', () => {
  const parts = (produce: (arm: Arm) => Promise<Produced>) => ({
    at: 0,
    run: 1,
    one: cases[0] as (typeof cases)[number],
    orders: ['without', 'with'] as const,
    stopped: () => false,
    produce: (_one: unknown, arm: Arm) => produce(arm),
    judge: async (_one: unknown, texts: { readonly [arm in Arm]: string }, first: Arm) =>
      says(first, texts.with.length, texts.without.length),
  });

  it('makes both results, and has them judged in the orders that are wanted', async () => {
    const order: Arm[] = [];
    const measured = await measurePair(
      parts(async (arm) => {
        order.push(arm);
        return made(arm === 'with' ? 'longer' : 'short');
      }),
    );
    expect([order, measured?.outcome, measured?.judgements.map(({ first }) => first)]).toEqual([
      ['without', 'with'],
      'win',
      ['without', 'with'],
    ]);
  });

  it('judges nothing when a result did not come about', async () => {
    expect(await measurePair(parts(async (arm) => (arm === 'with' ? broken : made('x'))))).toMatchObject({
      outcome: null,
      judgements: [],
    });
  });

  it('gives nothing when the budget is spent on the way, and lets a bug through', async () => {
    expect(await measurePair(parts(async () => Promise.reject(new BudgetSpent('calls'))))).toBeNull();
    await expect(measurePair(parts(async () => Promise.reject(new Error('a bug'))))).rejects.toThrow('a bug');
  });
});

const pairs = [
  pair(0, 1, [says('with', 8, 4), says('without', 8, 4)]),
  pair(0, 2, [says('with', 6, 4), says('without', 3, 5)]),
  pair(0, 3, [invalid, says('without', 9, 1)]),
  pair(1, 1, [says('without', 2, 6), says('with', 2, 6)]),
  pair(1, 2, [], { with: broken, without: made('b') }),
];

describe('scoreOutput', () => {
  it('counts pairs that count, and the rest beside them', () => {
    const { prompts, ...all } = scoreOutput(cases, pairs, true);
    expect(all).toMatchObject({
      pairs: 3,
      wins: 1,
      ties: 1,
      losses: 1,
      winRate: 0.5,
      failed: { with: 1, without: 0, judge: 0 },
      invalid: 1,
      unmeasured: 0,
    });
    expect(prompts[0]).toMatchObject({
      name: 'rome',
      pairs: 2,
      wins: 1,
      ties: 1,
      losses: 0,
      winRate: 0.75,
      scoreWith: 6.25,
      scoreWithout: 4.25,
      difference: 2,
    });
    expect(prompts[1]).toMatchObject({ name: 'oslo', pairs: 1, losses: 1, difference: -4, interval: null });
  });

  it('tells how the judge treats what it sees first', () => {
    expect(scoreOutput(cases, pairs, true).position).toEqual({
      first: 4,
      second: 3,
      neither: 0,
      bias: null,
      both: 3,
      agreed: 2,
    });
    expect(scoreOutput(cases, [pair(0, 1, [says('with', 5, 5)])], false).position).toEqual({
      first: 0,
      second: 0,
      neither: 1,
      bias: null,
      both: null,
      agreed: null,
    });
  });

  it('has the interval of all over prompts, and of one prompt over its repeats', () => {
    const close = [
      pair(0, 1, [says('with', 6, 4)]),
      pair(0, 2, [says('with', 6, 4)]),
      pair(1, 1, [says('with', 5, 4)]),
    ];
    const report = scoreOutput(cases, close, false);
    expect([report.difference, report.scoreWith, report.scoreWithout]).toEqual([1.5, 5.5, 4]);
    expect(report.interval?.low).toBeCloseTo(1.5 - 12.706 * 0.5, 5);
    expect(scoreOutput(cases, pairs, true).interval).toEqual({ low: -10, high: 10 });
    const repeats = [pair(0, 1, [says('with', 8, 4)]), pair(0, 2, [says('with', 7, 4)])];
    expect(scoreOutput(cases.slice(0, 1), repeats, false).interval?.low).toBeCloseTo(3.5 - 12.706 * 0.5, 5);
  });
});

describe('renderOutput', () => {
  it('shows scores, wins, the judge and what went wrong', () => {
    expect(renderOutput(scoreOutput(cases, pairs, true), pairs)).toBe(
      [
        'prompt  with  without             difference  wins  ties  losses',
        'rome     6.3      4.3  +2.0 (-10.0 to +10.0)     1     1       0',
        'oslo     2.0      6.0                   -4.0     0     0       1',
        'all      4.1      5.1  -1.0 (-10.0 to +10.0)     1     1       1',
        '',
        'the skill wins 50.0 % of 3 pairs, ties count half; scores go from 0 to 10, differences with their 95 % interval',
        'the judge preferred what it saw first 4 times, second 3, neither 0; it stayed with its verdict in 2 of 3 pairs when the order changed',
        '1 judgement was invalid, even when asked again; they are in no figure',
        '1 failed (1 with the skill, 0 without it, 0 of the judge); they are in no figure',
        '',
        'what went wrong',
        '  rome, run 3, invalid: the answer is not JSON',
        '  oslo, run 2, with the skill: HTTP 500',
        '',
      ].join('\n'),
    );
  });

  it('warns of a judge that goes by the order', () => {
    const ordered = [
      pair(0, 1, [says('with', 8, 4)]),
      pair(0, 2, [says('without', 4, 8)]),
      pair(0, 3, [says('with', 8, 4)]),
    ];
    expect(renderOutput(scoreOutput(cases.slice(0, 1), ordered, false), ordered)).toContain(
      'warning: position bias: 3 of 3 preferences are for the result that the judge saw first; wins and scores reflect the order, not the skill: judge again with --both-orders, or with another --judge\n',
    );
  });
});
