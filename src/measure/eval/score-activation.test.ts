import { describe, expect, it } from 'vitest';
import type { EvalCase } from './eval-case.ts';
import { renderActivation } from './render-activation.ts';
import type { Tried } from './score-activation.ts';
import { scoreActivation } from './score-activation.ts';

const cases: readonly EvalCase[] = [
  { message: 'plan it', expected: 'travel', kind: 'positive' },
  { message: '$travel', expected: 'travel', kind: 'explicit' },
  { message: 'a log', expected: null, kind: 'pasted-history', about: 'travel' },
  { message: 'a roll', expected: null, kind: 'neighbouring-domain' },
  { message: 'never', expected: 'travel', kind: 'positive' },
];
const chose = (at: number, run: number, skill: string | null, turns = 2): Tried => ({
  at,
  run,
  distractors: null,
  ok: true,
  skill,
  way: skill === null ? null : turns === 0 ? 'mention' : 'load',
  turns,
  usage: { inputTokens: turns * 100, outputTokens: turns * 10, costMicros: 0 },
});
const failed = (at: number, run: number): Tried => ({
  at,
  run,
  distractors: null,
  ok: false,
  message: 'HTTP 500',
});

const report = scoreActivation(
  cases,
  [
    chose(0, 3, 'baker'),
    chose(0, 1, 'travel'),
    chose(0, 2, null),
    failed(0, 4),
    chose(1, 1, 'travel', 0),
    chose(2, 1, 'baker'),
    chose(2, 2, 'travel'),
    chose(3, 1, null),
    chose(3, 2, 'baker'),
    failed(4, 1),
    failed(4, 2),
  ],
  1,
);

describe('scoreActivation', () => {
  it('counts what is right, and in which way the rest is wrong', () => {
    const { cases: _cases, interval: _interval, ...figures } = report;
    expect(figures).toEqual({
      skipped: 1,
      measured: 8,
      right: 4,
      accuracy: 0.5,
      falsePositives: 2,
      falseNegatives: 1,
      wrongSkill: 1,
      errors: 3,
      unmeasured: 1,
      meanTurns: 2,
      meanTokens: 220,
      kinds: [
        { kind: 'positive', measured: 3, right: 1 },
        { kind: 'explicit', measured: 1, right: 1 },
        { kind: 'pasted-history', measured: 2, right: 1 },
        { kind: 'neighbouring-domain', measured: 2, right: 1 },
      ],
      confusions: [
        { expected: null, found: 'baker', count: 1 },
        { expected: null, found: 'travel', count: 1 },
        { expected: 'travel', found: null, count: 1 },
        { expected: 'travel', found: 'baker', count: 1 },
      ],
    });
  });

  it('never takes a model that failed for one that chose nothing', () => {
    expect(report.cases[0]).toMatchObject({
      measured: 3,
      activated: 2,
      right: 1,
      errors: 1,
      activationRate: 2 / 3,
      rate: 1 / 3,
    });
    expect(report.cases[0]?.attempts.map(({ run, outcome }) => [run, outcome])).toEqual([
      [1, 'right'],
      [2, 'false-negative'],
      [3, 'wrong-skill'],
      [4, 'error'],
    ]);
    expect(report.cases[4]).toMatchObject({ measured: 0, rate: null, interval: null, errors: 2 });
    expect(scoreActivation(cases, [failed(0, 1)], 0)).toMatchObject({
      accuracy: null,
      interval: null,
      falseNegatives: 0,
      unmeasured: 5,
    });
  });

  it('takes messages for independent, and repeats of one message for that only where there is no other (score-activation#A5)', () => {
    const always = (at: number, skill: string | null, runs: number): Tried[] =>
      Array.from({ length: runs }, (_, run) => chose(at, run + 1, skill));
    const intervalOf = (...tried: readonly Tried[][]): readonly number[] | null => {
      const { interval } = scoreActivation(cases, tried.flat(), 0);
      return interval === null ? null : [Number(interval.low.toFixed(2)), Number(interval.high.toFixed(2))];
    };
    // Two messages, one always right and one always wrong: that of one success in two, however often it is repeated.
    expect([1, 50, 5000].map((runs) => intervalOf(always(0, 'travel', runs), always(4, null, runs)))).toEqual(
      [
        [0.09, 0.91],
        [0.09, 0.91],
        [0.09, 0.91],
      ],
    );
    expect(intervalOf(always(0, 'travel', 50))).toEqual([0.93, 1]);
    const twice = scoreActivation(
      [cases[0] as EvalCase, cases[0] as EvalCase],
      [chose(0, 1, 'travel'), chose(1, 1, 'travel')],
      0,
    );
    expect(twice.interval).toEqual(scoreActivation(cases, always(0, 'travel', 2), 0).interval);
  });
});

describe('renderActivation', () => {
  it('shows figures, the cases that are not always right, and pairs', () => {
    expect(renderActivation(report, { most: 4 })).toBe(
      [
        'kind                 right  attempts',
        'positive                 1         3   33.3 %',
        'explicit                 1         1  100.0 %',
        'pasted-history           1         2   50.0 %',
        'neighbouring-domain      1         2   50.0 %',
        'all                      4         8   50.0 %',
        '',
        '1 activated nothing, 2 activated a skill for nothing, 1 activated another skill; 95 % within 15 to 85 %',
        '2.0 turns and 220 tokens on average, where the model was asked',
        '3 more could not be measured, since the model failed; they are in no figure',
        '1 of kind rubric test no activation',
        '',
        'right of attempts',
        '  1/3  plan it',
        '       positive: expected travel, activated travel 1, none 1, baker 1; 95 % within 6 to 79 %',
        '       the model failed: HTTP 500',
        '  1/2  a log',
        '       pasted-history: expected none, activated baker 1, travel 1; 95 % within 9 to 91 %',
        '  1/2  a roll',
        '       neighbouring-domain: expected none, activated none 1, baker 1; 95 % within 9 to 91 %',
        '  1/1  $travel',
        '  and 1 more; --json has all',
        '',
        'expected -> activated',
        '    1  none -> baker',
        '    1  none -> travel',
        '    1  travel -> none',
        '    1  travel -> baker',
        '',
      ].join('\n'),
    );
  });
});
