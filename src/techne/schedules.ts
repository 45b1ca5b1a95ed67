// Schedules of a shared store: made, shown and stopped by people, fired by workers.
//
//   skill, cron, time zone -> a row that every worker looks at -> runs that say which schedule started them
import { TechneError } from '../base/error.ts';
import type { JsonObject } from '../base/json.ts';
import { createNodeIds } from '../node/environment.ts';
import type { MissedRule, Schedule } from '../ports/schedules.ts';
import { queueName } from '../worker/run-queue.ts';
import type { FiredRun } from '../worker/schedule/fire-schedules.ts';
import type { Serving, SubmitParts, Submitted } from './serving.ts';
import { defaultOrder, submitRun } from './serving.ts';

export interface ScheduleRequest {
  readonly name: string;
  readonly skill: string;
  readonly input: JsonObject | null;
  readonly cron: string;
  readonly timezone: string;
  readonly missed: MissedRule;
  readonly queue: string;
  readonly priority: number;
}

const scheduleName = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** Throws USAGE for what no worker could follow. */
export async function addSchedule({ schedules }: Serving, request: ScheduleRequest): Promise<Schedule> {
  const { name, queue, cron, timezone } = request;
  if (!scheduleName.test(name))
    throw new TechneError('USAGE', `"${name.slice(0, 80)}" cannot be the name of a schedule`, {
      hint: 'letters, digits, ".", "_" and "-", such as nightly-report',
    });
  if (!queueName.test(queue))
    throw new TechneError('USAGE', `"${queue.slice(0, 80)}" cannot be the name of a queue`, {
      hint: 'letters, digits, ".", "_" and "-", such as reports',
    });
  const { parseCron } = await import('../worker/schedule/cron.ts');
  const times = parseCron(cron, timezone);
  const nextAt = times.after((await schedules.clock()).nowMs);
  if (nextAt === null)
    throw new TechneError('USAGE', `the time "${cron}" never comes`, {
      hint: 'look at the day and the month, such as 31 in February',
    });
  return schedules.add(createNodeIds().ulid(), { ...request, nextAt });
}

/** Throws USAGE for a name that no schedule has. */
export async function findSchedule({ schedules }: Serving, name: string): Promise<Schedule> {
  const found = await schedules.find(name);
  if (found === null)
    throw new TechneError('USAGE', `there is no schedule "${name.slice(0, 80)}"`, {
      hint: '"techne schedule list" shows the schedules there are',
    });
  return found;
}

/** It is due at the next time that follows now; what was left out while it was paused is not run. */
export async function resumeSchedule({ schedules }: Serving, schedule: Schedule): Promise<number | null> {
  const { parseCron } = await import('../worker/schedule/cron.ts');
  const { nowMs } = await schedules.clock();
  const nextAt = parseCron(schedule.cron, schedule.timezone).after(nowMs);
  await schedules.resume(schedule.id, nextAt);
  return nextAt;
}

/** The run of an occurrence: the same one however often it is asked for. */
export async function fireOccurrence(parts: SubmitParts, schedule: Schedule, at: number): Promise<FiredRun> {
  const time = new Date(at).toISOString();
  const submitted = await submitFor(parts, schedule, {
    startedBy: `schedule ${schedule.name}, for ${time}`,
    key: `schedule:${schedule.id}:${time}`,
  });
  if (submitted.ok) return { run: submitted.run };
  const { error, text } = submitted.result;
  return { fault: error === null ? text : `${error.code}: ${error.message}` };
}

/** A run besides those of its times. */
export function runScheduleNow(parts: SubmitParts, schedule: Schedule): Promise<Submitted> {
  return submitFor(parts, schedule, { startedBy: `schedule ${schedule.name}, by hand`, key: null });
}

function submitFor(
  parts: SubmitParts,
  { name, skill, input, queue, priority }: Schedule,
  { startedBy, key }: { readonly startedBy: string; readonly key: string | null },
): Promise<Submitted> {
  return submitRun(
    parts,
    { skill, input, startedBy },
    { ...defaultOrder, queue, priority, key, by: `schedule ${name}` },
  );
}

/** The next times, as many as asked for. */
export async function followingTimes(
  { schedules }: Serving,
  { cron, timezone }: Schedule,
  count: number,
): Promise<readonly number[]> {
  const { parseCron } = await import('../worker/schedule/cron.ts');
  const times = parseCron(cron, timezone);
  const found: number[] = [];
  let at: number | null = (await schedules.clock()).nowMs;
  while (found.length < count) {
    at = times.after(at);
    if (at === null) break;
    found.push(at);
  }
  return found;
}
