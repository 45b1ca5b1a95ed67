// Schedules: skills that workers start at times, by a table that all of them look at.
//
// An occurrence is named by the id of its schedule and its time; that is the idempotency key of the run, so it is one run however
// many workers try, and whatever is killed in between. Times are those of the clock of the store: the clocks of machines are
// never compared.
import type { JsonObject } from '../base/json.ts';

/** What happens to occurrences that no worker was there for: all of them, the last one, or none is run. */
const missedRules = ['catch-up', 'latest', 'skip'] as const;
export type MissedRule = (typeof missedRules)[number];

export interface NewSchedule {
  readonly name: string;
  readonly skill: string;
  readonly input: JsonObject | null;
  readonly cron: string;
  /** An IANA name. */
  readonly timezone: string;
  readonly missed: MissedRule;
  readonly queue: string;
  readonly priority: number;
  /** When it is due first. */
  readonly nextAt: number;
}

export interface Schedule extends Omit<NewSchedule, 'nextAt'> {
  readonly id: string;
  readonly isPaused: boolean;
  readonly madeAt: number;
  /** `null`: never again. */
  readonly nextAt: number | null;
  /** The occurrence that was run last, and its run. */
  readonly lastAt: number | null;
  readonly lastRun: string | null;
  /** Why the last try gave no run; `null` if it gave one. */
  readonly fault: string | null;
  readonly faultAt: number | null;
}

/** What became of an occurrence, and when the next one is due. */
export interface Advance {
  readonly nextAt: number | null;
  /** `null`: occurrences were left out, and nothing was tried. */
  readonly tried: { readonly at: number; readonly run: string | null; readonly fault: string | null } | null;
  /** Whether the worker that took the schedule is done with it. */
  readonly isLast: boolean;
}

export interface Schedules {
  /** Throws USAGE for a name that is taken. */
  add(id: string, schedule: NewSchedule): Promise<Schedule>;
  list(): Promise<readonly Schedule[]>;
  /** By its name or its id. */
  find(name: string): Promise<Schedule | null>;
  pause(id: string): Promise<void>;
  /** It is due again from `nextAt` on: what was left out meanwhile is not missed. */
  resume(id: string, nextAt: number | null): Promise<void>;
  remove(id: string): Promise<void>;
  /** The time of the store, and when a schedule is due next; `null`: none is. */
  clock(): Promise<{ readonly nowMs: number; readonly nextAt: number | null }>;
  /** Schedules that are due, for this worker alone until `untilMs`. */
  take(nowMs: number, untilMs: number, limit: number): Promise<readonly Schedule[]>;
  /** Whether it counts: not for a schedule that was paused, removed or advanced by another worker. */
  advance(id: string, from: number, to: Advance): Promise<boolean>;
  /** The occurrence could not be tried: it is tried again. */
  postpone(id: string, fault: string): Promise<void>;
}
