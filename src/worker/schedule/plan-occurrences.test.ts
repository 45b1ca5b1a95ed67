import { describe, expect, it } from 'vitest';
import type { MissedRule } from '../../ports/schedules.ts';
import { parseCron } from './cron.ts';
import { mostCaughtUp, planOccurrences } from './plan-occurrences.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const plan = (missed: MissedRule, expression: string, due: string, now: string) => {
  const { fire, nextAt } = planOccurrences(parseCron(expression, 'UTC'), {
    missed,
    dueAt: at(due),
    nowMs: at(now),
    graceMs: 60_000,
  });
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
  return [fire.map(text), nextAt === null ? null : text(nextAt)];
};

describe('planOccurrences', () => {
  it.each(['catch-up', 'latest', 'skip'] as const)('runs what is on time: %s', (missed) => {
    expect(plan(missed, '0 3 * * *', '2026-05-01T03:00', '2026-05-01T03:00:20')).toEqual([
      ['2026-05-01T03:00'],
      '2026-05-02T03:00',
    ]);
  });

  it.each([
    ['catch-up', ['2026-05-01T03:00', '2026-05-02T03:00', '2026-05-03T03:00']],
    ['latest', ['2026-05-03T03:00']],
    ['skip', []],
  ] as const)('of three days without a worker, %s runs %j', (missed, fire) => {
    expect(plan(missed, '0 3 * * *', '2026-05-01T03:00', '2026-05-03T09:00')).toEqual([
      fire,
      '2026-05-04T03:00',
    ]);
  });

  it('skips what was missed, and runs what is on time', () => {
    expect(plan('skip', '* * * * *', '2026-05-01T03:00', '2026-05-01T09:30:10')).toEqual([
      ['2026-05-01T09:30'],
      '2026-05-01T09:31',
    ]);
  });

  it('catches up the newest hundred, without counting the years before', () => {
    const [fire, next] = plan('catch-up', '* * * * *', '2016-05-01T03:00', '2026-05-01T09:30');
    expect([fire?.length, fire?.[0], fire?.at(-1), next]).toEqual([
      mostCaughtUp,
      '2026-05-01T07:51',
      '2026-05-01T09:30',
      '2026-05-01T09:31',
    ]);
    expect(plan('catch-up', '0 0 1 1 *', '2016-01-01T00:00', '2026-05-01T09:30')[0]).toHaveLength(11);
  });

  it('has nothing left of a time that never comes again', () => {
    const never = { after: () => null };
    expect(planOccurrences(never, { missed: 'latest', dueAt: 0, nowMs: 10, graceMs: 5 })).toEqual({
      fire: [],
      nextAt: null,
    });
  });
});
