import { describe, expect, it } from 'vitest';
import type { Match, MatchResult } from '../../match/match.ts';
import { renderReport } from './render-report.ts';
import { scoreCases } from './score-cases.ts';

const match = (skill: string): Match => ({
  skill,
  mode: 'lexical',
  confidence: 0.5,
  variables: {},
  reason: `fits ${skill}`,
});
/** A message is the names that come for it. */
const answer = (message: string): MatchResult => ({
  matches: message
    .split(' ')
    .filter((name) => name !== '-')
    .map((name) => match(name)),
  abstained: message === '-' ? 'nothing is close' : null,
  candidates: [],
});

const report = await scoreCases(
  [
    { message: 'a b', expected: 'a', kind: 'positive' },
    { message: 'b a', expected: 'a', kind: 'positive' },
    { message: 'b', expected: 'a', kind: 'explicit' },
    { message: '-', expected: 'a', kind: 'positive' },
    { message: '-', expected: null, kind: 'negation' },
    { message: 'c', expected: null, kind: 'negation' },
    { message: 'c', expected: null, kind: 'negation', about: 'a' },
    { message: 'c a', expected: null, kind: 'question', about: 'a' },
    { message: 'a', expected: 'a', kind: 'rubric', rubric: ['x'] },
  ],
  answer,
);

describe('scoreCases', () => {
  it('counts what is right, and in which way the rest is wrong', () => {
    const { failures: _failures, ...figures } = report;
    expect(figures).toEqual({
      cases: 8,
      skipped: 1,
      right: 3,
      accuracy: 3 / 8,
      falsePositives: 2,
      falseNegatives: 1,
      wrongSkill: 2,
      hitAt3: 2 / 4,
      kinds: [
        { kind: 'positive', cases: 3, right: 1 },
        { kind: 'explicit', cases: 1, right: 0 },
        { kind: 'negation', cases: 3, right: 2 },
        { kind: 'question', cases: 1, right: 0 },
      ],
      confusions: [
        { expected: 'a', found: 'b', count: 2 },
        { expected: null, found: 'a', count: 1 },
        { expected: null, found: 'c', count: 1 },
        { expected: 'a', found: null, count: 1 },
      ],
    });
  });

  it('keeps every failure with its reason', () => {
    expect(report.failures[0]).toEqual({
      message: 'b a',
      kind: 'positive',
      outcome: 'wrong-skill',
      expected: 'a',
      found: 'b',
      rank: 2,
      reason: 'fits b',
    });
    expect(report.failures.map(({ outcome }) => outcome)).toEqual([
      'wrong-skill',
      'wrong-skill',
      'false-negative',
      'false-positive',
      'false-positive',
    ]);
    expect(report.failures[2]?.reason).toBe('nothing is close');
  });

  it('calls no cases at all neither right nor wrong', async () => {
    const none = await scoreCases([], answer);
    expect([none.accuracy, none.hitAt3, renderReport(none)]).toEqual([
      null,
      null,
      'kind  right  cases\nall       0      0\n\n0 found nothing, 0 found something for nothing, 0 found another skill\n',
    ]);
  });
});

describe('renderReport', () => {
  it('shows figures, pairs and failures', () => {
    expect(renderReport(report, { most: 2 })).toBe(
      [
        'kind      right  cases',
        'positive      1      3  33.3 %',
        'explicit      0      1   0.0 %',
        'negation      2      3  66.7 %',
        'question      0      1   0.0 %',
        'all           3      8  37.5 %',
        '',
        '1 found nothing, 2 found something for nothing, 2 found another skill; the expected one is among the first three in 50.0 %',
        '1 of kind rubric test no matching',
        '',
        'expected -> found',
        '    2  a -> b',
        '    1  none -> a',
        '  and 2 more; --json has all',
        '',
        'what went wrong',
        '  b a',
        '       positive: expected a, found b (fits b)',
        '  b',
        '       explicit: expected a, found b (fits b)',
        '  and 3 more; --json has all',
        '',
      ].join('\n'),
    );
  });
});
