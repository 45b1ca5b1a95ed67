// What came of an attempt -> delivered, tried again later, or dead.
//
// Waits grow threefold from five seconds to twelve hours, a fifth more or less by chance: fifteen attempts in about three days.
import type { AttemptResult } from '../../ports/webhooks.ts';

/** What a receiver answered, or why there is no answer. */
export type Outcome =
  | { readonly status: number; readonly retryAfterMs: number | null }
  | { readonly fault: string };

export const mostAttempts = 15;
const [firstMs, factor, mostMs] = [5_000, 3, 43_200_000];

/** `attempts`: those before. `random`: from 0 to 1. */
export function judgeAttempt(outcome: Outcome, attempts: number, random: number): AttemptResult {
  const status = 'status' in outcome ? outcome.status : null;
  if (status !== null && status >= 200 && status < 300)
    return { state: 'delivered', waitMs: 0, status, fault: null, disables: false };
  const fault = 'fault' in outcome ? outcome.fault : wordsOf(outcome.status);
  if (status === 410) return { state: 'dead', waitMs: 0, status, fault, disables: true };
  if (attempts + 1 >= mostAttempts) return { state: 'dead', waitMs: 0, status, fault, disables: false };
  const asked = 'status' in outcome ? (outcome.retryAfterMs ?? 0) : 0;
  const ownMs = Math.round(retryWaitMs(attempts) * (0.8 + 0.4 * random));
  const waitMs = Math.max(ownMs, Math.min(mostMs, asked));
  return { state: 'pending', waitMs, status, fault, disables: false };
}

/** Without chance. */
export function retryWaitMs(attempts: number): number {
  return Math.min(mostMs, firstMs * factor ** attempts);
}

function wordsOf(status: number): string {
  if (status >= 300 && status < 400) return `it answered ${status}, and redirects are not followed`;
  return status === 410 ? 'it answered 410: it is gone for good' : `it answered ${status}`;
}
