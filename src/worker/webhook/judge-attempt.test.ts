// When a delivery is tried again, and when it is given up.
import { describe, expect, it } from 'vitest';
import { judgeAttempt, mostAttempts, retryWaitMs } from './judge-attempt.ts';

const answered = (status: number, retryAfterMs: number | null = null) => ({ status, retryAfterMs });

describe('judgeAttempt', () => {
  it.each([200, 202, 204, 299])('is delivered by %i', (status) => {
    expect(judgeAttempt(answered(status), 3, 0.5)).toEqual({
      state: 'delivered',
      waitMs: 0,
      status,
      fault: null,
      disables: false,
    });
  });

  it('is given up at once by 410, and disables the webhook', () => {
    expect(judgeAttempt(answered(410), 0, 0.5)).toMatchObject({ state: 'dead', status: 410, disables: true });
  });

  it.each([
    [answered(301), 'it answered 301, and redirects are not followed'],
    [answered(400), 'it answered 400'],
    [answered(500), 'it answered 500'],
    [{ fault: 'no answer' }, 'no answer'],
  ])('is tried again after %j', (outcome, fault) => {
    expect(judgeAttempt(outcome, 0, 0.5)).toEqual({
      state: 'pending',
      waitMs: 5_000,
      status: 'status' in outcome ? outcome.status : null,
      fault,
      disables: false,
    });
  });

  it('waits longer each time, for about three days in all', () => {
    const waits = Array.from({ length: mostAttempts - 1 }, (_, attempts) => retryWaitMs(attempts));
    expect(waits.slice(0, 4)).toEqual([5_000, 15_000, 45_000, 135_000]);
    const days = waits.reduce((sum, ms) => sum + ms, 0) / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThan(3.2);
    expect(judgeAttempt(answered(500), mostAttempts - 2, 0.5).state).toBe('pending');
    expect(judgeAttempt(answered(500), mostAttempts - 1, 0.5)).toMatchObject({
      state: 'dead',
      disables: false,
    });
  });

  it('spreads attempts by a fifth, and waits as long as it is asked to, within bounds', () => {
    expect(judgeAttempt(answered(500), 0, 0).waitMs).toBe(4_000);
    expect(judgeAttempt(answered(500), 0, 1).waitMs).toBe(6_000);
    expect(judgeAttempt(answered(429, 600_000), 0, 0).waitMs).toBe(600_000);
    expect(judgeAttempt(answered(503, 999_999_000), 0, 0.5).waitMs).toBe(43_200_000);
  });
});
