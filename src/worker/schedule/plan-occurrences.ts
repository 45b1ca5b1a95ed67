// A schedule that is due and the time now -> the occurrences to run, and when it is due next.
//
// An occurrence is missed when it is older than the grace. `catch-up` runs all that were missed, at most the newest hundred;
// `latest` runs the newest, `skip` none of them. One that is on time is always run. The same schedule and time give the same plan.
import type { MissedRule } from '../../ports/schedules.ts';
import type { CronTimes } from './cron.ts';

export interface PlannedOccurrences {
  /** Oldest first. */
  readonly fire: readonly number[];
  readonly nextAt: number | null;
}

/** Occurrences that are caught up, at most. */
export const mostCaughtUp = 100;

const hourMs = 3_600_000;

export function planOccurrences(
  cron: CronTimes,
  {
    missed,
    dueAt,
    nowMs,
    graceMs,
  }: {
    readonly missed: MissedRule;
    readonly dueAt: number;
    readonly nowMs: number;
    readonly graceMs: number;
  },
): PlannedOccurrences {
  const nextAt = cron.after(nowMs);
  const all = newest(cron, dueAt, nowMs);
  if (missed === 'catch-up') return { fire: all, nextAt };
  const last = all.at(-1);
  const isRun = last !== undefined && (missed === 'latest' || nowMs - last <= graceMs);
  return { fire: isRun ? [last] : [], nextAt };
}

/** The newest occurrences from `from` to `to`. Looks at ever longer times before `to`, so that years of minutes are not counted. */
function newest(cron: CronTimes, from: number, to: number): readonly number[] {
  for (let spanMs = 2 * hourMs; ; spanMs *= 8) {
    const begin = Math.max(from, to - spanMs);
    const found: number[] = [];
    for (let at = cron.after(begin - 1); at !== null && at <= to; at = cron.after(at)) {
      found.push(at);
      if (found.length > mostCaughtUp) found.shift();
    }
    if (begin === from || found.length === mostCaughtUp) return found;
  }
}
