// Starts what schedules say: every worker looks, and each occurrence becomes one run.
//
//   schedules that are due -> occurrences -> submitted runs -> schedules advanced
//
// The run is submitted before the schedule is advanced, under the key of its occurrence: a worker that is killed in between leaves a
// schedule that is still due, and the next one finds the same run. What is wrong with one schedule is kept with it, and the others
// are looked at.
import { TechneError } from '../../base/error.ts';
import type { Schedule, Schedules } from '../../ports/schedules.ts';
import { parseCron } from './cron.ts';
import { planOccurrences } from './plan-occurrences.ts';

export interface FireOptions {
  readonly schedules: Schedules;
  /** Queues the run of an occurrence; the same occurrence gives the same run. A fault says why there is none. */
  readonly submit: (schedule: Schedule, at: number) => Promise<FiredRun>;
  /** How long a worker that died keeps others from its schedules. */
  readonly leaseMs: number;
  readonly onSay: (event: ScheduleEvent) => void;
  readonly stopping: () => boolean;
}

export type FiredRun = { readonly run: string } | { readonly fault: string };

export interface ScheduleEvent {
  readonly kind: 'fired' | 'not-fired';
  readonly schedule: string;
  readonly run: string | null;
  readonly reason: string | null;
}

const atOnce = 20;
/** An occurrence is missed when no worker looked for so long. */
const leastGraceMs = 60_000;

/** Resolves to how long nothing is due; `null`: nothing is due at all. */
export async function fireSchedules(options: FireOptions): Promise<number | null> {
  const { schedules, leaseMs, stopping } = options;
  for (;;) {
    const { nowMs, nextAt } = await schedules.clock();
    if (nextAt === null || nextAt > nowMs) return nextAt === null ? null : nextAt - nowMs;
    const due = await schedules.take(nowMs, nowMs + leaseMs, atOnce);
    // Another worker is at it.
    if (due.length === 0) return leaseMs;
    for (const schedule of due) {
      if (stopping()) return null;
      await fire(schedule, nowMs, options);
    }
  }
}

async function fire(schedule: Schedule, nowMs: number, options: FireOptions): Promise<void> {
  const { schedules, submit, onSay } = options;
  const { id, name, missed, cron, timezone } = schedule;
  const say = (run: string | null, reason: string | null): void =>
    onSay({ kind: run === null ? 'not-fired' : 'fired', schedule: name, run, reason });
  try {
    const dueAt = schedule.nextAt as number;
    const graceMs = Math.max(leastGraceMs, options.leaseMs * 4);
    const { fire: times, nextAt } = planOccurrences(parseCron(cron, timezone), {
      missed,
      dueAt,
      nowMs,
      graceMs,
    });
    if (times.length === 0) {
      await schedules.advance(id, dueAt, { nextAt, tried: null, isLast: true });
      return;
    }
    let from = dueAt;
    for (const [index, at] of times.entries()) {
      const fired = await submit(schedule, at);
      const [run, fault] = 'run' in fired ? [fired.run, null] : [null, fired.fault];
      say(run, fault);
      const following = times[index + 1] ?? nextAt;
      const isLast = index === times.length - 1 || options.stopping();
      const counts = await schedules.advance(id, from, {
        nextAt: following,
        tried: { at, run, fault },
        isLast,
      });
      if (!counts || isLast || following === null) return;
      from = following;
    }
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    say(null, error.message);
    await schedules.postpone(id, error.message);
  }
}
